#include "wormcast/experiments/reproduction/swing/worm_run.hpp"

namespace wormcast::swing {

namespace {

/// The schedule with a message for each block of a message, in the same step.
Schedule divided(const Schedule& schedule)
{
  Schedule result = schedule;
  result.messages.clear();
  for (const Message& message : schedule.messages) {
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        result.messages.push_back(message);
        result.messages.back().blocks = result.block_sets.intern({block, block + 1});
      }
    }
  }
  return result;
}

} // namespace

SimulationResult run_of(const WormRun& one, Time per_hop, Mode mode)
{
  const BroadcastCase broadcast = on_torus(one.sides, one.algorithm, one.algorithm == "bucket" ? "" : "bandwidth");
  const auto topology = topology_of(broadcast);
  const std::uint64_t bytes = one.bytes == 0 ? 4096 * static_cast<std::uint64_t>(nodes(one.sides)) : one.bytes;
  NetworkParameters network;
  network.startup = Time{0};
  network.per_hop = per_hop;
  network.per_byte = Time{20};
  network.flit_bytes = one.flit_bytes;
  network.buffer_flits = one.buffer_flits;
  network.virtual_channels = one.virtual_channels;
  network.switching = one.switching;
  network.ports = broadcast.ports;
  RunParameters run;
  run.mode = mode;
  if (one.tie_seed) {
    run.tie_break = TieBreak::seeded;
    run.seed = *one.tie_seed;
  }
  const Schedule schedule = schedule_of(broadcast, *topology, bytes);
  return simulate_core(*topology, one.message_for_each_block ? divided(schedule) : schedule, network, run);
}

} // namespace wormcast::swing
