#include "wormcast/algorithms/torus_all_reduce/broadcasts.hpp"

#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"

#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// The blocks of a set that one node has and another one has not.
std::vector<BlockRange> news(const BlockSets& sets, BlockSetId set, std::span<const std::uint64_t> of,
                             std::span<const std::uint64_t> to)
{
  const BlockRanges ranges = sets.ranges(set);
  return blocks_where(ranges, [&](std::uint32_t block) { return has_block(of, block) && !has_block(to, block); });
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
      const std::vector<BlockRange> carried =
          news(all_reduce.block_sets, message.blocks, std::as_const(has).bits(message.source),
               std::as_const(will_have).bits(message.destination));
      if (carried.empty()) {
        continue;
      }
      will_have.add(message.destination, carried);
      std::uint64_t kept = 0;
      for (const BlockRange range : carried) {
        kept += range.end - range.begin;
      }
      broadcast.messages.push_back(message);
      broadcast.messages.back().blocks =
          kept == blocks ? sets.copy(message.blocks) : broadcast.block_sets.intern(carried);
    }
    for (std::size_t i = first; i < broadcast.messages.size(); ++i) {
      has.add(broadcast.messages[i].destination, broadcast.messages[i].blocks);
    }
  }
  return broadcast;
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
