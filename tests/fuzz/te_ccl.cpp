#include "wormcast/algorithms/imported/te_ccl.hpp"

#include "tests/fuzz/targets.hpp"

#include <sstream>

namespace wormcast::fuzz {

bool run_te_ccl(std::string_view input)
{
  std::istringstream in{std::string(input)};
  const TecclSchedule schedule = read_te_ccl(in, "schedule.json");
  const Program program = te_ccl_program(schedule, 1000, "schedule.json");
  require(program.sends.size() == schedule.sends.size(), "every part is sent");
  return true;
}

} // namespace wormcast::fuzz
