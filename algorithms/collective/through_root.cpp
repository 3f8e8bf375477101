#include "wormcast/algorithms/collective/through_root.hpp"

#include "wormcast/algorithms/collective/reversal.hpp"
#include "wormcast/algorithms/tuning/fastest.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/parallel_links.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

CostsOfSegments costs_of_reduce(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  const BroadcastToReverse broadcast = broadcast_to_reverse(topology, request);
  return [costs = algorithm.segment_costs(broadcast.on(topology), broadcast.request),
          kept = broadcast.topology](std::uint64_t segments) { return costs(segments); };
}

CostsOfSegments costs_through_root(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  return [reduce = costs_of_reduce(algorithm, topology, request),
          broadcast = algorithm.segment_costs(topology, request)](std::uint64_t segments) {
    const SegmentCosts up = reduce(segments);
    const SegmentCosts down = broadcast(segments);
    return SegmentCosts{up.alpha + down.alpha, up.hops + down.hops};
  };
}

ScheduleRequest through_root(const Algorithm& algorithm, const Topology& topology, ScheduleRequest request)
{
  constexpr std::uint64_t many_segments = 64; // the steps of more grow alike from all roots
  std::vector<NodeId> roots = {NodeId{0}};
  if (const auto* grid = as_kind<Grid>(topology)) {
    for (const std::int64_t behind : {0, 1}) {
      std::vector<std::int64_t> place;
      for (const std::int64_t size : grid->sizes()) {
        place.push_back(std::min(size / 2 + behind, size - 1));
      }
      roots.push_back(grid->node_at(place));
    }
  }
  std::optional<std::pair<std::uint64_t, std::uint64_t>> least; // steps and hops
  ScheduleRequest best = request;
  for (const NodeId root : roots) {
    request.source = root;
    const SegmentCosts costs = costs_through_root(algorithm, topology, request)(many_segments);
    if (const std::pair found(costs.alpha, costs.hops); !least || found < *least) {
      least = found;
      best = request;
    }
  }
  return best;
}

ParameterValues best_through_root(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  constexpr std::int64_t around = 8;
  const BroadcastToReverse reduce = broadcast_to_reverse(topology, request);
  ParameterValues values = algorithm.tune(topology, request);
  const std::int64_t down = values.integer(algorithm.segments);
  const std::int64_t up = algorithm.tune(reduce.on(topology), reduce.request).integer(algorithm.segments);
  const auto costs_of = costs_through_root(algorithm, topology, request);
  const std::uint64_t most = most_segments(topology, request);
  std::optional<ExactTime> least;
  for (std::int64_t segments = std::max(std::min(up, down) - around, std::int64_t{1});
       segments <= std::max(up, down) + around && static_cast<std::uint64_t>(segments) <= most; ++segments) {
    const SegmentCosts costs = costs_of(static_cast<std::uint64_t>(segments));
    const FormulaCosts formula{costs.alpha, Fraction(static_cast<std::int64_t>(costs.alpha), segments)};
    ExactTime time = formula_time(formula, request) + ExactTime(costs.hops) * request.costs->per_hop.picoseconds;
    if (!least || time < *least) {
      least = std::move(time);
      values.set(algorithm.segments, segments);
    }
  }
  return values;
}

} // namespace wormcast
