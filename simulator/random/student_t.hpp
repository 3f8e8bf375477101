#pragma once

#include <cstddef>

namespace wormcast {

/// Returns the half width of an interval of the mean of `count` independent values (at least 2), in standard deviations
/// of the values, that fails to cover the true mean with probability `outside` (Student's t).
double student_half_width(std::size_t count, double outside = 0.05);

} // namespace wormcast
