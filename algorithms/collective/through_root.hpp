#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <cstdint>
#include <functional>

namespace wormcast {

/// What a schedule costs as a function of its number of segments.
using CostsOfSegments = std::function<SegmentCosts(std::uint64_t segments)>;

/// The costs of the reduce by reversal to the source of the request.
CostsOfSegments costs_of_reduce(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

/// The costs of the all_reduce through the source of the request: the reduce to it and the broadcast from it.
CostsOfSegments costs_through_root(const Algorithm& algorithm, const Topology& topology,
                                   const ScheduleRequest& request);

/// The request with the root of an all_reduce as source: of node 0, a grid's middle and the node behind it in all
/// dimensions the one with the fewest steps. On meshes of 2^n x 2^n nodes two_trees need one step less from some rows
/// than from others; the three nodes are in such rows, in others, and at a corner.
ScheduleRequest through_root(const Algorithm& algorithm, const Topology& topology, ScheduleRequest request);

/// The parameters of an all_reduce through the source of the request with the best number of segments: that with the
/// least time between those that are best for reduce and broadcast alone, and some around them. Both times are convex
/// along numbers that leave the same remainder by the number of trees.
ParameterValues best_through_root(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request);

} // namespace wormcast
