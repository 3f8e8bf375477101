#include "wormcast/simulator/sources/merged_source.hpp"

#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

MergedSource::MergedSource(std::vector<std::unique_ptr<MessageSource>> parts)
{
  for (std::unique_ptr<MessageSource>& source : parts) {
    const std::optional<std::uint64_t> count = source->message_count();
    if (count) {
      counted_parts_.push_back(parts_.size());
      parts_.push_back({.source = std::move(source), .first = counted_, .stride = 1, .delivered = {}});
      counted_ += *count;
    } else {
      uncounted_parts_.push_back(parts_.size());
      parts_.push_back({.source = std::move(source), .first = 0, .stride = 1, .delivered = {}});
    }
  }
  for (std::size_t i = 0; i < uncounted_parts_.size(); ++i) {
    parts_[uncounted_parts_[i]].first = counted_ + i;
    parts_[uncounted_parts_[i]].stride = uncounted_parts_.size();
  }
}

std::int64_t MergedSource::next_time() const
{
  std::int64_t next = never;
  for (const Part& part : parts_) {
    next = std::min(next, part.source->next_time());
  }
  return next;
}

void MergedSource::pop(std::int64_t now, std::vector<NewMessage>& messages)
{
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (parts_[i].source->next_time() != now) {
      continue;
    }
    const std::size_t begin = messages.size();
    parts_[i].source->pop(now, messages);
    for (std::size_t taken = begin; taken < messages.size(); ++taken) {
      messages[taken].message = merged({i, messages[taken].message});
    }
  }
}

void MergedSource::delivered(std::span<const Delivery> deliveries, std::int64_t now)
{
  for (const Delivery& delivery : deliveries) {
    const PartMessage own = part_of(delivery.message);
    parts_[own.part].delivered.push_back(
        {.message = own.message, .handle = delivery.handle, .granted = delivery.granted});
  }
  for (Part& part : parts_) {
    if (!part.delivered.empty()) {
      part.source->delivered(part.delivered, now);
      part.delivered.clear();
    }
  }
}

void MergedSource::port_released(MessageId message, std::int64_t now)
{
  const PartMessage own = part_of(message);
  if (parts_[own.part].source->wants_port_releases()) {
    parts_[own.part].source->port_released(own.message, now);
  }
}

bool MergedSource::wants_port_releases() const
{
  return std::ranges::any_of(parts_, [](const Part& part) { return part.source->wants_port_releases(); });
}

std::optional<std::uint64_t> MergedSource::message_count() const
{
  return uncounted_parts_.empty() ? std::optional(counted_) : std::nullopt;
}

MessageSource::Rest MergedSource::rest() const
{
  Rest rest;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Rest own = parts_[i].source->rest();
    rest.messages += own.messages;
    if (!rest.first && own.first) {
      rest.first = merged({i, *own.first});
    }
  }
  return rest;
}

PartMessage MergedSource::part_of(MessageId message) const
{
  const std::uint64_t number = index(message);
  if (number >= counted_) {
    const std::size_t turn = (number - counted_) % uncounted_parts_.size();
    const std::size_t part = uncounted_parts_[turn];
    return {part, MessageId{static_cast<std::uint32_t>((number - parts_[part].first) / parts_[part].stride)}};
  }
  const auto first = [this](std::size_t part) { return parts_[part].first; };
  const std::size_t part = *(std::ranges::upper_bound(counted_parts_, number, {}, first) - 1);
  return {part, MessageId{static_cast<std::uint32_t>(number - parts_[part].first)}};
}

MessageId MergedSource::merged(PartMessage message) const
{
  const Part& part = parts_[message.part];
  const std::uint64_t number = part.first + index(message.message) * part.stride;
  if (number >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4294967295 messages in one run");
  }
  return MessageId{static_cast<std::uint32_t>(number)};
}

} // namespace wormcast
