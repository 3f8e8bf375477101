#include "wormcast/experiments/config/given_schedule.hpp"

#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/given_trace.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/ranks_section.hpp"
#include "wormcast/values/input_error.hpp"

#include <memory>
#include <sstream>
#include <utility>

namespace wormcast {

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

SpokenSchedule read_schedule_text(const ConfigReader& reader, const std::string& text)
{
  std::istringstream stream(text);
  try {
    return read_spoken_schedule(stream, "the schedule");
  } catch (const InputError& error) {
    throw_at(reader.origin("algorithm.text"), "algorithm.text", error.what());
  }
}

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
  SpokenSchedule read;
  if (parameters.has("text")) {
    read = read_schedule_text(reader, parameters.text("text"));
  } else {
    experiment.schedule_file = reader.resolve(parameters.text("file"));
    const ScheduleFileKind kind = schedule_file_kind(experiment.schedule_file);
    is_program = kind != ScheduleFileKind::schedule;
    if (is_program) {
      read.schedule = read_given_program(reader, parameters, experiment.schedule_file, kind, experiment.network);
    } else {
      read = read_given_schedule(reader, experiment.schedule_file);
    }
    experiment.schedule_files = files_of_trace(reader, experiment.schedule_file, kind);
  }
  Schedule& schedule = read.schedule;
  experiment.words = std::move(read.words);
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

} // namespace wormcast
