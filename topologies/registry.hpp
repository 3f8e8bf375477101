#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct ChannelDependencies;
struct Drawing;
struct TopologyMetrics;

/// A kind of topology, as `wormcast list topologies` shows it.
struct TopologyKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::vector<std::string> routings; ///< the first is the default
  std::string source;                ///< literature
  /// Throws InputError where the parameters do not fit together.
  std::function<std::unique_ptr<Topology>(const TopologyDescription&, const RoutingChoice&)> make;
  /// Returns closed forms of the metrics of a topology of this kind; empty: there are none.
  std::function<TopologyMetrics(const Topology&)> measure = {};
  /// Returns the channel dependencies of a topology of this kind, by number of virtual channels, without following all
  /// of its routes; empty: only by following all routes.
  std::function<ChannelDependencies(const Topology&, std::uint32_t)> dependencies = {};
  /// Returns the positions of nodes and channels of a topology of this kind in a drawing; empty: draw_by_distances.
  std::function<Drawing(const Topology&)> draw = {};
};

/// Adds a kind after all others, which configurations, files and commands can use from then on. Call this before any
/// other function that reads kinds: it invalidates spans and references to kinds. Throws InputError if the name has
/// characters other than a-z, 0-9 and _ or is in use, or if `make` or `routings` is missing.
void register_topology(TopologyKind kind);

/// Returns all kinds in the order of the listing.
std::span<const TopologyKind> topology_kinds();

/// Throws InputError on an unknown name, with the nearest known one.
const TopologyKind& find_topology_kind(std::string_view name);

/// Throws InputError on an unknown kind, a routing that the kind does not have, or parameters that do not fit.
std::unique_ptr<Topology> make_topology(const TopologyDescription& description, const RoutingChoice& routing = {});

} // namespace wormcast
