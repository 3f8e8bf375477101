#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"

#include <algorithm>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// One copy of a block inside a larger one.
class BlockCopy {
public:
  BlockCopy(const TwoTreeBlock& block, std::uint32_t changes, std::uint32_t outer_width, std::uint32_t x0,
            std::uint32_t y0)
      : block_(block), changes_(changes), outer_width_(outer_width), x0_(x0), y0_(y0)
  {}

  std::uint32_t node(std::uint32_t inner) const
  {
    const std::uint32_t x = inner % block_.width;
    const std::uint32_t y = inner / block_.width;
    const std::uint32_t column = (changes_ & 1U) != 0 ? block_.width - 1 - x : x;
    const std::uint32_t row = (changes_ & 2U) != 0 ? block_.height - 1 - y : y;
    return (y0_ + row) * outer_width_ + x0_ + column;
  }
  std::uint32_t tree(std::uint32_t inner) const { return inner ^ (changes_ >> 2 & 1U); }
  std::uint32_t colour(std::uint32_t inner) const { return inner ^ (changes_ >> 3 & 1U); }

  std::uint32_t root(std::uint32_t outer_tree) const { return node(block_.root[tree(outer_tree)]); }
  std::uint32_t spare(std::uint32_t outer_tree) const { return node(block_.spare[tree(outer_tree)]); }
  std::uint32_t root_colour(std::uint32_t outer_tree) const { return colour(block_.root_colour[tree(outer_tree)]); }
  std::uint32_t spare_colour(std::uint32_t outer_tree) const { return colour(block_.spare_colour[tree(outer_tree)]); }

  void append_edges(std::vector<BlockEdge>& edges) const
  {
    for (const BlockEdge& edge : block_.edges) {
      edges.push_back({node(edge.from), node(edge.to), tree(edge.tree), colour(edge.colour)});
    }
  }

private:
  const TwoTreeBlock& block_;
  std::uint32_t changes_;
  std::uint32_t outer_width_;
  std::uint32_t x0_;
  std::uint32_t y0_;
};

/// A node that still needs a tree, or a node that can still send in a colour.
struct Need {
  std::uint32_t node = 0;
  std::uint32_t tree = 0;
  bool fed = false; ///< by an edge that was added before its turn
};
struct Slot {
  std::uint32_t node = 0;
  std::uint32_t colour = 0;
  bool free = true;
};

/// The search of trees_from.
class Relocation {
public:
  Relocation(const TwoTreeBlock& block, const Grid& mesh, NodeId source)
      : block_(block), mesh_(mesh), source_(index(source)), receives_(2 * std::size_t{mesh.node_count()}, nobody)
  {
    for (const std::uint32_t tree : {0U, 1U}) {
      colour_of(block.root[tree], tree) = block.root_colour[tree];
      colour_of(block.spare[tree], tree) = block.spare_colour[tree];
      user_[tree].assign(mesh.channel_count(), nobody);
    }
    for (const BlockEdge& edge : block.edges) {
      colour_of(edge.to, edge.tree) = edge.colour;
    }
    take_source_out();
  }

  /// With at most so many edges taken back to make room, after at most so many trials.
  std::optional<SegmentTrees> best(std::uint32_t ejections, std::uint32_t trials)
  {
    ejections_left_ = ejections;
    trials_left_ = trials;
    feed(0);
    return std::move(best_);
  }

private:
  std::uint32_t& colour_of(std::uint32_t node, std::uint32_t tree) { return receives_[2 * std::size_t{node} + tree]; }

  void find_route(std::uint32_t from, std::uint32_t to, std::vector<ChannelId>& channels) const
  {
    channels.clear();
    mesh_.append_route(NodeId{from}, NodeId{to}, channels);
  }

  void take_source_out()
  {
    for (const std::uint32_t tree : {0U, 1U}) {
      if (block_.root[tree] != source_) {
        needs_.push_back({block_.root[tree], tree});
      }
    }
    slots_ = {{source_, 0}, {source_, 1}};
    for (const BlockEdge& edge : block_.edges) {
      if (edge.from == source_) {
        needs_.push_back({edge.to, edge.tree});
      } else if (edge.to == source_) {
        slots_.push_back({edge.from, edge.colour});
      } else {
        add_edge(edge);
      }
    }
    block_edges_ = edges_.size();
    sends_.assign(2 * std::size_t{mesh_.node_count()}, nobody);
    for (std::uint32_t edge = 0; edge < block_edges_; ++edge) {
      sends_[2 * std::size_t{edges_[edge].from} + edges_[edge].colour] = edge;
    }
    for (const std::uint32_t tree : {0U, 1U}) {
      if (block_.spare[tree] != source_) {
        needs_.push_back({block_.spare[tree], tree});
        slots_.push_back({block_.spare[tree], 0});
        slots_.push_back({block_.spare[tree], 1});
      }
    }
  }

  void mark(const BlockEdge& edge, std::uint32_t user)
  {
    std::vector<ChannelId> channels;
    find_route(edge.from, edge.to, channels);
    for (const ChannelId channel : channels) {
      user_[edge.colour][index(channel)] = user;
    }
  }

  void add_edge(const BlockEdge& edge)
  {
    mark(edge, static_cast<std::uint32_t>(edges_.size()));
    edges_.push_back(edge);
    alive_.push_back(true);
  }

  void take_back_last_edge()
  {
    mark(edges_.back(), nobody);
    edges_.pop_back();
    alive_.pop_back();
  }

  /// The edges of the block that hold channels of a route, or nothing where one is held by an edge that is new.
  std::optional<std::vector<std::uint32_t>> holders(std::span<const ChannelId> channels, std::uint32_t colour) const
  {
    std::vector<std::uint32_t> found;
    for (const ChannelId channel : channels) {
      const std::uint32_t user = user_[colour][index(channel)];
      if (user == nobody || (!found.empty() && found.back() == user)) {
        continue;
      }
      if (user >= block_edges_ || found.size() >= ejections_left_) {
        return std::nullopt;
      }
      if (std::ranges::find(found, user) == found.end()) {
        found.push_back(user);
      }
    }
    return found;
  }

  /// Takes edges of the block back: their receivers are to be fed from somewhere else, their senders are free.
  void eject(std::span<const std::uint32_t> ejected)
  {
    for (const std::uint32_t edge : ejected) {
      mark(edges_[edge], nobody);
      alive_[edge] = false;
      needs_.push_back({edges_[edge].to, edges_[edge].tree});
      slots_.push_back({edges_[edge].from, edges_[edge].colour});
    }
    ejections_left_ -= static_cast<std::uint32_t>(ejected.size());
  }

  void restore(std::span<const std::uint32_t> ejected)
  {
    for (const std::uint32_t edge : ejected) {
      mark(edges_[edge], edge);
      alive_[edge] = true;
      needs_.pop_back();
      slots_.pop_back();
    }
    ejections_left_ += static_cast<std::uint32_t>(ejected.size());
  }

  /// Feeds needs_[next] and all behind it, in every way.
  void feed(std::size_t next)
  {
    if (trials_left_ == 0) {
      return;
    }
    --trials_left_;
    while (next < needs_.size() && needs_[next].fed) {
      ++next;
    }
    if (next == needs_.size()) {
      keep_if_better();
      return;
    }
    const Need need = needs_[next];
    const std::uint32_t colour = colour_of(need.node, need.tree);
    std::vector<ChannelId> channels;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const Slot slot = slots_[i];
      if (!slot.free || slot.colour != colour || slot.node == need.node) {
        continue;
      }
      find_route(slot.node, need.node, channels);
      const auto in_the_way = holders(channels, colour);
      if (!in_the_way) {
        continue;
      }
      slots_[i].free = false;
      eject(*in_the_way);
      add_edge({slot.node, need.node, need.tree, colour});
      feed(next + 1);
      take_back_last_edge();
      restore(*in_the_way);
      slots_[i].free = true;
    }
    if (block_.root[need.tree] == need.node && ejections_left_ >= 2) {
      feed_through_others(next, colour);
    }
  }

  /// Feeds the root needs_[next] by two edges, from the source to any node and from there on: that node leaves its
  /// place below its parent, and one of its children its place below it.
  void feed_through_others(std::size_t next, std::uint32_t colour)
  {
    const Need root = needs_[next];
    for (std::uint32_t up = 0; up < block_edges_; ++up) {
      const std::uint32_t node = edges_[up].to;
      const std::uint32_t down = sends_[2 * std::size_t{node} + colour];
      if (edges_[up].tree != root.tree || down == nobody || !alive_[up] || !alive_[down] || node == root.node) {
        continue;
      }
      const auto slot = std::ranges::find_if(
          slots_, [&](const Slot& one) { return one.free && one.node == source_ && one.colour == edges_[up].colour; });
      if (slot == slots_.end()) {
        continue;
      }
      const std::array<std::uint32_t, 2> own = {up, down};
      slot->free = false;
      const auto position = static_cast<std::size_t>(slot - slots_.begin());
      eject(own);
      slots_.back().free = false; // the node's own, which feeds the root
      feed_over(source_, {node, root.tree}, edges_[up].colour,
                [&] { feed_over(node, root, colour, [&] { feed(next + 1); }); });
      restore(own);
      slots_[position].free = true;
    }
  }

  /// Adds an edge, takes those in its way back, and goes on; then undoes both. The receiver is no longer a need.
  template <typename GoOn> void feed_over(std::uint32_t from, Need to, std::uint32_t colour, GoOn&& go_on)
  {
    std::vector<ChannelId> channels;
    find_route(from, to.node, channels);
    const auto in_the_way = holders(channels, colour);
    if (!in_the_way) {
      return;
    }
    const auto fed = std::ranges::find_if(
        needs_, [&](const Need& need) { return need.node == to.node && need.tree == to.tree && !need.fed; });
    const auto position = static_cast<std::size_t>(fed - needs_.begin());
    needs_[position].fed = true;
    eject(*in_the_way);
    add_edge({from, to.node, to.tree, colour});
    go_on();
    take_back_last_edge();
    restore(*in_the_way);
    needs_[position].fed = false;
  }

  void keep_if_better()
  {
    for (const std::uint32_t first_colour : {0U, 1U}) {
      std::optional<SegmentTrees> trees = started(first_colour);
      if (trees && (!best_ || depth_of(*trees) < depth_of(*best_))) {
        best_ = std::move(trees);
      }
    }
  }

  /// Start times: every edge as soon as its sender has the segment, in steps of its colour, where steps 0, 2, ... have
  /// `first_colour`. None where a tree does not reach all nodes.
  std::optional<SegmentTrees> started(std::uint32_t first_colour) const
  {
    SegmentTrees trees{.period = 2, .trees = {{}, {}}};
    std::uint32_t first = nobody;
    for (const std::uint32_t tree : {0U, 1U}) {
      std::vector<std::array<std::uint32_t, 2>> children(mesh_.node_count(), {nobody, nobody}); // by colour
      for (std::uint32_t edge = 0; edge < edges_.size(); ++edge) {
        if (alive_[edge] && edges_[edge].tree == tree) {
          children[edges_[edge].from][edges_[edge].colour] = edge;
        }
      }
      std::vector<TreeEdge>& edges = trees.trees[tree];
      std::vector<std::pair<std::uint32_t, std::uint32_t>> reached = {{source_, 0}}; // node, first step to send in
      for (std::size_t i = 0; i < reached.size() && reached.size() <= mesh_.node_count(); ++i) {
        const auto [node, ready] = reached[i];
        for (const std::uint32_t edge : children[node]) {
          if (edge != nobody) {
            const std::uint32_t start = ready + ((ready ^ edges_[edge].colour ^ first_colour) & 1U);
            edges.push_back({NodeId{node}, NodeId{edges_[edge].to}, start});
            reached.emplace_back(edges_[edge].to, start + 1);
            first = std::min(first, start);
          }
        }
      }
      if (reached.size() != mesh_.node_count()) {
        return std::nullopt;
      }
    }
    for (std::vector<TreeEdge>& edges : trees.trees) {
      for (TreeEdge& edge : edges) {
        edge.start -= first;
      }
    }
    return trees;
  }

  const TwoTreeBlock& block_;
  const Grid& mesh_;
  std::uint32_t source_;
  std::vector<std::uint32_t> receives_;            ///< by node and tree: the colour
  std::array<std::vector<std::uint32_t>, 2> user_; ///< by colour and channel: position in edges_
  std::vector<BlockEdge> edges_;                   ///< the block's without the source's, then new ones
  std::vector<bool> alive_;                        ///< by edge: not ejected
  std::vector<std::uint32_t> sends_;               ///< by node and colour: the block's edge
  std::size_t block_edges_ = 0;
  std::vector<Need> needs_;
  std::vector<Slot> slots_;
  std::uint32_t ejections_left_ = 0;
  std::uint32_t trials_left_ = 0;
  std::optional<SegmentTrees> best_;
};

NodeId reflected(const Grid& mesh, NodeId node, bool in_x, bool in_y)
{
  const std::int64_t x = mesh.coordinate(node, 0);
  const std::int64_t y = mesh.coordinate(node, 1);
  const std::int64_t column = in_x ? mesh.sizes()[0] - 1 - x : x;
  const std::int64_t row = in_y ? mesh.sizes()[1] - 1 - y : y;
  return NodeId{static_cast<std::uint32_t>(column * mesh.stride(0) + row * mesh.stride(1))};
}

/// Reads numbers up to a "|" or the end.
std::vector<std::uint32_t> read_numbers(std::istream& words)
{
  std::vector<std::uint32_t> numbers;
  for (std::string word; words >> word && word != "|";) {
    numbers.push_back(word == "x" ? 1U : word == "y" ? 0U : static_cast<std::uint32_t>(std::stoul(word)));
  }
  return numbers;
}

} // namespace

TwoTreeBlock joined(const TwoTreeBlock& block, const BlockJoin& join)
{
  TwoTreeBlock result;
  result.width = join.along_x ? 2 * block.width : block.width;
  result.height = join.along_x ? block.height : 2 * block.height;
  const std::array<BlockCopy, 2> copies = {
      BlockCopy(block, join.low, result.width, 0, 0),
      BlockCopy(block, join.high, result.width, join.along_x ? block.width : 0, join.along_x ? 0 : block.height)};
  result.edges.reserve(2 * block.edges.size() + 4);
  for (const BlockCopy& copy : copies) {
    copy.append_edges(result.edges);
  }
  for (const std::uint32_t tree : {0U, 1U}) {
    const BlockCopy& giving = copies[join.choice >> tree & 1U];
    const BlockCopy& other = copies[(join.choice >> tree & 1U) ^ 1U];
    result.root[tree] = giving.spare(tree);
    result.root_colour[tree] = giving.spare_colour(tree);
    result.spare[tree] = other.spare(tree);
    result.spare_colour[tree] = other.spare_colour(tree);
    for (const BlockCopy& copy : copies) {
      result.edges.push_back({result.root[tree], copy.root(tree), tree, copy.root_colour(tree)});
    }
  }
  return result;
}

TwoTreeRecipe parse_recipe(std::string_view text)
{
  std::istringstream words{std::string(text)};
  const std::vector<std::uint32_t> head = read_numbers(words);
  const std::vector<std::uint32_t> edges = read_numbers(words);
  const std::vector<std::uint32_t> joins = read_numbers(words);
  if (head.size() != 10 || edges.size() % 4 != 0 || joins.size() % 4 != 0) {
    throw std::logic_error("a recipe of two trees that is not well formed");
  }
  TwoTreeRecipe recipe;
  recipe.base = {.width = head[0],
                 .height = head[1],
                 .root = {head[2], head[3]},
                 .spare = {head[4], head[5]},
                 .root_colour = {head[6], head[7]},
                 .spare_colour = {head[8], head[9]},
                 .edges = {}};
  for (std::size_t i = 0; i < edges.size(); i += 4) {
    recipe.base.edges.push_back({edges[i], edges[i + 1], edges[i + 2], edges[i + 3]});
  }
  for (std::size_t i = 0; i < joins.size(); i += 4) {
    recipe.joins.push_back({joins[i] == 1, joins[i + 1], joins[i + 2], joins[i + 3]});
  }
  return recipe;
}

TwoTreeBlock block_of(const TwoTreeRecipe& recipe)
{
  TwoTreeBlock block = recipe.base;
  for (const BlockJoin& join : recipe.joins) {
    block = joined(block, join);
  }
  return block;
}

std::optional<SegmentTrees> trees_from(const TwoTreeBlock& block, const Grid& mesh, NodeId source)
{
  struct Effort {
    std::uint32_t ejections = 0;
    std::uint32_t trials = 0;
  };
  for (const Effort effort : {Effort{0, 1000}, Effort{1, 2000}, Effort{2, 10000}, Effort{4, 40000}}) {
    if (std::optional<SegmentTrees> trees = Relocation(block, mesh, source).best(effort.ejections, effort.trials)) {
      return trees;
    }
  }
  return std::nullopt;
}

std::optional<SegmentTrees> trees_from_reflection(const TwoTreeBlock& block, const Grid& mesh, NodeId source,
                                                  std::uint32_t reflection)
{
  const bool in_x = (reflection & 1U) != 0;
  const bool in_y = (reflection & 2U) != 0;
  std::optional<SegmentTrees> trees = trees_from(block, mesh, reflected(mesh, source, in_x, in_y));
  if (!trees) {
    return std::nullopt;
  }
  for (std::vector<TreeEdge>& edges : trees->trees) {
    for (TreeEdge& edge : edges) {
      edge.from = reflected(mesh, edge.from, in_x, in_y);
      edge.to = reflected(mesh, edge.to, in_x, in_y);
    }
  }
  return trees;
}

std::uint32_t depth_of(const SegmentTrees& trees)
{
  std::uint32_t last = 0;
  for (const std::vector<TreeEdge>& edges : trees.trees) {
    for (const TreeEdge& edge : edges) {
      last = std::max(last, edge.start);
    }
  }
  return last - 1;
}

} // namespace wormcast
