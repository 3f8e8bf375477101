// A plug-in: chordal rings as a kind of topology, a broadcast that halves the ids that are left, and a pattern of
// traffic. With it loaded,
//   wormcast run chordal.toml --plugin ./libchordal.so
// takes kind = "chordal_ring", nodes = 16, chord = 4 and name = "halving", and `wormcast load` pattern = "ahead".

#include <memory>
#include <string>
#include <utility>
#include <vector>
#include <wormcast/algorithms/plugin.hpp>
#include <wormcast/simulator/traffic/patterns.hpp>
#include <wormcast/topologies/shortest_path_routing.hpp>
#include <wormcast/values/input_error.hpp>

namespace {

using namespace wormcast;

std::vector<ChannelEnds> chordal_channels(std::uint32_t nodes, std::uint32_t chord)
{
  std::vector<ChannelEnds> channels;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (const std::uint32_t step : {1U, chord}) {
      channels.push_back({NodeId{node}, NodeId{(node + step) % nodes}});
      channels.push_back({NodeId{(node + step) % nodes}, NodeId{node}});
    }
  }
  return channels;
}

/// Node i has links to i +- 1 and i +- chord.
class ChordalRing final : public TableRoutedTopology {
public:
  ChordalRing(const TopologyDescription& description, const RoutingChoice& routing, std::uint32_t nodes,
              std::uint32_t chord)
      : TableRoutedTopology(description, nodes, chordal_channels(nodes, chord), routing), chord_(chord)
  {}

  std::string title() const override
  {
    return "chordal ring " + std::to_string(node_count()) + " with chords of " + std::to_string(chord_);
  }

private:
  std::uint32_t chord_;
};

std::unique_ptr<Topology> make_chordal_ring(const TopologyDescription& description, const RoutingChoice& routing)
{
  const auto nodes = static_cast<std::uint32_t>(description.parameters.integer("nodes"));
  const auto chord = static_cast<std::uint32_t>(description.parameters.integer("chord"));
  if (2 * chord >= nodes) {
    throw InputError("chord: found " + std::to_string(chord) + ", expected less than half of the " +
                     std::to_string(nodes) + " nodes");
  }
  return std::make_unique<ChordalRing>(description, routing, nodes, chord);
}

/// Who has the message sends it to the middle of the ids that it is responsible for, until there are none.
Schedule halve(const Topology& topology, const ScheduleRequest& request)
{
  Schedule schedule;
  const BlockSetId whole = schedule.block_sets.intern(BlockRange{0, 1});
  const std::uint32_t nodes = topology.node_count();
  const auto node = [&](std::uint32_t place) { return NodeId{(index(request.source) + place) % nodes}; };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts = {{0, nodes}}; // the first of each has the message
  for (std::uint32_t step = 0; parts.size() < nodes; ++step) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> halves;
    for (const auto& [first, end] : parts) {
      const std::uint32_t middle = first + (end - first + 1) / 2;
      halves.emplace_back(first, middle);
      if (middle < end) {
        schedule.messages.push_back(
            {.step = step, .source = node(first), .destination = node(middle), .blocks = whole});
        halves.emplace_back(middle, end);
      }
    }
    parts = std::move(halves);
  }
  return schedule;
}

/// Half of a node's messages go to the node some ids further, the others to any node.
PatternShares send_ahead(const Topology& topology, const PatternRequest& request)
{
  const auto step = static_cast<std::uint32_t>(request.parameters.integer("ahead.step"));
  PatternShares shares;
  shares.even = 0.5;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    shares.chosen.push_back({.source = NodeId{node}, .destination = NodeId{(node + step) % topology.node_count()}});
  }
  return shares;
}

void register_all()
{
  TopologyKind ring;
  ring.name = "chordal_ring";
  ring.summary = "ring with chords: node i has links to i +- 1 and i +- chord";
  ring.parameters = {{.name = "nodes",
                      .type = ParameterType::integer,
                      .text = "number of nodes",
                      .minimum = 5,
                      .maximum = most_nodes_for_route_table},
                     {.name = "chord",
                      .type = ParameterType::integer,
                      .text = "length of the chords",
                      .minimum = 2,
                      .maximum = most_nodes_for_route_table}};
  ring.routings = {"shortest_path"};
  ring.source = "Arden & Lee, Analysis of chordal ring network, IEEE Trans. Computers C-30(4), 1981";
  ring.make = make_chordal_ring;
  register_topology(ring);

  Algorithm algorithm;
  algorithm.name = "halving";
  algorithm.summary = "the ids that are left are halved in each step";
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes: alpha = beta = ceil(log2 N)";
  algorithm.source = "an example";
  algorithm.make = halve;
  register_algorithm(algorithm);

  TrafficPattern ahead;
  ahead.name = "ahead";
  ahead.summary = "half of the messages go ahead.step ids further, the others to any node";
  ahead.parameters = {{.name = "ahead.step",
                       .type = ParameterType::integer,
                       .text = "how many ids further",
                       .fallback = std::int64_t{1},
                       .minimum = 1,
                       .maximum = most_nodes_for_route_table}};
  ahead.make = send_ahead;
  register_pattern(ahead);
}

} // namespace

extern "C" Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = register_all};
}
