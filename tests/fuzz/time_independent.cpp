#include "wormcast/algorithms/imported/time_independent.hpp"

#include "tests/fuzz/targets.hpp"

#include <numeric>
#include <sstream>

namespace wormcast::fuzz {

bool run_time_independent(std::string_view input)
{
  std::istringstream in{std::string(input)};
  const TimeIndependentTrace trace = read_time_independent(in, "trace.ti");
  require(trace.ranks > 0 && trace.bytes_by_rank.size() == trace.ranks, "every rank has its bytes");
  const std::uint64_t actions =
      std::accumulate(trace.actions.begin(), trace.actions.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& count) { return sum + count.second; });
  require(actions == trace.lines, "every line is an action");
  return true;
}

} // namespace wormcast::fuzz
