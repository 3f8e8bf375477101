#pragma once

#include "wormcast/topologies/topology.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

/// Messages and their flits, counted by source and destination; in a larger grid by the part of the route in each
/// dimension, which many pairs have in common. To look up a route for each message would take longer. Memory: up to
/// 512 KiB of counts.
class RouteCounts {
public:
  struct Count {
    std::uint32_t messages = 0;
    std::uint32_t flits = 0;
  };
  /// The messages on a route, or on a part of it.
  struct Part {
    NodeId from{};
    NodeId to{};
    Count count;
  };

  /// None where routes are drawn, or for a network that is too large.
  static std::optional<RouteCounts> of(const Topology& topology);

  /// Counts a message from host to host. Returns whether there was room for its flits.
  bool add(NodeId from, NodeId to, std::uint64_t flits)
  {
    if (flits > room_) {
      return false;
    }
    room_ -= flits;
    std::size_t node = index(from);
    const std::uint32_t* const own = &coordinates_[node * dimensions_.size()];
    const std::uint32_t* const goals = &coordinates_[std::size_t{index(to)} * dimensions_.size()];
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      const Dimension& dimension = dimensions_[i];
      const std::size_t count = dimension.first + node * dimension.size + goals[i];
      __builtin_prefetch(&counts_[count], 1);
      count_message(std::exchange(fetched_[next_++ % fetched_.size()], {count, static_cast<std::uint32_t>(flits)}));
      node += (std::size_t{goals[i]} - own[i]) * dimension.stride;
    }
    return true;
  }

  /// Returns all parts of routes that messages had, and begins again without any.
  std::vector<Part> take_parts();

private:
  static constexpr std::uint32_t most_flits = 0xffffffff;

  struct Dimension {
    std::size_t first = 0; // of counts_
    std::size_t size = 0;
    std::size_t stride = 0; // the distance in node ids between neighbours
  };
  // A message whose count is being fetched from memory.
  struct Fetched {
    std::size_t count = 0; // in counts_
    std::uint32_t flits = 0;
  };

  RouteCounts(std::vector<Dimension> dimensions, std::uint32_t nodes);

  void count_message(const Fetched& fetched)
  {
    ++counts_[fetched.count].messages;
    counts_[fetched.count].flits += fetched.flits;
  }
  void count_fetched();

  std::uint32_t nodes_;
  std::vector<Dimension> dimensions_;      // one, of all nodes, where pairs are counted
  std::vector<std::uint32_t> coordinates_; // by node and dimension
  std::vector<Count> counts_;              // by dimension, node at the part's beginning, and coordinate at its end; one
                                           // more that nobody asks for
  std::array<Fetched, 16> fetched_;        // the last ones, which counts_ does not have yet
  std::size_t next_ = 0;                   // of fetched_
  std::uint64_t room_ = most_flits;        // for more flits of all messages: so each count has room
};

} // namespace wormcast
