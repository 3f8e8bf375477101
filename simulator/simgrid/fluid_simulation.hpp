#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

namespace wormcast {

/// The engine's names in results.
inline constexpr auto fluid_model_names = names<FluidModel>({{FluidModel::cm02, "CM02 without cross traffic"},
                                                             {FluidModel::cm02_cross_traffic, "CM02"},
                                                             {FluidModel::lv08, "LV08"}});

/// Simulates the schedule on one of SimGrid's own network models, in which the messages that cross a channel share its
/// bandwidth and hold nothing. A channel of a port waits for T_s, sends, and starts its next message when this one has
/// arrived (FluidActors); who sends when is as with worms, for all operations, plain lists and programs, with
/// everything that nodes compute. Only times and computation are given; `engine` is the model's name. With T_f = 0 and
/// without contention CM02 without cross traffic gives the times of docs/network-model.md exactly, up to the rounding
/// of SimGrid's doubles.
///
/// Call it once per process: SimGrid's choice of a model is global. Keys that only worms need have no effect
/// (fluid_warnings()): switching, virtual channels, hold, flits, buffers. Throws InputError for half duplex, routes
/// drawn at random, other routers, and an engine for worms. Cost: 15 to 70 us a message; nodes as FluidActors.
SimulationResult simulate_fluid(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                const RunParameters& run, FluidModel model);

} // namespace wormcast
