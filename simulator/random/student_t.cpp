#include "wormcast/simulator/random/student_t.hpp"

#include "wormcast/simulator/random/ignoring_overflow.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace wormcast {

double student_half_width(std::size_t count, double outside)
{
  const auto values = static_cast<double>(count);
  const boost::math::students_t_distribution<double, IgnoringOverflow> distribution(values - 1);
  return boost::math::quantile(boost::math::complement(distribution, outside / 2)) / std::sqrt(values);
}

} // namespace wormcast
