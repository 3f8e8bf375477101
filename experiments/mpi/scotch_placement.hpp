#pragma once

#include "wormcast/experiments/mpi/placement.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The most nodes of a network that scotch_placement takes: Scotch keeps a distance for each pair.
inline constexpr std::uint32_t most_scotch_nodes = 4096;

/// The text of a graph as Scotch reads it (F. Pellegrini, "Scotch and libScotch User's Guide", section 5.1): a vertex
/// for each rank, an edge for each pair of partners with the bytes between them, divided by the same number for all
/// where their sum is too large for Scotch. Up to `nodes` vertices without an edge follow: Scotch spreads vertices over
/// all nodes, which would drive few ranks apart.
std::string scotch_graph(const Communication& communication, std::uint32_t nodes);

/// The text of the graph of a topology's nodes, with an edge for each link.
std::string scotch_graph(const Topology& topology);

/// Reads the mapping that Scotch writes: the node of each rank. Throws InputError where it is none of `ranks` ranks to
/// `nodes` nodes.
std::vector<NodeId> read_scotch_mapping(std::string_view text, std::uint32_t ranks, std::uint32_t nodes);

/// Returns a node for each rank: the static mapping of the graph of bytes onto the graph of links by Scotch's programs
/// (amk_grf and scotch_gmap of Debian's package scotch), whose measure is byte-hops. Scotch may put several ranks on a
/// node; then the first stays, and the others go to the free nodes with the fewest byte_hops to their partners, one
/// after the other. The same input gives the same nodes. Throws InputError where the programs are not installed or
/// fail, with what they say, or where the network has more than most_scotch_nodes nodes.
std::vector<NodeId> scotch_placement(const Topology& topology, const Communication& communication);

} // namespace wormcast
