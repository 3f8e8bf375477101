#include "wormcast/algorithms/verifier/cost_counter.hpp"

#include "wormcast/values/input_error.hpp"

#include <algorithm>

namespace wormcast {

CostCounter::CostCounter(const Topology& topology, const Schedule& schedule)
    : schedule_(schedule), has_steps_(schedule.operation != Operation::none), uses_(topology.channel_count())
{
  if (has_steps_) {
    set_bytes_ = block_set_bytes(schedule);
    if (schedule.ports.count != PortModel::all) {
      sends_.resize(topology.host_count());
      receives_.resize(topology.host_count());
    }
  }
}

void CostCounter::add_port(PortUse& use, std::uint32_t step, std::uint64_t bytes)
{
  if (use.last_step != step) {
    use = {.last_step = step, .bytes = 0};
  }
  use.bytes += bytes;
  const std::uint64_t ports = schedule_.ports.count;
  load_in_step_ = std::max(load_in_step_, use.bytes / ports + (use.bytes % ports == 0 ? 0 : 1));
}

void CostCounter::add(MessageId id, std::span<const ChannelId> route, bool drawn)
{
  steps_.add(1 + route.size());
  const Message& message = schedule_.messages[index(id)];
  const std::uint64_t bytes =
      has_steps_ ? set_bytes_[static_cast<std::uint32_t>(message.blocks)] : schedule_.plain[index(id)].bytes;
  ++costs_.messages;
  costs_.tcd += route.size();
  if (__builtin_add_overflow(costs_.bytes_sent, bytes, &costs_.bytes_sent)) {
    throw InputError("the messages have more than 2^64 bytes together");
  }
  largest_in_step_ = std::max(largest_in_step_, bytes);
  hops_in_step_ = std::max<std::uint64_t>(hops_in_step_, route.size());
  if (!sends_.empty()) {
    add_port(sends_[index(message.source)], message.step, bytes);
    add_port(receives_[index(message.destination)], message.step, bytes);
  }
  if (drawn) {
    ++costs_.drawn_routes;
    costs_.contention_free = costs_.contention_free && !has_steps_; // it is not proved
    return;
  }
  for (const ChannelId channel : route) {
    ChannelUse& use = uses_[index(channel)];
    costs_.max_channel_load = std::max<std::uint64_t>(costs_.max_channel_load, ++use.messages);
    if (use.last_step != message.step) {
      use.last_step = message.step;
      use.bytes_in_step = 0;
    } else {
      costs_.contention_free = costs_.contention_free && !has_steps_;
    }
    use.bytes += bytes;
    use.bytes_in_step += bytes;
    busiest_ = std::max(busiest_, use.bytes);
    load_in_step_ = std::max(load_in_step_, use.bytes_in_step);
  }
}

void CostCounter::end_step(bool sent_anything)
{
  if (has_steps_) {
    load_in_step_ = std::max(load_in_step_, largest_in_step_);
    costs_.load_by_step.push_back(load_in_step_);
    if (__builtin_add_overflow(load_, load_in_step_, &load_) || load_ > std::uint64_t{1} << 62) {
      throw InputError("the loads of all steps are more than 2^62 bytes together");
    }
    costs_.step_hops += hops_in_step_;
  }
  load_in_step_ = 0;
  hops_in_step_ = 0;
  if (sent_anything) {
    ++costs_.alpha;
    if (__builtin_add_overflow(costs_.beta_bytes, largest_in_step_, &costs_.beta_bytes) ||
        costs_.beta_bytes > std::uint64_t{1} << 62) {
      throw InputError("the largest messages of all steps are more than 2^62 bytes together");
    }
  }
  largest_ = std::max(largest_, largest_in_step_);
  largest_in_step_ = 0;
}

ScheduleCosts CostCounter::result() const
{
  ScheduleCosts costs = costs_;
  if (has_steps_) {
    const auto whole = static_cast<std::int64_t>(schedule_.message_bytes);
    costs.beta = Fraction(static_cast<std::int64_t>(costs_.beta_bytes), whole);
    costs.fair_beta = Fraction(static_cast<std::int64_t>(load_), whole);
    costs.busiest_channel = Fraction(static_cast<std::int64_t>(busiest_), whole);
    costs.largest_message = Fraction(static_cast<std::int64_t>(largest_), whole);
  }
  return costs;
}

} // namespace wormcast
