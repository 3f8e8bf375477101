#pragma once

#include "wormcast/experiments/compare/compare.hpp"

#include <string>

namespace wormcast {

/// For people: a line for each algorithm, which one is the fastest by prediction from which length on, and which are
/// left out.
std::string comparison_text(const Experiment& experiment, const Comparison& comparison);

/// One line for each algorithm, those left out included.
std::string comparison_csv(const Comparison& comparison);

/// Text of the object of `compare --json`, format wormcast-compare/1 (docs/formats.md), indented.
std::string comparison_json_text(const Experiment& experiment, const Comparison& comparison);

} // namespace wormcast
