#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <vector>

namespace wormcast {

/// What the program's predictions of collectives that were measured on Fugaku are claimed to show. Claims that need the
/// measured rows are not testable without the file that fugaku::rows_variable names.
Paper fugaku_paper();

namespace fugaku {

std::vector<Check> count_checks();   ///< loads and hops, which need no rows
std::vector<Check> row_checks();     ///< predictions of rows of 64 and 512 nodes by constants of eight
std::vector<Check> all_row_checks(); ///< of all rows that the study predicts
std::vector<Check> open_checks();    ///< of several ports, two dimensions, segments and fluids

} // namespace fugaku

} // namespace wormcast
