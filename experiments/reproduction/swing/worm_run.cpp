#include "wormcast/experiments/reproduction/swing/worm_run.hpp"

#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"

namespace wormcast::swing {

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
  return simulated(*topology, schedule_of(broadcast, *topology, bytes), network, run);
}

} // namespace wormcast::swing
