#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <string>

#if !defined(WORMCAST_PLUGIN_VERSION) || !defined(WORMCAST_PLUGIN_HEADERS)
#error "link the plug-in with the CMake target wormcast::plugin, which says the version of these headers"
#endif

namespace wormcast {

/// A number made of the text of the installed headers, and of sizes that settings of the standard library change
/// (_GLIBCXX_DEBUG, for example): if it differs, program and plug-in do not agree on the objects that they pass to each
/// other.
inline constexpr std::uint64_t plugin_layout =
    WORMCAST_PLUGIN_HEADERS ^ (31 * (31 * sizeof(Algorithm) + sizeof(Schedule)) + sizeof(std::string));

/// The record by which a plug-in, a shared object that provides topologies, algorithms, patterns of traffic and
/// routers, describes itself to the program that loads it.
struct Plugin {
  const char* version = nullptr;    ///< WORMCAST_PLUGIN_VERSION; the program loads plug-ins of its own version alone
  void (*register_all)() = nullptr; ///< calls register_topology, register_algorithm, register_pattern and
                                    ///< register_router; its exceptions are errors of the program
  std::uint64_t layout = plugin_layout; ///< the program's own, else the plug-in is not loaded
};

} // namespace wormcast

#ifdef __clang__
// Plug-ins are C++: extern "C" is there for the name alone. Not popped, as the definition is warned of, too.
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif

/// The one function that a plug-in defines.
extern "C" wormcast::Plugin wormcast_plugin();
