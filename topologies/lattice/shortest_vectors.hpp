#pragma once

#include "wormcast/topologies/lattice/lattice_box.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The steps of a route in each dimension: upwards where positive.
using LatticeSteps = std::array<std::int32_t, most_lattice_dimensions>;

/// The shortest ways from point 0 of a lattice to each of its points.
class ShortestVectors {
public:
  /// Cost O(vectors * dimensions). Throws InputError if there are more than 2^23 vectors, as of lattices of many
  /// dimensions with many ties.
  explicit ShortestVectors(const LatticeBox& box);

  /// Returns all vectors that lead from point 0 to a point by the fewest steps: those with more steps upwards in the
  /// first dimension first, then by the second one, and so on.
  std::span<const LatticeSteps> to(std::uint32_t point) const
  {
    return std::span(vectors_).subspan(first_[point], first_[point + 1] - first_[point]);
  }
  std::uint32_t distance(std::uint32_t point) const { return distances_[point]; }
  std::uint32_t longest_distance() const { return longest_; }

private:
  std::vector<std::uint32_t> first_; ///< by point: index of its first vector; and the number of all vectors
  std::vector<LatticeSteps> vectors_;
  std::vector<std::uint32_t> distances_;
  std::uint32_t longest_ = 0;
};

} // namespace wormcast
