#pragma once

#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/topology.hpp"

#include <span>

namespace wormcast {

/// The part of a topology whose file says where its nodes are in a picture.
class NodePlaces {
public:
  virtual ~NodePlaces() = default;

  /// Returns the positions by node, in any unit; empty: the file does not give all of them.
  virtual std::span<const DrawingPoint> node_places() const = 0;
};

/// Draws a topology with its nodes where its NodePlaces says, in such a unit that half of the nodes are at least 1 away
/// from all others. A channel that would run through another node is an arc. Where there are no places, or where two
/// nodes have the same, draw_by_distances(). Time O(nodes * (nodes + channels)); where nodes times
/// channels are more than 10^8 nothing is an arc.
Drawing draw_by_places(const Topology& topology);

} // namespace wormcast
