#pragma once

#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/sweep/curves.hpp"
#include "wormcast/experiments/sweep/formula.hpp"

#include <string>
#include <vector>

namespace wormcast {

/// The figure of a sweep: latency against the curves' axis, one curve each: measured points, and lines drawn from the
/// curves' formulas (one for each curve) where there are any. Both axes are logarithmic over message.bytes; the x axis
/// also where its values are spread like powers. `title` stands above.
Figure sweep_figure(const SweepPlan& plan, const SweepCurves& curves, const std::vector<LatencyFormula>& formulas,
                    const std::string& title);

} // namespace wormcast
