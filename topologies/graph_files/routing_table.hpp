#pragma once

#include "wormcast/topologies/numbered_topology.hpp"
#include "wormcast/topologies/turn_classes.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A routing table as a file lists it, such as the forwarding tables of switches.
struct RoutingTable {
  /// Worms for `destination` that are at `node` go on to `next`.
  struct Line {
    NodeId node{};
    std::optional<NodeId> destination; ///< none: all destinations of which no other line of the node speaks
    NodeId next{};
    std::size_t number = 0; ///< in the file, from 1
  };

  std::string file;               ///< for errors
  std::vector<std::string> names; ///< of the network's nodes
  std::vector<Line> lines;        ///< by node and destination, no two of both
};

/// Reads a routing table: a line "NODE DESTINATION NEXT" for each node and each destination of worms that it sends or
/// forwards, "*" for all other destinations; nodes are written by `names` or, where none is called so, by their ids.
/// What follows "#" is a comment. Throws FileError if the file cannot be read, InputError "FILE: line N: ..." for a
/// line of another form, a node that does not exist, and two lines of the same node and destination.
RoutingTable read_routing_table(const std::filesystem::path& path, std::span<const std::string> names);

/// Writes the routes of a topology as a routing table that read_routing_table reads with the same routes, in a network
/// with the same nodes and channels: a line for each node and destination on whose routes it is, "*" for the next node
/// of the most destinations, no line for a node with one channel. Nodes have their names, or, where these are no words
/// of their own, their ids. Throws InputError for a topology with parallel channels or drawn routes, and where the next
/// node depends on where a worm comes from. Cost O(hosts^2 * hops), and memory for a number by node and host.
void write_routing_table(const Topology& topology, std::ostream& out);

/// A topology without coordinates whose routes are those of a routing table. A node with one channel needs no line.
/// Virtual channels are divided by TurnClasses.
class GivenRoutesTopology : public NumberedTopology {
public:
  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override { return longest_; }
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override
  {
    return turn_classes_.virtual_channel_classes(virtual_channels);
  }
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override
  {
    turn_classes_.assign(*this, route, virtual_channels, classes);
  }

protected:
  /// As Topology's constructor. Throws InputError "FILE: ..." with the host at which a route begins and the one at
  /// which it should end: for a line that is missing, a route that comes to a node twice, and one that leads through
  /// a host although there are switches; and "FILE: line N: ..." for a next node to which no channel leads.
  GivenRoutesTopology(TopologyDescription description, std::uint32_t node_count, std::vector<ChannelEnds> channels,
                      RoutingChoice routing, std::uint32_t host_count, const RoutingTable& table);

private:
  class Follower;

  std::vector<std::uint16_t> next_; ///< by node and destination: the channel, counted from the first one of the node
  std::vector<std::uint16_t> distances_; ///< by hosts
  std::uint32_t longest_ = 0;
  TurnClasses turn_classes_;
};

} // namespace wormcast
