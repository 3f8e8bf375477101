#pragma once

#include <cstdint>
#include <vector>

namespace wormcast::bertsekas {

/// The columns of the last of the tables in fig. 6 as printed, that of link k at k - 1; the tables above it have the
/// first of them.
const std::vector<std::vector<std::uint32_t>>& figure_6_columns();

} // namespace wormcast::bertsekas
