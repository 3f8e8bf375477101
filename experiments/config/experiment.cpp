#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/schedule/barriers.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/algorithms/schedule/pieces.hpp"
#include "wormcast/algorithms/schedule/placement.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/algorithms/schedule/ready_messages.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/algorithms/verifier/added_bytes.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/experiment_reader.hpp"
#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/given_requests.hpp"
#include "wormcast/experiments/config/given_schedule.hpp"
#include "wormcast/experiments/config/given_trace.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/machine.hpp"
#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/ranks_section.hpp"
#include "wormcast/topologies/faults.hpp"
#include "wormcast/topologies/graph_files/described_nodes.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

/// Adds the sections algorithm and message of the effective configuration, before run. `given` are the keys of an
/// algorithm that is not of the registry.
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
    algorithm.update(parameters_json(selected_parameters("algorithm.name", experiment.algorithm), given));
  } else {
    const Topology& logical = experiment.placement ? *experiment.placement->logical : *experiment.topology;
    algorithm["source"] = index(node_in_whole(logical, experiment.request.source));
    algorithm.update(
        parameters_json(selected_parameters("algorithm.name", experiment.algorithm), experiment.request.parameters));
  }
  const bool has_length = experiment.given == nullptr || experiment.requests ||
                          experiment.given->operation != Operation::none ||
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
    experiment.request.source = resolve_whole_node(logical, source);
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.source"), "algorithm.source", error.what());
  }
  const ParameterValue bytes = reader.read("message", fixed_parameters("message").front());
  experiment.request.message_bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(bytes));
  experiment.request.parameters = parameters;
  experiment.request.folder = std::filesystem::path(reader.whole_file().file).parent_path();
  return description;
}

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

Experiment read_experiment(const ConfigReader& reader, std::optional<Schedule> in_memory)
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
    if (experiment.algorithm == requests_algorithm) {
      return read_requests(reader, parameters, experiment);
    }
    return experiment.algorithm == schedule_algorithm ? read_given(reader, parameters, experiment)
                                                      : read_operation(reader, parameters, experiment);
  });
  if (experiment.requests) {
    make_requests(reader, experiment);
  }
  if (experiment.given != nullptr) {
    check_start_times(reader, *experiment.given, experiment.network);
  }
  experiment.request.ports = experiment.network.ports;
  experiment.request.duplex = experiment.network.duplex;
  experiment.request.costs = MessageCosts{.startup = experiment.network.message_overhead(),
                                          .per_byte = experiment.network.per_byte,
                                          .per_hop = experiment.network.per_hop};
  std::ranges::move(files_of_ranks(reader), std::back_inserter(experiment.schedule_files));
  add_operation(reader, experiment, parameters);
  return experiment;
}

Experiment make_experiment(const RawConfig& config)
{
  return make_experiment(config, {});
}

Experiment make_experiment(const RawConfig& config, Replaced replaced)
{
  return single_experiment(ConfigReader(config, replaced));
}

Experiment make_experiment(const RawConfig& config, Replaced replaced, MadeTopologies& made)
{
  return single_experiment(ConfigReader(config, replaced, &made));
}

std::optional<Experiment> experiment_without_faults(const RawConfig& config, const Experiment& experiment)
{
  if (!has_faults(experiment.topology->description()) || experiment.given != nullptr) {
    return std::nullopt;
  }
  RawConfig whole = config;
  for (const Parameter& fault : fault_parameters()) {
    whole.entries.erase(fmt::format("topology.{}", fault.name));
  }
  return make_experiment(whole);
}

LogicalSchedule logical_schedule(const Experiment& experiment)
{
  const auto* placement = experiment.placement.get();
  const std::shared_ptr<const Topology> topology = placement != nullptr ? placement->logical : experiment.topology;
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
  if (experiment.given != nullptr && !experiment.requests && experiment.given->program == nullptr &&
      experiment.schedule_file.empty()) {
    std::ostringstream text;
    write_schedule(*experiment.given, experiment.words.get(), text);
    experiment.effective["algorithm"]["text"] = std::move(text).str();
  }
}

std::string schedule_name(const Experiment& experiment)
{
  if (experiment.requests) {
    return std::string(requests_algorithm);
  }
  return experiment.schedule_file.empty() ? "in memory" : experiment.schedule_file.string();
}

std::optional<Schedule> schedule_as_sent(const Experiment& experiment, const Schedule& schedule)
{
  const RunParameters& run = experiment.run;
  const std::uint32_t nodes = experiment.topology->host_count();
  std::optional<Schedule> sent;
  const auto change = [&](bool wanted, const char* key, auto&& changed) {
    if (!wanted) {
      return;
    }
    try {
      sent = changed(sent ? *sent : schedule);
    } catch (const InputError& error) {
      throw InputError(fmt::format("run.{}: {}", key, error.what()));
    }
  };
  change(run.ready_above.has_value(), "ready_above",
         [&](const Schedule& of) { return with_ready_messages(of, nodes, *run.ready_above); });
  change(run.barriers != Barriers::none, "barriers", [](const Schedule& of) { return with_barriers(of); });
  change(run.segment_bytes.has_value(), "segment_bytes", [&](const Schedule& of) {
    return run.segments_of == SegmentedMessages::all
               ? with_segments(of, nodes, *run.segment_bytes)
               : with_segments(of, nodes, *run.segment_bytes, added_bytes(of, nodes));
  });
  change(run.packet_bytes.has_value(), "packet_bytes",
         [&](const Schedule& of) { return with_packets(of, nodes, *run.packet_bytes); });
  return sent;
}

bool sends_pieces(const Experiment& experiment)
{
  return experiment.run.segment_bytes || experiment.run.packet_bytes;
}

std::shared_ptr<const Schedule> uncut_schedule(const Experiment& experiment)
{
  Experiment uncut = experiment;
  uncut.run.segment_bytes.reset();
  uncut.run.packet_bytes.reset();
  return simulated_schedule(uncut);
}

const ProgramWords* simulated_words(const Experiment& experiment)
{
  const RunParameters& run = experiment.run;
  const bool as_given = !run.ready_above && run.barriers == Barriers::none && !sends_pieces(experiment);
  return as_given ? experiment.words.get() : nullptr; // its messages are others
}

std::shared_ptr<const Schedule> simulated_schedule(const Experiment& experiment)
{
  std::shared_ptr<const Schedule> schedule = shared_schedule(experiment);
  std::optional<Schedule> sent = schedule_as_sent(experiment, *schedule);
  return sent ? std::make_shared<const Schedule>(*std::move(sent)) : schedule;
}

} // namespace wormcast
