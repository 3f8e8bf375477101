#pragma once

#include "wormcast/experiments/compare/compare.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <optional>
#include <string>

namespace wormcast {

/// Latency against message length over `lengths`: the lines of the configured algorithm and of all that are the fastest
/// somewhere by their formula, the lower bound of broadcasts where there is one, and what was measured for the
/// configured length; of more than most_curves_in_a_panel those nearest to the lowest. Segments are as many as in the
/// comparison at every length. `title` stands above; empty: operation and network. Throws InputError where no algorithm
/// has a formula, and what require_drawn_lengths() throws.
Figure comparison_figure(const Experiment& experiment, const Comparison& comparison,
                         const std::optional<SearchRange>& lengths, const std::string& title = {});

/// The lengths. Throws InputError where there are none.
const SearchRange& require_drawn_lengths(const std::optional<SearchRange>& lengths);

} // namespace wormcast
