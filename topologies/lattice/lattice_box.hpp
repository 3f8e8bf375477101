#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Largest number of dimensions of a lattice.
inline constexpr std::size_t most_lattice_dimensions = 8;

/// Largest number of nodes of a lattice.
inline constexpr std::int64_t most_lattice_nodes = std::int64_t{1} << 20;

/// Coordinates of one point of Z^n; those from n on are 0.
using LatticeVector = std::array<std::int64_t, most_lattice_dimensions>;

/// The points of Z^n where those count as one that differ by a sum of whole multiples of the rows of an integer matrix,
/// each represented by the one in a box: 0 <= x < sizes()[0], 0 <= y < sizes()[1], ... The box is given by the Hermite
/// normal form of the matrix, an upper triangular matrix whose rows span the same points.
class LatticeBox {
public:
  /// `rows`: n rows of n whole numbers each, in text: "4 0 4". Throws InputError for rows that are no square matrix of
  /// 1 to 8 rows, for a singular matrix, and for one whose numbers, or those of its normal form, are too large.
  explicit LatticeBox(std::span<const std::string> rows);

  std::size_t dimensions() const { return sizes_.size(); }
  std::span<const std::int64_t> sizes() const { return sizes_; }
  /// The distance in numbers of points from one coordinate of a dimension to the next.
  std::int64_t stride(std::size_t dimension) const { return strides_[dimension]; }
  /// The number of points of the box: the absolute value of the determinant.
  std::uint32_t points() const { return points_; }

  /// Returns the number x + X*(y + Y*(z + ...)) of the representative of a point.
  std::uint32_t number_of(LatticeVector point) const;
  /// Returns the representative with a number.
  LatticeVector point(std::uint32_t number) const;

private:
  std::vector<LatticeVector> normal_form_; ///< by row
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> strides_;
  std::uint32_t points_ = 0;
};

} // namespace wormcast
