// A plug-in that was built with other headers of the same version.

#include "wormcast/algorithms/plugin.hpp"

extern "C" wormcast::Plugin wormcast_plugin()
{
  return {.version = WORMCAST_PLUGIN_VERSION, .register_all = [] {}, .layout = wormcast::plugin_layout + 1};
}
