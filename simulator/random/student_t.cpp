#include "wormcast/simulator/random/student_t.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <cmath>

namespace wormcast {

namespace {

// Before main() Boost.Math evaluates functions at the ends of the range of long double, which it uses for quantiles.
// Where that range is no larger than that of double, as under valgrind, they overflow; with the default policy the
// exception would end the program. Results are the same with both policies.
using IgnoringOverflow = boost::math::policies::policy<
    boost::math::policies::overflow_error<boost::math::policies::error_policy_type::ignore_error>>;

} // namespace

double student_half_width(std::size_t count, double outside)
{
  const auto values = static_cast<double>(count);
  const boost::math::students_t_distribution<double, IgnoringOverflow> distribution(values - 1);
  return boost::math::quantile(boost::math::complement(distribution, outside / 2)) / std::sqrt(values);
}

} // namespace wormcast
