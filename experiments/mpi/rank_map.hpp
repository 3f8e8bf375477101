#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The node of each MPI rank. `map` is one of
/// - "block": rank r on node r;
/// - "round_robin": rank r on node r mod nodes, so that a node may have several ranks;
/// - "random": ranks on different nodes drawn by `seed`;
/// - a file with a node or its host a line, as read_hosts takes it: rank r on the node of line r.
/// Without `ranks` there is one for each node, or for each line of the file. Throws InputError where there are no
/// ranks, more than most_ranks or than the nodes or lines, or where the file has a wrong line.
std::vector<NodeId> map_ranks(const std::string& map, std::optional<std::int64_t> ranks, std::uint32_t nodes,
                              std::uint64_t seed);

/// The values of `map` other than a file.
std::vector<std::string> rank_map_names();

/// More than SMPI can hold.
inline constexpr std::int64_t most_ranks = std::int64_t{1} << 20;

} // namespace wormcast
