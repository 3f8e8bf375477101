#include "wormcast/topologies/metrics/host_cut.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include <limits>

namespace wormcast {

namespace {

using FlowTraits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using VertexProperties = boost::property<boost::vertex_predecessor_t, FlowTraits::edge_descriptor,
                                         boost::property<boost::vertex_color_t, boost::default_color_type,
                                                         boost::property<boost::vertex_distance_t, std::int64_t>>>;
using EdgeProperties =
    boost::property<boost::edge_capacity_t, std::int64_t,
                    boost::property<boost::edge_residual_capacity_t, std::int64_t,
                                    boost::property<boost::edge_reverse_t, FlowTraits::edge_descriptor>>>;
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, VertexProperties, EdgeProperties>;

void add_flow(FlowGraph& graph, std::size_t from, std::size_t to, std::int64_t forth, std::int64_t back)
{
  const auto there = boost::add_edge(from, to, graph).first;
  const auto reverse = boost::add_edge(to, from, graph).first;
  boost::put(boost::edge_capacity, graph, there, forth);
  boost::put(boost::edge_capacity, graph, reverse, back);
  boost::put(boost::edge_reverse, graph, there, reverse);
  boost::put(boost::edge_reverse, graph, reverse, there);
}

} // namespace

std::vector<std::uint8_t> cut_between_hosts(const Topology& topology)
{
  const std::uint32_t hosts = topology.host_count();
  const std::size_t source = topology.node_count();
  const std::size_t sink = source + 1;
  FlowGraph graph(sink + 1);
  constexpr std::int64_t never_cut = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const bool first = host < (hosts + 1) / 2;
    add_flow(graph, first ? source : host, first ? host : sink, never_cut, 0);
  }
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    add_flow(graph, index(topology.channel_source(ChannelId{id})), index(topology.channel_target(ChannelId{id})), 1, 1);
  }
  boost::boykov_kolmogorov_max_flow(graph, source, sink);
  std::vector<std::uint8_t> half;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    half.push_back(boost::get(boost::vertex_color, graph, node) == boost::black_color ? 0 : 1);
  }
  return half;
}

} // namespace wormcast
