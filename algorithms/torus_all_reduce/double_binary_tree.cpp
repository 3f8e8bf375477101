#include "wormcast/algorithms/torus_all_reduce/double_binary_tree.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_line.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view double_binary_tree_name = "double_binary_tree";

// Choices of "map": whether consecutive ranks are neighbours.
constexpr auto rank_map_names = names<bool>({{false, "rows"}, {true, "snake"}});

/// The parent in the first tree, whose root is rank 0.
std::uint32_t parent_of(std::uint32_t rank, std::uint32_t ranks)
{
  const std::uint32_t bit = rank & (~rank + 1);
  const std::uint32_t up = (rank ^ bit) | (2 * bit);
  return up < ranks ? up : rank ^ bit;
}

/// The second tree is the first one with ranks renamed: mirrored where their number is even, else shifted by one.
std::uint32_t renamed(std::uint32_t rank, std::uint32_t ranks)
{
  return ranks % 2 == 0 ? ranks - 1 - rank : (rank + 1) % ranks;
}

/// The edges that end at one node on one side, senders or receivers: at most two.
using EdgesAt = std::vector<std::vector<std::size_t>>;

/// Colours 0 and 1, so that edges with the same sender, or the same receiver, differ. Edges and nodes form paths
/// and even cycles: from an edge that has no colour yet they are coloured in turn in both directions.
std::vector<std::uint32_t> edge_colours(const std::vector<TreeEdge>& edges, std::uint32_t ranks)
{
  EdgesAt sent(ranks);
  EdgesAt received(ranks);
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    sent[index(edges[edge].from)].push_back(edge);
    received[index(edges[edge].to)].push_back(edge);
  }
  constexpr std::uint32_t none = 2;
  std::vector<std::uint32_t> colours(edges.size(), none);
  const auto other_at = [&](std::size_t edge, bool by_sender) -> std::optional<std::size_t> {
    const auto& at = by_sender ? sent[index(edges[edge].from)] : received[index(edges[edge].to)];
    const auto other = std::ranges::find_if(at, [&](std::size_t one) { return one != edge; });
    return other == at.end() ? std::nullopt : std::optional(*other);
  };
  for (std::size_t first = 0; first < edges.size(); ++first) {
    if (colours[first] != none) {
      continue;
    }
    colours[first] = 0;
    for (const bool begin_by_sender : {true, false}) {
      bool by_sender = begin_by_sender;
      std::uint32_t colour = 0;
      for (auto next = other_at(first, by_sender); next && colours[*next] == none; next = other_at(*next, by_sender)) {
        colour = 1 - colour;
        colours[*next] = colour;
        by_sender = !by_sender;
      }
    }
  }
  return colours;
}

/// Rank by rank, the edge into it; of the root none.
std::uint32_t start_of(std::vector<std::optional<TreeEdge>>& edge_into, const std::vector<std::uint32_t>& colour_of,
                       std::vector<bool>& known, std::uint32_t rank)
{
  if (!edge_into[rank]) {
    return 0;
  }
  TreeEdge& edge = *edge_into[rank];
  if (!known[rank]) {
    const std::uint32_t parent = index(edge.from);
    const std::uint32_t least = edge_into[parent] ? start_of(edge_into, colour_of, known, parent) + 1 : 0;
    edge.start = least + (least % 2 == colour_of[rank] ? 0 : 1);
    known[rank] = true;
  }
  return edge.start;
}

/// Both trees' edges from parents to children.
std::array<std::vector<TreeEdge>, 2> tree_edges(std::uint32_t ranks)
{
  std::array<std::vector<TreeEdge>, 2> trees;
  for (std::uint32_t child = 1; child < ranks; ++child) {
    trees[0].push_back({NodeId{parent_of(child, ranks)}, NodeId{child}, 0});
    trees[1].push_back({NodeId{renamed(parent_of(child, ranks), ranks)}, NodeId{renamed(child, ranks)}, 0});
  }
  return trees;
}

/// Gives every edge the first step of its colour behind that of its parent's edge. No rank sends or receives on more
/// than two edges.
SegmentTrees coloured_trees(std::array<std::vector<TreeEdge>, 2> trees_of_edges, std::uint32_t ranks)
{
  std::vector<TreeEdge> edges; // of both trees, by tree and child
  for (std::vector<TreeEdge>& tree : trees_of_edges) {
    std::ranges::sort(tree, {}, [](const TreeEdge& edge) { return index(edge.to); });
    edges.insert(edges.end(), tree.begin(), tree.end());
  }
  const std::size_t of_first = trees_of_edges[0].size();
  const std::vector<std::uint32_t> colours = edge_colours(edges, ranks);
  SegmentTrees trees{.period = 2, .trees = {}};
  for (const std::size_t begin : {std::size_t{0}, of_first}) {
    std::vector<std::optional<TreeEdge>> edge_into(ranks);
    std::vector<std::uint32_t> colour_of(ranks, 0);
    for (std::size_t i = begin; i < begin + of_first; ++i) {
      edge_into[index(edges[i].to)] = edges[i];
      colour_of[index(edges[i].to)] = colours[i];
    }
    std::vector<bool> known(ranks, false);
    std::vector<TreeEdge>& tree = trees.trees.emplace_back();
    for (std::uint32_t child = 0; child < ranks; ++child) {
      start_of(edge_into, colour_of, known, child);
      if (edge_into[child]) {
        tree.push_back(*edge_into[child]);
      }
    }
  }
  return trees;
}

/// The step after the last one of a broadcast of one segment down each tree.
std::uint32_t depth_of(const SegmentTrees& trees)
{
  std::uint32_t depth = 0;
  for (const std::vector<TreeEdge>& edges : trees.trees) {
    for (const TreeEdge& edge : edges) {
      depth = std::max(depth, edge.start + 1);
    }
  }
  return depth;
}

/// The hosts in the order of their ranks. Throws InputError for a snake where there are no rows.
std::vector<NodeId> hosts_by_rank(const Topology& topology, bool snake)
{
  if (snake) {
    return line_through(require_any_grid(topology, "double_binary_tree with map = \"snake\""), snake);
  }
  std::vector<NodeId> hosts;
  hosts.reserve(topology.host_count());
  for (std::uint32_t host = 0; host < topology.host_count(); ++host) {
    hosts.push_back(NodeId{host});
  }
  return hosts;
}

/// On the hosts; of a broadcast with the source as rank 0.
SegmentTrees trees_on(const Topology& topology, const ScheduleRequest& request)
{
  std::vector<NodeId> line = hosts_by_rank(topology, rank_map_names.read(request.parameters.text("map")));
  const auto ranks = static_cast<std::uint32_t>(line.size());
  const bool broadcasts = requested_all_reduce(request) == Operation::broadcast;
  if (broadcasts) {
    std::ranges::rotate(line, std::ranges::find(line, request.source));
  }
  SegmentTrees trees = broadcasts ? double_binary_broadcast_trees(ranks) : double_binary_trees(ranks);
  for (std::vector<TreeEdge>& edges : trees.trees) {
    for (TreeEdge& edge : edges) {
      edge.from = line[index(edge.from)];
      edge.to = line[index(edge.to)];
    }
  }
  return trees;
}

Schedule double_binary_tree(const Topology& topology, const ScheduleRequest& request)
{
  const SegmentTrees trees = trees_on(topology, request);
  const auto segments = static_cast<std::uint32_t>(request.parameters.integer("segments"));
  require_bytes_for(double_binary_tree_name, 2 * std::uint64_t{segments}, "twice segments", request);
  require_message_limit(double_binary_tree_name, 4 * std::uint64_t{segments}, "messages of each node",
                        topology.host_count());
  if (requested_all_reduce(request) == Operation::broadcast) {
    return segmented_broadcast(trees, 2 * std::uint64_t{segments});
  }
  Schedule schedule;
  schedule.operation = Operation::all_reduce;
  schedule.blocks = 2 * std::uint64_t{segments};
  std::vector<BlockSetId> sets;
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    sets.push_back(schedule.block_sets.intern({block, block + 1}));
  }
  const std::uint32_t half = depth_of(trees) + 2 * (segments - 1); // steps of the way up, and of the way down
  OrderedMessages messages;
  for (std::uint32_t tree = 0; tree < trees.trees.size(); ++tree) {
    for (const TreeEdge& edge : trees.trees[tree]) {
      for (std::uint32_t segment = 0; segment < segments; ++segment) {
        const std::uint32_t step = edge.start + 2 * segment;
        messages.add(tree, {.step = half - 1 - step,
                            .source = edge.to,
                            .destination = edge.from,
                            .blocks = sets[2 * (segments - 1 - segment) + tree]});
        messages.add(
            tree,
            {.step = half + step, .source = edge.from, .destination = edge.to, .blocks = sets[2 * segment + tree]});
      }
    }
  }
  messages.take_into(schedule);
  return schedule;
}

/// Way up and way down take as long as each other, so that the number that is best for one is best for both. Contention
/// is left out.
ParameterValues best_tree_segments(const Topology& topology, const ScheduleRequest& request)
{
  ParameterValues values = request.parameters;
  std::uint64_t best = 1;
  const std::uint64_t ways = requested_all_reduce(request) == Operation::broadcast ? 2 : 4;
  const std::uint64_t most = most_segments(topology, request) / ways;
  if (most > 1 && topology.host_count() > 1) {
    const SegmentTimes times(topology, trees_on(topology, request));
    const std::uint64_t of_both = times.best(2 * most, request);
    best = std::max<std::uint64_t>(of_both / 2, 1);
    if (best < most && times.time(2 * best + 2, request) < times.time(2 * best, request)) {
      ++best;
    }
  }
  values.set("segments", static_cast<std::int64_t>(best));
  return values;
}

} // namespace

SegmentTrees double_binary_trees(std::uint32_t ranks)
{
  return coloured_trees(tree_edges(ranks), ranks);
}

SegmentTrees double_binary_broadcast_trees(std::uint32_t ranks)
{
  if (ranks < 2) {
    return {.period = 2, .trees = {{}, {}}};
  }
  std::array<std::vector<TreeEdge>, 2> trees = tree_edges(ranks - 1);
  const std::array<std::uint32_t, 2> roots = {0, renamed(0, ranks - 1)};
  for (const std::size_t tree : {0U, 1U}) {
    for (TreeEdge& edge : trees[tree]) {
      edge.from = NodeId{index(edge.from) + 1};
      edge.to = NodeId{index(edge.to) + 1};
    }
    trees[tree].push_back({NodeId{0}, NodeId{roots[tree] + 1}, 0});
  }
  return coloured_trees(std::move(trees), ranks);
}

Algorithm double_binary_tree_algorithm()
{
  Algorithm algorithm;
  algorithm.name = double_binary_tree_name;
  algorithm.summary = "segments go up and down two binary trees, in which no node has two children twice";
  algorithm.operation = Operation::all_reduce;
  algorithm.further = {Operation::broadcast};
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs =
      "K segments for each tree: alpha = 2(2K + D - 2), where D is 5 (8 nodes), 8 (16), 9 (32), 12 (64), 13 "
      "(128), 16 (256); beta = alpha/(2K); broadcast about half of it: the source feeds the roots of the trees of the "
      "other N - 1; not laid out for the network, contends";
  algorithm.source =
      "Sanders, Speck & Traeff, Parallel Computing 35, 2009; trees of NCCL (src/graph/trees.cc); own colours "
      "of the edges";
  algorithm.parameters.push_back(segments_parameter());
  algorithm.parameters.back().text =
      "parts for each of the two trees; \"best\": the fastest number for the length and the "
      "network, contention and flits not counted";
  algorithm.parameters.push_back(
      {.name = "map",
       .type = ParameterType::choice,
       .text = "ranks in the order of node ids, or on a mesh or torus as a snake through rows",
       .fallback = std::string(rank_map_names.text(false)),
       .choices = rank_map_names.texts()});
  algorithm.make = double_binary_tree;
  algorithm.tune = best_tree_segments;
  return algorithm;
}

} // namespace wormcast
