#include "wormcast/topologies/numbered_topology.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wormcast {

NodeId NumberedTopology::node_at(std::span<const std::int64_t> coordinates) const
{
  if (coordinates.size() != 1) {
    throw InputError(fmt::format("[{}] has {} coordinates, but {} of the {} have one, their id",
                                 fmt::join(coordinates, ", "), coordinates.size(), has_switches() ? "hosts" : "nodes",
                                 title()));
  }
  return resolve_node(*this, coordinates[0]);
}

} // namespace wormcast
