#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <optional>
#include <string>

namespace wormcast {

/// "external", "injection" or "ejection".
inline constexpr auto resource_kind_names = names<Resource::Kind>({{Resource::Kind::external, "external"},
                                                                   {Resource::Kind::injection, "injection"},
                                                                   {Resource::Kind::ejection, "ejection"}});

/// Names channels and ports as traces and messages do.
class ResourceNames {
public:
  ResourceNames(const Topology& topology, PortModel ports)
      : topology_(topology), all_ports_(ports.count == PortModel::all)
  {}

  /// "(1, 2) -> (2, 2)", "injection port of (1, 2)", with all ports "injection port of (1, 2) for (1, 2) -> (2, 2)".
  std::string name(const Resource& resource) const;

  /// The external channel that it is or, with all ports, belongs to.
  std::optional<ChannelId> channel(const Resource& resource) const
  {
    return all_ports_ || resource.kind == Resource::Kind::external ? std::optional(resource.channel) : std::nullopt;
  }

  /// Different for all channels and ports of a network.
  std::uint64_t number(const Resource& resource) const;

  const Topology& topology() const { return topology_; }

private:
  const Topology& topology_;
  bool all_ports_;
};

} // namespace wormcast
