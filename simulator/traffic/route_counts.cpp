#include "wormcast/simulator/traffic/route_counts.hpp"

#include "wormcast/topologies/grid.hpp"

#include <utility>

namespace wormcast {

namespace {

// More would not stay in the nearer caches.
constexpr std::uint64_t most_counts = std::uint64_t{1} << 16;

} // namespace

std::optional<RouteCounts> RouteCounts::of(const Topology& topology)
{
  const std::uint64_t nodes = topology.host_count();
  if (topology.drawn_bits() > 0) {
    return std::nullopt;
  }
  if (nodes * nodes <= most_counts) {
    return RouteCounts({{.first = 0, .size = nodes, .stride = 1}}, topology.host_count());
  }
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) {
    return std::nullopt;
  }
  std::vector<Dimension> dimensions;
  std::size_t counts = 0;
  for (std::size_t i = 0; i < grid->sizes().size(); ++i) {
    const auto size = static_cast<std::size_t>(grid->sizes()[i]);
    dimensions.push_back({.first = counts, .size = size, .stride = static_cast<std::size_t>(grid->stride(i))});
    counts += nodes * size;
  }
  return counts <= most_counts ? std::optional(RouteCounts(std::move(dimensions), topology.host_count()))
                               : std::nullopt;
}

RouteCounts::RouteCounts(std::vector<Dimension> dimensions, std::uint32_t nodes)
    : nodes_(nodes), dimensions_(std::move(dimensions)),
      counts_(dimensions_.back().first + nodes * dimensions_.back().size + 1)
{
  fetched_.fill({.count = counts_.size() - 1});
  for (std::size_t node = 0; node < nodes; ++node) {
    for (const Dimension& dimension : dimensions_) {
      coordinates_.push_back(static_cast<std::uint32_t>(node / dimension.stride % dimension.size));
    }
  }
}

void RouteCounts::count_fetched()
{
  for (Fetched& fetched : fetched_) {
    count_message(std::exchange(fetched, {.count = counts_.size() - 1}));
  }
}

std::vector<RouteCounts::Part> RouteCounts::take_parts()
{
  count_fetched();
  std::vector<Part> all;
  for (std::size_t i = 0; i < dimensions_.size(); ++i) {
    const Dimension& dimension = dimensions_[i];
    for (std::size_t node = 0; node < nodes_; ++node) {
      for (std::size_t goal = 0; goal < dimension.size; ++goal) {
        const Count& count = counts_[dimension.first + node * dimension.size + goal];
        if (count.messages > 0) {
          const std::size_t end = node + (goal - coordinates_[node * dimensions_.size() + i]) * dimension.stride;
          all.push_back({.from = NodeId{static_cast<std::uint32_t>(node)},
                         .to = NodeId{static_cast<std::uint32_t>(end)},
                         .count = count});
        }
      }
    }
  }
  counts_.assign(counts_.size(), Count());
  room_ = most_flits;
  return all;
}

} // namespace wormcast
