#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/tuning/fastest.hpp"
#include "wormcast/topologies/grid.hpp"

#include <string>
#include <vector>

namespace wormcast {

/// The hybrids of the InterCom library (Barnett, Payne, van de Geijn & Watts, JPDC 35(2), 1996), reconstructed: each
/// dimension is cut into groups of contiguous nodes; one stage broadcasts between the groups, another one scatters
/// inside of them, and rings collect at the end.
Algorithm intercom_algorithm();

/// A stage of a hybrid in one dimension, whose size is a multiple of `group`.
struct HybridStage {
  bool scatters = false; ///< "S": every holder scatters inside its group; else "M": it broadcasts all its blocks to the
                         ///< nodes at its position in the other groups of its line
  std::size_t dimension = 0; ///< 0 = x, 1 = y, 2 = z
  std::int64_t group = 1;    ///< nodes

  friend bool operator==(const HybridStage&, const HybridStage&) = default;
};

/// "My1 Sx32".
std::string format_stages(const std::vector<HybridStage>& stages);

/// Reads stages for a grid of 1 to 3 dimensions. Throws InputError where the text is malformed, a group does not divide
/// its dimension, or the stages of a dimension do not multiply to its size.
std::vector<HybridStage> parse_stages(const Grid& grid, std::string_view text);

/// Returns every hybrid that is free of contention on the grid: in each dimension M is before S.
std::vector<std::vector<HybridStage>> hybrids_without_contention(const Grid& grid);

/// Returns alpha and beta from this source, proved for hybrids without contention.
FormulaCosts hybrid_costs(const Grid& grid, NodeId source, const std::vector<HybridStage>& stages);

} // namespace wormcast
