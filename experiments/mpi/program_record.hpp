#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/mpi/rank_record.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

// The environment of a program that runs on libwormcast_platform.so.
inline constexpr const char* program_config_variable = "WORMCAST_CONFIG";     ///< configuration file
inline constexpr const char* program_overrides_variable = "WORMCAST_SET";     ///< as of --set, one a line
inline constexpr const char* program_removals_variable = "WORMCAST_UNSET";    ///< as of --unset, one a line
inline constexpr const char* program_hosts_variable = "WORMCAST_HOSTS";       ///< host file; other hosts are not made
inline constexpr const char* program_messages_variable = "WORMCAST_MESSAGES"; ///< the file for the messages sent
inline constexpr const char* program_end_variable = "WORMCAST_END";           ///< where to write a ProgramEnd

inline constexpr const char* program_routes_variable = "WORMCAST_ROUTES";   ///< a file with packed_platform_routes()
inline constexpr const char* program_broadcast_variable = "WORMCAST_BCAST"; ///< read_own_broadcast()

/// The configuration that the environment names. Throws InputError as read_config does, where none is named, and where
/// it has a sweep.
RawConfig program_configuration();

/// Returns the request for a broadcast on the machine from `source`, with the costs that "best" parameters need.
ScheduleRequest broadcast_request(const ProgramMachine& machine, NodeId source, std::uint64_t bytes);

/// Throws IncompleteSchedule where the schedule of mpi.bcast = "wormcast:ALGORITHM" does not broadcast, unless the run
/// is `unchecked`.
void require_complete_broadcast(const ProgramMachine& machine, const std::string& algorithm, const Schedule& schedule);

/// Throws InputError where not every one of `node_count` nodes has one rank: schedules of broadcasts need that.
/// `algorithm` is for the message.
void check_one_rank_a_node(std::span<const NodeId> nodes, std::uint32_t node_count, const std::string& algorithm);

/// The result of a program's run.
struct ProgramEnd {
  Time clock;         ///< SimGrid's, when nothing happened any more
  Time last_delivery; ///< 0 without messages
  std::uint64_t messages = 0;
  std::uint64_t undelivered = 0;         ///< of these
  bool stuck = false;                    ///< ranks or actors were left that wait forever
  bool aborted = false;                  ///< actors were killed before they ended: MPI_Abort
  std::vector<WaitingRank> waiting = {}; ///< by rank: those that are in MPI functions although nothing happens any more
  std::vector<RankCall> calls = {};      ///< by rank and function; empty: not known
};

/// A JSON object. Throws OutputError.
void write_program_end(const std::filesystem::path& file, const ProgramEnd& end);

/// Throws InputError if it is not in the form of write_program_end; FileError if it cannot be read.
ProgramEnd read_program_end(const std::filesystem::path& file);

/// The names of the nodes' hosts, one a line, which read_hosts reads.
std::string hosts_text(std::span<const NodeId> nodes);

/// The nodes of a file with a host a line: its name ("n12") or the node's number; empty lines and what follows "#" are
/// skipped. Throws InputError with file and line where a line is something else, or names no node of `node_count`.
std::vector<NodeId> read_hosts(const std::filesystem::path& file, std::uint32_t node_count);

} // namespace wormcast
