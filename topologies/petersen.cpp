#include "wormcast/topologies/petersen.hpp"

#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace wormcast {

namespace {

std::vector<ChannelEnds> petersen_channels()
{
  std::vector<ChannelEnds> channels;
  append_petersen_channels(NodeId{0}, channels);
  return channels;
}

Drawing draw_petersen(const Topology& topology)
{
  Drawing drawing;
  for (int p = 0; p < static_cast<int>(petersen_nodes); ++p) {
    drawing.nodes.push_back(petersen_place(p));
  }
  drawing.channels.resize(topology.channel_count());
  fit_extent(drawing);
  return drawing;
}

class PetersenGraph final : public TableRoutedTopology {
public:
  PetersenGraph(TopologyDescription description, RoutingChoice routing)
      : TableRoutedTopology(std::move(description), petersen_nodes, petersen_channels(), std::move(routing))
  {}

  std::string title() const override { return "Petersen graph"; }
};

} // namespace

const std::array<int, 3>& petersen_neighbours(int p)
{
  static constexpr std::array<std::array<int, 3>, petersen_nodes> neighbours = {
      {{1, 4, 5}, {0, 2, 8}, {1, 3, 6}, {2, 4, 9}, {0, 3, 7}, {0, 6, 9}, {2, 5, 7}, {4, 6, 8}, {1, 7, 9}, {3, 5, 8}}};
  return neighbours.at(static_cast<std::size_t>(p));
}

void append_petersen_channels(NodeId first, std::vector<ChannelEnds>& channels)
{
  const auto node = [&](int p) { return NodeId{index(first) + static_cast<std::uint32_t>(p)}; };
  for (int p = 0; p < static_cast<int>(petersen_nodes); ++p) {
    for (const int neighbour : petersen_neighbours(p)) {
      channels.push_back({node(p), node(neighbour)});
    }
  }
}

DrawingPoint petersen_place(int p)
{
  const bool outer = p < 5;
  const int corner = outer ? p : *std::ranges::find_if(petersen_neighbours(p), [](int other) { return other < 5; });
  const double angle = 2 * std::numbers::pi / 5 * corner;
  const double radius = outer ? 2 : 1;
  return {radius * std::sin(angle), radius * std::cos(angle)};
}

TopologyKind petersen_kind()
{
  return {"petersen",
          "Petersen graph: ten nodes of degree 3, diameter 2",
          {},
          {"shortest_path"},
          "Kim, Lee, Kim & Kim, Broadcasting algorithms of three-dimensional "
          "Petersen-torus network, J. Applied Mathematics 2014, 935737, Definition 1",
          [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
            return std::make_unique<PetersenGraph>(description, routing);
          },
          {},
          {},
          draw_petersen};
}

} // namespace wormcast
