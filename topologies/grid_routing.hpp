#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>

namespace wormcast {

class Grid;

/// The routings of router "input_queued" (docs/routers.md, "Routing") on a mesh or torus; the turn models on meshes
/// only.
enum class GridRouting : std::uint8_t {
  dimension_order,
  west_first,       ///< C. J. Glass and L. M. Ni, The turn model for adaptive routing, ISCA 1992
  odd_even,         ///< G.-M. Chiu, The odd-even turn model for adaptive routing, IEEE TPDS 11(7), 2000: its ROUTE
  minimal_adaptive, ///< any shortest path, with escape channels by dimension order: J. Duato, A new theory of
                    ///< deadlock-free adaptive routing in wormhole networks, IEEE TPDS 4(12), 1993
  valiant,          ///< by a random node: L. G. Valiant and G. J. Brebner, Universal schemes for parallel
                    ///< communication, STOC 1981
  romm ///< through a random node on a shortest path: T. Nesson and S. L. Johnsson, ROMM routing on mesh and torus
       ///< networks, SPAA 1995, with two phases
};

/// Values of network.routing.
inline constexpr auto grid_routing_names = names<GridRouting>({{GridRouting::dimension_order, "dimension_order"},
                                                               {GridRouting::west_first, "west_first"},
                                                               {GridRouting::odd_even, "odd_even"},
                                                               {GridRouting::minimal_adaptive, "minimal_adaptive"},
                                                               {GridRouting::valiant, "valiant"},
                                                               {GridRouting::romm, "romm"}});

/// A header chooses among several output ports, hop by hop.
constexpr bool is_adaptive(GridRouting routing)
{
  return routing == GridRouting::west_first || routing == GridRouting::odd_even ||
         routing == GridRouting::minimal_adaptive;
}

/// Returns whether a routing has two phases: dimension order to a random node in the lower half of the virtual
/// channels, then to the destination in the upper half. On a torus each half has two classes for the rings.
constexpr bool has_two_phases(GridRouting routing)
{
  return routing == GridRouting::valiant || routing == GridRouting::romm;
}

/// The parameters of router and network that a routing needs.
struct RoutingNeeds {
  std::uint32_t virtual_channels = 1;
  bool releases_at_credit = false; ///< release = "tail_credit"
};

/// Throws InputError "KEY: ..." with a key of [network] if the routing is not proved free of deadlock: turn models need
/// a mesh of two dimensions; minimal_adaptive a virtual channel more than escape channels, released with the tail's
/// credit; valiant and romm an even number of virtual channels, on a torus a multiple of 4.
void check_grid_routing(GridRouting routing, const Grid& grid, const RoutingNeeds& given);

/// Returns bits of the output ports that an adaptive routing permits to a header at `here`: 2*dimension upwards,
/// 2*dimension + 1 downwards; 0 at the destination. Each is on a shortest path; at exactly half a ring both are.
/// `source` is the message's source.
std::uint32_t permitted_ports(GridRouting routing, const Grid& grid, NodeId source, NodeId here, NodeId to);

/// The port number of an external channel, as above.
std::uint32_t port_of_channel(const Grid& grid, ChannelId channel);

/// An output port, and the virtual channel that is permitted to a header there.
struct EscapeHop {
  std::uint8_t port = 0;
  std::uint8_t virtual_channel = 0;
};

/// Returns the number of escape channels of minimal_adaptive at each port, the lowest virtual channels: on a mesh one,
/// on a torus two.
std::uint32_t escape_channel_count(const Grid& grid);

/// Returns the escape channel of a header at `here`, which is not its destination: that of dimension order, with drawn
/// ties that of "no_wrap", because it must be the same for all draws. On a torus it is virtual channel 1 if the
/// header's position in the ring is after that of its destination, else 0: upwards 1 up to and including the
/// wrap-around channel and 0 after it, downwards the reverse (a dateline: Dally & Seitz, 1987).
EscapeHop escape_hop(const Grid& grid, NodeId here, NodeId to);

/// Returns the number of nodes from which a message of valiant or romm draws its intermediate node: all, or those on
/// shortest paths. A message to its own sender has none.
std::uint32_t intermediate_count(GridRouting routing, const Grid& grid, NodeId from, NodeId to);
/// Returns intermediate node number `number`. For a message with this draw (Grid::drawn_travel): where ties are drawn,
/// those on its side of the rings. Both halves of the route then use that direction, too.
NodeId intermediate_at(GridRouting routing, const Grid& grid, NodeId from, NodeId to, std::uint32_t number,
                       std::uint64_t draw = 0);
/// Returns the intermediate node for a random number of 64 bits, whose low bits are the draw. All are equally likely,
/// within one in 2^32.
NodeId intermediate_node(GridRouting routing, const Grid& grid, NodeId from, NodeId to, std::uint64_t number);

} // namespace wormcast
