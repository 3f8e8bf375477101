#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstddef>

#ifndef WORMCAST_PLUGIN_VERSION
#error "link the plug-in with the CMake target wormcast::plugin, which says the version of these headers"
#endif

namespace wormcast {

/// A number made of the sizes of what program and plug-in hand to each other: it differs where headers or the ways of
/// the standard library (_GLIBCXX_DEBUG, say) do.
inline constexpr std::size_t plugin_layout =
    31 * (31 * (31 * (31 * sizeof(Algorithm) + sizeof(TopologyKind)) + sizeof(Schedule)) + sizeof(ScheduleRequest)) +
    sizeof(Parameter);

/// What a plug-in, a shared object that brings topologies, algorithms, patterns of traffic and routers, hands to the
/// program that loads it.
struct Plugin {
  const char* version = nullptr;      ///< WORMCAST_PLUGIN_VERSION; the program loads plug-ins of its own version alone
  void (*register_all)() = nullptr;   ///< calls register_topology, register_algorithm, register_pattern and
                                      ///< register_router; what it throws is the program's error
  std::size_t layout = plugin_layout; ///< the program's own, else the plug-in is not loaded
};

} // namespace wormcast

#ifdef __clang__
// Plug-ins are C++: extern "C" is there for the name alone. Not popped, as the definition is warned of, too.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif

/// The one function that a plug-in defines.
extern "C" wormcast::Plugin wormcast_plugin();
