#include "wormcast/experiments/config/experiment_sections.hpp"

#include "wormcast/algorithms/imported/forestcoll.hpp"
#include "wormcast/algorithms/imported/msccl_program.hpp"
#include "wormcast/algorithms/imported/te_ccl.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/given_trace.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/ranks_section.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/traffic/node_figures.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/topologies/described_links.hpp"
#include "wormcast/topologies/faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

void resolve_files(const ConfigReader& reader, std::span<const Parameter> declared, ParameterValues& values)
{
  for (const Parameter& parameter : declared) {
    if (parameter.type == ParameterType::file && values.has(parameter.name)) {
      values.set(parameter.name, reader.resolve(values.text(parameter.name)).string());
    }
  }
}

void throw_of_section(const ConfigReader& reader, std::string_view section, const InputError& error)
{
  const std::string text = error.what();
  const std::size_t colon = text.find(": ");
  const std::string key = fmt::format("{}.{}", section, text.substr(0, colon));
  if (colon == std::string::npos || declarations(key).empty()) {
    throw_at(reader.section_or_file(section), fmt::format("[{}]", section), text);
  }
  throw_at(reader.has(key) ? reader.origin(key) : reader.section_or_file(section), key, text.substr(colon + 2));
}

namespace {

/// Calls convert(), whose errors get their places in the section.
auto of_section(const ConfigReader& reader, std::string_view section, const auto& convert)
{
  try {
    return convert();
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw_of_section(reader, section, error);
  }
}

} // namespace

NetworkParameters read_network(const ConfigReader& reader, const RouterModel& router, const ParameterValues& values)
{
  return of_section(reader, "network", [&] { return network_parameters(values, router); });
}

void suit_network(const ConfigReader& reader, NetworkParameters& network, const Topology& topology)
{
  of_section(reader, "network", [&] { resolve_for(network, topology); });
}

NetworkParameters given_network(const ConfigReader& reader, const RouterModel& router, ParameterValues values,
                                const Topology& topology)
{
  if (values.has("per_hop") && !values.has("link_per_hop") && !values.has("link_per_byte") &&
      described_links(topology).empty()) {
    NetworkParameters network;
    network.per_hop = values.time("per_hop");
    return network;
  }
  for (const char* key : {"startup", "per_byte"}) {
    if (!values.has(key)) {
      values.set(key, Time{key == std::string_view("per_byte") ? 1 : 0});
    }
  }
  NetworkParameters network = read_network(reader, router, values);
  suit_network(reader, network, topology);
  return network;
}

TopologyDescription read_topology(const ConfigReader& reader)
{
  TopologyDescription description;
  description.kind = reader.read_text("topology", fixed_parameters("topology").front());
  description.parameters = reader.read_selected("topology", "topology.kind", description.kind);
  return description;
}

std::shared_ptr<const Topology> build_topology(const ConfigReader& reader, TopologyDescription description,
                                               const RoutingChoice& routing)
{
  return build_topology(reader, "topology", std::move(description), routing);
}

std::shared_ptr<const Topology> build_topology(const ConfigReader& reader, std::string_view section,
                                               TopologyDescription description, const RoutingChoice& routing)
{
  const TopologyKind& kind = find_topology_kind(description.kind);
  if (!routing.routing.empty() &&
      std::find(kind.routings.begin(), kind.routings.end(), routing.routing) == kind.routings.end()) {
    throw_at(reader.origin("network.routing"), "network.routing",
             fmt::format("found \"{}\", expected a routing of a {}: {}", routing.routing, kind.name,
                         fmt::join(kind.routings, ", ")));
  }
  resolve_files(reader, kind.parameters, description.parameters);
  try {
    return reader.topology(description, routing);
  } catch (const InputError& error) {
    for (const Parameter& key : kind.parameters) {
      if (std::string_view(error.what()).starts_with(key.name + ": ")) {
        const std::string name = fmt::format("{}.{}", section, key.name);
        throw_at(reader.origin(name), name, error.what() + key.name.size() + 2);
      }
    }
    const auto may_be_absent = [](const Parameter& one) { return one.optional || one.fallback.has_value(); };
    const std::vector<Parameter>& faults = fault_parameters();
    const bool one_key = !kind.parameters.empty() && kind.parameters.front().name != faults.front().name &&
                         std::all_of(kind.parameters.begin() + 1, kind.parameters.end(), may_be_absent);
    throw_at(reader.origin(fmt::format("{}.{}", section, one_key ? kind.parameters.front().name : "kind")),
             fmt::format("[{}]", section), error.what());
  }
}

RunParameters read_run(const ConfigReader& reader, ParameterValues values)
{
  resolve_files(reader, run_declarations(), values);
  return of_section(reader, "run", [&] { return run_parameters(values); });
}

namespace {

/// The classes of [traffic], by name; their values in effect are added to `effective`.
std::vector<TrafficClass> read_classes(const ConfigReader& reader, const Topology& topology,
                                       const NetworkParameters& network, bool include_self, std::uint64_t seed,
                                       nlohmann::ordered_json& effective)
{
  std::vector<TrafficClass> classes;
  for (const std::string& name : reader.tables_of(traffic_classes_table)) {
    const std::string section = fmt::format("{}.{}", traffic_classes_table, name);
    ParameterValues values = reader.read_all(section, class_declarations());
    const nlohmann::ordered_json json = parameters_json(class_declarations(), values);
    for (const auto& [key, value] : json.items()) {
      effective[fmt::format("{}.{}", section.substr(section.find('.') + 1), key)] = value;
    }
    resolve_files(reader, class_declarations(), values);
    classes.push_back(of_section(reader, section, [&] {
      TrafficClass one = traffic_class(name, values, include_self);
      const Pattern pattern(topology, one, seed);
      if (one.priority != 0 && network.pipeline.priority != FlitPriority::message) {
        throw InputError("priority: nothing goes by it without network.priority = \"message\", which router "
                         "\"input_queued\" has");
      }
      return one;
    }));
  }
  return classes;
}

} // namespace

ReadTraffic read_traffic(const ConfigReader& reader, const Topology& topology, const NetworkParameters& network,
                         std::uint64_t seed)
{
  ReadTraffic read;
  ParameterValues values = reader.read_all("traffic", traffic_declarations());
  read.effective = parameters_json(traffic_declarations(), values);
  const bool include_self = std::get<bool>(values.value("include_self"));
  std::vector<TrafficClass> classes = read_classes(reader, topology, network, include_self, seed, read.effective);
  const bool has_classes = !classes.empty();
  if (has_classes) {
    for (const Parameter& key : class_declarations()) {
      const std::string name = fmt::format("traffic.{}", key.name);
      refuse(reader, reader.has(name), name.c_str(), "found beside classes, each of which has its own");
      read.effective.erase(key.name);
    }
  }
  resolve_files(reader, traffic_declarations(), values);
  read.parameters = of_section(reader, "traffic", [&] {
    TrafficParameters traffic =
        has_classes ? traffic_parameters(values, std::move(classes)) : traffic_parameters(values);
    check_traffic(network, traffic);
    check_figures(traffic.figures_of, topology.host_count());
    if (!has_classes) {
      const Pattern pattern(topology, traffic, seed);
    }
    return traffic;
  });
  return read;
}

void check_load(const ConfigReader& reader, const char* key, double load, double largest)
{
  if (load > largest) {
    throw_at(reader.origin(key), key,
             fmt::format("found {}, which is more than one message in a flit time: too much for arrival \"bernoulli\", "
                         "expected at most {:.4g}",
                         load, largest));
  }
}

void refuse(const ConfigReader& reader, bool given, const char* key, const char* text)
{
  if (given) {
    throw_at(reader.origin(key), key, text);
  }
}

void refuse_section(const ConfigReader& reader, std::string_view section, std::string_view text)
{
  if (const std::optional<Origin> origin = reader.section_origin(section)) {
    throw_at(*origin, fmt::format("[{}]", section), text);
  }
}

void check_start_times(const ConfigReader& reader, const Schedule& schedule, const NetworkParameters& network)
{
  if (!network.router->cycle) {
    return;
  }
  for (std::size_t i = 0; i < schedule.plain.size(); ++i) {
    if (next_whole_cycle(network, schedule.plain[i].start) == schedule.plain[i].start) {
      continue;
    }
    try {
      check_whole_cycles(network, fmt::format("start_us of message {}", i), schedule.plain[i].start);
    } catch (const InputError& error) {
      throw_at(reader.origin("algorithm.file"), "algorithm.file", error.what());
    }
  }
}

std::uint64_t length_of_message(const ConfigReader& reader)
{
  const ParameterValue bytes = reader.read("message", fixed_parameters("message").front());
  return static_cast<std::uint64_t>(std::get<std::int64_t>(bytes));
}

namespace {

/// What trees do.
Operation operation_of_trees(const ParameterValues& parameters)
{
  return parameters.has("operation") ? find_operation(parameters.text("operation")).value()
                                     : Operation::multinode_broadcast;
}

/// `length` is that of the operation, where the file leaves it open.
Program read_program_of_kind(const std::filesystem::path& file, ScheduleFileKind kind, std::uint64_t length,
                             const ParameterValues& parameters)
{
  switch (kind) {
  case ScheduleFileKind::msccl:
    return read_msccl_program(file, length);
  case ScheduleFileKind::te_ccl:
    return te_ccl_program(read_te_ccl(file), length, file.string());
  case ScheduleFileKind::forestcoll:
    return forestcoll_program(read_forestcoll(file), operation_of_trees(parameters), length, file.string());
  default:
    return read_program(file);
  }
}

} // namespace

std::shared_ptr<const Topology> logical_topology(const ConfigReader& reader, const TopologyDescription& description,
                                                 const NetworkParameters& network)
{
  return build_topology(reader, "ranks", description, {.routing = {}, .tie = network.routing.tie});
}

namespace {

/// The node of each rank of a program, as the configuration says.
std::vector<NodeId> nodes_of_program(const ConfigReader& reader, const ParameterValues& parameters,
                                     const Topology& topology, const NetworkParameters& network, std::uint32_t ranks)
{
  const std::optional<TopologyDescription> description = described_ranks(reader);
  const std::shared_ptr<const Topology> logical =
      description ? logical_topology(reader, *description, network) : nullptr;
  if (logical != nullptr && logical->host_count() != ranks) {
    throw_at(reader.origin("ranks.kind"), "[ranks]",
             fmt::format("found a {} of {} nodes, but the program has {} ranks", logical->title(),
                         logical->host_count(), ranks));
  }
  return nodes_of_ranks(reader, parameters, topology,
                        {.ranks = ranks, .of = "the program", .key = "algorithm.file", .logical = logical});
}

} // namespace

void refuse_operation(const ConfigReader& reader, const ParameterValues& parameters)
{
  if (parameters.has("operation")) {
    throw_at(reader.origin("algorithm.operation"), "algorithm.operation",
             "only trees of ForestColl can do several operations; the file says what it does");
  }
}

Schedule read_given_program(const ConfigReader& reader, const ParameterValues& parameters,
                            const std::filesystem::path& file, ScheduleFileKind kind, const NetworkParameters& network)
{
  if (kind == ScheduleFileKind::time_independent) {
    throw_at(reader.origin("algorithm.file"), "algorithm.file",
             fmt::format("found a time-independent trace of SimGrid, which needs SimGrid's collectives: wormcast mpi "
                         "CONFIG --replay {}",
                         file.string()));
  }
  const TopologyDescription description = read_topology(reader);
  const std::shared_ptr<const Topology> topology = build_topology(reader, description, network.routing);
  if (kind != ScheduleFileKind::forestcoll) {
    refuse_operation(reader, parameters);
  }
  Schedule schedule;
  const auto in_file = [&](const auto& action) {
    try {
      return action();
    } catch (const InputError& error) {
      throw_at(reader.origin("algorithm.file"), "algorithm.file", error.what());
    }
  };
  if (takes_program_section(kind)) {
    const ProgramParameters values = program_parameters(read_program_section(reader, kind));
    const auto trace = in_file([&] { return std::make_unique<GivenTrace>(reader, values, file, kind); });
    std::vector<NodeId> nodes = nodes_of_program(reader, parameters, *topology, network, trace->ranks());
    schedule = in_file([&] { return trace->schedule(*topology, network, std::move(nodes)); });
  } else {
    const std::uint64_t length = kind == ScheduleFileKind::goal ? 0 : length_of_message(reader);
    Program program = in_file([&] { return read_program_of_kind(file, kind, length, parameters); });
    std::vector<NodeId> nodes = nodes_of_program(reader, parameters, *topology, network, program.ranks);
    schedule = program_schedule(std::move(program), std::move(nodes));
  }
  schedule.topology = topology->description();
  schedule.routing = network.routing;
  schedule.ports = network.ports;
  schedule.duplex = network.duplex;
  if (schedule.program) {
    schedule.message_bytes = schedule.program->message_bytes.value_or(schedule.message_bytes);
  }
  return schedule;
}

SpokenSchedule read_given_schedule(const ConfigReader& reader, const std::filesystem::path& file)
{
  try {
    return read_spoken_schedule(file);
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.file"), "algorithm.file", error.what());
  }
}

void refuse_map(const ConfigReader& reader, const ParameterValues& parameters)
{
  for (const char* key : {"map", "nodes"}) {
    if (parameters.has(key)) {
      throw_at(reader.origin(fmt::format("algorithm.{}", key)), fmt::format("algorithm.{}", key),
               "only for a program, but the file holds a schedule, whose ranks [ranks] places");
    }
  }
}

void check_same_topology(const ConfigReader& reader, const Schedule& schedule)
{
  const bool placed = reader.has_section("ranks");
  const std::string section = placed ? "ranks" : "topology";
  const std::optional<TopologyDescription> description = placed ? described_ranks(reader)
                                                         : reader.has_section("topology")
                                                             ? std::optional(read_topology(reader))
                                                             : std::nullopt;
  if (description && !(*description == schedule.topology)) {
    throw_at(reader.origin(section + ".kind"), fmt::format("[{}]", section),
             fmt::format("found {}, but the schedule is for {}; leave the section out or give the same",
                         make_topology(*description)->title(), make_topology(schedule.topology)->title()));
  }
}

RoutingChoice merged_routing(const ConfigReader& reader, const RoutingChoice& configured, const RoutingChoice& given)
{
  return {.routing = reader.has("network.routing") ? configured.routing : given.routing,
          .tie = reader.has("network.tie") ? configured.tie : given.tie};
}

void take_length(const ConfigReader& reader, Schedule& schedule)
{
  if (!reader.has("message.bytes") || (schedule.program && schedule.program->message_bytes)) {
    return;
  }
  if (schedule.operation == Operation::none) {
    throw_at(reader.origin("message.bytes"), "message.bytes",
             "found a length, but the schedule is a plain message list whose messages have lengths of their own");
  }
  schedule.message_bytes = length_of_message(reader);
}

} // namespace wormcast
