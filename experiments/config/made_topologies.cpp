#include "wormcast/experiments/config/made_topologies.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

std::shared_ptr<const Topology> MadeTopologies::of(const TopologyDescription& description, const RoutingChoice& routing)
{
  constexpr std::uint64_t largest_size = std::uint64_t{1} << 21;
  const auto known = std::ranges::find_if(
      made_, [&](const Made& made) { return made.description == description && made.routing == routing; });
  if (known != made_.end()) {
    return known->topology;
  }
  std::shared_ptr<const Topology> topology = make_topology(description, routing);
  const std::uint64_t size = std::uint64_t{topology->node_count()} + topology->channel_count();
  if (size_ + size > largest_size) {
    made_.clear();
    size_ = 0;
  }
  size_ += size;
  made_.push_back({description, routing, topology});
  return topology;
}

} // namespace wormcast
