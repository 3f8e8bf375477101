#pragma once

#include "wormcast/experiments/compare/choose.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <string>

namespace wormcast {

/// Latency against message length: the curves of all that are the fastest somewhere or may be, and of the configured
/// algorithm, a formula's as a line, simulated latencies as joined points, means with their 95 % intervals; the lower
/// bound of broadcasts where there is one; a dotted line where another one begins to be the fastest. Of more than
/// most_curves_in_a_panel curves those nearest to the lowest. `title` stands above; empty: operation and network.
/// Throws InputError where no candidate has a latency.
Figure choice_figure(const Experiment& experiment, const Choice& choice, const std::string& title = {});

} // namespace wormcast
