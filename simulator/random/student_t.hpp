#pragma once

#include <cstddef>

namespace wormcast {

/// How many of their deviations an interval of the mean of `count` values (at least 2), independent of one another,
/// reaches to each side, so that it fails to cover what they estimate with probability `outside` (Student's t).
double student_half_width(std::size_t count, double outside = 0.05);

} // namespace wormcast
