#pragma once

#include "tests/equality/scenario.hpp"

#include <functional>

namespace wormcast::testing {

/// A scenario with as few messages and as simple parameters as can be found in `most_tries` tries, of which
/// `still_fails` is true as of the given one. The topology stays.
Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& still_fails, int most_tries);

} // namespace wormcast::testing
