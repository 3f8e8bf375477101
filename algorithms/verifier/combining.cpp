#include "wormcast/algorithms/verifier/combining.hpp"

#include <bit>

namespace wormcast {

namespace {

Schedule empty_schedule(std::uint32_t node_count)
{
  Schedule schedule;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = node_count;
  return schedule;
}

// The runs of ones in `bits`, as block ranges.
void find_ranges(std::span<const std::uint64_t> bits, std::vector<BlockRange>& ranges)
{
  ranges.clear();
  for (std::size_t word = 0; word < bits.size(); ++word) {
    std::uint64_t rest = bits[word];
    auto begin = static_cast<std::uint32_t>(word * 64);
    while (rest != 0) {
      const int zeros = std::countr_zero(rest);
      begin += static_cast<std::uint32_t>(zeros);
      rest >>= zeros;
      const int ones = std::countr_one(rest);
      const std::uint32_t end = begin + static_cast<std::uint32_t>(ones);
      if (!ranges.empty() && ranges.back().end == begin) {
        ranges.back().end = end;
      } else {
        ranges.push_back({begin, end});
      }
      begin = end;
      rest = ones == 64 ? 0 : rest >> ones;
    }
  }
}

} // namespace

CombiningMultinodeBroadcast::CombiningMultinodeBroadcast(std::uint32_t node_count)
    : schedule_(empty_schedule(node_count)), possession_(schedule_, node_count), known_(node_count),
      outdated_(node_count, true)
{}

BlockSetId CombiningMultinodeBroadcast::known(NodeId node)
{
  if (outdated_[index(node)]) {
    find_ranges(possession_.bits(node), ranges_);
    known_[index(node)] = schedule_.block_sets.intern(ranges_);
    outdated_[index(node)] = false;
  }
  return known_[index(node)];
}

void CombiningMultinodeBroadcast::step(std::span<const NodeSend> sends)
{
  const std::size_t first = schedule_.messages.size();
  for (const NodeSend send : sends) {
    schedule_.messages.push_back({step_, send.from, send.to, known(send.from)});
  }
  for (const Message& message : std::span(schedule_.messages).subspan(first)) {
    possession_.add(message.destination, schedule_.block_sets.ranges(message.blocks));
    outdated_[index(message.destination)] = true;
  }
  ++step_;
}

std::uint64_t CombiningMultinodeBroadcast::known_blocks(NodeId node)
{
  return schedule_.block_sets.size(known(node));
}

Schedule CombiningMultinodeBroadcast::take_schedule()
{
  return std::move(schedule_);
}

Schedule combining_multinode_broadcast(std::uint32_t node_count, const SendSteps& steps)
{
  CombiningMultinodeBroadcast broadcast(node_count);
  for (const std::vector<NodeSend>& sends : steps) {
    broadcast.step(sends);
  }
  return broadcast.take_schedule();
}

} // namespace wormcast
