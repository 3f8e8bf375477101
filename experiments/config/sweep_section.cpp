#include "wormcast/experiments/config/sweep_section.hpp"

#include <vector>

namespace wormcast {

std::span<const SweepSyntax> sweep_syntax()
{
  static const std::vector<SweepSyntax> syntax = {
      {"\"SECTION.KEY\"", "[VALUE, ...]", "an axis: every value in turn"},
      {"\"SECTION.KEY\"", "{ from = A, to = B, factor = F }",
       "an axis of numbers, sizes or times: A, A*F, A*F*F, ... to B, which must be met"},
      {"\"SECTION.KEY\"", "{ from = A, to = B, step = S }", "the same with A, A+S, A+2*S, ..."},
      {"SECTION", "[{ KEY = VALUE, ... }, ...]",
       "an axis of tables, each of which sets several keys of one section: topologies of different kinds"},
      {"repeat", "N",
       "an axis run.seed of N seeds from run.seed of the configuration on, "
       "which are repetitions of the same experiment"},
  };
  return syntax;
}

} // namespace wormcast
