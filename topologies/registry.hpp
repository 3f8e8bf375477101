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

/// One kind of topology, as `wormcast list topologies` shows it.
struct TopologyKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::vector<std::string> routings; ///< the first is the default
  std::string source;                ///< literature
  /// Throws InputError where the parameters do not fit together.
  std::function<std::unique_ptr<Topology>(const TopologyDescription&, const RoutingChoice&)> make;
  /// Closed forms of the metrics of a topology of this kind; empty: there are none.
  std::function<TopologyMetrics(const Topology&)> measure = {};
  /// Channel dependencies of a topology of this kind, by number of virtual channels, without a walk along all of its
  /// routes; empty: there is no other way.
  std::function<ChannelDependencies(const Topology&, std::uint32_t)> dependencies = {};
  /// Where the nodes and channels of a topology of this kind lie in a drawing; empty: draw_by_distances.
  std::function<Drawing(const Topology&)> draw = {};
};

/// Adds a kind behind all others: from then on configurations, files and commands know it. Register before anything
/// else is asked for: spans and references to kinds that were given out before are no longer valid. Throws InputError
/// where the name has others than a-z, 0-9 and _ or is taken, or `make` or `routings` are missing.
void register_topology(TopologyKind kind);

/// All kinds in the order in which they are listed.
std::span<const TopologyKind> topology_kinds();

/// Throws InputError on an unknown name, with the nearest known one.
const TopologyKind& find_topology_kind(std::string_view name);

/// Throws InputError on an unknown kind, a routing that the kind does not have, or parameters that do not fit.
std::unique_ptr<Topology> make_topology(const TopologyDescription& description, const RoutingChoice& routing = {});

} // namespace wormcast
