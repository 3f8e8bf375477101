#include "tests/fuzz/targets.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/topologies/graph_files/graph_text.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/registry.hpp"

#include <sstream>
#include <string>

namespace wormcast::fuzz {

namespace {

using Writer = void (*)(const Topology&, std::ostream&);

std::unique_ptr<Topology> read_graph(std::string_view text, std::string_view extension)
{
  const InputFile file(text, extension);
  TopologyDescription description{.kind = "graph", .parameters = {}};
  description.parameters.set("file", file.path().string());
  return make_topology(description);
}

void require_same(const Topology& a, const Topology& b)
{
  require(a.node_count() == b.node_count(), "an exported graph reads back with as many nodes");
  require(a.channel_count() == b.channel_count(), "an exported graph reads back with as many channels");
  for (std::uint32_t channel = 0; channel < a.channel_count(); ++channel) {
    require(a.channel_source(ChannelId{channel}) == b.channel_source(ChannelId{channel}),
            "an exported graph reads back with the same channels");
  }
}

bool run_graph(std::string_view input, std::string_view extension, Writer write)
{
  constexpr std::uint32_t most_measured_nodes = 16; // the exact bisection tries all cuts
  const std::unique_ptr<Topology> graph = read_graph(input, extension);
  if (graph->node_count() <= most_measured_nodes) {
    measure_topology(*graph);
    check_deadlock(channel_dependencies(*graph, 1));
  }
  std::ostringstream exported;
  write(*graph, exported);
  require_same(*graph, *read_graph(exported.str(), extension));
  return true;
}

} // namespace

bool run_dot(std::string_view input)
{
  constexpr std::uint64_t most_edges_of_groups = 4096;
  return dot_outline(input).edges <= most_edges_of_groups && run_graph(input, ".dot", write_dot);
}

bool run_graphml(std::string_view input)
{
  return run_graph(input, ".graphml", write_graphml);
}

} // namespace wormcast::fuzz
