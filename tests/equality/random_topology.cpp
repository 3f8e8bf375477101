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

std::vector<std::uint32_t> shuffled_nodes(RandomDraws& draws, std::uint32_t count)
{
  std::vector<std::uint32_t> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    nodes[i] = i;
    std::swap(nodes[i], nodes[draws.below(std::max(i, 1U))]);
  }
  return nodes;
}

/// Directed: a ring through all nodes and more; undirected: a tree and more.
std::shared_ptr<const Topology> random_graph(RandomDraws& draws)
{
  const auto count = static_cast<std::uint32_t>(draws.between(2, most_graph_nodes));
  const bool directed = draws.one_in(2);
  const std::vector<std::uint32_t> nodes = shuffled_nodes(draws, count);
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
    connect(nodes[i], directed ? nodes[(i + 1) % count] : nodes[draws.below(std::max(i, 1U))]);
  }
  for (std::int64_t more = draws.between(0, 2 * std::int64_t{count}); more > 0; --more) {
    const std::uint32_t from = draws.below(count);
    connect(from, draws.below(count));
  }
  return std::make_shared<RandomGraph>(count, arcs);
}

std::vector<std::int64_t> random_sizes(RandomDraws& draws, bool for_algorithms)
{
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(draws.between(1, 4)));
  for (std::int64_t& size : sizes) {
    size = for_algorithms ? draws.one_of<std::int64_t>({1, 2, 2, 3, 4, 4, 5, 8})
                          : draws.between(1, sizes.size() > 2 ? 4 : 8);
  }
  if (for_algorithms && draws.one_in(2)) {
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

std::string random_kind(RandomDraws& draws, bool for_algorithms)
{
  const std::string kind = draws.one_of<const char*>(
      {"mesh", "mesh", "mesh", "torus", "torus", "torus", "hypercube", "petersen_torus", "graph", "graph"});
  return kind == "petersen_torus" && for_algorithms && draws.one_in(2) ? "petersen" : kind;
}

/// At most 64 hosts below at most three levels of switches.
void set_fat_tree(RandomDraws& draws, TopologyDescription& description, RoutingChoice& routing)
{
  const auto levels = static_cast<std::size_t>(draws.between(1, 3));
  const auto numbers = [&](std::int64_t most) {
    std::vector<std::int64_t> drawn(levels);
    for (std::int64_t& number : drawn) {
      number = draws.between(1, most);
    }
    return drawn;
  };
  description.parameters.set("levels", static_cast<std::int64_t>(levels));
  description.parameters.set("children", numbers(4));
  description.parameters.set("parents", numbers(3));
  description.parameters.set("links", numbers(2));
  routing = {.routing = draws.one_in(2) ? "random" : "d_mod_k"};
}

/// At most 144 hosts.
void set_dragonfly(RandomDraws& draws, TopologyDescription& description, RoutingChoice& routing)
{
  const std::int64_t routers = draws.between(1, 3);
  const std::int64_t chassis = draws.between(1, 3);
  description.parameters.set("routers", routers);
  description.parameters.set("chassis", chassis);
  if (draws.one_in(3)) {
    const std::int64_t links = draws.between(1, 2);
    description.parameters.set("global_links", links);
    description.parameters.set("groups", draws.between(1, std::min<std::int64_t>(routers * chassis * links + 1, 4)));
  } else {
    description.parameters.set("groups", draws.between(1, routers));
  }
  description.parameters.set("hosts", draws.between(1, 4));
  for (const char* key : {"group_links", "chassis_links", "router_links"}) {
    description.parameters.set(key, draws.between(1, 2));
  }
  routing = {.routing = draws.one_of<const char*>({"minimal", "valiant", "ugal_l"})};
}

/// At most 27 routers with at most 108 hosts.
void set_concentrated_grid(RandomDraws& draws, TopologyDescription& description, RoutingChoice& routing)
{
  const bool torus = draws.one_in(2);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(draws.between(1, 3)));
  for (std::int64_t& size : sizes) {
    size = draws.between(1, 3);
  }
  description.kind = torus ? "torus" : "mesh";
  description.parameters.set("dims", sizes);
  description.parameters.set("concentration", draws.between(2, 4));
  if (draws.one_in(2)) {
    std::vector<std::int64_t> links(sizes.size() + 1); // of hosts, then of each dimension
    for (std::int64_t& count : links) {
      count = draws.between(1, 3);
    }
    description.parameters.set("parallel_links", links);
  }
  const Tie tie = draws.one_of<Tie>({Tie::no_wrap, Tie::positive, Tie::random});
  routing = {.routing = "", .tie = std::string(tie_names.text(tie))};
}

} // namespace

std::shared_ptr<const Topology> random_topology(RandomDraws& draws, const RoutingChoice& grid_routing,
                                                bool for_algorithms)
{
  TopologyDescription description;
  description.kind = random_kind(draws, for_algorithms);
  RoutingChoice routing = grid_routing;
  if (description.kind == "graph") {
    return random_graph(draws);
  }
  if (description.kind == "mesh" || description.kind == "torus") {
    description.parameters.set("dims", random_sizes(draws, for_algorithms));
  } else if (description.kind == "hypercube") {
    description.parameters.set("dimension", draws.between(1, 5));
    routing.routing = draws.one_in(2) ? "shortest_path" : "";
  } else if (description.kind == "petersen_torus") {
    std::vector<std::int64_t> modules(3);
    for (std::int64_t& size : modules) {
      size = draws.between(2, 3);
    }
    description.parameters.set("dims", modules);
  }
  return make_topology(description, routing);
}

std::shared_ptr<const Topology> random_switched_topology(RandomDraws& draws)
{
  TopologyDescription description;
  RoutingChoice routing;
  const std::uint32_t choice = draws.below(3);
  if (choice == 0) {
    description.kind = "fat_tree";
    set_fat_tree(draws, description, routing);
  } else if (choice == 1) {
    set_concentrated_grid(draws, description, routing);
  } else {
    description.kind = "dragonfly";
    set_dragonfly(draws, description, routing);
  }
  return make_topology(description, routing);
}

} // namespace wormcast::testing
