#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace wormcast {

/// Names of hosts and links in exported files and in the simulator's SimGrid platform: "n<id>" and "c<id>".
std::string host_name(NodeId node);
std::string link_name(ChannelId channel);

/// Writes the nodes and channels as a directed graph in Graphviz's language. A node has its name as label and its
/// position in draw_topology() (for `neato -n`), in hundredths of a point; an edge has its link name as id. Where there
/// are switches these have kind=switch, and edges their class of links, as graph_reader.hpp reads them; where the
/// topology's own file gives times of links, edges have these and their class.
void write_dot(const Topology& topology, std::ostream& out);

/// Writes the nodes and channels as a directed graph in GraphML, in ascending order of ids. Nodes have the string
/// attributes `name` and `coordinates` ("3 4"), edges the int attribute `channel`; where there are switches, also
/// `kind` and `class`, and where the topology's own file gives times of links, `class`, `per_byte` and `per_hop`, as
/// graph_reader.hpp reads them.
void write_graphml(const Topology& topology, std::ostream& out);

/// Speed of channels, as SimGrid's links have it.
struct ChannelSpeed {
  ByteTime per_byte;                        ///< T_c, greater than 0
  Time per_hop;                             ///< T_f
  std::vector<ByteTime> link_per_byte = {}; ///< T_c by class of links (Topology::link_classes); empty: per_byte
  std::vector<Time> link_per_hop = {};      ///< T_f by class of links; empty: per_hop
};

/// The largest sum of route lengths that write_simgrid_xml writes; that of a 32 x 32 mesh is smaller.
inline constexpr std::uint64_t most_simgrid_xml_hops = 25'000'000;

/// Writes a SimGrid platform file (DTD version 4.1): a host per node, a link per channel with bandwidth 1/T_c and
/// latency T_f, in one zone with routing="Full" and a route for every ordered pair. SimGrid's routings that compute
/// routes choose them by other rules, so only the full table gives exactly the routes of `topology`. Cost and size of
/// the file: O(sum of all route lengths), about 23 bytes each. Throws InputError if the sum is above
/// most_simgrid_xml_hops or T_c is not above 0.
void write_simgrid_xml(const Topology& topology, const ChannelSpeed& speed, std::ostream& out);

} // namespace wormcast
