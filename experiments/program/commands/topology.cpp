#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/tcd.hpp"
#include "wormcast/experiments/run/topology_report.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/topologies/graph_files/routing_table.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

struct TopologyArguments {
  ConfigSource config;
  std::string format = "text";
  std::string out = "-";
  bool check_deadlock = false;
  bool tcd = false;
  TcdArguments tcd_values; ///< without config, format and out
};

/// A sweep of other things than the topology does not matter here.
void refuse_swept_topology(RawConfig config)
{
  std::erase_if(config.sweep, [](const SweepAxis& axis) {
    return !axis.key.starts_with("topology.") && !axis.key.starts_with("network.") && axis.key != "algorithm.file";
  });
  refuse_sweep(config, "topology");
}

ChannelSpeed channel_speed(const RawConfig& config, const ConfiguredTopology& configured)
{
  if (!configured.per_byte) {
    throw InputError(fmt::format("{}: network.per_byte: missing, expected the time per byte that gives the links of a "
                                 "SimGrid platform their bandwidth",
                                 config.file.string()));
  }
  return {.per_byte = *configured.per_byte,
          .per_hop = configured.per_hop,
          .link_per_byte = configured.link_per_byte,
          .link_per_hop = configured.link_per_hop};
}

/// About the bytes of an export.
std::uint64_t size_of(const Topology& topology, const std::string& format)
{
  const std::uint64_t nodes = topology.node_count();
  constexpr std::uint64_t bytes_of_channel = 100;
  constexpr std::uint64_t bytes_of_route = 520; // with its links; a route for each pair of nodes
  constexpr std::uint64_t bytes_of_line = 12;   // of a routing table
  return topology.channel_count() * bytes_of_channel + (format == "simgrid-xml" ? nodes * nodes * bytes_of_route : 0) +
         (format == "routes" ? nodes * nodes * bytes_of_line : 0);
}

/// With the classes of virtual channels that the configured router has.
ChannelDependencies configured_dependencies(const ConfiguredTopology& configured)
{
  const RouterModel& router = *configured.router;
  if (!router.channel_dependencies) {
    throw InputError(
        fmt::format("--check-deadlock: nothing is known of how router \"{}\" gives out virtual channels", router.name));
  }
  return router.channel_dependencies(*configured.topology, configured.routing, configured.virtual_channels);
}

/// The matrices of --tcd instead of the topology's facts.
int show_distances(const TopologyArguments& arguments, Verbosity verbosity)
{
  if (arguments.check_deadlock || (arguments.format != "text" && arguments.format != "csv")) {
    throw InputError(fmt::format("--tcd: found {}, expected at most --format text or csv beside it",
                                 arguments.check_deadlock ? "--check-deadlock" : "--format " + arguments.format));
  }
  TcdArguments tcd = arguments.tcd_values;
  tcd.config = arguments.config;
  tcd.format = arguments.format;
  tcd.out = arguments.out;
  return show_tcd(tcd, verbosity);
}

void check_tcd_options(const TopologyArguments& arguments)
{
  const char* const option = !arguments.tcd_values.values.empty()     ? "--values"
                             : !arguments.tcd_values.pictures.empty() ? "--picture"
                             : arguments.format == "csv"              ? "--format csv"
                                                                      : nullptr;
  if (option != nullptr) {
    throw InputError(fmt::format("{}: found without --tcd, expected both: it is for the matrices of --tcd", option));
  }
}

int show_topology(const TopologyArguments& arguments, Verbosity verbosity)
{
  if (arguments.tcd) {
    return show_distances(arguments, verbosity);
  }
  check_tcd_options(arguments);
  if (arguments.check_deadlock && arguments.format != "text") {
    throw InputError(
        fmt::format("--check-deadlock: found --format {}, expected no other format than text", arguments.format));
  }
  const RawConfig config = read_config(arguments.config);
  refuse_swept_topology(config);
  const ConfiguredTopology configured = configured_topology(config);
  const Topology& topology = *configured.topology;

  claim_output(size_of(topology, arguments.format), "the topology's file");
  OutputFile output(arguments.out);
  int code = exit_code::done;
  if (arguments.format == "dot") {
    write_dot(topology, output.stream());
  } else if (arguments.format == "graphml") {
    write_graphml(topology, output.stream());
  } else if (arguments.format == "simgrid-xml") {
    write_simgrid_xml(topology, channel_speed(config, configured), output.stream());
  } else if (arguments.format == "routes") {
    write_routing_table(topology, output.stream());
  } else {
    output.stream() << topology_table(topology, measure_topology(topology));
  }
  if (arguments.check_deadlock) {
    const ChannelDependencies dependencies = configured_dependencies(configured);
    const DeadlockCheck check = check_deadlock(dependencies);
    output.stream() << deadlock_report(topology, dependencies, check);
    code = check.deadlock_free() ? exit_code::done : exit_code::failed_check;
  }
  output.commit();
  say_written(arguments.out);
  return code;
}

} // namespace

Command topology_command()
{
  auto arguments = std::make_shared<TopologyArguments>();
  std::vector<CommandOption> options = {
      {.name = "--format",
       .target = &arguments->format,
       .text = "what to write (default: text; csv: of --tcd)",
       .choices = {"text", "simgrid-xml", "dot", "graphml", "routes", "csv"}},
      {.name = "--out",
       .target = &arguments->out,
       .text = "write to a file instead of standard output",
       .value = "FILE|-"},
      {.name = "--check-deadlock",
       .target = &arguments->check_deadlock,
       .text = "prove the channel dependency graph acyclic, or show a cycle (exit code 3)"},
      {.name = "--tcd",
       .target = &arguments->tcd,
       .text =
           "instead: the total communication distance (TCD) of the configured broadcast from every source of a mesh "
           "or torus, with its minimum and lower bound"}};
  std::ranges::move(tcd_options(arguments->tcd_values), std::back_inserter(options));
  return {.name = "topology",
          .summary = "nodes, channels, distances, bisection; export; deadlock freedom",
          .options = config_options(arguments->config, std::move(options)),
          .action = [arguments](Verbosity verbosity) { return show_topology(*arguments, verbosity); }};
}

} // namespace wormcast
