#include "wormcast/simulator/traffic/rounds_source.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"
#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

RoundsSource::RoundsSource(const Topology& topology, const NetworkParameters& network, std::vector<RoundMember> members,
                           std::size_t count, Time pause, Listener listener)
    : topology_(topology), network_(network), members_(std::move(members)), count_(count), pause_(pause),
      listener_(std::move(listener)), first_(1, 0)
{
  for (const RoundMember& member : members_) {
    first_.push_back(first_.back() + member.schedule->messages.size());
  }
  if (first_.back() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4294967295 messages in one run");
  }
}

void RoundsSource::start(std::int64_t time)
{
  start_ = next_whole_cycle(network_, Time{time}).picoseconds;
  if (start_ >= largest_time) {
    throw_time_overflow();
  }
  active_.clear();
  for (std::size_t i = round_ * count_; i < (round_ + 1) * count_; ++i) {
    active_.push_back(
        {.source = make_schedule_source(topology_, *members_[i].schedule, network_, members_[i].run, first_[i]),
         .arrived = 0,
         .delivered = {}});
  }
}

std::optional<std::int64_t> RoundsSource::active_since(std::int64_t now) const
{
  return !active_.empty() && start_ <= now ? std::optional(start_) : std::nullopt;
}

std::size_t RoundsSource::member_of(MessageId message) const
{
  return static_cast<std::size_t>(std::ranges::upper_bound(first_, std::uint64_t{index(message)}) - first_.begin()) - 1;
}

std::int64_t RoundsSource::next_time() const
{
  std::int64_t next = never;
  for (const Active& active : active_) {
    const std::int64_t own_time = active.source->next_time();
    if (own_time != never) {
      next = std::min(next, start_ + own_time);
    }
  }
  return next;
}

void RoundsSource::pop(std::int64_t now, std::vector<NewMessage>& messages)
{
  for (std::size_t i = 0; i < active_.size(); ++i) {
    MessageSource& source = *active_[i].source;
    if (source.next_time() != now - start_) {
      continue;
    }
    const std::size_t begin = messages.size();
    source.pop(now - start_, messages);
    for (std::size_t popped = begin; popped < messages.size(); ++popped) {
      NewMessage& message = messages[popped];
      const std::size_t member = round_ * count_ + i;
      if (listener_.requested) {
        listener_.requested(member, message.message, now);
      }
      message.time = now;
      message.message = MessageId{static_cast<std::uint32_t>(first_[member] + index(message.message))};
    }
  }
}

void RoundsSource::delivered(std::span<const Delivery> deliveries, std::int64_t now)
{
  for (const Delivery& delivery : deliveries) {
    const std::size_t member = member_of(delivery.message);
    active_[member % count_].delivered.push_back(
        {.message = own(member, delivery.message), .handle = delivery.handle, .granted = delivery.granted - start_});
  }
  bool ended = true;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    Active& active = active_[i];
    const std::size_t member = round_ * count_ + i;
    const std::uint64_t all = members_[member].schedule->messages.size();
    if (!active.delivered.empty()) {
      active.source->delivered(active.delivered, now - start_);
      active.arrived += active.delivered.size();
      active.delivered.clear();
      if (active.arrived == all) {
        listener_.ended(member, now);
      }
    }
    ended = ended && active.arrived == all;
  }
  if (!ended || active_.empty()) {
    return;
  }
  ++round_;
  active_.clear();
  if (!done()) {
    start(now + pause_.picoseconds);
  }
}

void RoundsSource::port_released(MessageId message, std::int64_t now)
{
  const std::size_t member = member_of(message);
  if (is_active(member)) {
    MessageSource& source = *active_[member % count_].source;
    if (source.wants_port_releases()) {
      source.port_released(own(member, message), now - start_);
    }
  }
}

MessageSource::Rest RoundsSource::rest() const
{
  Rest rest;
  const std::size_t begin = round_ * count_;
  for (std::size_t i = begin; i < members_.size(); ++i) {
    const bool started = i - begin < active_.size();
    const Rest own_rest = started ? active_[i - begin].source->rest()
                                  : Rest{.messages = members_[i].schedule->messages.size(), .first = MessageId{0}};
    rest.messages += own_rest.messages;
    if (!rest.first && own_rest.first) {
      rest.first = MessageId{static_cast<std::uint32_t>(first_[i] + index(*own_rest.first))};
    }
  }
  return rest;
}

} // namespace wormcast
