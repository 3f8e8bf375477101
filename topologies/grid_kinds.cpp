#include "wormcast/topologies/grid_kinds.hpp"

#include "wormcast/topologies/concentrated_grid.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/grid_drawing.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

#include <memory>
#include <string>
#include <utility>

namespace wormcast {

namespace {

Parameter wrap_parameter()
{
  Parameter wrap;
  wrap.name = "wrap";
  wrap.type = ParameterType::integers; // values/flag_list.hpp
  wrap.text = "which dimensions are rings, one value for each: others are lines as of a mesh; without it all are";
  wrap.optional = true;
  wrap.minimum = 0;
  wrap.maximum = 1;
  return wrap;
}

Parameter dims_parameter(std::string text)
{
  Parameter dims;
  dims.name = "dims";
  dims.type = ParameterType::integers;
  dims.text = std::move(text);
  dims.minimum = 1;
  dims.maximum = most_grid_nodes;
  return dims;
}

Parameter concentration_parameter()
{
  Parameter concentration;
  concentration.name = "concentration";
  concentration.text = "hosts at each router, linked to it; without it the nodes are hosts and routers in one";
  concentration.optional = true;
  concentration.minimum = 1;
  concentration.maximum = most_hosts_of_router;
  return concentration;
}

std::unique_ptr<Topology> make_grid(const TopologyDescription& description, const RoutingChoice& routing)
{
  if (hosts_of_router(description) > 1) {
    return std::make_unique<ConcentratedGrid>(description, routing);
  }
  return std::make_unique<Grid>(description, routing);
}

TopologyMetrics measure(const Topology& topology)
{
  const auto* const grid = dynamic_cast<const Grid*>(&topology);
  return grid != nullptr ? measure_grid(*grid)
                         : measure_concentrated_grid(dynamic_cast<const ConcentratedGrid&>(topology));
}

ChannelDependencies dependencies(const Topology& topology, std::uint32_t virtual_channels)
{
  const auto* const grid = dynamic_cast<const Grid*>(&topology);
  return grid != nullptr ? grid_channel_dependencies(*grid, virtual_channels)
                         : enumerate_channel_dependencies(topology, virtual_channels);
}

Drawing draw(const Topology& topology)
{
  const auto* const grid = dynamic_cast<const Grid*>(&topology);
  return grid != nullptr ? draw_grid(*grid) : draw_concentrated_grid(dynamic_cast<const ConcentratedGrid&>(topology));
}

} // namespace

TopologyKind mesh_kind()
{
  return {"mesh",
          "Mesh of 1 to 8 dimensions",
          {dims_parameter("sizes in the order x, y, z, ..."), concentration_parameter()},
          {"dimension_order"},
          "W. J. Dally and C. L. Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE "
          "Trans. Computers C-36(5), 1987",
          make_grid,
          measure,
          dependencies,
          draw};
}

TopologyKind torus_kind()
{
  return {"torus",
          "Torus of 1 to 8 dimensions: a mesh whose lines, all or some, are closed to rings",
          {dims_parameter("sizes in the order x, y, z, ..."), wrap_parameter(), concentration_parameter()},
          {"dimension_order"},
          "W. J. Dally and C. L. Seitz, The torus routing chip, Distributed Computing 1(4), 1986",
          make_grid,
          measure,
          dependencies,
          draw};
}

} // namespace wormcast
