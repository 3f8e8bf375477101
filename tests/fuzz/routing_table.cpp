#include "tests/fuzz/targets.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/registry.hpp"

#include <vector>

namespace wormcast::fuzz {

namespace {

// Two switches with two hosts each, and a third way round.
constexpr std::string_view three_switches = "graph { l [kind=switch]; r [kind=switch]; u [kind=switch]; "
                                            "a -- l; b -- l; c -- r; d -- r; l -- r; l -- u; u -- r; }";

} // namespace

bool run_routing_table(std::string_view input)
{
  const InputFile graph(three_switches, ".dot");
  const InputFile table(input, ".txt");
  TopologyDescription description{.kind = "graph", .parameters = {}};
  description.parameters.set("file", graph.path().string());
  description.parameters.set("routes_file", table.path().string());
  const std::unique_ptr<Topology> topology = make_topology(description, {.routing = "given"});
  check_deadlock(channel_dependencies(*topology, 1));
  for (std::uint32_t from = 0; from < topology->host_count(); ++from) {
    for (std::uint32_t to = 0; to < topology->host_count(); ++to) {
      std::vector<ChannelId> route;
      topology->append_route(NodeId{from}, NodeId{to}, route);
      require(route.size() == topology->distance(NodeId{from}, NodeId{to}), "a route is as long as its distance");
      NodeId node{from};
      for (const ChannelId channel : route) {
        require(topology->channel_source(channel) == node, "the channels of a route are a path");
        node = topology->channel_target(channel);
      }
      require(node == NodeId{to}, "a route ends at its destination");
    }
  }
  return true;
}

} // namespace wormcast::fuzz
