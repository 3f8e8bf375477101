#pragma once

#include "wormcast/experiments/reproduction/kim/cases.hpp"

namespace wormcast::kim {

/// That no one-to-all broadcast takes fewer steps than Algorithm 1, against a breadth-first tree (SLA) or flooding
/// (MLA, the optimum).
Claim optimum_claim(const std::string& name, const std::string& place, PortModel ports, const std::string& claimed);

} // namespace wormcast::kim
