// A plug-in: a router that says everything of itself, with the engines and the rules of router "wormhole". Every
// message takes `metered.toll` longer to start.

#include "wormcast/algorithms/plugin.hpp"
#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <algorithm>
#include <utility>

namespace {

using namespace wormcast;

Parameter few_channels()
{
  Parameter key = *std::ranges::find(network_keys(), "virtual_channels", &Parameter::name);
  key.maximum = 4;
  return key;
}

RouterModel metered()
{
  RouterModel router;
  router.name = "metered";
  router.summary = "a toll for every message";
  router.source = "a test";
  router.parameters = {
      {.name = "metered.toll", .type = ParameterType::time, .text = "added to startup", .optional = true}};
  router.changed_keys = {few_channels()};
  router.absent_keys = {{.name = "hold", .why = "channels are released behind the tail"}};
  router.read = [](NetworkParameters& network, const ParameterValues& values) {
    network.startup += values.has("metered.toll") ? values.time("metered.toll") : Time{7000};
  };
  router.complete = [](const NetworkParameters&, ParameterValues& values) {
    if (!values.has("metered.toll")) {
      values.set("metered.toll", Time{7000});
    }
  };
  router.engines = {
      {.name = "quick",
       .make = make_worm_engine,
       .why_inexact = slow_channels,
       .says_why = true,
       .exact_until_shared = [](const NetworkParameters& network) { return network.virtual_channels > 1; },
       .limits = "with more than one virtual channel",
       .runs_contention_free = true},
      {.name = "careful", .make = make_flit_engine}};
  router.empty_network_picoseconds = [](const NetworkParameters& network, double hops, double flits) {
    return static_cast<double>(network.startup.picoseconds) + hops * static_cast<double>(network.per_hop.picoseconds) +
           flits * static_cast<double>(network.flit_time().picoseconds);
  };
  router.slow_channel = [](const NetworkParameters&) { return SlowChannel{.why = "short buffers", .percent = 50}; };
  router.startup_holds_port = true;
  router.bounded_by_formula = true;
  router.time_beside_formula = "tolls";
  router.why_no_formula = "a router with tolls";
  router.passage = worm_passage;
  router.channel_dependencies = [](const Topology& topology, GridRouting, std::uint32_t virtual_channels) {
    return channel_dependencies(topology, virtual_channels);
  };
  return router;
}

} // namespace

extern "C" Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = [] { register_router(metered()); }};
}
