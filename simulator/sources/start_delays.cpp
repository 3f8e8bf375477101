#include "wormcast/simulator/sources/start_delays.hpp"

#include "wormcast/simulator/random/seeded_random.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// Separates the order of equal requests from the start delays of the same seed.
constexpr std::uint64_t tie_stream = 0x7469655f627265ULL;

} // namespace

std::vector<std::int64_t> start_delays(std::uint32_t node_count, Time jitter, std::uint64_t seed)
{
  std::vector<std::int64_t> delays(node_count, 0);
  if (jitter.picoseconds == 0) {
    return delays;
  }
  const std::uint64_t values = static_cast<std::uint64_t>(jitter.picoseconds) + 1;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    delays[node] = static_cast<std::int64_t>(scaled_below(seeded_number(seed, node), values));
  }
  return delays;
}

std::vector<std::int64_t> start_delays(const Topology& topology, const NetworkParameters& network,
                                       const RunParameters& run)
{
  std::vector<std::int64_t> delays = start_delays(topology.host_count(), run.start_jitter, run.seed);
  for (std::int64_t& delay : delays) {
    delay = next_whole_cycle(network, Time{delay}).picoseconds;
  }
  return delays;
}

Time source_start(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                  const RunParameters& run)
{
  if (run.start_jitter == Time{} || schedule.messages.empty()) {
    return {};
  }
  const std::vector<std::int64_t> delays = start_delays(topology, network, run);
  if (starts_at_source(schedule.operation)) {
    return Time{delays[index(schedule.source)]};
  }
  std::int64_t first = delays[index(schedule.messages.front().source)];
  for (const Message& message : schedule.messages) {
    first = std::min(first, delays[index(message.source)]);
  }
  return Time{first};
}

std::uint32_t tie_precedence(const RunParameters& run, MessageId message, NodeId source)
{
  switch (run.tie_break) {
  case TieBreak::source:
    return index(source);
  case TieBreak::seeded:
    return static_cast<std::uint32_t>(seeded_number(run.seed ^ tie_stream, index(message)) >> 32);
  case TieBreak::id:
    break;
  }
  return 0;
}

std::int64_t extra_startup(const NetworkParameters& network, const RunParameters& run, MessageId message)
{
  return run.noise ? next_whole_cycle(network, run.noise->extra(network.startup, run.seed, index(message))).picoseconds
                   : 0;
}

std::int64_t extra_startup(const Schedule& schedule, const NetworkParameters& network, const RunParameters& run,
                           MessageId message)
{
  return schedule.packets.empty() || schedule.packets[index(message)] == 0 ? extra_startup(network, run, message)
                                                                           : -network.startup.picoseconds;
}

} // namespace wormcast
