#include "wormcast/algorithms/verifier/cost_counter.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <algorithm>

namespace wormcast {

CostCounter::CostCounter(const Topology& topology, const Schedule& schedule)
    : schedule_(schedule), half_duplex_(schedule.duplex == Duplex::half), load_(topology.channel_count(), 0)
{
  if (schedule.operation != Operation::none) {
    set_bytes_ = block_set_bytes(schedule);
  }
  if (half_duplex_) {
    sends_.assign(topology.node_count(), none);
    receives_.assign(topology.node_count(), none);
  }
}

void CostCounter::add(MessageId id, std::span<const ChannelId> route)
{
  const Message& message = schedule_.messages[index(id)];
  const std::uint64_t bytes = schedule_.operation == Operation::none
                                  ? schedule_.plain[index(id)].bytes
                                  : set_bytes_[static_cast<std::uint32_t>(message.blocks)];
  ++costs_.messages;
  costs_.tcd += route.size();
  if (__builtin_add_overflow(costs_.bytes_sent, bytes, &costs_.bytes_sent)) {
    throw InputError("the messages have more than 2^64 bytes together");
  }
  largest_in_step_ = std::max(largest_in_step_, bytes);
  for (const ChannelId channel : route) {
    costs_.max_channel_load = std::max(costs_.max_channel_load, ++load_[index(channel)]);
  }
  if (half_duplex_) {
    sends_[index(message.source)] = message.step;
    receives_[index(message.destination)] = message.step;
    twice_ = twice_ || receives_[index(message.source)] == message.step ||
             sends_[index(message.destination)] == message.step;
  }
}

void CostCounter::end_step(bool sent_anything)
{
  if (sent_anything) {
    const std::uint64_t times = twice_ ? 2 : 1;
    costs_.alpha += times;
    if (__builtin_add_overflow(costs_.beta_bytes, times * largest_in_step_, &costs_.beta_bytes) ||
        costs_.beta_bytes > std::uint64_t{1} << 62) {
      throw InputError("the largest messages of all steps are more than 2^62 bytes together");
    }
  }
  largest_ = std::max(largest_, largest_in_step_);
  largest_in_step_ = 0;
  twice_ = false;
}

ScheduleCosts CostCounter::result() const
{
  ScheduleCosts costs = costs_;
  if (schedule_.operation != Operation::none) {
    const auto whole = static_cast<std::int64_t>(schedule_.message_bytes);
    costs.beta = Fraction(static_cast<std::int64_t>(costs_.beta_bytes), whole);
    costs.largest_message = Fraction(static_cast<std::int64_t>(largest_), whole);
  }
  return costs;
}

} // namespace wormcast
