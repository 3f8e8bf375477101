#pragma once

#include "tests/simulator/engines/plain_schedule.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace wormcast::testing {

/// Messages between random nodes of a 32 x 32 mesh, starts uniform over `window_ns` in whole nanoseconds.
inline Schedule uniform_traffic(int count, std::uint64_t bytes, std::int64_t window_ns)
{
  constexpr std::uint32_t nodes = 32 * 32;
  std::mt19937_64 random(1);
  std::vector<Send> sends;
  for (int i = 0; i < count; ++i) {
    const auto source = static_cast<std::uint32_t>(random() % nodes);
    const auto other = static_cast<std::uint32_t>(random() % (nodes - 1));
    const auto start = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(window_ns)) * 1000;
    sends.push_back({source, other >= source ? other + 1 : other, bytes, start, {}});
  }
  return plain_schedule(grid("mesh", {32, 32}), sends);
}

/// T_s, T_f and T_c in nanoseconds.
inline NetworkParameters network_in_ns(std::int64_t startup, std::int64_t per_hop, std::int64_t per_byte)
{
  NetworkParameters network;
  network.startup = Time{startup * 1000};
  network.per_hop = Time{per_hop * 1000};
  network.per_byte = Time{per_byte * 1000};
  return network;
}

} // namespace wormcast::testing
