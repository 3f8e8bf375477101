#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/experiments/config/broadcast_section.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <utility>

namespace wormcast {

namespace {

/// Throws `error`, "KEY: ..." with a key of `section`, with that key's place.
[[noreturn]] void throw_of_section(const ConfigReader& reader, std::string_view section, const InputError& error)
{
  const std::string text = error.what();
  const std::size_t colon = text.find(": ");
  const std::string key = fmt::format("{}.{}", section, text.substr(0, colon));
  if (colon == std::string::npos || declarations(key).empty()) {
    throw_at(reader.section_or_file(section), fmt::format("[{}]", section), text);
  }
  throw_at(reader.has(key) ? reader.origin(key) : reader.section_or_file(section), key, text.substr(colon + 2));
}

NetworkParameters read_network(const ConfigReader& reader, Router router, const ParameterValues& values)
{
  try {
    return network_parameters(values, router);
  } catch (const InputError& error) {
    throw_of_section(reader, "network", error);
  }
}

/// What depends on the topology, too.
void suit_network(const ConfigReader& reader, NetworkParameters& network, const Topology& topology)
{
  try {
    suit_to_topology(network, topology);
  } catch (const InputError& error) {
    throw_of_section(reader, "network", error);
  }
}

/// T_f where only some of the keys may be given.
Time hop_time(const ConfigReader& reader, Router router, ParameterValues values, const Topology& topology)
{
  if (router != Router::input_queued) {
    return values.time("per_hop");
  }
  for (const char* key : {"startup", "per_byte"}) {
    if (!values.has(key)) {
      values.set(key, Time{key == std::string_view("per_byte") ? 1 : 0});
    }
  }
  NetworkParameters network = read_network(reader, router, values);
  suit_network(reader, network, topology);
  return network.per_hop;
}

/// Of a plain message list.
void check_start_times(const ConfigReader& reader, const Schedule& schedule, const NetworkParameters& network)
{
  if (network.router != Router::input_queued) {
    return;
  }
  for (std::size_t i = 0; i < schedule.plain.size(); ++i) {
    if (schedule.plain[i].start.picoseconds % network.flit_time().picoseconds == 0) {
      continue;
    }
    try {
      check_whole_cycles(network, fmt::format("start_us of message {}", i), schedule.plain[i].start);
    } catch (const InputError& error) {
      throw_at(reader.origin("algorithm.file"), "algorithm.file", error.what());
    }
  }
}

/// What the topology section says, with paths as they stand there.
TopologyDescription read_topology(const ConfigReader& reader)
{
  TopologyDescription description;
  description.kind = reader.read_text("topology", fixed_parameters("topology").front());
  description.parameters = reader.read_selected("topology", "topology.kind", description.kind);
  return description;
}

/// The topology itself; errors say where its one key or its kind stands.
std::shared_ptr<const Topology> build_topology(const ConfigReader& reader, TopologyDescription description,
                                               const RoutingChoice& routing)
{
  const TopologyKind& kind = find_topology_kind(description.kind);
  if (!routing.routing.empty() &&
      std::find(kind.routings.begin(), kind.routings.end(), routing.routing) == kind.routings.end()) {
    throw_at(reader.origin("network.routing"), "network.routing",
             fmt::format("found \"{}\", expected a routing of a {}: {}", routing.routing, kind.name,
                         fmt::join(kind.routings, ", ")));
  }
  for (const Parameter& parameter : kind.parameters) {
    if (parameter.type == ParameterType::file && description.parameters.has(parameter.name)) {
      const auto path = reader.resolve(description.parameters.text(parameter.name));
      description.parameters.set(parameter.name, path.string());
    }
  }
  try {
    return make_topology(description, routing);
  } catch (const InputError& error) {
    const bool one_key = kind.parameters.size() == 1; // then it is that one
    throw_at(reader.origin(one_key ? "topology." + kind.parameters.front().name : "topology.kind"), "[topology]",
             error.what());
  }
}

/// Whether a file holds a program in GOAL: it is called .goal, or does not begin as JSON does.
bool is_program_file(const std::filesystem::path& file)
{
  if (file.extension() == ".goal" || file.extension() == ".json") {
    return file.extension() == ".goal";
  }
  std::ifstream stream(file);
  std::string word;
  return stream >> word && (word == "num_ranks" || word.starts_with("//") || word.starts_with("/*"));
}

/// The node of each rank of a program, as the configuration says.
std::vector<NodeId> nodes_of_ranks(const ConfigReader& reader, const ParameterValues& parameters,
                                   const Topology& topology, std::uint32_t ranks)
{
  std::vector<NodeId> nodes;
  const std::uint32_t count = topology.node_count();
  if (parameters.has("nodes")) {
    if (parameters.has("map")) {
      throw_at(reader.origin("algorithm.map"), "algorithm.map", "found besides algorithm.nodes, expected one of them");
    }
    const std::vector<std::int64_t>& given = parameters.integers("nodes");
    std::vector<bool> taken(count);
    for (const std::int64_t node : given) {
      if (node < 0 || node >= count || taken[static_cast<std::size_t>(node)]) {
        throw_at(reader.origin("algorithm.nodes"), "algorithm.nodes",
                 fmt::format("found {}, expected different nodes from 0 to {}", node, count - 1));
      }
      taken[static_cast<std::size_t>(node)] = true;
      nodes.push_back(NodeId{static_cast<std::uint32_t>(node)});
    }
    if (nodes.size() < ranks) {
      throw_at(reader.origin("algorithm.nodes"), "algorithm.nodes",
               fmt::format("found {} nodes, but the program has {} ranks", nodes.size(), ranks));
    }
    return nodes;
  }
  if (ranks > count) {
    throw_at(reader.origin("algorithm.file"), "algorithm.file",
             fmt::format("the program has {} ranks, but the {} has {} nodes", ranks, topology.title(), count));
  }
  for (std::uint32_t node = 0; node < count; ++node) {
    nodes.push_back(NodeId{node});
  }
  if (parameters.has("map") && parameters.text("map") == "random") {
    const ParameterValues run = reader.read_all("run", run_declarations());
    std::mt19937_64 random(static_cast<std::uint64_t>(run.integer("seed")));
    for (std::size_t left = nodes.size(); left > 1; --left) { // the same everywhere, which std::shuffle is not
      std::swap(nodes[left - 1], nodes[random() % left]);
    }
  }
  return nodes;
}

/// Reads a program in GOAL, whose topology and ports are the configuration's.
Schedule read_given_program(const ConfigReader& reader, const ParameterValues& parameters,
                            const std::filesystem::path& file, const NetworkParameters& network)
{
  const TopologyDescription description = read_topology(reader);
  const std::shared_ptr<const Topology> topology = build_topology(reader, description, network.routing);
  Program program;
  try {
    program = read_program(file);
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.file"), "algorithm.file", error.what());
  }
  std::vector<NodeId> nodes = nodes_of_ranks(reader, parameters, *topology, program.ranks);
  Schedule schedule = program_schedule(std::move(program), std::move(nodes));
  schedule.topology = topology->description();
  schedule.routing = network.routing;
  schedule.ports = network.ports;
  schedule.duplex = network.duplex;
  return schedule;
}

/// Reads the schedule's file and lets the configuration's own values win.
Schedule read_given_schedule(const ConfigReader& reader, const std::filesystem::path& file)
{
  try {
    return read_schedule(file);
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.file"), "algorithm.file", error.what());
  }
}

void refuse_map(const ConfigReader& reader, const ParameterValues& parameters)
{
  for (const char* key : {"map", "nodes"}) {
    if (parameters.has(key)) {
      throw_at(reader.origin(fmt::format("algorithm.{}", key)), fmt::format("algorithm.{}", key),
               "only a program in GOAL has ranks, but the file holds a schedule");
    }
  }
}

void check_same_topology(const ConfigReader& reader, const Schedule& schedule)
{
  if (!reader.has_section("topology")) {
    return;
  }
  const TopologyDescription description = read_topology(reader);
  if (!(description == schedule.topology)) {
    throw_at(reader.origin("topology.kind"), "[topology]",
             fmt::format("found {}, but the schedule is for {}; leave the section out or give the same",
                         make_topology(description)->title(), make_topology(schedule.topology)->title()));
  }
}

/// What the configuration says of the routing, else what the schedule says.
RoutingChoice merged_routing(const ConfigReader& reader, const RoutingChoice& configured, const RoutingChoice& given)
{
  return {.routing = reader.has("network.routing") ? configured.routing : given.routing,
          .tie = reader.has("network.tie") ? configured.tie : given.tie};
}

void take_length(const ConfigReader& reader, Schedule& schedule)
{
  if (!reader.has("message.bytes")) {
    return;
  }
  if (schedule.operation == Operation::none) {
    throw_at(reader.origin("message.bytes"), "message.bytes",
             "found a length, but the schedule is a plain message list whose messages have lengths of their own");
  }
  const ParameterValue bytes = reader.read("message", fixed_parameters("message").front());
  schedule.message_bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(bytes));
}

/// The sections topology and network of an effective configuration.
nlohmann::ordered_json effective_network(const TopologyDescription& description, const NetworkParameters& network,
                                         ParameterValues values)
{
  nlohmann::ordered_json all;
  all["topology"]["kind"] = description.kind;
  all["topology"].update(
      parameters_json(selected_parameters("topology.kind", description.kind), description.parameters));

  values.set("ports", std::int64_t{network.ports.count});
  values.set("duplex", std::string(network.duplex == Duplex::half ? "half" : "full"));
  values.set("tie", network.routing.tie);
  values.set("routing", network.routing.routing.empty() ? find_topology_kind(description.kind).routings.front()
                                                        : network.routing.routing);
  if (network.router == Router::input_queued) {
    const PipelineParameters& pipeline = network.pipeline;
    values.set("routing", std::string(grid_routing_name(pipeline.routing)));
    values.set("link_delay", std::int64_t{pipeline.link_delay});
    if (!values.has("vc_allocator")) {
      values.set("vc_allocator", std::string(pipeline.piggyback ? "piggyback" : "islip"));
    }
    all["network"]["router"] = router_name(network.router);
  }
  all["network"].update(parameters_json(network_declarations(network.router), values));
  return all;
}

nlohmann::ordered_json effective_config(const Experiment& experiment, const TopologyDescription& description,
                                        const ParameterValues& network, const ParameterValues& run,
                                        const std::string& schedule_file)
{
  nlohmann::ordered_json all = effective_network(description, experiment.network, network);
  nlohmann::ordered_json& algorithm = all["algorithm"];
  algorithm["name"] = experiment.algorithm;
  if (experiment.given != nullptr) {
    algorithm["file"] = schedule_file;
    algorithm.update(parameters_json(schedule_parameters(), experiment.request.parameters));
  } else {
    algorithm["source"] = index(experiment.request.source);
    algorithm.update(
        parameters_json(selected_parameters("algorithm.name", experiment.algorithm), experiment.request.parameters));
  }

  const bool has_length = experiment.given == nullptr || experiment.given->operation != Operation::none;
  all["message"]["bytes"] =
      has_length ? nlohmann::ordered_json(experiment.request.message_bytes) : nlohmann::ordered_json(nullptr);
  all["run"] = parameters_json(run_declarations(), run);
  return all;
}

/// The run section, with a file of noise read.
RunParameters read_run(const ConfigReader& reader, ParameterValues values)
{
  if (values.has("noise.file")) {
    values.set("noise.file", reader.resolve(values.text("noise.file")).string());
  }
  try {
    return run_parameters(values);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw_of_section(reader, "run", error);
  }
}

/// [topology], [network] and [run], as far as they say it without a schedule. Returns what is effective of them.
nlohmann::ordered_json read_machine(const ConfigReader& reader, std::shared_ptr<const Topology>& topology,
                                    NetworkParameters& network, RunParameters& run)
{
  const Router router = reader.read_router();
  const ParameterValues network_values = reader.read_network(router);
  network = read_network(reader, router, network_values);
  const TopologyDescription description = read_topology(reader);
  topology = build_topology(reader, description, network.routing);
  suit_network(reader, network, *topology);
  const ParameterValues run_values = reader.read_all("run", run_declarations());
  run = read_run(reader, run_values);
  network.pipeline.routing_seed = run.seed;
  nlohmann::ordered_json effective = effective_network(description, network, network_values);
  effective["run"] = parameters_json(run_declarations(), run_values);
  return effective;
}

/// The section [traffic], `values`, as far as it can be checked without a load.
TrafficParameters read_traffic(const ConfigReader& reader, ParameterValues values, const Topology& topology,
                               const NetworkParameters& network, std::uint64_t seed)
{
  for (const Parameter& parameter : traffic_declarations()) {
    if (parameter.type == ParameterType::file && values.has(parameter.name)) {
      values.set(parameter.name, reader.resolve(values.text(parameter.name)).string());
    }
  }
  try {
    TrafficParameters traffic = traffic_parameters(values);
    check_traffic(network, traffic);
    const Pattern pattern(topology, traffic, seed);
    return traffic;
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw_of_section(reader, "traffic", error);
  }
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

/// Throws InputError at `key` where it has a value that cannot be had here.
void refuse(const ConfigReader& reader, bool given, const char* key, const char* text)
{
  if (given) {
    throw_at(reader.origin(key), key, text);
  }
}

/// Throws InputError at the section where there is one.
void refuse_section(const ConfigReader& reader, std::string_view section, std::string_view text)
{
  if (const std::optional<Origin> origin = reader.section_origin(section)) {
    throw_at(*origin, fmt::format("[{}]", section), text);
  }
}

/// All of a single operation.
Experiment read_experiment(const ConfigReader& reader)
{
  Experiment experiment;
  const Router router = reader.read_router();
  const ParameterValues network = reader.read_network(router);
  experiment.network = read_network(reader, router, network);

  const auto algorithm_keys = fixed_parameters("algorithm");
  experiment.algorithm = reader.read_text("algorithm", algorithm_keys[0]);
  experiment.algorithm_origin = reader.origin("algorithm.name");
  const ParameterValues parameters = reader.read_selected("algorithm", "algorithm.name", experiment.algorithm);

  TopologyDescription description;
  std::string schedule_file;
  if (experiment.algorithm == schedule_algorithm) {
    if (reader.has("algorithm.source")) {
      throw_at(reader.origin("algorithm.source"), "algorithm.source",
               "found a source, but the schedule's file says who has the message");
    }
    schedule_file = parameters.text("file");
    experiment.schedule_file = reader.resolve(schedule_file);
    const bool is_program = is_program_file(experiment.schedule_file);
    Schedule schedule = is_program
                            ? read_given_program(reader, parameters, experiment.schedule_file, experiment.network)
                            : read_given_schedule(reader, experiment.schedule_file);
    if (!is_program) {
      refuse_map(reader, parameters);
      check_same_topology(reader, schedule);
    }
    take_length(reader, schedule);
    if (reader.has("network.ports")) {
      schedule.ports = experiment.network.ports;
    }
    if (reader.has("network.duplex")) {
      schedule.duplex = experiment.network.duplex;
    }
    experiment.network.routing = merged_routing(reader, experiment.network.routing, schedule.routing);
    schedule.routing = experiment.network.routing;
    experiment.network.ports = schedule.ports;
    experiment.network.duplex = schedule.duplex;
    experiment.request.source = schedule.source;
    experiment.request.message_bytes = schedule.message_bytes;
    description = is_program ? read_topology(reader) : schedule.topology; // with a file as it was named
    experiment.topology = build_topology(reader, description, experiment.network.routing);
    if (is_program) {
      experiment.request.parameters = parameters;
    }
    experiment.given = std::make_shared<const Schedule>(std::move(schedule));
  } else {
    description = read_topology(reader);
    experiment.topology = build_topology(reader, description, experiment.network.routing);
    const ParameterValue source = reader.read("algorithm", algorithm_keys[1]);
    try {
      experiment.request.source = resolve_node(*experiment.topology, source);
    } catch (const InputError& error) {
      throw_at(reader.origin("algorithm.source"), "algorithm.source", error.what());
    }
    const ParameterValue bytes = reader.read("message", fixed_parameters("message").front());
    experiment.request.message_bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(bytes));
    experiment.request.parameters = parameters;
    experiment.request.folder = std::filesystem::path(reader.whole_file().file).parent_path();
  }
  suit_network(reader, experiment.network, *experiment.topology);
  if (experiment.given != nullptr) {
    check_start_times(reader, *experiment.given, experiment.network);
  }
  experiment.request.ports = experiment.network.ports;
  experiment.request.duplex = experiment.network.duplex;
  experiment.request.costs = MessageCosts{.startup = experiment.network.startup,
                                          .per_byte = experiment.network.per_byte,
                                          .per_hop = experiment.network.per_hop};

  const ParameterValues run = reader.read_all("run", run_declarations());
  experiment.run = read_run(reader, run);
  experiment.network.pipeline.routing_seed = experiment.run.seed;
  experiment.effective = effective_config(experiment, description, network, run, schedule_file);
  return experiment;
}

} // namespace

Experiment make_experiment(const RawConfig& config)
{
  return make_experiment(config, {});
}

Experiment make_experiment(const RawConfig& config, Replaced replaced)
{
  const ConfigReader reader(config, replaced);
  refuse_section(reader, "load",
                 "found the points of a latency-load curve, which \"wormcast load\" alone measures, without "
                 "[algorithm]; expected no such section");
  for (const char* section : {"broadcast", "traffic"}) {
    refuse_section(reader, section,
                   fmt::format("found {}; expected a single operation (\"--unset {}\" leaves the section out)",
                               reader.has_section("algorithm")
                                   ? "an operation repeated or among traffic, which \"wormcast run\" and \"wormcast "
                                     "sweep\" simulate"
                                   : "traffic without end, which \"wormcast load\" alone simulates",
                               section));
  }
  return read_experiment(reader);
}

bool is_series(const RawConfig& config, Replaced replaced)
{
  const ConfigReader reader(config, replaced);
  return reader.has_section("algorithm") && (reader.has_section("broadcast") || reader.has_section("traffic"));
}

SeriesExperiment make_series_experiment(const RawConfig& config, Replaced replaced)
{
  const ConfigReader reader(config, replaced);
  refuse_section(
      reader, "load",
      "found the points of a latency-load curve, which \"wormcast load\" measures without [algorithm]; among "
      "traffic give traffic.load, and sweep over it");
  refuse_section(reader, "mpi", "found a program's section, expected [algorithm] with [traffic] or [broadcast] alone");
  SeriesExperiment experiment;
  experiment.single = read_experiment(reader);
  refuse(reader, experiment.single.run.fluid.has_value(), "run.model",
         "messages that meet others are worms, expected \"wormhole\"");
  refuse(reader, experiment.single.run.paired, "run.paired", "only a single operation can be paired, expected false");
  const ParameterValues series = reader.read_all("broadcast", broadcast_declarations());
  experiment.series = series_parameters(series);
  if (const std::uint32_t nodes = experiment.single.topology->node_count(); experiment.series.count > nodes) {
    throw_at(reader.origin("broadcast.count"), "broadcast.count",
             fmt::format("found {}, but the {} has {} nodes, and sources are different", experiment.series.count,
                         experiment.single.topology->title(), nodes));
  }
  const Schedule* given = experiment.single.given.get();
  if (given != nullptr && (experiment.series.random_sources || experiment.series.count > 1)) {
    const std::string key = experiment.series.count > 1 ? "broadcast.count" : "broadcast.source";
    throw_at(reader.origin(key), key,
             "a schedule from a file has one source, expected source = \"configured\" and count = 1");
  }
  nlohmann::ordered_json& effective = experiment.single.effective;
  effective["broadcast"] = parameters_json(broadcast_declarations(), series);
  if (!reader.has_section("traffic")) {
    return experiment;
  }
  for (const char* key : {"traffic.measure", "traffic.precision", "traffic.drain"}) {
    refuse(reader, reader.has(key), key,
           "found with [algorithm], where the broadcasts are measured, as many as broadcast.repeat says; expected no "
           "such key");
  }
  const ParameterValues traffic = reader.read_all("traffic", traffic_declarations());
  const Experiment& single = experiment.single;
  experiment.traffic = read_traffic(reader, traffic, *single.topology, single.network, single.run.seed);
  if (!experiment.traffic->load) {
    throw_at(reader.section_or_file("traffic"), "traffic.load", "missing: [algorithm] among [traffic] needs the load");
  }
  check_load(reader, "traffic.load", *experiment.traffic->load, largest_load(single.network, *experiment.traffic));
  effective["traffic"] = parameters_json(traffic_declarations(), traffic);
  for (const char* key : {"measure", "precision"}) {
    effective["traffic"].erase(key);
  }
  return experiment;
}

SeriesSetting series_setting(const SeriesExperiment& experiment)
{
  const Experiment& single = experiment.single;
  return {.topology = *single.topology,
          .source = single.request.source,
          .schedule_of =
              [&single](NodeId source) {
                Experiment from_source = single;
                from_source.request.source = source;
                return shared_schedule(from_source);
              },
          .network = single.network,
          .run = single.run,
          .series = experiment.series,
          .traffic = experiment.traffic};
}

ProgramMachine program_machine(const RawConfig& config)
{
  const ConfigReader reader(config, {});
  ProgramMachine machine;
  machine.effective = read_machine(reader, machine.topology, machine.network, machine.run);
  refuse(reader, machine.run.tie_break != TieBreak::id, "run.tie_break",
         "messages of a program are numbered as they come, expected \"id\"");
  refuse(reader, machine.run.start_jitter != Time{}, "run.start_jitter",
         "a program decides itself when it starts to send, expected 0");
  refuse(reader, machine.run.noise.has_value(), "run.noise.distribution",
         "the start-ups of a program's messages all take network.startup");
  refuse(reader, machine.run.paired, "run.paired", "a program is run once, expected false");
  refuse(reader, machine.run.fluid.has_value(), "run.model", "messages of a program are worms, expected \"wormhole\"");
  const ParameterValues mpi = reader.read_all("mpi", mpi_declarations());
  machine.mpi = mpi_parameters(mpi);
  machine.effective["mpi"] = parameters_json(mpi_declarations(), mpi);
  return machine;
}

LoadExperiment make_load_experiment(const RawConfig& config, Replaced replaced)
{
  const ConfigReader reader(config, replaced);
  for (const char* section : {"algorithm", "message", "broadcast"}) {
    refuse_section(reader, section,
                   "found a section of a collective operation, but \"wormcast load\" runs [traffic] alone; \"wormcast "
                   "run\" and \"wormcast sweep\" run an operation among [traffic]");
  }
  LoadExperiment experiment;
  experiment.effective = read_machine(reader, experiment.topology, experiment.network, experiment.run);
  refuse(reader, experiment.run.start_jitter != Time{}, "run.start_jitter",
         "traffic begins with random gaps, expected 0");
  refuse(reader, experiment.run.paired, "run.paired", "only a run of [algorithm] alone can be paired, expected false");
  refuse(reader, experiment.run.fluid.has_value(), "run.model",
         "messages of [traffic] are worms, expected \"wormhole\"");
  const ParameterValues traffic = reader.read_all("traffic", traffic_declarations());
  experiment.traffic = read_traffic(reader, traffic, *experiment.topology, experiment.network, experiment.run.seed);
  refuse(reader, reader.has("traffic.load") && reader.has("load.points"), "traffic.load",
         "found a load beside load.points, expected one of them");
  const ParameterValues load = reader.read_all("load", load_declarations());
  experiment.load = load_parameters(load);
  const double largest = largest_load(experiment.network, experiment.traffic);
  for (const double point : experiment.load.points) {
    check_load(reader, "load.points", point, largest);
  }
  if (experiment.load.points.empty() && experiment.traffic.load) {
    check_load(reader, "traffic.load", *experiment.traffic.load, largest);
    experiment.load.points = {*experiment.traffic.load};
    experiment.load.saturation = experiment.load.saturation && reader.has("load.saturation");
  }
  experiment.effective["traffic"] = parameters_json(traffic_declarations(), traffic);
  experiment.effective["load"] = parameters_json(load_declarations(), load);
  return experiment;
}

ConfiguredTopology configured_topology(const RawConfig& config)
{
  const ConfigReader reader(config, {});
  const Router router = reader.read_router();
  const ParameterValues network = reader.read_given_network(router);
  ConfiguredTopology configured;
  configured.router = router;
  configured.virtual_channels = static_cast<std::uint32_t>(network.integer("virtual_channels"));
  if (network.has("per_byte")) {
    configured.per_byte = network.time("per_byte");
  }
  RoutingChoice routing{.routing = network.has("routing") ? network.text("routing") : "", .tie = network.text("tie")};
  if (router == Router::input_queued && network.has("routing")) {
    configured.routing = grid_routing_of(routing.routing);
    routing.routing = grid_routing_name(GridRouting::dimension_order);
  }
  TopologyDescription description;
  if (!reader.has_section("topology") && reader.has("algorithm.file")) {
    const std::string file = reader.read_text("algorithm", schedule_parameters().front());
    const Schedule schedule = read_given_schedule(reader, reader.resolve(file));
    routing = merged_routing(reader, routing, schedule.routing);
    description = schedule.topology;
  } else {
    description = read_topology(reader);
  }
  configured.topology = build_topology(reader, description, routing);
  configured.per_hop = hop_time(reader, router, network, *configured.topology);
  return configured;
}

Schedule experiment_schedule(const Experiment& experiment)
{
  if (experiment.given != nullptr) {
    return *experiment.given;
  }
  try {
    return make_schedule(find_algorithm(experiment.algorithm), *experiment.topology, experiment.request);
  } catch (const InputError& error) {
    throw_at(experiment.algorithm_origin, "algorithm", error.what());
  }
}

std::shared_ptr<const Schedule> shared_schedule(const Experiment& experiment)
{
  return experiment.given != nullptr ? experiment.given
                                     : std::make_shared<const Schedule>(experiment_schedule(experiment));
}

} // namespace wormcast
