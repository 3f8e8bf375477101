#pragma once

#include "wormcast/experiments/compare/compare.hpp"
#include "wormcast/experiments/output/plot.hpp"

namespace wormcast {

/// Latency against message length over `lengths`: the lines of the configured algorithm and of all that are the fastest
/// somewhere by their formula, the lower bound of broadcasts where there is one, and what was measured for the
/// configured length; of more than most_curves_in_a_panel those nearest to the lowest. Segments are as many as in the
/// comparison at every length. `title` stands above; empty: operation and network. Throws InputError where no algorithm
/// has a formula.
Figure comparison_figure(const Experiment& experiment, const Comparison& comparison, const SearchRange& lengths,
                         const std::string& title = {});

} // namespace wormcast
