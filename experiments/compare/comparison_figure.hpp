#pragma once

#include "wormcast/experiments/compare/compare.hpp"
#include "wormcast/experiments/output/plot.hpp"

namespace wormcast {

/// Latency against message length over `lengths`: the lines of the configured algorithm and of all that are the fastest
/// somewhere by their formula, the lower bound of broadcasts where there is one, and what was measured for the
/// configured length. Segments are as many as in the comparison at every length. Throws InputError where no algorithm
/// has a formula.
Figure comparison_figure(const Experiment& experiment, const Comparison& comparison, const SearchRange& lengths);

} // namespace wormcast
