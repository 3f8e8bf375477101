#pragma once

#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace wormcast {

// The sections of which experiments are made, one by one. All throw InputError with the position of the faulty key.

/// Throws `error`, "KEY: ..." with a key of `section`, with that key's position.
[[noreturn]] void throw_of_section(const ConfigReader& reader, std::string_view section, const InputError& error);

/// Puts files as they are to be opened in the place of those that the configuration names.
void resolve_files(const ConfigReader& reader, std::span<const Parameter> declared, ParameterValues& values);

/// [network], `values`, as far as it does not depend on the topology.
NetworkParameters read_network(const ConfigReader& reader, const RouterModel& router, const ParameterValues& values);

/// Reads the part of [network] that depends on the topology.
void suit_network(const ConfigReader& reader, NetworkParameters& network, const Topology& topology);

/// Reads the latencies and rates of links where only some of the keys of [network] may be given.
NetworkParameters given_network(const ConfigReader& reader, const RouterModel& router, ParameterValues values,
                                const Topology& topology);

/// Reads [topology], with paths as written there.
TopologyDescription read_topology(const ConfigReader& reader);

/// Makes the topology; errors have the position of its only key or of its kind.
std::shared_ptr<const Topology> build_topology(const ConfigReader& reader, TopologyDescription description,
                                               const RoutingChoice& routing);

/// The same for the topology of another section, [ranks].
std::shared_ptr<const Topology> build_topology(const ConfigReader& reader, std::string_view section,
                                               TopologyDescription description, const RoutingChoice& routing);

/// Makes the topology of the ranks, with the default routing of its kind.
std::shared_ptr<const Topology> logical_topology(const ConfigReader& reader, const TopologyDescription& description,
                                                 const NetworkParameters& network);

/// [run], with a file of noise read.
RunParameters read_run(const ConfigReader& reader, ParameterValues values);

/// [traffic] with its classes.
struct ReadTraffic {
  TrafficParameters parameters;
  nlohmann::ordered_json effective; ///< of the effective configuration
};

/// Reads [traffic], as far as it can be checked without a load.
ReadTraffic read_traffic(const ConfigReader& reader, const Topology& topology, const NetworkParameters& network,
                         std::uint64_t seed);

/// Checks the load of `key`, if messages cannot be generated faster than at `largest`.
void check_load(const ConfigReader& reader, const char* key, double load, double largest);

/// Throws InputError at `key` where it has a value that cannot be had here.
void refuse(const ConfigReader& reader, bool given, const char* key, const char* text);

/// Throws InputError at the section where there is one.
void refuse_section(const ConfigReader& reader, std::string_view section, std::string_view text);

/// A program or a trace on the configuration's topology and ports, with its ranks on the nodes that [ranks] or
/// `parameters` of [algorithm] determine.
Schedule read_given_program(const ConfigReader& reader, const ParameterValues& parameters,
                            const std::filesystem::path& file, ScheduleFileKind kind, const NetworkParameters& network);

/// The schedule that algorithm.file names, with what an MPI program says of its messages.
SpokenSchedule read_given_schedule(const ConfigReader& reader, const std::filesystem::path& file);

/// Throws InputError where [algorithm] maps ranks, as of a program: those of a schedule are for [ranks].
void refuse_map(const ConfigReader& reader, const ParameterValues& parameters);

/// Throws InputError where an operation is given and the file says itself what it does.
void refuse_operation(const ConfigReader& reader, const ParameterValues& parameters);

/// Throws InputError where [ranks], or without it [topology], names another topology than the schedule's.
void check_same_topology(const ConfigReader& reader, const Schedule& schedule);

/// Returns the configuration's routing, otherwise the schedule's.
RoutingChoice merged_routing(const ConfigReader& reader, const RoutingChoice& configured, const RoutingChoice& given);

/// The value of message.bytes. Throws InputError where it is missing.
std::uint64_t length_of_message(const ConfigReader& reader);

/// message.bytes, where it is there.
void take_length(const ConfigReader& reader, Schedule& schedule);

/// Throws InputError where messages of a plain list start between two cycles of the router.
void check_start_times(const ConfigReader& reader, const Schedule& schedule, const NetworkParameters& network);

} // namespace wormcast
