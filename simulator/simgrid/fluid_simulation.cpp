#include "wormcast/simulator/simgrid/fluid_simulation.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simgrid/fluid_actors.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <xbt/log.h>

#include <algorithm>
#include <memory>

namespace wormcast {

namespace {

void expect_fluid_network(const Topology& topology, const NetworkParameters& network, const RunParameters& run)
{
  const auto refuse = [](std::string_view what) {
    throw InputError(fmt::format("SimGrid's fluid models do not know {}", what));
  };
  if (!network.router->has_fluid_models) {
    refuse("other routers (network.router)");
  }
  if (network.duplex == Duplex::half) {
    refuse("half duplex (network.duplex)");
  }
  if (port_byte_time(network) != network.per_byte) {
    refuse("a rate of ports (network.port_per_byte)");
  }
  if (topology.drawn_bits() > 0) {
    refuse(topology.routing().routing == "random" ? "routes drawn at random (network.routing)"
                                                  : "routes drawn at random (network.tie)");
  }
  if (run.engine != EngineChoice::automatic) {
    refuse("the engines for worms (run.engine)");
  }
}

} // namespace

SimulationResult simulate_fluid(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                const RunParameters& run, FluidModel model)
{
  expect_fluid_network(topology, network, run);
  SimGridPlatform platform(
      topology, network,
      {.receiving_ports = network.ports,
       .settings = {model == FluidModel::lv08 ? "network/model:LV08" : "network/model:CM02",
                    model == FluidModel::cm02 ? "network/crosstraffic:no" : "network/crosstraffic:yes"}});
  platform.complete(); // routes are requested during the run
  const std::unique_ptr<MessageSource> source = make_schedule_source(topology, schedule, network, run);
  FluidActors actors(platform, schedule, network, *source);
  xbt_log_control_set("ker_engine.app:file:/dev/null ker_engine.add:0"); // it would list actors that wait forever
  platform.run();
  SimulationResult result;
  result.engine = fluid_model_names.text(model);
  result.source_start = source_start(topology, schedule, network, run);
  result.delivered = actors.take_delivered();
  Time last;
  for (const std::optional<Time>& time : result.delivered) {
    if (!time) {
      throw InputError("the schedule lets a node send what it never gets");
    }
    last = std::max(last, *time);
  }
  finish_times(result, *source, last);
  return result;
}

} // namespace wormcast
