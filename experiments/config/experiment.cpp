#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/schedule/placement.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/experiments/config/broadcast_section.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/given_trace.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/ranks_section.hpp"
#include "wormcast/simulator/model/network_fields.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/topologies/graph_files/described_nodes.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

/// The sections topology and network of an effective configuration.
nlohmann::ordered_json effective_network(const TopologyDescription& description, const NetworkParameters& network,
                                         ParameterValues values)
{
  nlohmann::ordered_json all;
  all["topology"]["kind"] = description.kind;
  all["topology"].update(
      parameters_json(selected_parameters("topology.kind", description.kind), description.parameters));

  values = network_in_effect(network, std::move(values));
  if (!values.has("routing")) {
    values.set("routing", find_topology_kind(description.kind).routings.front());
  }
  if (network.router != &default_router()) {
    all["network"]["router"] = network.router->name;
  }
  all["network"].update(parameters_json(network_declarations(*network.router), values));
  return all;
}

/// Reads [network] into `machine`, has `take_topology` set its topology, which may change the routing, ports and
/// duplex, and return its description, and reads [run]. All machines of configurations are made here.
void read_machine(const ConfigReader& reader, Machine& machine,
                  const std::function<TopologyDescription()>& take_topology)
{
  const RouterModel& router = reader.read_router();
  const ParameterValues network = reader.read_network(router);
  machine.network = read_network(reader, router, network);
  const TopologyDescription description = take_topology();
  suit_network(reader, machine.network, *machine.topology);
  const ParameterValues run = reader.read_all("run", run_declarations());
  machine.run = read_run(reader, run);
  machine.network.routing_seed = machine.run.seed;
  machine.effective = effective_network(description, machine.network, network);
  machine.effective["run"] = parameters_json(run_declarations(), run);
}

/// Throws InputError where [topology] is missing: of several sections the first one is named.
void require_topology(const ConfigReader& reader)
{
  if (!reader.has_section("topology")) {
    reader.read_text("topology", fixed_parameters("topology").front());
  }
}

/// The same on the topology of [topology].
void read_machine(const ConfigReader& reader, Machine& machine)
{
  require_topology(reader);
  refuse_section(reader, "ranks", "found ranks without an operation of [algorithm], whose ranks they are");
  read_machine(reader, machine, [&] {
    TopologyDescription description = read_topology(reader);
    machine.topology = build_topology(reader, description, machine.network.routing);
    return description;
  });
}

/// Adds the sections algorithm and message of the effective configuration, before run. `given` are the keys of
/// algorithm "schedule".
void add_operation(const ConfigReader& reader, Experiment& experiment, const ParameterValues& given)
{
  nlohmann::ordered_json run = std::move(experiment.effective["run"]);
  experiment.effective.erase("run");
  if (reader.has_section("ranks")) {
    experiment.effective["ranks"] = ranks_json(reader);
  }
  nlohmann::ordered_json& algorithm = experiment.effective["algorithm"];
  algorithm["name"] = experiment.algorithm;
  if (experiment.given != nullptr) {
    algorithm.update(parameters_json(schedule_parameters(), given));
  } else {
    algorithm["source"] = index(experiment.request.source);
    algorithm.update(
        parameters_json(selected_parameters("algorithm.name", experiment.algorithm), experiment.request.parameters));
  }
  const bool has_length = experiment.given == nullptr || experiment.given->operation != Operation::none ||
                          (experiment.given->program && experiment.given->program->message_bytes);
  experiment.effective["message"]["bytes"] =
      has_length ? nlohmann::ordered_json(experiment.request.message_bytes) : nlohmann::ordered_json(nullptr);
  const ScheduleFileKind kind =
      experiment.schedule_file.empty() ? ScheduleFileKind::schedule : schedule_file_kind(experiment.schedule_file);
  if (takes_program_section(kind)) {
    experiment.effective["program"] = program_section_json(read_program_section(reader, kind), kind);
  } else {
    refuse_section(reader, "program", "found without a trace of netrace or Chakra, for which it is, in algorithm.file");
  }
  experiment.effective["run"] = std::move(run);
}

/// Makes `schedule` that of the experiment, with what [network] and [message] change in it. Its topology is that of
/// `description`, with a file as it was named there.
void take_given(const ConfigReader& reader, Schedule schedule, const TopologyDescription& description,
                Experiment& experiment)
{
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
  experiment.topology = build_topology(reader, description, experiment.network.routing);
  experiment.given = std::make_shared<const Schedule>(std::move(schedule));
}

/// The schedule that algorithm.text holds.
Schedule read_schedule_text(const ConfigReader& reader, const std::string& text)
{
  std::istringstream stream(text);
  try {
    return read_schedule(stream, "the schedule");
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.text"), "algorithm.text", error.what());
  }
}

/// The schedule or program that [algorithm] names. Returns the description of its topology.
TopologyDescription read_given(const ConfigReader& reader, const ParameterValues& parameters, Experiment& experiment)
{
  if (parameters.has("text") == parameters.has("file")) {
    throw_at(reader.origin("algorithm.file"), "algorithm.file",
             parameters.has("text") ? "found beside algorithm.text, expected one of them"
                                    : "missing, expected a file name");
  }
  if (reader.has("algorithm.source")) {
    throw_at(reader.origin("algorithm.source"), "algorithm.source",
             "found a source, but the schedule's file says who has the message");
  }
  bool is_program = false;
  Schedule schedule;
  if (parameters.has("text")) {
    schedule = read_schedule_text(reader, parameters.text("text"));
  } else {
    experiment.schedule_file = reader.resolve(parameters.text("file"));
    const ScheduleFileKind kind = schedule_file_kind(experiment.schedule_file);
    is_program = kind != ScheduleFileKind::schedule;
    schedule = is_program ? read_given_program(reader, parameters, experiment.schedule_file, kind, experiment.network)
                          : read_given_schedule(reader, experiment.schedule_file);
    experiment.schedule_files = files_of_trace(reader, experiment.schedule_file, kind);
  }
  if (is_program) {
    experiment.request.parameters = parameters;
  } else {
    refuse_map(reader, parameters);
    refuse_operation(reader, parameters);
    check_same_topology(reader, schedule);
  }
  const bool placed = !is_program && reader.has_section("ranks");
  const TopologyDescription own = schedule.topology;
  TopologyDescription description =
      is_program || (placed && reader.has_section("topology")) ? read_topology(reader) : own;
  take_given(reader, std::move(schedule), description, experiment);
  if (placed) {
    experiment.placement =
        read_placement(reader, logical_topology(reader, own, experiment.network), *experiment.topology);
  }
  return description;
}

/// The algorithm that [algorithm] names, with what [message] says. Returns the description of its topology.
TopologyDescription read_operation(const ConfigReader& reader, const ParameterValues& parameters,
                                   Experiment& experiment)
{
  TopologyDescription description = read_topology(reader);
  const bool placed = reader.has_section("ranks");
  const TopologyDescription own = placed ? described_ranks(reader).value_or(description) : description;
  const ParameterValue source = reader.read("algorithm", fixed_parameters("algorithm")[1]);
  try {
    check_described_node(own, source); // before the network is made, which can take long
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.source"), "algorithm.source", error.what());
  }
  experiment.topology = build_topology(reader, description, experiment.network.routing);
  if (placed) {
    experiment.placement =
        read_placement(reader, logical_topology(reader, own, experiment.network), *experiment.topology);
  }
  const Topology& logical = placed ? *experiment.placement->logical : *experiment.topology;
  try {
    experiment.request.source = resolve_node(logical, source);
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.source"), "algorithm.source", error.what());
  }
  const ParameterValue bytes = reader.read("message", fixed_parameters("message").front());
  experiment.request.message_bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(bytes));
  experiment.request.parameters = parameters;
  experiment.request.folder = std::filesystem::path(reader.whole_file().file).parent_path();
  return description;
}

/// All of a single operation, whose schedule may be there.
Experiment read_experiment(const ConfigReader& reader, std::optional<Schedule> in_memory = std::nullopt)
{
  Experiment experiment;
  ParameterValues parameters;
  const Parameter& name = fixed_parameters("algorithm")[0];
  if (!in_memory && !(reader.has("algorithm.name") && reader.read_text("algorithm", name) == schedule_algorithm)) {
    require_topology(reader);
  }
  read_machine(reader, experiment, [&] {
    experiment.algorithm_origin = reader.origin("algorithm.name");
    if (in_memory) {
      experiment.algorithm = schedule_algorithm;
      for (const char* section : {"topology", "ranks", "algorithm", "message", "program"}) {
        refuse_section(reader, section, "found for a schedule that is there, which has it");
      }
      TopologyDescription description = in_memory->topology;
      take_given(reader, *std::move(in_memory), description, experiment);
      return description;
    }
    experiment.algorithm = reader.read_text("algorithm", name);
    parameters = reader.read_selected("algorithm", "algorithm.name", experiment.algorithm);
    return experiment.algorithm == schedule_algorithm ? read_given(reader, parameters, experiment)
                                                      : read_operation(reader, parameters, experiment);
  });
  if (experiment.given != nullptr) {
    check_start_times(reader, *experiment.given, experiment.network);
  }
  experiment.request.ports = experiment.network.ports;
  experiment.request.duplex = experiment.network.duplex;
  experiment.request.costs = MessageCosts{.startup = experiment.network.startup,
                                          .per_byte = experiment.network.per_byte,
                                          .per_hop = experiment.network.per_hop};
  std::ranges::move(files_of_ranks(reader), std::back_inserter(experiment.schedule_files));
  add_operation(reader, experiment, parameters);
  return experiment;
}

} // namespace

Experiment make_experiment(const RawConfig& config)
{
  return make_experiment(config, {});
}

namespace {

Experiment single_experiment(const ConfigReader& reader)
{
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

} // namespace

Experiment make_experiment(const RawConfig& config, Replaced replaced)
{
  return single_experiment(ConfigReader(config, replaced));
}

Experiment make_experiment(const RawConfig& config, Replaced replaced, MadeTopologies& made)
{
  return single_experiment(ConfigReader(config, replaced, &made));
}

bool is_series(const RawConfig& config, Replaced replaced)
{
  const auto has = [&](std::string_view prefix) { // no reader, which copies all entries: sweeps ask for each point
    const auto first = config.entries.lower_bound(prefix);
    return (first != config.entries.end() && first->first.starts_with(prefix)) ||
           std::ranges::any_of(replaced, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  };
  return has("algorithm.") && (has("broadcast.") || has("traffic."));
}

namespace {

SeriesExperiment series_experiment(const ConfigReader& reader)
{
  refuse_section(
      reader, "load",
      "found the points of a latency-load curve, which \"wormcast load\" measures without [algorithm]; among "
      "traffic give traffic.load, and sweep over it");
  refuse_section(reader, "mpi", "found a program's section, expected [algorithm] with [traffic] or [broadcast] alone");
  refuse_section(reader, "ranks",
                 "found ranks on some nodes; an operation repeated or among traffic runs on all nodes of [topology]");
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
           "found with [algorithm], where the broadcasts are measured, "
           "as many as broadcast.repeat says; expected no such key");
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

} // namespace

SeriesExperiment make_series_experiment(const RawConfig& config, Replaced replaced)
{
  return series_experiment(ConfigReader(config, replaced));
}

SeriesExperiment make_series_experiment(const RawConfig& config, Replaced replaced, MadeTopologies& made)
{
  return series_experiment(ConfigReader(config, replaced, &made));
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
  read_machine(reader, machine);
  refuse(reader, machine.run.tie_break != TieBreak::id, "run.tie_break",
         "messages of a program are numbered as they come, expected \"id\"");
  refuse(reader, machine.run.start_jitter != Time{}, "run.start_jitter",
         "a program decides itself when it starts to send, expected 0");
  refuse(reader, machine.run.noise.has_value(), "run.noise.distribution",
         "the start-ups of a program's messages all take network.startup");
  refuse(reader, machine.run.paired, "run.paired", "a program is run once, expected false");
  refuse(reader, reader.has("run.mode") && machine.run.mode == Mode::lockstep, "run.mode",
         "a program's ranks send when they come to it and not in steps, expected \"self_timed\" or no such key");
  refuse(reader, machine.run.fluid.has_value(), "run.model", "messages of a program are worms, expected \"wormhole\"");
  ParameterValues mpi = reader.read_all("mpi", mpi_declarations());
  set_polling_times(mpi, machine.network.startup);
  machine.mpi = mpi_parameters(mpi);
  machine.effective["mpi"] = parameters_json(mpi_declarations(), mpi);
  return machine;
}

namespace {

LoadExperiment load_experiment(const ConfigReader& reader)
{
  for (const char* section : {"algorithm", "message", "program", "broadcast"}) {
    refuse_section(reader, section,
                   "found a section of a collective operation, but \"wormcast load\" runs [traffic] alone; \"wormcast "
                   "run\" and \"wormcast sweep\" run an operation among [traffic]");
  }
  LoadExperiment experiment;
  read_machine(reader, experiment);
  refuse(reader, experiment.run.start_jitter != Time{}, "run.start_jitter",
         "traffic begins with random gaps, expected 0");
  refuse(reader, experiment.run.paired, "run.paired", "only a run of [algorithm] alone can be paired, expected false");
  refuse(reader, reader.has("run.mode") && experiment.run.mode == Mode::lockstep, "run.mode",
         "[traffic] has no steps, expected \"self_timed\" or no such key");
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

} // namespace

LoadExperiment make_load_experiment(const RawConfig& config, Replaced replaced)
{
  return load_experiment(ConfigReader(config, replaced));
}

LoadExperiment make_load_experiment(const RawConfig& config, Replaced replaced, MadeTopologies& made)
{
  return load_experiment(ConfigReader(config, replaced, &made));
}

ConfiguredTopology configured_topology(const RawConfig& config)
{
  const ConfigReader reader(config, {});
  const RouterModel& router = reader.read_router();
  const ParameterValues network = reader.read_given_network(router);
  ConfiguredTopology configured;
  configured.router = &router;
  configured.virtual_channels = static_cast<std::uint32_t>(network.integer("virtual_channels"));
  if (network.has("per_byte")) {
    configured.per_byte = network.time("per_byte");
  }
  RoutingChoice routing{.routing = network.has("routing") ? network.text("routing") : "", .tie = network.text("tie")};
  configured.routing = take_grid_routing(router, routing);
  TopologyDescription description;
  if (!reader.has_section("topology") && reader.has("algorithm.file")) {
    const std::string file = reader.read_text("algorithm", schedule_parameters().front());
    const Schedule schedule = read_given_schedule(reader, reader.resolve(file));
    routing = merged_routing(reader, routing, schedule.routing);
    description = schedule.topology;
  } else if (!reader.has_section("topology") && reader.has("algorithm.text")) {
    const Schedule schedule = read_schedule_text(reader, reader.read_text("algorithm", schedule_parameters().back()));
    routing = merged_routing(reader, routing, schedule.routing);
    description = schedule.topology;
  } else {
    description = read_topology(reader);
  }
  configured.topology = build_topology(reader, description, routing);
  configured.per_hop = hop_time(reader, router, network, *configured.topology);
  return configured;
}

LogicalSchedule logical_schedule(const Experiment& experiment)
{
  const std::shared_ptr<const Topology> topology =
      experiment.placement != nullptr ? experiment.placement->logical : experiment.topology;
  if (experiment.given != nullptr) {
    return {topology, experiment.given};
  }
  try {
    return {topology, std::make_shared<const Schedule>(
                          make_schedule(find_algorithm(experiment.algorithm), *topology, experiment.request))};
  } catch (const InputError& error) {
    throw_at(experiment.algorithm_origin, "algorithm", error.what());
  }
}

std::shared_ptr<const Schedule> shared_schedule(const Experiment& experiment)
{
  const LogicalSchedule logical = logical_schedule(experiment);
  if (experiment.placement == nullptr) {
    return logical.schedule;
  }
  try {
    return std::make_shared<const Schedule>(
        placed_schedule(*logical.schedule, experiment.placement->nodes, *experiment.topology));
  } catch (const InputError& error) {
    throw_at(experiment.algorithm_origin, "algorithm", error.what());
  }
}

Schedule experiment_schedule(const Experiment& experiment)
{
  return *shared_schedule(experiment);
}

Experiment make_schedule_experiment(const RawConfig& config, Schedule given)
{
  return read_experiment(ConfigReader(config, {}), std::move(given));
}

void add_schedule(Experiment& experiment)
{
  if (experiment.given != nullptr && experiment.given->program == nullptr && experiment.schedule_file.empty()) {
    std::ostringstream text;
    write_schedule(*experiment.given, text);
    experiment.effective["algorithm"]["text"] = std::move(text).str();
  }
}

std::string schedule_name(const Experiment& experiment)
{
  return experiment.schedule_file.empty() ? "in memory" : experiment.schedule_file.string();
}

} // namespace wormcast
