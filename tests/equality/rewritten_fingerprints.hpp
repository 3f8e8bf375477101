#pragma once

#include "tests/equality/fingerprints.hpp"

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace wormcast::testing {

/// Puts `now` in the place of what `file` holds, with `reason` (one line) above the reasons that it has. Prints to
/// `report` which rows are others than before, and in which columns. Where rows have moved or are gone there must be a
/// reason: else std::runtime_error, and the file stays as it is. Rows that are there for the first time need none.
void rewrite_fingerprints(const std::filesystem::path& file, const std::vector<Fingerprint>& now,
                          const std::string& reason, std::ostream& report);

} // namespace wormcast::testing
