#pragma once

#include "wormcast/experiments/mpi/placement.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// The node of each MPI rank. `map` is one of
/// - "block": rank r on node r;
/// - "round_robin": rank r on node r mod nodes, so that a node may have several ranks;
/// - "order": ranks on different nodes along curve_order;
/// - "random": ranks on different nodes drawn by `seed`;
/// - a file with a node or its host a line, as read_hosts takes it: rank r on the node of line r.
/// Without `ranks` there is one for each node, or for each line of the file. Throws InputError where there are no
/// ranks, more than most_ranks or than the nodes or lines, or where the file has a wrong line.
std::vector<NodeId> map_ranks(const std::string& map, std::optional<std::int64_t> ranks, const Topology& topology,
                              std::uint64_t seed);

/// The values of `map` other than a file.
std::vector<std::string> rank_map_names();

/// Whether `map` is one of map_by_communication: made from what ranks send to each other, for which the program runs
/// once before.
bool needs_communication(const std::string& map);

/// The values of `map` other than a file where a program can run before: those of rank_map_names() and of
/// map_by_communication.
std::vector<std::string> program_map_names();

/// "greedy": greedy_placement; "refine": the better of refined_placement from there and from `before`, the nodes on
/// which the communication was recorded; "channel_load": that of least_loaded_placement from those two; "scotch":
/// scotch_placement.
std::vector<NodeId> map_by_communication(const std::string& map, const Topology& topology,
                                         const Communication& communication, std::span<const NodeId> before);

/// More than SMPI can hold.
inline constexpr std::int64_t most_ranks = std::int64_t{1} << 20;

} // namespace wormcast
