#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/drawing/grid_drawing.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/lattice/lattice.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

Grid mesh_of(const LatticeBox& box)
{
  TopologyDescription description{"mesh", {}};
  description.parameters.set("dims", std::vector<std::int64_t>(box.sizes().begin(), box.sizes().end()));
  return Grid(description, {});
}

/// The channel of `mesh` between the nodes of a channel of the lattice that stays in the box.
ChannelId channel_in_mesh(const Grid& mesh, NodeId from, NodeId to)
{
  ChannelId channel = mesh.first_channel(from);
  while (mesh.channel_target(channel) != to) {
    channel = ChannelId{index(channel) + 1};
  }
  return channel;
}

} // namespace

Drawing draw_lattice(const Lattice& lattice)
{
  const bool circle = std::ranges::max(lattice.box().sizes()) == lattice.node_count();
  if (circle && lattice.node_count() >= 3 && lattice.node_count() <= most_nodes_for_ring_drawing) {
    Drawing drawing;
    drawing.nodes = circle_places(lattice.node_count());
    drawing.channels.resize(lattice.channel_count());
    fit_extent(drawing);
    return drawing;
  }
  const Grid mesh = mesh_of(lattice.box());
  Drawing drawing = draw_grid(mesh);
  const std::vector<ChannelDrawing> in_mesh = std::exchange(drawing.channels, {});
  for (std::uint32_t id = 0; id < lattice.channel_count(); ++id) {
    const ChannelId channel{id};
    if (lattice.wraps(channel)) {
      const Lattice::Step step = lattice.step_of(channel);
      drawing.channels.push_back({ChannelShape::stub, stub_direction(step.dimension, step.up)});
    } else {
      const ChannelId drawn = channel_in_mesh(mesh, lattice.channel_source(channel), lattice.channel_target(channel));
      drawing.channels.push_back(in_mesh[index(drawn)]);
    }
  }
  return drawing;
}

} // namespace wormcast
