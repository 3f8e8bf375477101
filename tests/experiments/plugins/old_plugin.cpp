// A plug-in of an earlier version.

#include "wormcast/algorithms/plugin.hpp"

extern "C" wormcast::Plugin wormcast_plugin()
{
  return {.version = "0.0.1", .register_all = [] {}};
}
