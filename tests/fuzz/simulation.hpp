#pragma once

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"

namespace wormcast::fuzz {

/// Verifies a small schedule and simulates it with both engines, which must agree. Throws InputError where it cannot be
/// simulated.
void check_and_simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                        RunParameters run);

/// The same of a program whose ranks are the nodes of a line in their order, if it is small.
void check_and_simulate_on_line(Program program);

} // namespace wormcast::fuzz
