#include "wormcast/experiments/run/topology_report.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast {

namespace {

constexpr const char* row_format = "{:<18}{}\n";

std::string degree_text(const TopologyMetrics& metrics)
{
  return metrics.smallest_degree == metrics.largest_degree
             ? fmt::to_string(metrics.largest_degree)
             : fmt::format("{} to {}", metrics.smallest_degree, metrics.largest_degree);
}

std::string mean_text(const TopologyMetrics& metrics)
{
  if (!metrics.mean_distance) {
    return "not measured (too many nodes)";
  }
  const double value = metrics.mean_distance->convert_to<double>();
  const std::string fraction = metrics.mean_distance->str();
  return fraction.find('/') == std::string::npos ? fraction : fmt::format("{} = {:.4f}", fraction, value);
}

std::string bisection_text(const TopologyMetrics& metrics)
{
  if (!metrics.bisection) {
    return "none (a single node)";
  }
  return fmt::format("{}{} links, {} channels", metrics.bisection->exact ? "" : "at most ", metrics.bisection->links,
                     metrics.bisection->channels);
}

} // namespace

std::string topology_table(const Topology& topology, const TopologyMetrics& metrics)
{
  const auto row = [](std::string_view name, const std::string& value) { return fmt::format(row_format, name, value); };
  return row("topology", topology.title()) +
         row("nodes", topology.has_switches()
                          ? fmt::format("{} ({} hosts, {} switches)", metrics.nodes, topology.host_count(),
                                        topology.node_count() - topology.host_count())
                          : fmt::to_string(metrics.nodes)) +
         row("channels", fmt::format("{} ({} links)", metrics.channels, metrics.links)) +
         row("degree", degree_text(metrics)) +
         row("diameter", metrics.diameter ? fmt::to_string(*metrics.diameter) : "not measured (too many nodes)") +
         row("mean distance", mean_text(metrics)) + row("bisection width", bisection_text(metrics));
}

std::string deadlock_report(const Topology& topology, const ChannelDependencies& dependencies,
                            const DeadlockCheck& check)
{
  const auto vertices = boost::num_vertices(dependencies.graph);
  const auto edges = boost::num_edges(dependencies.graph);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::string_view graph = dependencies.of_escape_channels
                                     ? "the extended channel dependency graph of the escape channels"
                                     : "the channel dependency graph";
  fmt::format_to(out, row_format, "deadlock-free", check.deadlock_free() ? "yes" : "NO");
  if (check.deadlock_free()) {
    fmt::format_to(
        out, "proof: {}, {} channels with {} dependencies, has no cycle: the channels can be numbered so that {}\n",
        graph, vertices, edges,
        dependencies.of_escape_channels
            ? "every message that takes one of them after another ascends, and one that waits can always take the next"
            : "every route ascends");
    return fmt::to_string(text);
  }
  fmt::format_to(out, "{}, {} channels with {} dependencies, has a cycle of {} channels:\n", graph, vertices, edges,
                 check.cycle.size());
  for (const VirtualChannel& channel : check.cycle) {
    fmt::format_to(out, "  {}\n", describe_channel(topology, channel, dependencies.classes));
  }
  return fmt::to_string(text);
}

} // namespace wormcast
