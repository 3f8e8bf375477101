#pragma once

#include "wormcast/algorithms/tcd/eyes.hpp"
#include "wormcast/topologies/grid.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The number of times that each axis of a box has been cut in half, which determines its shape.
using Cuts = std::array<std::uint8_t, max_grid_dimensions>;

/// The cut of a box with one informed node into two: the source remains in its half and sends to `target` in the other.
/// Positions are relative to the lower end of the half.
struct HalvingCut {
  std::size_t axis = 0;
  bool source_in_lower_half = false; ///< a ring is always cut so that this holds
  AxisValues source{};               ///< in its half; on a ring not cut yet 0
  AxisValues target{};               ///< in the other half; on a ring not cut yet as the source
};

/// The exact minimum of the total communication distance (TCD) over all recursive halvings of a mesh or torus whose
/// sizes are powers of two: a box with one informed node is cut across any axis into two halves, the informed node
/// sends to any node of the other half, and both halves go on alone. Meshes: boxes of the mesh. Tori: an axis is a ring
/// until it is cut, at any place, into two lines; positions on a ring that is not cut do not matter.
///
///     M[one node] = 0
///     M[box](s) = min over the axes and, on rings, over the places of the cut:
///                 M[half](s) + min over T in the other half of (|s - T| + M[half](T))
///
/// M is stored for every shape of box and every position. The inner minimum for all s is an L1 distance transform of
/// M[half], a forward and a backward pass per axis. The papers' broadcasts (Cang & Wu 1998, 2000) are among these
/// halvings, so they never have less.
///
/// Cost: time O(dimensions) per table entry; memory 16 bytes per entry, of which a mesh has the product of 2*size - 1,
/// a torus that of its sizes (of 2*size - 1 where size is 1).
class HalvingTable {
public:
  /// Throws InputError that names `algorithm` where a size is not a power of two or the table passes 2^28 entries.
  HalvingTable(const Grid& grid, std::string_view algorithm);

  std::size_t dimensions() const { return levels_.size(); }
  /// Cuts until an axis has length 1.
  unsigned levels(std::size_t axis) const { return levels_[axis]; }
  /// Whether an axis cut this often is still a ring.
  bool is_ring(std::size_t axis, unsigned cuts) const { return wraps_ && cuts == 0 && levels_[axis] > 0; }
  /// Length of an axis that was cut this often.
  std::int64_t length(std::size_t axis, unsigned cuts) const { return std::int64_t{1} << (levels_[axis] - cuts); }

  /// M of a box from a source at `position` (0 on rings).
  std::uint64_t tcd(const Cuts& cuts, const AxisValues& position) const;

  /// A cut that attains M of a box of more than one node: the lowest axis, on a ring the lowest place of the source in
  /// its half, then the lexicographically first target, axis 0 most significant. Cost O(nodes of the box).
  HalvingCut best_cut(const Cuts& cuts, const AxisValues& position) const;

private:
  /// Values by position, axis 0 most significant, and their L1 distance transform.
  struct Shape {
    std::vector<std::int64_t> tcd;
    std::vector<std::int64_t> reached; ///< min over q of |p - q| + tcd(q)
  };

  std::int64_t positions(std::size_t axis, unsigned cuts) const { return is_ring(axis, cuts) ? 1 : length(axis, cuts); }
  std::size_t shape_number(const Cuts& cuts) const;
  std::size_t place(const Cuts& cuts, const AxisValues& position) const;
  void fill(const Cuts& cuts);
  void cut_along(std::size_t axis, const Cuts& cuts, std::vector<std::int64_t>& tcd) const;
  std::vector<std::int64_t> distance_transform(const Cuts& cuts, std::vector<std::int64_t> values) const;
  AxisValues first_target(const Cuts& half, const AxisValues& facing, std::int64_t least) const;

  std::vector<unsigned> levels_;
  bool wraps_ = false;
  std::vector<Shape> shapes_;
};

} // namespace wormcast
