// A plug-in whose kind of topology has a name that is taken.

#include "wormcast/algorithms/plugin.hpp"

extern "C" wormcast::Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = [] {
            wormcast::TopologyKind kind = wormcast::find_topology_kind("torus");
            kind.name = "mesh";
            wormcast::register_topology(kind);
          }};
}
