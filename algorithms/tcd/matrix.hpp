#pragma once

#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The quantity that a matrix of total communication distances (TCD) shows for every source.
enum class TcdVariant {
  paper,      ///< minimum_tcd with order "paper"
  best,       ///< minimum_tcd with order "best"
  naive,      ///< minimum_tcd with order "naive"
  halving,    ///< recursive_halving_tcd
  lower_bound ///< no broadcast with one port in log2 N steps has less (tcd_lower_bounds)
};

/// "paper", "best", "naive", "halving", "lower_bound".
inline constexpr auto tcd_variant_names = names<TcdVariant>({{TcdVariant::paper, "paper"},
                                                             {TcdVariant::best, "best"},
                                                             {TcdVariant::naive, "naive"},
                                                             {TcdVariant::halving, "halving"},
                                                             {TcdVariant::lower_bound, "lower_bound"}});

/// TCD by source.
struct TcdMatrix {
  std::vector<std::int64_t> sizes; ///< of the grid
  std::vector<std::uint64_t> tcd;  ///< by node id
  /// By node id: whether the node is an eye of an equal-sided mesh (2^d of them); on a torus each node is one (1998 and
  /// 2000, section 5). None where the sizes differ.
  std::vector<bool> eyes;
};

/// Whether `variant` is defined on `grid`: all sizes powers of two, for the first three also equal.
bool has_tcd_matrix(const Grid& grid, TcdVariant variant);

/// The matrix without making a schedule: closed forms, and dynamic programming for `halving`. Throws InputError unless
/// has_tcd_matrix. Cost O(N d log N), for `halving` on a mesh O(2^d d N).
TcdMatrix tcd_matrix(const Grid& grid, TcdVariant variant);

} // namespace wormcast
