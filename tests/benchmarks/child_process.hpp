#pragma once

#include <string>
#include <vector>

namespace wormcast::testing {

/// What one run of the program cost; not ok: it could not be started, or failed.
struct ProcessCost {
  bool ok = false;
  double user_seconds = 0;
  double peak_megabytes = 0; ///< 10^6 bytes of resident memory
};

/// Runs the program with these arguments and throws its output away.
ProcessCost run_program(const std::vector<std::string>& arguments);

} // namespace wormcast::testing
