#pragma once

#include "wormcast/experiments/run/imported_check.hpp"

#include <filesystem>

namespace wormcast {

// The verdicts on traces of other programs, for check_imported(). They throw InputError where a file cannot be read.

/// A time-independent trace of SimGrid: the number of sends and receives, and that of collectives.
ImportedCheck check_time_independent(const std::filesystem::path& file);

/// A trace of netrace: its cyclic waits.
ImportedCheck check_netrace(const std::filesystem::path& file);

/// Traces of Chakra: what nodes wait for, messages, collectives.
ImportedCheck check_chakra_files(const std::filesystem::path& file);

} // namespace wormcast
