#include "wormcast/topologies/described_links.hpp"

#include "wormcast/topologies/surviving_topology.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

std::span<const DescribedLink> described_links(const Topology& topology)
{
  const auto* described = dynamic_cast<const LinkDescriptions*>(&whole_of(topology));
  if (described == nullptr) {
    return {};
  }
  const std::span<const DescribedLink> links = described->described_links();
  const auto has_times = [](const DescribedLink& link) { return link.per_byte || link.per_hop; };
  return std::ranges::any_of(links, has_times) ? links : std::span<const DescribedLink>();
}

std::vector<std::string> names_of_links(std::span<const DescribedLink> links)
{
  std::vector<std::string> names;
  for (const DescribedLink& link : links) {
    std::string name = link.name;
    if (std::ranges::count(links, link.name, &DescribedLink::name) > 1) {
      if (link.per_byte) {
        name += fmt::format(" {}/B", format_byte_time(*link.per_byte));
      }
      if (link.per_hop) {
        name += fmt::format(" {}", format_time(*link.per_hop));
      }
    }
    names.push_back(std::move(name));
  }
  return names;
}

} // namespace wormcast
