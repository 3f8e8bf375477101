#include "wormcast/experiments/config/given_requests.hpp"

#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/values/input_error.hpp"

#include <memory>
#include <utility>

namespace wormcast {

TopologyDescription read_requests(const ConfigReader& reader, const ParameterValues& parameters, Experiment& experiment)
{
  refuse(reader, reader.has("algorithm.source"), "algorithm.source",
         "found a source, but all nodes send requests, as algorithm.pattern says; expected no such key");
  refuse_section(reader, "ranks", "found ranks for requests, which go between the nodes; expected no such section");
  ParameterValues resolved = parameters;
  resolve_files(reader, request_declarations(), resolved);
  try {
    experiment.requests = request_parameters(resolved);
  } catch (const InputError& error) {
    throw_of_section(reader, "algorithm", error);
  }
  experiment.request.message_bytes = length_of_message(reader);
  experiment.requests->bytes = experiment.request.message_bytes;
  TopologyDescription description = read_topology(reader);
  experiment.topology = build_topology(reader, description, experiment.network.routing);
  return description;
}

void make_requests(const ConfigReader& reader, Experiment& experiment)
{
  Schedule schedule;
  try {
    schedule = request_messages(*experiment.topology, *experiment.requests, experiment.run.seed);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw_of_section(reader, "algorithm", error);
  }
  schedule.topology = experiment.topology->description();
  schedule.routing = experiment.network.routing;
  schedule.ports = experiment.network.ports;
  schedule.duplex = experiment.network.duplex;
  experiment.given = std::make_shared<const Schedule>(std::move(schedule));
}

} // namespace wormcast
