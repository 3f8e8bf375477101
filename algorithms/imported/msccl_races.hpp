#pragma once

#include "wormcast/algorithms/imported/finding.hpp"
#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/algorithms/imported/msccl_memory.hpp"
#include "wormcast/algorithms/imported/msccl_order.hpp"

namespace wormcast {

/// Adds every two accesses of different steps to a chunk of which one writes and which nothing orders. The order is
/// found by vector clocks (Mattern, 1989): for each gpu, of which steps of its blocks each step comes after.
void find_msccl_races(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory,
                      Findings& findings);

/// Throws InputError where that would take more than 2^36 operations or 1 GiB.
void check_race_limits(const MscclAlgorithm& algorithm);

} // namespace wormcast
