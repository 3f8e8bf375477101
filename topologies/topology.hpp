#pragma once

#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A node, numbered 0 .. node_count-1: first the hosts (a processor, in direct networks with its router), then the
/// switches (a router without a processor).
enum class NodeId : std::uint32_t {};
/// One direction of an external link, numbered 0 .. channel_count-1 in ascending order of its source.
enum class ChannelId : std::uint32_t {};

/// The number of a node, of a channel.
constexpr std::uint32_t index(NodeId node)
{
  return static_cast<std::uint32_t>(node);
}
constexpr std::uint32_t index(ChannelId channel)
{
  return static_cast<std::uint32_t>(channel);
}

/// Nodes and directed external channels. Vertex descriptors are node ids, edge indices are channel ids.
using ChannelGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                        boost::no_property, std::uint32_t, std::uint32_t>;

/// A directed external channel by its ends, as topologies hand them to the base class.
struct ChannelEnds {
  NodeId from{};
  NodeId to{};
};

/// The description of a topology in a configuration or a schedule file: its kind and the kind's parameters.
struct TopologyDescription {
  std::string kind;           ///< "mesh", "torus", ...: a name of topology_kinds()
  ParameterValues parameters; ///< as declared by the kind

  friend bool operator==(const TopologyDescription&, const TopologyDescription&) = default;
};

/// The direction of a worm if both directions round a ring are equally long.
enum class Tie : std::uint8_t {
  no_wrap,  ///< the one without the wrap-around link
  positive, ///< the one upwards
  random    ///< one that is drawn for each message
};

/// Values of network.tie.
inline constexpr auto tie_names =
    names<Tie>({{Tie::no_wrap, "no_wrap"}, {Tie::positive, "positive"}, {Tie::random, "random"}});

/// The routing of worms, from the network section of a configuration.
struct RoutingChoice {
  /// "dimension_order", "shortest_path", "up_down", "d_mod_k", "random", "minimal", "valiant" or "ugal_l"; empty: the
  /// default of the kind of topology.
  std::string routing;
  std::string tie{tie_names.text(Tie::no_wrap)}; ///< the text of a Tie

  friend bool operator==(const RoutingChoice&, const RoutingChoice&) = default;
};

/// A network: nodes, directed external channels, and a routing function of source, destination and, where routes are
/// drawn, of a number that the message draws. In a direct network every node is a host; in others there are switches,
/// which forward worms but neither send nor receive messages. Immutable once made.
class Topology {
public:
  virtual ~Topology() = default;
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;

  const TopologyDescription& description() const { return description_; }
  const RoutingChoice& routing() const { return routing_; }
  const ChannelGraph& graph() const { return graph_; }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(boost::num_vertices(graph_)); }
  /// Returns the number of nodes that send and receive messages: 0 .. host_count-1. The others are switches.
  std::uint32_t host_count() const { return host_count_; }
  bool is_host(NodeId node) const { return index(node) < host_count_; }
  bool has_switches() const { return host_count_ < node_count(); }
  std::uint32_t channel_count() const { return static_cast<std::uint32_t>(boost::num_edges(graph_)); }

  NodeId channel_source(ChannelId channel) const { return sources_[index(channel)]; }
  NodeId channel_target(ChannelId channel) const { return targets_[index(channel)]; }
  /// Returns the first channel that leaves `node`; they are first_channel(node) .. first_channel(node + 1) - 1.
  ChannelId first_channel(NodeId node) const { return ChannelId{offsets_[index(node)]}; }
  std::uint32_t out_degree(NodeId node) const { return offsets_[index(node) + 1] - offsets_[index(node)]; }

  /// Appends the external channels from host `from` to host `to` in the order in which a header crosses them (nothing
  /// if both are the same). If the route is drawn, it is a shortest one of the possible routes: with tie "random" that
  /// of "no_wrap". Cost O(hops), no allocation except the vector's growth.
  virtual void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const = 0;

  /// Returns the number of low bits of a message's draw on which routes depend; 0: no route is drawn, and append_route
  /// gives all routes.
  virtual std::uint32_t drawn_bits() const { return 0; }

  /// Whether the route from `from` to `to` depends on the draw.
  virtual bool draws_route(NodeId from, NodeId to) const;

  /// Appends the route of a message with the random bits `draw`; append_route if nothing is drawn. All routes of a pair
  /// of nodes are equally long unless lengths_differ().
  virtual void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const;

  /// Whether each header whose route is drawn chooses between that route and append_route's when it requests the
  /// channel after the first one, by the messages that are in its way there (RouteChoice in the simulator). Both routes
  /// begin with the same channel, and lead to the router from which the choice is made.
  virtual bool headers_choose() const { return false; }

  /// Whether drawn routes of some pairs of nodes are longer than others: then distance() is that of the shortest.
  virtual bool lengths_differ() const { return false; }

  /// Returns the mean number of channels of the route from host `from` to host `to` over all draws; distance() unless
  /// lengths_differ(), and where headers choose, since they take append_route's route on an empty network.
  virtual double mean_route_length(NodeId from, NodeId to) const { return distance(from, to); }

  /// Adds to each channel, by number, the fraction `share` of a message that crosses it on average over all draws, for
  /// messages from host `from` to host `to`; where headers choose, append_route's. The default takes the draws 0 and ~0
  /// for all: they suffice where each bit chooses one part of a route.
  virtual void add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const;

  /// Returns the number of external channels of append_route's route from host `from` to host `to`.
  virtual std::uint32_t distance(NodeId from, NodeId to) const = 0;

  /// Returns an upper bound of the length of routes, at low cost; the exact routing diameter is in TopologyMetrics.
  virtual std::uint32_t longest_route() const = 0;

  /// Returns the coordinates of a node in the order of the dimensions; one number (the id) if the kind has no
  /// coordinates.
  virtual std::vector<std::int64_t> coordinates(NodeId node) const = 0;

  /// The host with these coordinates. Throws InputError that names the offending coordinate and its range.
  virtual NodeId node_at(std::span<const std::int64_t> coordinates) const = 0;

  /// Returns "(3, 4)", "17" or the name in the graph file.
  virtual std::string node_name(NodeId node) const;

  /// Returns the number of classes into which the routing divides the virtual channels of an external channel; a worm
  /// may use any virtual channel of its class. Class k of n owns the virtual channels k*V/n .. (k+1)*V/n - 1. The
  /// default is one class.
  virtual std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const;

  /// Sets the class of a worm on each channel of `route`, a route of append_route or append_drawn_route. The default
  /// sets 0 throughout.
  virtual void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                              std::span<std::uint8_t> classes) const;

  /// Returns the names of the classes of links, in order; a network can give each class a rate and a latency of its
  /// own. The default is one class, "link".
  virtual std::vector<std::string> link_classes() const;

  /// Returns the class of an external channel, an index of link_classes(). The default is 0.
  virtual std::uint32_t link_class(ChannelId channel) const;

  /// Returns a title of one line: "mesh 32 x 32".
  virtual std::string title() const = 0;

protected:
  /// `channels` may have any order; they get their ids by a stable sort by their sources. Several may have the same
  /// ends. Without `host_count` all nodes are hosts.
  Topology(TopologyDescription description, std::uint32_t node_count, std::vector<ChannelEnds> channels,
           RoutingChoice routing = {}, std::optional<std::uint32_t> host_count = std::nullopt);

private:
  TopologyDescription description_;
  RoutingChoice routing_;
  ChannelGraph graph_;
  std::uint32_t host_count_;
  std::vector<std::uint32_t> offsets_;
  std::vector<NodeId> sources_;
  std::vector<NodeId> targets_;
};

/// Reads a `node` parameter such as "source" against a topology. Throws InputError for an id or coordinates outside of
/// it, for a name that no node has, and for a switch.
NodeId resolve_node(const Topology& topology, const ParameterValue& value);

/// Throws InputError that names the switch if `node` is one; `what` is what asks for it: "the source".
void check_host(const Topology& topology, NodeId node, std::string_view what);

/// Throws InputError if the topology has switches: "bfs_tree forwards the message in every node, but the switches of
/// ...". `algorithm` is its name.
void check_only_hosts(const Topology& topology, std::string_view algorithm);

} // namespace wormcast
