#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>

namespace wormcast {

class Grid;

/// How router "input_queued" (docs/routers.md, "Routing") finds ways on a mesh or torus; the turn models on meshes
/// only.
enum class GridRouting : std::uint8_t {
  dimension_order,
  west_first,       ///< C. J. Glass and L. M. Ni, The turn model for adaptive routing, ISCA 1992
  odd_even,         ///< G.-M. Chiu, The odd-even turn model for adaptive routing, IEEE TPDS 11(7), 2000: its ROUTE
  minimal_adaptive, ///< any shortest way, with escape channels by dimension order: J. Duato, A new theory of
                    ///< deadlock-free adaptive routing in wormhole networks, IEEE TPDS 4(12), 1993
  valiant,          ///< by a random node: L. G. Valiant and G. J. Brebner, Universal schemes for parallel
                    ///< communication, STOC 1981
  romm              ///< by a random node on a shortest way: T. Nesson and S. L. Johnsson, ROMM routing on mesh and
                    ///< torus networks, SPAA 1995, with two phases
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

/// Dimension order to a random node in the lower half of the virtual channels, and on in the upper half. On a torus
/// each half has two classes for the rings.
constexpr bool has_two_phases(GridRouting routing)
{
  return routing == GridRouting::valiant || routing == GridRouting::romm;
}

/// What of router and network a routing needs.
struct RoutingNeeds {
  std::uint32_t virtual_channels = 1;
  bool releases_at_credit = false; ///< release = "tail_credit"
};

/// Throws InputError, "KEY: ..." with a key of [network], where the routing is not proved free of deadlock: turn models
/// need a mesh of two dimensions; minimal_adaptive a virtual channel more than escape channels, given back with the
/// tail's credit; valiant and romm a number of virtual channels that is even, on a torus a multiple of 4.
void check_grid_routing(GridRouting routing, const Grid& grid, const RoutingNeeds& given);

/// Bits of the output ports by which an adaptive routing lets a header go on from `here`: 2*dimension upwards,
/// 2*dimension + 1 downwards; 0 at the destination. Every one of them leads nearer to it; at exactly half a ring both
/// do. `source` is where the message began.
std::uint32_t permitted_ports(GridRouting routing, const Grid& grid, NodeId source, NodeId here, NodeId to);

/// The port number of an external channel, as above.
std::uint32_t port_of_channel(const Grid& grid, ChannelId channel);

/// An output port, and the virtual channel that a header may take there.
struct EscapeHop {
  std::uint8_t port = 0;
  std::uint8_t virtual_channel = 0;
};

/// Escape channels of minimal_adaptive at each port, the lowest virtual channels: on a mesh one, on a torus two.
std::uint32_t escape_channel_count(const Grid& grid);

/// The escape channel of a header at `here`, which is not its destination: that of dimension order, of drawn ties that
/// of "no_wrap", as every header may take it whatever it has drawn. On a torus virtual channel 1 if the header's place
/// in the ring is behind that of its destination, else 0: upwards 1 as far as over the wrap-around channel and 0 behind
/// it, downwards the other way round (a dateline: Dally & Seitz, 1987).
EscapeHop escape_hop(const Grid& grid, NodeId here, NodeId to);

/// Among how many nodes a message of valiant or romm draws the one by which it goes: all, or those on shortest ways.
/// One to the sender itself goes straight.
std::uint32_t intermediate_count(GridRouting routing, const Grid& grid, NodeId from, NodeId to);
/// Number `place` of them. Of a message with this draw (Grid::drawn_travel): where ties are drawn, those on its side of
/// the rings. Both halves of the route then go that way round, too.
NodeId intermediate_at(GridRouting routing, const Grid& grid, NodeId from, NodeId to, std::uint32_t place,
                       std::uint64_t draw = 0);
/// The one that belongs to a random number of 64 bits, whose low bits are the draw. All are as likely, within one in
/// 2^32.
NodeId intermediate_node(GridRouting routing, const Grid& grid, NodeId from, NodeId to, std::uint64_t number);

} // namespace wormcast
