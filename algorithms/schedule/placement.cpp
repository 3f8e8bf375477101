#include "wormcast/algorithms/schedule/placement.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

/// Numbers of blocks that belong to ranks as those of the ranks' nodes.
class PlacedBlocks {
public:
  PlacedBlocks(const Schedule& schedule, std::span<const NodeId> nodes, std::uint32_t node_count)
      : from_(schedule.block_sets), operation_(schedule.operation), nodes_(nodes), ranks_(nodes.size()),
        node_count_(node_count)
  {}

  /// Whether the number of a block says which rank has it at the start. Reductions need no numbers of nodes: every node
  /// has all blocks, and lengths depend on the number of blocks.
  bool belong_to_ranks() const
  {
    return !chooses_blocks(operation_) && !combines(operation_) && operation_ != Operation::none;
  }

  std::uint64_t count(const Schedule& schedule) const
  {
    return may_share_blocks(operation_) ? schedule.blocks_per_node * node_count_
                                        : fixed_blocks(operation_, node_count_);
  }

  BlockSetId place(BlockSetId set, BlockSets& to)
  {
    ranges_.clear();
    for (const BlockRange range : from_.ranges(set)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        const std::uint32_t placed = place(block);
        ranges_.push_back({placed, placed + 1});
      }
    }
    steps_.add(ranges_.size());
    return to.intern(ranges_);
  }

private:
  std::uint32_t place(std::uint32_t block) const
  {
    const std::uint64_t owner = index(nodes_[block % ranks_]);
    if (operation_ == Operation::total_exchange) { // u*N + v
      return static_cast<std::uint32_t>(index(nodes_[block / ranks_]) * node_count_ + owner);
    }
    return static_cast<std::uint32_t>(block / ranks_ * node_count_ + owner); // C blocks of a node: v, v + N, ...
  }

  const BlockSets& from_;
  Operation operation_;
  std::span<const NodeId> nodes_;
  std::uint64_t ranks_;
  std::uint64_t node_count_;
  std::vector<BlockRange> ranges_;
  WorkSteps steps_;
};

} // namespace

void check_placement(std::span<const NodeId> nodes, std::uint32_t ranks, std::uint32_t node_count)
{
  std::vector<bool> taken(node_count, false);
  for (const NodeId node : nodes) {
    if (index(node) >= node_count || taken[index(node)]) {
      throw InputError(fmt::format("found {}, expected different nodes from 0 to {}", index(node), node_count - 1));
    }
    taken[index(node)] = true;
  }
  if (nodes.size() < ranks) {
    throw InputError(fmt::format("found {} nodes, expected one for each of {} ranks", nodes.size(), ranks));
  }
}

Schedule placed_schedule(const Schedule& schedule, std::span<const NodeId> nodes, const Topology& topology)
{
  const std::uint32_t node_count = topology.host_count();
  check_placement(nodes, 0, node_count);
  if (schedule.program) {
    throw InputError("the ranks of a program have their nodes already");
  }
  Schedule placed = schedule;
  placed.topology = topology.description();
  placed.routing = topology.routing();
  PlacedBlocks blocks(schedule, nodes, node_count);
  if (blocks.belong_to_ranks()) {
    placed.blocks = blocks.count(schedule);
    if (placed.blocks > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(fmt::format("the {} on {} nodes has {} blocks, expected fewer than 2^32",
                                   operation_names.text(schedule.operation), node_count, placed.blocks));
    }
    placed.block_sets = BlockSets();
    std::vector<BlockSetId> sets; // by set of `schedule`
    for (std::uint32_t set = 0; set < schedule.block_sets.count(); ++set) {
      sets.push_back(blocks.place(BlockSetId{set}, placed.block_sets));
    }
    for (Message& message : placed.messages) {
      message.blocks = sets[static_cast<std::uint32_t>(message.blocks)];
    }
  }
  const auto node_of = [&](NodeId rank) {
    if (index(rank) >= nodes.size()) {
      throw InputError(fmt::format("rank {} has no node: there are {} nodes", index(rank), nodes.size()));
    }
    return nodes[index(rank)];
  };
  for (Message& message : placed.messages) {
    message.source = node_of(message.source);
    message.destination = node_of(message.destination);
  }
  if (has_source(schedule.operation)) {
    placed.source = node_of(schedule.source);
  }
  std::ranges::transform(schedule.destinations, placed.destinations.begin(), node_of);
  return placed;
}

} // namespace wormcast
