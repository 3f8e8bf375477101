#include "wormcast/algorithms/imported/forestcoll.hpp"

#include "tests/fuzz/targets.hpp"

#include <sstream>

namespace wormcast::fuzz {

bool run_forestcoll(std::string_view input)
{
  std::istringstream in{std::string(input)};
  const Forest forest = read_forestcoll(in, "trees.xml");
  if (forest.trees.size() * forest.names.size() > 100'000) {
    return false;
  }
  const ForestReport report = check_forestcoll(forest);
  const Program program = forestcoll_program(forest, Operation::multinode_broadcast, 1000, "trees.xml");
  require(program.sends.size() == report.messages, "every message is sent");
  const Program reduced = forestcoll_program(forest, Operation::all_reduce, 1000, "trees.xml");
  require(reduced.sends.size() == 2 * report.messages, "every message is sent in both directions");
  require(report.findings.count(FindingKind::possession) == 0, "a program sends what it has");
  return true;
}

} // namespace wormcast::fuzz
