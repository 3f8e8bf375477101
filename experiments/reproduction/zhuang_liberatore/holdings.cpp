#include "wormcast/experiments/reproduction/zhuang_liberatore/holdings.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace wormcast::zhuang_liberatore {

namespace {

/// Gives every block to a node that has it, to each node as many as to any other (augmenting paths).
class EqualShares {
public:
  EqualShares(const Holdings& holdings, std::span<const NodeId> nodes)
      : holdings_(holdings), nodes_(nodes), share_(holdings.block_count() / nodes.size()), given_(nodes.size())
  {}

  bool exist()
  {
    if (share_ * nodes_.size() != holdings_.block_count()) {
      return false;
    }
    for (std::size_t block = 0; block < holdings_.block_count(); ++block) {
      tried_.assign(nodes_.size(), false);
      if (!give(block)) {
        return false;
      }
    }
    return true;
  }

private:
  bool give(std::size_t block)
  {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (tried_[i] || !holdings_.of(nodes_[i]).test(block)) {
        continue;
      }
      tried_[i] = true;
      if (given_[i].size() < share_) {
        given_[i].push_back(block);
        return true;
      }
      for (std::size_t& kept : given_[i]) {
        if (give(kept)) {
          kept = block;
          return true;
        }
      }
    }
    return false;
  }

  const Holdings& holdings_;
  std::span<const NodeId> nodes_;
  std::size_t share_;
  std::vector<std::vector<std::size_t>> given_; // blocks, by position in nodes_
  std::vector<bool> tried_;
};

} // namespace

Holdings::Holdings(const Schedule& schedule, std::uint32_t node_count)
    : schedule_(schedule), order_(order_by_step(schedule)), held_(node_count)
{
  if (schedule.blocks > most_blocks) {
    throw std::logic_error("the schedule has more blocks than can be followed");
  }
  for (std::size_t block = 0; block < schedule.blocks; ++block) {
    held_[index(schedule.source)].set(block);
  }
}

bool Holdings::run_step()
{
  if (steps_run_ + 1 >= order_.offsets.size()) {
    return false;
  }
  std::vector<Blocks> after = held_;
  for (std::size_t i = order_.offsets[steps_run_]; i < order_.offsets[steps_run_ + 1]; ++i) {
    const Message& message = schedule_.messages[index(order_.order[i])];
    after[index(message.destination)] |= sent_by(message);
  }
  held_ = std::move(after);
  ++steps_run_;
  return true;
}

std::optional<std::uint32_t> Holdings::run_until(const std::function<bool()>& reached)
{
  while (!reached()) {
    if (!run_step()) {
      return std::nullopt;
    }
  }
  return steps_run_;
}

Holdings::Blocks Holdings::sent_by(const Message& message) const
{
  Blocks blocks;
  for (const BlockRange range : schedule_.block_sets.ranges(message.blocks)) {
    for (std::uint32_t block = range.begin; block < range.end; ++block) {
      blocks.set(block);
    }
  }
  return blocks & held_[index(message.source)];
}

std::vector<GridPart> parts_of_side(std::span<const std::int64_t> sizes, std::int64_t side)
{
  std::vector<GridPart> parts = {{.origin = std::vector<std::int64_t>(sizes.size()), .side = side}};
  for (std::size_t dimension = 0; dimension < sizes.size(); ++dimension) {
    const std::vector<GridPart> before = std::move(parts);
    parts.clear();
    for (std::int64_t at = 0; at < sizes[dimension]; at += side) {
      for (GridPart part : before) {
        part.origin[dimension] = at;
        parts.push_back(std::move(part));
      }
    }
  }
  return parts;
}

std::vector<Mirrored> all_diagonals(std::size_t dimensions)
{
  return dimensions == 2 ? std::vector<Mirrored>{0, mirrored_y}
                         : std::vector<Mirrored>{0, mirrored_y, mirrored_z, mirrored_y | mirrored_z};
}

std::vector<NodeId> nodes_on_diagonals(const GridPart& part, std::span<const Mirrored> diagonals,
                                       const NodeOfPlace& node_of)
{
  std::set<NodeId> nodes;
  for (const Mirrored diagonal : diagonals) {
    for (std::int64_t t = 0; t < part.side; ++t) {
      std::vector<std::int64_t> place = part.origin;
      for (std::size_t dimension = 0; dimension < place.size(); ++dimension) {
        place[dimension] += (diagonal >> dimension & 1U) != 0 ? part.side - 1 - t : t;
      }
      nodes.insert(node_of(place));
    }
  }
  return {nodes.begin(), nodes.end()};
}

bool have_everything(const Holdings& holdings, std::span<const NodeId> nodes)
{
  Holdings::Blocks together;
  for (const NodeId node : nodes) {
    together |= holdings.of(node);
  }
  return together.count() == holdings.block_count();
}

bool have_equal_parts(const Holdings& holdings, std::span<const NodeId> nodes)
{
  const std::size_t share = holdings.block_count() / nodes.size();
  const bool have_enough = std::ranges::all_of(nodes, [&](NodeId node) { return holdings.of(node).count() >= share; });
  return have_enough && have_everything(holdings, nodes) && EqualShares(holdings, nodes).exist();
}

} // namespace wormcast::zhuang_liberatore
