#pragma once

#include "wormcast/experiments/compare/compare.hpp"

#include <string>

namespace wormcast {

/// Which one is the fastest at the configured length by simulation, with differences where runs are random; empty where
/// there is no rival.
std::string fastest_measured(const Experiment& experiment, const Comparison& comparison);

/// The lower bound of all broadcasts; empty where none is known.
std::string bound_text(const Comparison& comparison);

/// Which one is the fastest at which length by the proved formulas; empty where fewer than two have one.
std::string fastest_text(const Experiment& experiment, const Comparison& comparison);

/// Which one is the fastest at which length by simulation; empty where there is no rival.
std::string measured_text(const Experiment& experiment, const Comparison& comparison);

} // namespace wormcast
