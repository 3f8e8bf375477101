#include "wormcast/experiments/trace/reader.hpp"
#include "wormcast/topologies/faults.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>

namespace wormcast {

TopologyDescription network_of(const TraceHeader& header)
{
  TopologyDescription description;
  description.kind = header.kind;
  description.parameters = header.faults;
  if (!header.dims.empty()) {
    description.parameters.set("dims", header.dims);
  }
  if (!header.wrap.empty()) {
    description.parameters.set("wrap", header.wrap);
  }
  if (header.concentration > 1) {
    description.parameters.set("concentration", static_cast<std::int64_t>(header.concentration));
  }
  return description;
}

std::unique_ptr<Topology> traced_network(const TraceHeader& header)
{
  const TopologyDescription description = network_of(header);
  return make_topology(description, {.routing = has_faults(description) ? "shortest_path" : ""});
}

std::string network_title(const TraceHeader& header)
{
  const TopologyDescription description = network_of(header);
  const std::string whole = header.dims.empty() ? header.kind : grid_title(without_faults(description));
  return has_faults(description) ? whole + " with faults" : whole;
}

} // namespace wormcast
