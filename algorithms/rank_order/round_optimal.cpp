#include "wormcast/algorithms/rank_order/round_optimal.hpp"

#include "wormcast/algorithms/rank_order/circulant_schedule.hpp"
#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/message_limit.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// By rank: receive_schedule, for rank 0 empty.
std::vector<std::vector<std::int32_t>> receive_schedules(std::span<const std::uint32_t> skips)
{
  std::vector<std::vector<std::int32_t>> schedules(skips.back());
  for (std::uint32_t rank = 1; rank < schedules.size(); ++rank) {
    schedules[rank] = receive_schedule(skips, rank);
  }
  return schedules;
}

// The block that `to` receives in each round of the whole broadcast; below 0: none. The rounds begin inside a phase so
// that the last round ends one, and what comes after the last block is the last block again.
class ReceivedBlocks {
public:
  ReceivedBlocks(std::span<const std::uint32_t> skips, std::int64_t blocks)
      : schedules_(receive_schedules(skips)), blocks_(blocks), q_(static_cast<std::int64_t>(skips.size()) - 1),
        skipped_((q_ - (blocks - 1) % q_) % q_)
  {}

  std::int64_t rounds() const { return blocks_ - 1 + q_; }
  std::size_t skip_of(std::int64_t round) const { return static_cast<std::size_t>((round + skipped_) % q_); }
  std::int64_t block(std::int64_t round, std::uint32_t to) const
  {
    const std::int64_t phase = (round + skipped_) / q_;
    return std::min(schedules_[to][skip_of(round)] + phase * q_ - skipped_, blocks_ - 1);
  }

private:
  std::vector<std::vector<std::int32_t>> schedules_;
  std::int64_t blocks_;
  std::int64_t q_;
  std::int64_t skipped_; ///< rounds of the first phase that are left out
};

Schedule round_optimal(const Topology& topology, const ScheduleRequest& request)
{
  const RankOrder ranks(topology, request.source);
  const std::int64_t blocks = request.parameters.integer("segments");
  require_message_limit("round_optimal", static_cast<std::uint64_t>(blocks), "segments", ranks.size());
  Schedule schedule;
  schedule.blocks = static_cast<std::uint64_t>(blocks);
  if (ranks.size() == 1) {
    return schedule;
  }
  std::vector<BlockSetId> sets;
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    sets.push_back(schedule.block_sets.intern({block, block + 1}));
  }
  const std::vector<std::uint32_t> skips = circulant_skips(ranks.size());
  const ReceivedBlocks received(skips, blocks);
  std::vector<bool> has_last(ranks.size(), false);
  schedule.messages.reserve(static_cast<std::size_t>(blocks) * (ranks.size() - 1));
  for (std::int64_t round = 0; round < received.rounds(); ++round) {
    const std::uint32_t skip = skips[received.skip_of(round)];
    for (std::uint32_t node = 0; node < ranks.size(); ++node) {
      const std::uint32_t rank = ranks.rank(NodeId{node});
      const std::uint32_t to = rank < ranks.size() - skip ? rank + skip : rank - (ranks.size() - skip);
      const std::int64_t block = to == 0 ? -1 : received.block(round, to);
      const bool last = block == blocks - 1;
      if (block < 0 || (last && has_last[to])) {
        continue;
      }
      has_last[to] = has_last[to] || last;
      schedule.messages.push_back({.step = static_cast<std::uint32_t>(round),
                                   .source = NodeId{node},
                                   .destination = ranks.node(to),
                                   .blocks = sets[static_cast<std::size_t>(block)]});
    }
  }
  return schedule;
}

} // namespace

Algorithm round_optimal_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "round_optimal";
  algorithm.summary = "n segments in the fewest rounds along a circulant graph, over ranks relative to the source";
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes, n segments: alpha = n - 1 + ceil(log2 N), beta = (n - 1 + ceil(log2 N))/n";
  algorithm.source = "Traeff 2022, arXiv 2205.10072";
  algorithm.parameters.push_back({.name = "segments",
                                  .type = ParameterType::integer,
                                  .text = "n: segments of the message",
                                  .fallback = std::int64_t{16},
                                  .minimum = 1,
                                  .maximum = std::int64_t{1} << 24});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = round_optimal;
  return algorithm;
}

} // namespace wormcast
