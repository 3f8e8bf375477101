#include "wormcast/simulator/simgrid/fluid_simulation.hpp"

#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/simgrid/schedule_actors.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <xbt/log.h>

#include <algorithm>

namespace wormcast {

namespace {

void expect_fluid_network(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                          const RunParameters& run)
{
  const auto refuse = [](std::string_view what) {
    throw InputError(fmt::format("SimGrid's fluid models do not know {}", what));
  };
  const NetworkParameters defaults;
  if (schedule.operation == Operation::none) {
    refuse("plain message lists");
  }
  if (!network.router->has_fluid_models) {
    refuse("other routers (network.router)");
  }
  if (network.ports.count != 1) {
    refuse("several ports (network.ports)");
  }
  if (network.duplex == Duplex::half) {
    refuse("half duplex (network.duplex)");
  }
  if (network.switching != Switching::wormhole) {
    refuse("store-and-forward or cut-through (network.switching)");
  }
  if (network.virtual_channels != defaults.virtual_channels) {
    refuse("virtual channels (network.virtual_channels)");
  }
  if (network.hold != defaults.hold) {
    refuse("held channels (network.hold)");
  }
  if (network.flit_bytes != defaults.flit_bytes) {
    refuse("flits (network.flit_bytes)");
  }
  if (topology.drawn_bits() > 0) {
    refuse("routes drawn at random (network.tie)");
  }
  if (!network.automatic_buffers && network.buffer_flits != defaults.buffer_flits) {
    refuse("buffers (network.buffer_flits)");
  }
  if (run.engine != EngineChoice::automatic) {
    refuse("the engines for worms (run.engine)");
  }
  if (run.start_jitter != Time{}) {
    refuse("start jitter (run.start_jitter)");
  }
}

} // namespace

SimulationResult simulate_fluid(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                const RunParameters& run, FluidModel model)
{
  expect_fluid_network(topology, schedule, network, run);
  SimGridPlatform platform(
      topology, network,
      {.settings = {model == FluidModel::lv08 ? "network/model:LV08" : "network/model:CM02",
                    model == FluidModel::cm02 ? "network/crosstraffic:no" : "network/crosstraffic:yes"}});
  platform.complete(); // routes are requested during the run
  const ScheduleActors actors(platform, schedule, {.mode = run.mode, .startup = network.startup});
  xbt_log_control_set("ker_engine.app:file:/dev/null ker_engine.add:0"); // it would list actors that wait forever
  platform.run();
  SimulationResult result;
  result.engine = fluid_model_names.text(model);
  result.delivered = actors.delivered();
  result.latency = Time{};
  for (const std::optional<Time>& time : result.delivered) {
    if (!time) {
      throw InputError("the schedule lets a node send what it never gets");
    }
    result.latency = std::max(*result.latency, *time);
  }
  return result;
}

} // namespace wormcast
