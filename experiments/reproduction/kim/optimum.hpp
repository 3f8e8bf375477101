#pragma once

#include "wormcast/experiments/reproduction/kim/cases.hpp"

namespace wormcast::kim {

/// How a breadth-first tree (SLA) or flooding (MLA, the optimum) does beside Algorithm 1.
Check optimum_check(PortModel ports);

} // namespace wormcast::kim
