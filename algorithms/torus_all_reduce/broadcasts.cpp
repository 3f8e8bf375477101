#include "wormcast/algorithms/torus_all_reduce/broadcasts.hpp"

#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// By block the messages of a scatter that carry it, as places in `scatter`, its messages by their steps. Sorted, they
/// are the blocks in the order in which a walk down the tree meets their nodes.
std::vector<std::vector<std::size_t>> ways_of_blocks(const Schedule& schedule, std::span<const MessageId> scatter)
{
  std::vector<std::vector<std::size_t>> ways(schedule.blocks);
  WorkSteps work;
  for (std::size_t place = 0; place < scatter.size(); ++place) {
    for (const BlockRange range : schedule.block_sets.ranges(schedule.messages[index(scatter[place])].blocks)) {
      work.add(1 + range.end - range.begin);
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        ways[block].push_back(place);
      }
    }
  }
  return ways;
}

} // namespace

Schedule broadcast_of_all_reduce(const Schedule& all_reduce, NodeId source, std::uint32_t node_count)
{
  Schedule broadcast;
  broadcast.source = source;
  broadcast.blocks = all_reduce.blocks;
  BlockSetCopies sets(all_reduce.block_sets, broadcast.block_sets);
  Possession has(broadcast, node_count);       // at the start of a step
  Possession will_have(broadcast, node_count); // at its end
  const StepOrder steps = order_by_step(all_reduce);
  WorkSteps work;
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    const std::size_t first = broadcast.messages.size();
    for (std::size_t i = steps.offsets[step]; i < steps.offsets[step + 1]; ++i) {
      const Message& message = all_reduce.messages[index(steps.order[i])];
      const std::uint64_t blocks = all_reduce.block_sets.size(message.blocks);
      work.add(1 + blocks);
      const std::span<const std::uint64_t> of = std::as_const(has).bits(message.source);
      const std::span<const std::uint64_t> to = std::as_const(will_have).bits(message.destination);
      const std::vector<BlockRange> carried =
          blocks_where(all_reduce.block_sets, message.blocks, [&](std::uint32_t word) { return of[word] & ~to[word]; });
      if (carried.empty()) {
        continue;
      }
      std::uint64_t kept = 0;
      for (const BlockRange range : carried) {
        kept += range.end - range.begin;
      }
      broadcast.messages.push_back(message);
      broadcast.messages.back().blocks =
          kept == blocks ? sets.copy(message.blocks) : broadcast.block_sets.intern(carried);
      will_have.add(message.destination, broadcast.messages.back().blocks);
    }
    for (std::size_t i = first; i < broadcast.messages.size(); ++i) {
      has.add(broadcast.messages[i].destination, broadcast.messages[i].blocks);
    }
  }
  return broadcast;
}

Schedule with_single_blocks(const Schedule& broadcast, std::uint32_t node_count)
{
  const StepOrder steps = order_by_step(broadcast);
  const std::size_t gather_begin = (steps.offsets.size() - 1) / 2; // the step
  const std::size_t scatter_end = steps.offsets[gather_begin];
  const std::vector<std::vector<std::size_t>> ways =
      ways_of_blocks(broadcast, std::span(steps.order).first(scatter_end));
  Schedule single;
  single.source = broadcast.source;
  single.blocks = broadcast.blocks;
  OrderedMessages messages;
  std::uint32_t scatter_steps = 0;
  for (std::uint32_t first = 0; first < broadcast.blocks; first += node_count) { // of a share
    std::vector<std::uint32_t> blocks(node_count);
    std::iota(blocks.begin(), blocks.end(), first);
    std::ranges::sort(blocks, {}, [&](std::uint32_t block) -> const auto& { return ways[block]; });
    std::uint32_t start = 0;
    for (const std::uint32_t block : blocks) {
      for (std::uint32_t hop = 0; hop < ways[block].size(); ++hop) {
        const Message& message = broadcast.messages[index(steps.order[ways[block][hop]])];
        messages.add(first / node_count, {.step = start + hop,
                                          .source = message.source,
                                          .destination = message.destination,
                                          .blocks = single.block_sets.intern({block, block + 1})});
        scatter_steps = std::max(scatter_steps, start + hop + 1);
      }
      start += ways[block].empty() ? 0 : 1; // the block of the source stays
    }
  }
  BlockSetCopies sets(broadcast.block_sets, single.block_sets);
  for (const MessageId id : std::span(steps.order).subspan(scatter_end)) {
    Message message = broadcast.messages[index(id)];
    const std::uint32_t share = broadcast.block_sets.ranges(message.blocks).front().begin / node_count;
    message.step += scatter_steps - static_cast<std::uint32_t>(gather_begin);
    message.blocks = sets.copy(message.blocks);
    messages.add(share, message);
  }
  messages.take_into(single);
  return single;
}

AllReduceMaker with_broadcast(AllReduceMaker make)
{
  return [make = std::move(make)](const Topology& topology, const ScheduleRequest& request) {
    if (requested_all_reduce(request) != Operation::broadcast) {
      return make(topology, request);
    }
    ScheduleRequest all_reduce = request;
    all_reduce.parameters.set("operation", std::string(operation_names.text(Operation::all_reduce)));
    return broadcast_of_all_reduce(make(topology, all_reduce), request.source, topology.node_count());
  };
}

} // namespace wormcast
