#include "wormcast/algorithms/imported/msccl_schedule.hpp"

#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_contents.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::string_view not_of_blocks = "not a schedule of blocks";

/// The number of messages one behind the other before each message.
std::vector<std::uint32_t> steps_of_messages(const MscclAlgorithm& algorithm, const MscclOrder& order)
{
  std::vector<std::uint32_t> before(algorithm.steps.size(), 0); // messages that a step has behind it
  std::vector<std::uint32_t> steps(order.sends.size(), 0);
  for (const std::uint32_t step : order.order) {
    const MscclBlock& block = msccl_block_of(algorithm, step);
    std::uint32_t& here = before[step];
    if (step > block.first) {
      here = before[step - 1];
    }
    if (order.waits[step] != MscclOrder::none) {
      here = std::max(here, before[order.waits[step]]);
    }
    if (order.received[step] != MscclOrder::none) {
      here = std::max(here, steps[order.received[step]] + 1);
    }
    if (order.sent[step] != MscclOrder::none) {
      steps[order.sent[step]] = here;
    }
  }
  return steps;
}

/// The number of the block that a chunk is.
class BlockNumbers {
public:
  BlockNumbers(const MscclAlgorithm& algorithm, Operation operation)
      : operation_(operation), ranks_(static_cast<std::uint32_t>(algorithm.gpus.size())),
        of_rank_(std::max(algorithm.chunks / ranks_, 1U))
  {}

  std::uint32_t of(const CarriedChunk& chunk) const
  {
    const auto index = static_cast<std::uint32_t>(chunk.chunk);
    switch (operation_) {
    case Operation::multinode_broadcast: // the chunk's index within its rank's input
      return index * ranks_ + chunk.rank;
    case Operation::reduce_scatter:
      return (index % of_rank_) * ranks_ + index / of_rank_;
    case Operation::total_exchange:
      return chunk.rank * ranks_ + index;
    default:
      return index;
    }
  }

private:
  Operation operation_;
  std::uint32_t ranks_;
  std::uint32_t of_rank_; ///< chunks of the whole that belong to a rank
};

/// The blocks of a message as ranges; none where a chunk is a mixture, or occurs twice.
std::vector<BlockRange> blocks_of(const std::vector<CarriedChunk>& chunks, const BlockNumbers& numbers)
{
  std::vector<std::uint32_t> blocks;
  for (const CarriedChunk& chunk : chunks) {
    if (!chunk.of_one_chunk) {
      return {};
    }
    blocks.push_back(numbers.of(chunk));
  }
  std::ranges::sort(blocks);
  if (std::ranges::adjacent_find(blocks) != blocks.end()) {
    return {};
  }
  std::vector<BlockRange> ranges;
  for (const std::uint32_t block : blocks) {
    ranges.push_back({.begin = block, .end = block + 1});
  }
  return ranges;
}

void check_convertible(const MscclAlgorithm& algorithm, const Topology& topology)
{
  if (!algorithm.operation) {
    throw InputError(fmt::format("{}: nothing is known of collective \"{}\"", not_of_blocks, algorithm.collective));
  }
  if (algorithm.gpus.size() != topology.host_count()) {
    throw InputError(fmt::format("found {} ranks on {} nodes, expected as many for a schedule of blocks",
                                 algorithm.gpus.size(), topology.host_count()));
  }
  if (algorithm.operation == Operation::total_exchange && algorithm.chunks != algorithm.gpus.size()) {
    throw InputError(fmt::format("{}: an all_to_all with {} chunks for {} ranks", not_of_blocks, algorithm.chunks,
                                 algorithm.gpus.size()));
  }
  if (const std::vector<Finding> findings = check_msccl(algorithm).findings(); !findings.empty()) {
    throw InputError("the algorithm is refuted, run wormcast check");
  }
}

/// What is wrong with the schedule where it is refuted.
std::string_view fault_of(const CheckReport& report)
{
  if (!report.counted_once) {
    return "a rank keeps several partial results of a chunk apart";
  }
  return report.possession ? "with its steps not every rank gets what it must have"
                           : "with its steps a rank sends what it does not have";
}

} // namespace

Schedule schedule_of_msccl(const MscclAlgorithm& algorithm, const Topology& topology, std::uint64_t message_bytes,
                           const PortModel& ports, Duplex duplex)
{
  check_convertible(algorithm, topology);
  const Operation operation = *algorithm.operation;
  const MscclOrder order = order_msccl(algorithm);
  MscclUse use;
  use.in_place = algorithm.in_place;
  std::vector<std::vector<CarriedChunk>> carried;
  execute_msccl(algorithm, order, MscclMemory(algorithm, use.in_place), use, &carried);

  const std::uint32_t ranks = topology.host_count();
  Schedule schedule;
  schedule.topology = topology.description();
  schedule.ports = ports;
  schedule.duplex = duplex;
  schedule.operation = operation;
  schedule.source = NodeId{use.root.value_or(0)};
  schedule.blocks = operation == Operation::total_exchange ? std::uint64_t{ranks} * ranks : algorithm.chunks;
  schedule.blocks_per_node = may_share_blocks(operation) ? algorithm.chunks / ranks : 1;
  schedule.message_bytes = message_bytes;
  const std::vector<std::uint32_t> steps = steps_of_messages(algorithm, order);
  const BlockNumbers numbers(algorithm, operation);
  for (std::size_t message = 0; message < order.sends.size(); ++message) {
    const std::vector<BlockRange> blocks = blocks_of(carried[message], numbers);
    if (blocks.empty()) {
      throw InputError(fmt::format("{}: {} sends a chunk twice or a mixture of chunks", not_of_blocks,
                                   msccl_place(algorithm, order.sends[message])));
    }
    schedule.messages.push_back({.step = steps[message],
                                 .source = NodeId{msccl_block_of(algorithm, order.sends[message]).gpu},
                                 .destination = NodeId{msccl_block_of(algorithm, order.receives[message]).gpu},
                                 .blocks = schedule.block_sets.intern(blocks)});
  }
  std::ranges::stable_sort(schedule.messages, {}, &Message::step);
  const CheckReport report = check_schedule(topology, schedule, {.max_violations = 0});
  if (!report.complete || !report.possession || !report.counted_once) {
    throw InputError(fmt::format("{}: {}", not_of_blocks, fault_of(report)));
  }
  return schedule;
}

} // namespace wormcast
