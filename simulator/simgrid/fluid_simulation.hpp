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

/// Simulates the schedule by actors on one of SimGrid's own network models, in which the messages that cross a channel
/// share its bandwidth and hold nothing. A sender waits for T_s, sends, and starts its next message when this one has
/// arrived. Only times of delivery and latency are given; `engine` is the model's name. With T_f = 0 and without
/// contention CM02 without cross traffic gives the times of docs/network-model.md exactly, up to the rounding of
/// SimGrid's doubles.
///
/// Call it once per process: SimGrid's choice of a model is global. Throws InputError for features that fluid models
/// lack: several ports, half duplex, a switching other than wormhole, virtual channels, hold = "path", flits and
/// buffers and an engine that are not the default, start jitter, a plain message list. Cost: 15 to 70 us a message;
/// nodes as ScheduleActors.
SimulationResult simulate_fluid(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                const RunParameters& run, FluidModel model);

} // namespace wormcast
