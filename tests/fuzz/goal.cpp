#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/algorithms/schedule/program.hpp"

#include <sstream>
#include <utility>

namespace wormcast::fuzz {

bool run_goal(std::string_view input)
{
  std::istringstream in{std::string(input)};
  Program program = read_program(in, "program.goal");
  require(program.sends.size() <= program.actions.size(), "every message is an action");
  if (program.ranks > 64 || program.actions.size() > 1000) {
    return true;
  }
  check_and_simulate_on_line(std::move(program));
  return true;
}

} // namespace wormcast::fuzz
