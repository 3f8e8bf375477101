#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/registry.hpp"

#ifndef WORMCAST_PLUGIN_VERSION
#error "link the plug-in with the CMake target wormcast::plugin, which says the version of these headers"
#endif

namespace wormcast {

/// What a plug-in, a shared object that brings topologies and algorithms, hands to the program that loads it.
struct Plugin {
  const char* version;    ///< WORMCAST_PLUGIN_VERSION; the program loads plug-ins of its own version alone
  void (*register_all)(); ///< calls register_topology and register_algorithm; what it throws is the program's error
};

} // namespace wormcast

/// The one function that a plug-in defines.
extern "C" wormcast::Plugin wormcast_plugin();
