#include "wormcast/algorithms/verifier/added_bytes.hpp"

#include "wormcast/values/memory.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace wormcast {

namespace {

// Blocks of one message, one after the other, with the same number of contributions.
struct CarriedRun {
  std::uint32_t contributions = 0;
  BlockRange blocks;
};

// The number of contributions to each node's result of each block.
class ContributionCounts {
public:
  ContributionCounts(const Schedule& schedule, std::uint32_t node_count)
      : schedule_(schedule), nodes_(participants(schedule, node_count)), blocks_(schedule.blocks)
  {
    reserve_memory(std::uint64_t{node_count} * schedule.blocks * sizeof(std::uint32_t),
                   fmt::format("the numbers of contributions to {} blocks at {} nodes", schedule.blocks, node_count));
    counts_.assign(node_count * blocks_, 1);
  }

  /// The messages of one step, which carry what their senders have before it.
  void deliver(std::span<const MessageId> messages, std::vector<std::uint64_t>& added)
  {
    carried_.clear();
    ends_.clear();
    for (const MessageId id : messages) {
      read_carried(schedule_.messages[index(id)]);
      ends_.push_back(carried_.size());
    }
    for (const bool complete : {false, true}) {
      std::size_t run = 0;
      for (std::size_t i = 0; i < messages.size(); ++i) {
        for (; run < ends_[i]; ++run) {
          if ((carried_[run].contributions >= nodes_) == complete) {
            combine(carried_[run], schedule_.messages[index(messages[i])].destination);
            added[index(messages[i])] += complete ? 0 : block_bytes(schedule_, carried_[run].blocks);
          }
        }
      }
    }
  }

private:
  std::span<std::uint32_t> counts_of(NodeId node, BlockRange blocks)
  {
    return std::span(counts_).subspan(index(node) * blocks_ + blocks.begin, blocks.end - blocks.begin);
  }

  void read_carried(const Message& message)
  {
    for (const BlockRange range : schedule_.block_sets.ranges(message.blocks)) {
      steps_.add(range.end - range.begin);
      std::uint32_t block = range.begin;
      const std::size_t first = carried_.size();
      for (const std::uint32_t count : counts_of(message.source, range)) {
        if (carried_.size() == first || carried_.back().contributions != count) {
          carried_.push_back({.contributions = count, .blocks = {block, block}});
        }
        carried_.back().blocks.end = ++block;
      }
    }
  }

  void combine(const CarriedRun& run, NodeId node)
  {
    steps_.add(run.blocks.end - run.blocks.begin);
    for (std::uint32_t& count : counts_of(node, run.blocks)) {
      count = std::min(nodes_, count + std::min(nodes_, run.contributions));
    }
  }

  const Schedule& schedule_;
  std::uint32_t nodes_; ///< that contribute
  std::size_t blocks_;
  std::vector<std::uint32_t> counts_; ///< by node and block
  std::vector<CarriedRun> carried_;   ///< of the step, by message
  std::vector<std::size_t> ends_;     ///< by message of the step: in carried_
  WorkSteps steps_;
};

} // namespace

std::uint32_t participants(const Schedule& schedule, std::uint32_t node_count)
{
  std::vector<bool> found(node_count, false);
  for (const Message& message : schedule.messages) {
    found[index(message.source)] = true;
    found[index(message.destination)] = true;
  }
  return static_cast<std::uint32_t>(std::ranges::count(found, true));
}

std::vector<std::uint64_t> added_bytes(const Schedule& schedule, std::uint32_t node_count)
{
  std::vector<std::uint64_t> added(schedule.messages.size(), 0);
  if (!combines(schedule.operation) || schedule.operation == Operation::barrier) {
    return added;
  }
  ContributionCounts counts(schedule, node_count);
  const StepOrder steps = order_by_step(schedule);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    counts.deliver(std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]),
                   added);
  }
  return added;
}

} // namespace wormcast
