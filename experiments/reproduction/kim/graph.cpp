#include "wormcast/experiments/reproduction/kim/graph.hpp"

#include "wormcast/algorithms/graph/breadth_first_tree.hpp"
#include "wormcast/experiments/reproduction/kim/cases.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <set>

namespace wormcast::kim {

namespace {

class SymmetrySearch {
public:
  explicit SymmetrySearch(const Topology& topology) : nodes_(topology.node_count()), edges_(edges_of(topology)) {}

  GraphSymmetry run()
  {
    extend();
    found_.images_of_first_channel = static_cast<std::uint32_t>(images_.size());
    return found_;
  }

private:
  bool adjacent(std::uint32_t a, std::uint32_t b) const { return edges_.contains(std::minmax(a, b)); }

  // Maps the next node to every node that keeps edges and gaps to those before it.
  void extend()
  {
    const auto next = static_cast<std::uint32_t>(image_.size());
    if (next == nodes_) {
      ++found_.automorphisms;
      images_.insert({image_[edges_.begin()->first], image_[edges_.begin()->second]});
      return;
    }
    for (std::uint32_t to = 0; to < nodes_; ++to) {
      bool fits = std::ranges::find(image_, to) == image_.end();
      for (std::uint32_t before = 0; fits && before < next; ++before) {
        fits = adjacent(before, next) == adjacent(image_[before], to);
      }
      if (fits) {
        image_.push_back(to);
        extend();
        image_.pop_back();
      }
    }
  }

  std::uint32_t nodes_;
  std::set<Edge> edges_;
  std::vector<std::uint32_t> image_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> images_;
  GraphSymmetry found_;
};

// Unit flow in the graph in which every node v is an arc from 2v to 2v+1: the maximum is the number of disjoint paths.
class NodeFlow {
public:
  explicit NodeFlow(const Topology& topology) : arcs_of_(2 * std::size_t{topology.node_count()})
  {
    for (std::uint32_t v = 0; v < topology.node_count(); ++v) {
      add(2 * v, 2 * v + 1);
      for (const NodeId to : neighbours(topology, NodeId{v})) {
        add(2 * v + 1, 2 * index(to));
      }
    }
  }

  std::uint32_t paths(std::uint32_t from, std::uint32_t to)
  {
    for (std::size_t arc = 0; arc < arcs_.size(); ++arc) {
      arcs_[arc].free = arc % 2 == 0;
    }
    std::uint32_t count = 0;
    while (augment(2 * from + 1, 2 * to)) {
      ++count;
    }
    return count;
  }

private:
  struct Arc {
    std::uint32_t to = 0;
    bool free = true;
  };

  // An arc and its opposite are next to each other.
  void add(std::uint32_t from, std::uint32_t to)
  {
    arcs_of_[from].push_back(arcs_.size());
    arcs_.push_back({to, true});
    arcs_of_[to].push_back(arcs_.size());
    arcs_.push_back({from, false});
  }

  bool augment(std::uint32_t from, std::uint32_t to)
  {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> reached_by(arcs_of_.size(), none);
    std::queue<std::uint32_t> open({from});
    while (!open.empty() && reached_by[to] == none) {
      const std::uint32_t at = open.front();
      open.pop();
      for (const std::size_t arc : arcs_of_[at]) {
        if (arcs_[arc].free && arcs_[arc].to != from && reached_by[arcs_[arc].to] == none) {
          reached_by[arcs_[arc].to] = arc;
          open.push(arcs_[arc].to);
        }
      }
    }
    if (reached_by[to] == none) {
      return false;
    }
    for (std::uint32_t at = to; at != from; at = arcs_[reached_by[at] ^ 1U].to) {
      arcs_[reached_by[at]].free = false;
      arcs_[reached_by[at] ^ 1U].free = true;
    }
    return true;
  }

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::size_t>> arcs_of_;
};

} // namespace

std::vector<DefinedEdge> external_edges(const PetersenTorusSize& size)
{
  std::vector<DefinedEdge> edges;
  const std::int64_t one = as_claimed(1);
  for (std::int64_t z = 0; z < size.l; ++z) {
    for (std::int64_t x = 0; x < size.m; ++x) {
      for (std::int64_t y = 0; y < size.n; ++y) {
        edges.push_back({{z, x, y, 6}, {z, x, (y + one) % size.n, 9}});
        edges.push_back({{z, x, y, 1}, {z, (x + one) % size.m, y, 4}});
        edges.push_back({{z, x, y, 2}, {z, (x + one) % size.m, (y + one) % size.n, 3}});
        edges.push_back({{z, x, y, 7}, {z, (x - one + size.m) % size.m, (y + one) % size.n, 8}});
        edges.push_back({{z, x, y, 0}, {(z + one) % size.l, x, y, 5}});
      }
    }
  }
  return edges;
}

DefinedEdges defined_edges(const PetersenTorusSize& size)
{
  std::set<Edge> seen;
  const auto petersen = petersen_graph();
  for (std::uint32_t module = 0; module < size.nodes() / 10; ++module) {
    for (const auto& [a, b] : edges_of(*petersen)) {
      seen.insert({10 * module + a, 10 * module + b});
    }
  }
  DefinedEdges result;
  for (const auto& [from, to] : external_edges(size)) {
    const Edge one = edge(petersen_torus_id(size, from), petersen_torus_id(size, to));
    result.repeated += seen.insert(one).second ? 0 : 1;
    result.inside_of_module += one.first / 10 == one.second / 10 ? 1 : 0;
  }
  return result;
}

GraphSymmetry symmetry_of(const Topology& topology)
{
  return SymmetrySearch(topology).run();
}

std::uint32_t fewest_disjoint_paths(const Topology& topology, std::uint32_t first)
{
  NodeFlow flow(topology);
  std::uint32_t fewest = topology.node_count();
  for (std::uint32_t from = 0; from < first; ++from) {
    const std::vector<NodeId> near = neighbours(topology, NodeId{from});
    for (std::uint32_t to = 0; to < topology.node_count(); ++to) {
      if (to != from && std::ranges::find(near, NodeId{to}) == near.end()) {
        fewest = std::min(fewest, flow.paths(from, to));
      }
    }
  }
  return fewest;
}

} // namespace wormcast::kim
