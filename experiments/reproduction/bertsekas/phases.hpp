#pragma once

#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace wormcast::bertsekas {

/// The program's total exchange on the d-cube.
CubeCase total_exchange_case(std::uint32_t dimension);

/// Its transmissions.
std::vector<Hop> total_exchange_hops(std::uint32_t dimension);

/// How the total exchange of section 4 is put together from that of one dimension less (fig. 5).
struct PhaseRules {
  bool overlap = true;               ///< phase 3 follows phase 1 at once; else it waits for the end of phase 2
  std::uint32_t earlier = 0;         ///< without overlap: by so many units before the end of phase 2
  std::mt19937_64* random = nullptr; ///< breaks the ties of rule (a); none: the lower link first
};

/// All transmissions of the recursively constructed total exchange, in ascending order. Cost O(d^2 2^(2d)).
std::vector<Hop> exchange_in_phases(std::uint32_t dimension, const PhaseRules& rules = {});

/// N_d(i, n) for n = 1 .. 2^(d-1), at n - 1: the packets of its own that node i has sent up to time n.
std::vector<std::uint32_t> own_packets_sent(const std::vector<Hop>& hops, std::uint32_t dimension, std::uint32_t node);

} // namespace wormcast::bertsekas
