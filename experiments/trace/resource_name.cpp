#include "wormcast/experiments/trace/resource_name.hpp"

#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <fmt/format.h>

namespace wormcast {

std::string ResourceNames::name(const Resource& resource) const
{
  if (resource.kind == Resource::Kind::external) {
    return describe_channel(topology_, resource.channel);
  }
  const std::string port =
      fmt::format("{} port of {}", resource_kind_names.text(resource.kind), topology_.node_name(resource.node));
  return all_ports_ ? fmt::format("{} for {}", port, describe_channel(topology_, resource.channel)) : port;
}

std::uint64_t ResourceNames::number(const Resource& resource) const
{
  const std::uint64_t channels = topology_.channel_count();
  const std::uint64_t direction = resource.kind == Resource::Kind::ejection ? 1 : 0;
  if (resource.kind == Resource::Kind::external) {
    return index(resource.channel);
  }
  return channels + 2 * std::uint64_t{all_ports_ ? index(resource.channel) : index(resource.node)} + direction;
}

} // namespace wormcast
