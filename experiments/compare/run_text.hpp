#pragma once

#include "wormcast/experiments/compare/compare.hpp"

#include <string>

namespace wormcast {

/// The runs of a candidate as one line of JSON: what its process sends to its parent, and what is kept of them.
std::string run_text(const ComparedRun& run, const SeedLatencies& latencies);

/// Reads run_text(). Returns false, with `run` and `latencies` in any state, where `text` is something else.
bool read_run_text(const std::string& text, ComparedRun& run, SeedLatencies& latencies);

} // namespace wormcast
