#pragma once

#include "wormcast/experiments/reproduction/kim/cases.hpp"

#include <cstdint>
#include <vector>

namespace wormcast::kim {

/// What all-to-all claims are checked on: l, m, n = 2..5 with up to 64 modules.
std::vector<PetersenTorusSize> all_to_all_sizes();
inline constexpr const char* all_to_all_sizes_text = "l, m, n = 2..5 with up to 64 modules";

/// The times of theorems 7 (SLA) and 8 (MLA); the latter's forms for odd and even sizes are one expression.
std::int64_t all_to_all_theorem(const PetersenTorusSize& size, PortModel ports);

/// That Algorithms 4 and 5 are complete, with what is lacking.
std::vector<Check> completeness_checks();

} // namespace wormcast::kim
