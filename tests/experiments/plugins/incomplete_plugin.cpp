// A plug-in with a broadcast that sends nothing and says of itself that it is always complete.

#include "wormcast/algorithms/plugin.hpp"

extern "C" wormcast::Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = [] {
            wormcast::register_algorithm({.name = "to_nobody",
                                          .summary = "sends nothing",
                                          .ports = "one-port",
                                          .topologies = "all",
                                          .costs = "",
                                          .source = "",
                                          .parameters = {},
                                          .make = [](const wormcast::Topology&,
                                                     const wormcast::ScheduleRequest&) { return wormcast::Schedule(); },
                                          .always_complete = true});
          }};
}
