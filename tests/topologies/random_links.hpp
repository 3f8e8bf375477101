#pragma once

#include "wormcast/topologies/topology.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace wormcast::testing {

/// The channels of links, one in each direction.
inline std::vector<ChannelEnds> both_ways(const std::set<std::pair<std::uint32_t, std::uint32_t>>& links)
{
  std::vector<ChannelEnds> channels;
  for (const auto& [a, b] : links) {
    channels.push_back({NodeId{a}, NodeId{b}});
    channels.push_back({NodeId{b}, NodeId{a}});
  }
  return channels;
}

struct RandomLinks {
  std::uint32_t nodes = 0;
  std::vector<ChannelEnds> channels;
};

/// A connected network of 2 to 11 nodes and up to 22 links; in a property.
inline RandomLinks random_links()
{
  // As many from the first case on.
  const auto drawn = [](std::uint32_t first, std::uint32_t end) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(first, end));
  };
  const std::uint32_t nodes = drawn(2, 12);
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t node = 1; node < nodes; ++node) {
    links.emplace(drawn(0, node), node); // connected
  }
  for (std::uint32_t more = drawn(0, 12); more > 0; --more) {
    const std::uint32_t a = drawn(0, nodes);
    const std::uint32_t b = drawn(0, nodes);
    if (a != b) {
      links.emplace(std::min(a, b), std::max(a, b));
    }
  }
  return {.nodes = nodes, .channels = both_ways(links)};
}

} // namespace wormcast::testing
