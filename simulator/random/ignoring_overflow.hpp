#pragma once

#include <boost/math/policies/policy.hpp>

namespace wormcast {

/// The policy of all distributions of Boost.Math here. Before main() Boost.Math evaluates functions at the ends of the
/// range of long double, which it uses for quantiles. Where that range is no larger than that of double, as under
/// valgrind, they overflow; with the default policy the exception would end the program. Results are the same with both
/// policies.
using IgnoringOverflow = boost::math::policies::policy<
    boost::math::policies::overflow_error<boost::math::policies::error_policy_type::ignore_error>>;

} // namespace wormcast
