#pragma once

#include "wormcast/experiments/reproduction/swing/cases.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace wormcast::swing {

/// A run of an all_reduce on worms.
struct WormRun {
  Sides sides;
  std::uint32_t virtual_channels = 2;
  std::uint64_t buffer_flits = 8;
  std::uint64_t bytes = 0; ///< 0: 4 KiB for each node
  Switching switching = Switching::wormhole;
  std::string algorithm = "swing";
  std::uint64_t flit_bytes = 64;
  bool message_for_each_block = false; ///< as packets: each block of a message is a worm of its own
  std::optional<std::uint64_t> tie_seed =
      {}; ///< orders messages that request a channel at the same time; none: numbers do
};

/// Runs it with T_s = T_f = 0, 20 ps a byte and `per_hop` for each router. No latency: it ended in a deadlock.
SimulationResult run_of(const WormRun& one, Time per_hop = {}, Mode mode = Mode::lockstep);

} // namespace wormcast::swing
