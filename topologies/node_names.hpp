#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// Finds the hosts of a topology by their names (Topology::node_name), for many lookups: the first one that needs all
/// names makes a table of them, cost O(nodes). The topology must outlive it.
class HostsByName {
public:
  explicit HostsByName(const Topology& topology) : topology_(topology) {}

  /// Returns the host of this name; coordinates in parentheses may have any spaces. Throws InputError with the nearest
  /// name if there is none, and as check_host for a switch.
  NodeId host(std::string_view name);

private:
  [[noreturn]] void throw_unknown(std::string_view name) const;

  const Topology& topology_;
  std::unordered_map<std::string, NodeId> nodes_; ///< empty: not made yet
};

/// Returns the ids of a value of type `nodes`: ids as they are, unchecked, those of names looked up. Throws InputError
/// as HostsByName.
std::vector<std::int64_t> node_ids(const Topology& topology, const ParameterValue& value);

} // namespace wormcast
