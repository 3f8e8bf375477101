#pragma once

#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/algorithms/tuning/fastest.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormcast {

/// The quantities that determine the time of k equal segments down trees with steps free of contention: the longest
/// edge that each tree has of each start.
class SegmentTimes {
public:
  SegmentTimes(const Topology& topology, const SegmentTrees& trees);

  /// alpha; beta is alpha/k.
  std::uint64_t steps(std::uint64_t segments) const;

  /// The sum over the steps of the longest route.
  std::uint64_t hops(std::uint64_t segments) const;

  /// alpha*(T_s + L*T_c/k) + hops*T_f: what the steps take one after the other, but for the rounding of L/k to whole
  /// bytes and flits. The request has costs.
  ExactTime time(std::uint64_t segments, const ScheduleRequest& request) const;

  /// The k from 1 to `most` with the least time, of equal ones the smallest.
  std::uint64_t best(std::uint64_t most, const ScheduleRequest& request) const;

private:
  struct Tree {
    std::vector<std::uint32_t> longest; ///< by start: hops of the longest edge; 0: there is none
    std::uint32_t first = 0;            ///< start of an edge
  };

  std::uint64_t first_step(std::uint64_t segments) const;
  std::uint64_t span_of(std::uint64_t segments) const; ///< from the first step to the last, empty ones included
  std::vector<std::uint32_t> longest_by_step(std::uint64_t segments) const;
  ExactTime time(std::uint64_t segments, const ScheduleRequest& request, std::optional<std::uint64_t> known_hops) const;
  std::vector<std::uint64_t> first_hops(std::uint64_t most) const; ///< hops of 0 to `most` segments
  std::uint64_t counted_hops(std::uint64_t segments) const;
  std::uint64_t regular_from() const;

  std::uint32_t period_;
  std::vector<Tree> trees_;
};

/// The declaration of the parameter `segments`.
Parameter segments_parameter();

/// The most segments that can be "best": one a byte, and as many as segments_parameter and most_messages allow.
std::uint64_t most_segments(const Topology& topology, const ScheduleRequest& request);

/// Makes the broadcast with `segments` of the request. Throws InputError that names the algorithm where these are more
/// than the bytes of the message, or more messages than most_messages.
Schedule make_segmented(std::string_view algorithm, const SegmentTrees& trees, const Topology& topology,
                        const ScheduleRequest& request);

/// The request's parameters with the best `segments`.
ParameterValues best_segments(const SegmentTrees& trees, const Topology& topology, const ScheduleRequest& request);

/// Returns the result of Algorithm::segment_costs.
std::function<SegmentCosts(std::uint64_t segments)> segment_costs(const SegmentTrees& trees, const Topology& topology);

/// Throws InputError where a message is to be cut into more `parts` than it has bytes.
void require_bytes_for(std::string_view algorithm, std::uint64_t parts, std::string_view parameter,
                       const ScheduleRequest& request);

} // namespace wormcast
