#pragma once

#include "tests/equality/checks.hpp"

#include <cstdint>
#include <ostream>

namespace wormcast::testing {

struct ManyOptions {
  std::uint64_t count = 10'000;
  std::uint64_t seed = 0; ///< of the first scenario; the others count up from it
  Fault fault = Fault::none;
  std::uint64_t most_failures = 5; ///< ends after so many scenarios that went wrong
};

/// A seed that is another one every day: 20240131 followed by six zeros.
std::uint64_t seed_of_the_day();

/// Checks scenarios one after the other. Of each that goes wrong it writes what does, what is left of the scenario when
/// it is made small, and the command that runs it alone; at the end how often what was checked. Returns how many went
/// wrong.
std::uint64_t check_scenarios(const ManyOptions& options, std::ostream& out);

} // namespace wormcast::testing
