#pragma once

#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"

#include <array>
#include <cstdint>

namespace wormcast::cang_wu {

/// Offsets of a node from E_k(i) in the axes u, v, w of appendix B of 2000.
struct Offsets {
  std::int64_t u = 0;
  std::int64_t v = 0;
  std::int64_t w = 0;
};

/// Of submesh `number`, 1 .. 8: u is along x, v along z, w along y; in submeshes 4, 6 and 7 u and w change places.
/// Positive away from the centre for the source in submesh 1, and towards it for the others.
Offsets offsets_of(const Position& place_in_submesh_1, int number, unsigned k);

/// Across which axes submesh `number` is the mirror image of submesh 1. Bit 0 of the number less one: across x, bit 1:
/// across z, bit 2: across y.
std::array<bool, 3> across(int number);

/// f_j of a node within its aligned submesh of side 2^j; `turned`: with u and w exchanged.
std::int64_t excess_within(const Position& node, unsigned level, bool turned = false);

/// The sum of f_j, j = 2..k-1.
std::int64_t lower_levels(const Position& node, unsigned k, bool turned = false);

} // namespace wormcast::cang_wu
