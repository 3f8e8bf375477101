#include "tests/equality/random_topology.hpp"

#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {

namespace {

constexpr std::int64_t most_grid_nodes = 256;
constexpr std::int64_t most_graph_nodes = 14;

using Arcs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

class RandomGraph final : public TableRoutedTopology {
public:
  RandomGraph(std::uint32_t nodes, const Arcs& arcs)
      : TableRoutedTopology(TopologyDescription{"graph", {}}, nodes, channels_of(arcs), {})
  {
    title_ = "graph with the channels";
    for (const auto& [from, to] : arcs) {
      title_ += " " + std::to_string(from) + ">" + std::to_string(to);
    }
  }

  std::string title() const override { return title_; }

private:
  static std::vector<ChannelEnds> channels_of(const Arcs& arcs)
  {
    std::vector<ChannelEnds> channels;
    for (const auto& [from, to] : arcs) {
      channels.push_back({NodeId{from}, NodeId{to}});
    }
    return channels;
  }

  std::string title_;
};

std::vector<std::uint32_t> shuffled_nodes(Dice& dice, std::uint32_t count)
{
  std::vector<std::uint32_t> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    nodes[i] = i;
    std::swap(nodes[i], nodes[dice.below(std::max(i, 1U))]);
  }
  return nodes;
}

/// Directed: a ring through all nodes and more; undirected: a tree and more.
std::shared_ptr<const Topology> random_graph(Dice& dice)
{
  const auto count = static_cast<std::uint32_t>(dice.between(2, most_graph_nodes));
  const bool directed = dice.one_in(2);
  const std::vector<std::uint32_t> nodes = shuffled_nodes(dice, count);
  Arcs arcs;
  const auto connect = [&](std::uint32_t from, std::uint32_t to) {
    if (from != to) {
      arcs.emplace(from, to);
      if (!directed) {
        arcs.emplace(to, from);
      }
    }
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    connect(nodes[i], directed ? nodes[(i + 1) % count] : nodes[dice.below(std::max(i, 1U))]);
  }
  for (std::int64_t more = dice.between(0, 2 * std::int64_t{count}); more > 0; --more) {
    const std::uint32_t from = dice.below(count);
    connect(from, dice.below(count));
  }
  return std::make_shared<RandomGraph>(count, arcs);
}

std::vector<std::int64_t> random_sizes(Dice& dice, bool for_algorithms)
{
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(dice.between(1, 4)));
  for (std::int64_t& size : sizes) {
    size = for_algorithms ? dice.one_of<std::int64_t>({1, 2, 2, 3, 4, 4, 5, 8})
                          : dice.between(1, sizes.size() > 2 ? 4 : 8);
  }
  if (for_algorithms && dice.one_in(2)) {
    sizes.assign(sizes.size(), sizes[0]);
  }
  std::int64_t nodes = 1;
  for (const std::int64_t size : sizes) {
    nodes *= size;
  }
  if (nodes > most_grid_nodes) {
    sizes.resize(2);
  }
  return sizes;
}

std::string random_kind(Dice& dice, bool for_algorithms)
{
  const std::string kind = dice.one_of<const char*>(
      {"mesh", "mesh", "mesh", "torus", "torus", "torus", "hypercube", "petersen_torus", "graph", "graph"});
  return kind == "petersen_torus" && for_algorithms && dice.one_in(2) ? "petersen" : kind;
}

} // namespace

std::shared_ptr<const Topology> random_topology(Dice& dice, const RoutingChoice& grid_routing, bool for_algorithms)
{
  TopologyDescription description;
  description.kind = random_kind(dice, for_algorithms);
  RoutingChoice routing = grid_routing;
  if (description.kind == "graph") {
    return random_graph(dice);
  }
  if (description.kind == "mesh" || description.kind == "torus") {
    description.parameters.set("dims", random_sizes(dice, for_algorithms));
  } else if (description.kind == "hypercube") {
    description.parameters.set("dimension", dice.between(1, 5));
    routing.routing = dice.one_in(2) ? "shortest_path" : "";
  } else if (description.kind == "petersen_torus") {
    std::vector<std::int64_t> modules(3);
    for (std::int64_t& size : modules) {
      size = dice.between(2, 3);
    }
    description.parameters.set("dims", modules);
  }
  return make_topology(description, routing);
}

} // namespace wormcast::testing
