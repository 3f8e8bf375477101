#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

// Node ids of a hypercube of dimension d as words of d bits: D. P. Bertsekas et al., Optimal communication algorithms
// for hypercubes, J. Parallel and Distributed Computing 11, 1991, sections 2 and 3. Bits, and the links that change
// them, are numbered 1 .. d from the lowest.

/// e_k, the id whose only bit is that of `link`.
constexpr std::uint32_t link_bit(std::uint32_t link)
{
  return 1U << (link - 1);
}

/// A single bit rotation to the left of a word of `dimension` bits.
constexpr std::uint32_t rotate_left(std::uint32_t id, std::uint32_t dimension)
{
  return ((id << 1) & (link_bit(dimension + 1) - 1)) | id >> (dimension - 1);
}

/// Returns the smallest of all rotations of `id`, which represents its class. Cost O(dimension).
std::uint32_t smallest_rotation(std::uint32_t id, std::uint32_t dimension);

/// R_kn (section 2): all rotations of one id, numbered first_number, first_number + 1, ... in an order in which each is
/// the one before it rotated to the left. Which of them is the first is for the algorithms to choose.
struct RotationClass {
  std::uint32_t smallest = 0;     ///< its smallest id
  std::uint32_t size = 0;         ///< number of its ids: a divisor of d
  std::uint32_t first_number = 0; ///< n(t) of its first id t; the zero id has number 0, the id of ones 2^d - 1

  std::uint32_t ones() const { return static_cast<std::uint32_t>(std::popcount(smallest)); } ///< k

  friend bool operator==(const RotationClass&, const RotationClass&) = default;
};

/// All classes of non-zero ids in their order R_11, R_21, ..., R_2n, R_31, ..., R_(d-1)1, {1..1}: by number of ones,
/// then by smallest id. R_k1 is the class of the k lowest bits. Cost O(2^d * d).
std::vector<RotationClass> rotation_classes(std::uint32_t dimension);

/// m(t) = 1 + (n(t) - 1) mod d (section 2), from n(t) >= 1: the link that the id numbered n(t) belongs to.
constexpr std::uint32_t link_of_number(std::uint32_t number, std::uint32_t dimension)
{
  return 1 + (number - 1) % dimension;
}

/// The first id of a class in the multinode broadcast (section 2). Bit m of it is 1, by which m of its first number is
/// meant; for R_k1 also bit m - 1 (bit d if m is 1) is 0, which leaves one id; of others the smallest is taken, where
/// the paper leaves the choice open.
std::uint32_t first_of_class(const RotationClass& rotation_class, std::uint32_t dimension);

/// The non-zero ids in the order of n(t) (section 2): number n is at n - 1. Cost O(2^d * d).
std::vector<std::uint32_t> multinode_broadcast_order(std::uint32_t dimension);

/// The position of the first class that is compatible with classes[position] (section 3): it has one bit less, d ids,
/// and an id that differs from one of classes[position] in one bit. 2 <= ones < d, for which there is always one.
/// `classes` are those of rotation_classes. Cost O(d^2).
std::size_t compatible_class(std::span<const RotationClass> classes, std::size_t position, std::uint32_t dimension);

} // namespace wormcast
