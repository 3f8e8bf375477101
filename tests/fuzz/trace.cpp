#include "tests/fuzz/targets.hpp"
#include "wormcast/experiments/trace/contention_summary.hpp"
#include "wormcast/experiments/trace/heat_map.hpp"

namespace wormcast::fuzz {

bool run_trace(std::string_view input)
{
  const InputFile file(input, ".jsonl");
  const ContentionTrace trace = read_contention(file.path(), {});
  std::uint64_t waits = 0;
  for (const WaitSum& sum : totals_by_kind(trace)) {
    waits += sum.count;
  }
  require(waits == trace.waits.size(), "every wait is of some kind");
  std::uint64_t waits_by_parts = 0;
  for (const WaitSum& sum : totals_by_parts(trace)) {
    waits_by_parts += sum.count;
  }
  require(waits_by_parts == waits, "every wait is somebody's for somebody");
  waits_by_channel(trace);
  waits_by_message(trace);
  longest_waits(trace);
  wait_chains(trace, 10);
  if (has_heat_map(trace.header)) {
    draw_heat_map(node_heat_map(trace), false);
    direction_heat_maps(trace);
  }
  return true;
}

} // namespace wormcast::fuzz
