#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"

namespace wormcast::fuzz {

/// Verifies a small schedule and simulates it with both engines, which must agree. Throws InputError where it cannot be
/// simulated.
void check_and_simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                        RunParameters run);

} // namespace wormcast::fuzz
