#include "wormcast/algorithms/imported/msccl_runs.hpp"

#include "wormcast/algorithms/imported/contribution_sums.hpp"
#include "wormcast/algorithms/imported/msccl_writer.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace wormcast {

namespace {

constexpr std::uint64_t most_blocks_of_nodes = std::uint64_t{1} << 24;

/// Which block lies where.
class BlockPlaces {
public:
  BlockPlaces(const Schedule& schedule, std::uint32_t nodes)
      : operation_(schedule.operation), nodes_(nodes),
        part_(may_share_blocks(schedule.operation) ? static_cast<std::uint32_t>(schedule.blocks_per_node) : 1),
        scratch_(nodes)
  {}

  /// Of a node that has or gets the block: in an all_to_all its own ones are in i, those for it in o, others in
  /// scratch.
  MscclPlace place(std::uint32_t node, std::uint32_t block)
  {
    if (operation_ != Operation::total_exchange) {
      const bool gathers = operation_ == Operation::multinode_broadcast;
      return {gathers ? MscclBuffer::output : MscclBuffer::input, chunk(block)};
    }
    const std::uint32_t from = block / nodes_;
    const std::uint32_t to = block % nodes_;
    if (from == node) {
      return {MscclBuffer::input, to};
    }
    if (to == node) {
      return {MscclBuffer::output, from};
    }
    std::unordered_map<std::uint32_t, std::uint32_t>& known = scratch_[node];
    return {MscclBuffer::scratch, known.emplace(block, static_cast<std::uint32_t>(known.size())).first->second};
  }

  /// Block b is that of node b mod N; in the buffer a node's chunks are consecutive.
  std::uint32_t chunk(std::uint32_t block) const
  {
    return part_ == 1 ? block : block % nodes_ * part_ + block / nodes_;
  }

  std::vector<std::uint32_t> scratch_chunks() const
  {
    std::vector<std::uint32_t> chunks;
    for (const auto& known : scratch_) {
      chunks.push_back(static_cast<std::uint32_t>(known.size()));
    }
    return chunks;
  }

private:
  Operation operation_;
  std::uint32_t nodes_;
  std::uint32_t part_;
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> scratch_; ///< by node: chunk of each block
};

class RunCutter {
public:
  RunCutter(const Schedule& schedule, std::uint32_t nodes)
      : schedule_(schedule), nodes_(nodes), places_(schedule, nodes), sums_(nodes),
        reduces_(combines(schedule.operation))
  {
    if (reduces_) {
      held_.resize(std::size_t{nodes} * schedule.blocks);
      for (std::uint32_t node = 0; node < nodes; ++node) {
        for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
          held(node, block) = sums_.single(node, block);
        }
      }
    }
  }

  MscclRuns cut()
  {
    const StepOrder order = order_by_step(schedule_);
    for (std::size_t step = 0; step + 1 < order.offsets.size(); ++step) {
      const std::size_t begin = cut_.runs.size();
      arrivals_.clear();
      for (std::size_t i = order.offsets[step]; i < order.offsets[step + 1]; ++i) {
        cut_message(schedule_.messages[index(order.order[i])]);
      }
      std::stable_sort(cut_.runs.begin() + static_cast<std::ptrdiff_t>(begin), cut_.runs.end(),
                       [](const MscclRun& one, const MscclRun& other) { return one.partial && !other.partial; });
      arrive();
    }
    cut_.chunks =
        schedule_.operation == Operation::total_exchange ? nodes_ : static_cast<std::uint32_t>(schedule_.blocks);
    cut_.scratch = places_.scratch_chunks();
    return std::move(cut_);
  }

private:
  struct Arrival {
    std::uint32_t node = 0;
    std::uint32_t block = 0;
    std::uint32_t value = 0;
  };

  std::uint32_t& held(std::uint32_t node, std::uint32_t block) { return held_[node * schedule_.blocks + block]; }

  /// All messages of a step carry what was there before it.
  void cut_message(const Message& message)
  {
    std::vector<std::uint32_t> blocks;
    for (const BlockRange range : schedule_.block_sets.ranges(message.blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        blocks.push_back(block);
      }
    }
    std::ranges::sort(blocks, {}, [&](std::uint32_t block) { return places_.chunk(block); });
    const std::uint32_t from = index(message.source);
    const std::uint32_t to = index(message.destination);
    const std::size_t first = cut_.runs.size();
    for (const std::uint32_t block : blocks) {
      const bool partial = reduces_ && !sums_.is_complete(held(from, block), block);
      const MscclPlace source = places_.place(from, block);
      const MscclPlace destination = places_.place(to, block);
      if (reduces_) {
        arrivals_.push_back({to, block, held(from, block)});
      }
      if (cut_.runs.size() > first && continues(cut_.runs.back(), source, destination, partial)) {
        ++cut_.runs.back().count;
      } else {
        cut_.runs.push_back({message.step, from, to, source, destination, 1, partial});
      }
    }
  }

  static bool continues(const MscclRun& run, const MscclPlace& source, const MscclPlace& destination, bool partial)
  {
    return run.partial == partial && run.count < most_msccl_chunks_of_step &&
           source == MscclPlace{run.source.buffer, run.source.offset + run.count} &&
           destination == MscclPlace{run.destination.buffer, run.destination.offset + run.count};
  }

  /// Partial results are combined before complete ones replace them (docs/formats.md).
  void arrive()
  {
    for (const Arrival& arrival : arrivals_) {
      if (!sums_.is_complete(arrival.value, arrival.block)) {
        std::uint32_t& own = held(arrival.node, arrival.block);
        own = sums_.sum(own, arrival.value);
      }
    }
    for (const Arrival& arrival : arrivals_) {
      if (sums_.is_complete(arrival.value, arrival.block)) {
        held(arrival.node, arrival.block) = arrival.value;
      }
    }
  }

  const Schedule& schedule_;
  std::uint32_t nodes_;
  BlockPlaces places_;
  ContributionSums sums_;
  bool reduces_;
  std::vector<std::uint32_t> held_; ///< of a reduction, by node and block: its value in sums_
  std::vector<Arrival> arrivals_;   ///< of the step
  MscclRuns cut_;
};

} // namespace

MscclRuns msccl_runs(const Schedule& schedule, std::uint32_t nodes)
{
  const Operation operation = schedule.operation;
  const bool known = operation == Operation::all_reduce || operation == Operation::multinode_broadcast ||
                     operation == Operation::reduce_scatter || operation == Operation::total_exchange ||
                     operation == Operation::broadcast || operation == Operation::reduce;
  if (!known) {
    throw InputError(fmt::format("found operation \"{}\", expected one that MSCCL XML has: all_reduce, all_gather, "
                                 "reduce_scatter, all_to_all, broadcast or reduce",
                                 operation_names.text(operation)));
  }
  if (schedule.blocks > most_blocks_of_nodes / nodes) {
    throw InputError(fmt::format("found {} blocks on {} nodes, expected at most {} in all for MSCCL XML",
                                 schedule.blocks, nodes, most_blocks_of_nodes));
  }
  return RunCutter(schedule, nodes).cut();
}

} // namespace wormcast
