#pragma once

#include "wormcast/experiments/reproduction/kim/cases.hpp"

namespace wormcast::kim {

/// How a breadth-first tree (SLA) or flooding (MLA, the optimum) does beside Algorithm 1.
Claim optimum_claim(PortModel ports, const std::string& place);

} // namespace wormcast::kim
