#include "wormcast/experiments/config/given_trace.hpp"

#include "wormcast/algorithms/imported/msccl_program.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/export.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

/// What a collective of Chakra is here; none: there is no algorithm for it.
std::optional<Operation> operation_of(ChakraCollective collective)
{
  switch (collective) {
  case ChakraCollective::all_reduce:
    return Operation::all_reduce;
  case ChakraCollective::reduce:
    return Operation::reduce;
  case ChakraCollective::all_gather:
    return Operation::multinode_broadcast;
  case ChakraCollective::broadcast:
    return Operation::broadcast;
  case ChakraCollective::all_to_all:
    return Operation::total_exchange;
  case ChakraCollective::reduce_scatter:
  case ChakraCollective::reduce_scatter_block:
    return Operation::reduce_scatter;
  case ChakraCollective::barrier:
    return Operation::barrier;
  default:
    return std::nullopt;
  }
}

/// The length of an operation of which a trace gives the whole vector.
std::uint64_t operation_bytes(Operation operation, std::uint64_t bytes, std::size_t members)
{
  const std::uint64_t length = cuts_message(operation) ? bytes : bytes / members + (bytes % members > 0 ? 1 : 0);
  return std::max<std::uint64_t>(length, 1);
}

bool is_algorithm_file(const std::string& algorithm)
{
  return algorithm.ends_with(".xml");
}

/// A row of nodes in the order of ranks, for algorithms among some of a network's nodes.
std::unique_ptr<Topology> row_of(std::size_t nodes, const RoutingChoice& routing)
{
  TopologyDescription description{.kind = "mesh", .parameters = {}};
  description.parameters.set("dims", std::vector<std::int64_t>{static_cast<std::int64_t>(nodes)});
  RoutingChoice own = routing;
  own.routing.clear();
  return make_topology(description, own);
}

} // namespace

bool takes_program_section(ScheduleFileKind kind)
{
  return kind == ScheduleFileKind::netrace || kind == ScheduleFileKind::chakra;
}

ParameterValues read_program_section(const ConfigReader& reader, ScheduleFileKind kind)
{
  for (const Parameter& parameter : program_declarations()) {
    const std::string key = "program." + parameter.name;
    if (is_for_netrace(parameter.name) != (kind == ScheduleFileKind::netrace) && reader.has(key)) {
      throw_at(reader.origin(key), key,
               fmt::format("found for a trace of {}, expected a trace of {}",
                           kind == ScheduleFileKind::netrace ? "netrace" : "Chakra",
                           kind == ScheduleFileKind::netrace ? "Chakra" : "netrace"));
    }
  }
  return reader.read_all("program", program_declarations());
}

nlohmann::ordered_json program_section_json(const ParameterValues& values, ScheduleFileKind kind)
{
  nlohmann::ordered_json json = parameters_json(program_declarations(), values);
  for (const Parameter& parameter : program_declarations()) {
    if (is_for_netrace(parameter.name) != (kind == ScheduleFileKind::netrace)) {
      json.erase(parameter.name);
    }
  }
  return json;
}

std::vector<std::filesystem::path> files_of_trace(const ConfigReader& reader, const std::filesystem::path& file,
                                                  ScheduleFileKind kind)
{
  if (kind != ScheduleFileKind::chakra) {
    return {file};
  }
  std::vector<std::filesystem::path> files = chakra_files(file);
  const ProgramParameters program = program_parameters(read_program_section(reader, kind));
  if (!program.groups.empty()) {
    files.push_back(reader.resolve(program.groups));
  }
  for (const auto& [collective, algorithm] : program.algorithms) {
    if (is_algorithm_file(algorithm)) {
      files.push_back(reader.resolve(algorithm));
    }
  }
  return files;
}

GivenTrace::GivenTrace(const ConfigReader& reader, ProgramParameters program, const std::filesystem::path& file,
                       ScheduleFileKind kind)
    : reader_(reader), file_(file), kind_(kind), program_(std::move(program))
{
  if (kind == ScheduleFileKind::netrace) {
    netrace_ = read_netrace(file, program_.region);
    return;
  }
  const ChakraGroups groups =
      program_.groups.empty() ? ChakraGroups() : read_chakra_groups(reader.resolve(program_.groups));
  chakra_ = read_chakra(file, groups);
  report_ = check_chakra(chakra_);
}

std::uint32_t GivenTrace::ranks() const
{
  return kind_ == ScheduleFileKind::netrace ? netrace_.nodes : static_cast<std::uint32_t>(chakra_.ranks.size());
}

Schedule GivenTrace::schedule(const Topology& topology, const NetworkParameters& network,
                              std::vector<NodeId> node_of) const
{
  const std::string name = file_.string();
  if (kind_ == ScheduleFileKind::chakra) {
    Program program = chakra_program(
        chakra_, report_, program_.flops,
        [&](ChakraCollective collective, std::uint64_t bytes, std::span<const std::uint32_t> members) {
          return collective_program(topology, network, node_of, collective, bytes, members);
        },
        name);
    return program_schedule(std::move(program), std::move(node_of));
  }
  if (program_.netrace.closed && program_.netrace.keep_think) {
    return program_schedule(netrace_program(netrace_, program_.netrace, name), std::move(node_of));
  }
  return netrace_messages(netrace_, program_.netrace, node_of, name);
}

Program GivenTrace::collective_program(const Topology& topology, const NetworkParameters& network,
                                       std::span<const NodeId> node_of, ChakraCollective collective,
                                       std::uint64_t bytes, std::span<const std::uint32_t> members) const
{
  const std::optional<Operation> operation = operation_of(collective);
  if (!operation) {
    throw InputError(fmt::format("{}: {}: no algorithm of this collective", file_.string(),
                                 chakra_collective_names.text(collective)));
  }
  const std::string& algorithm = program_.algorithms.at(collective);
  const std::uint64_t length = operation_bytes(*operation, bytes, members.size());
  bool is_whole_network = members.size() == topology.host_count();
  for (std::uint32_t i = 0; is_whole_network && i < members.size(); ++i) {
    is_whole_network = index(node_of[members[i]]) == i;
  }
  try {
    if (is_algorithm_file(algorithm)) {
      return program_of_file(algorithm, length, members.size());
    }
    const std::unique_ptr<Topology> row = is_whole_network ? nullptr : row_of(members.size(), network.routing);
    const Topology& used = row ? *row : topology;
    ScheduleRequest request{
        .message_bytes = length, .ports = network.ports, .duplex = network.duplex, .parameters = {}};
    request.costs =
        MessageCosts{.startup = network.message_overhead(), .per_byte = network.per_byte, .per_hop = network.per_hop};
    request.parameters.set("operation", std::string(operation_names.text(*operation)));
    const Schedule schedule = make_schedule(find_algorithm(algorithm), used, request);
    std::stringstream goal; // a schedule as a program of its nodes
    write_schedule_goal(used, schedule, goal);
    return read_program(goal, algorithm);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} among {} of {} nodes, by {}: {}", chakra_collective_names.text(collective),
                                 members.size(), topology.host_count(), algorithm, error.what()));
  }
}

Program GivenTrace::program_of_file(const std::string& name, std::uint64_t bytes, std::size_t members) const
{
  Program program = read_msccl_program(reader_.resolve(name), bytes);
  if (program.ranks != members) {
    throw InputError(fmt::format("found a file for {} GPUs, expected one for {}", program.ranks, members));
  }
  return program;
}

} // namespace wormcast
