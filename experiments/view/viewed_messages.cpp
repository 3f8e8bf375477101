#include "wormcast/experiments/view/viewed_messages.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

ViewedMessages::ViewedMessages(std::shared_ptr<const Schedule> schedule)
    : operations_({std::move(schedule)}), first_({0, operations_.front()->messages.size()})
{}

ViewedMessages::ViewedMessages(std::vector<std::shared_ptr<const Schedule>> operations, std::uint32_t first_name,
                               std::uint32_t first_broadcast, std::vector<Other> others)
    : operations_(std::move(operations)), first_(1, 0), first_name_(first_name), first_broadcast_(first_broadcast),
      others_(std::move(others))
{
  for (const auto& schedule : operations_) {
    first_.push_back(first_.back() + schedule->messages.size());
  }
}

ViewedMessages::Place ViewedMessages::place(MessageId own) const
{
  const auto next = std::ranges::upper_bound(first_, std::uint64_t{index(own)});
  const auto operation = static_cast<std::size_t>(next - first_.begin()) - 1;
  return {operation, MessageId{static_cast<std::uint32_t>(index(own) - first_[operation])}};
}

const Message& ViewedMessages::own_message(MessageId own) const
{
  const Place found = place(own);
  return operations_[found.operation]->messages[index(found.message)];
}

NodeId ViewedMessages::source(MessageId message) const
{
  return is_own(message) ? own_message(message).source : other(message).source;
}

NodeId ViewedMessages::destination(MessageId message) const
{
  return is_own(message) ? own_message(message).destination : other(message).destination;
}

std::optional<std::uint32_t> ViewedMessages::step(MessageId message) const
{
  return is_own(message) ? std::optional(own_message(message).step) : std::nullopt;
}

std::uint32_t ViewedMessages::steps() const
{
  std::uint32_t steps = 0;
  for (const auto& schedule : operations_) {
    steps = std::max(steps, step_count(*schedule));
  }
  return steps;
}

std::uint32_t ViewedMessages::name(MessageId message) const
{
  return is_own(message) ? first_name_ + index(message) : index(other(message).name);
}

std::optional<MessageId> ViewedMessages::named(std::uint32_t name) const
{
  if (name >= first_name_ && name - first_name_ < own_count()) {
    return MessageId{name - first_name_};
  }
  const auto found = std::ranges::lower_bound(others_, name, {}, [](const Other& other) { return index(other.name); });
  if (found == others_.end() || index(found->name) != name) {
    return std::nullopt;
  }
  return MessageId{static_cast<std::uint32_t>(own_count() + static_cast<std::uint64_t>(found - others_.begin()))};
}

std::optional<std::uint32_t> ViewedMessages::broadcast(MessageId message) const
{
  if (!is_own(message)) {
    return other(message).broadcast;
  }
  return first_broadcast_ ? std::optional(*first_broadcast_ + static_cast<std::uint32_t>(place(message).operation))
                          : std::nullopt;
}

void ViewedMessages::describe(const Other& other)
{
  const std::optional<MessageId> message = named(index(other.name));
  if (message && !is_own(*message)) {
    others_[index(*message) - own_count()] = other;
  }
}

ViewedBytes::ViewedBytes(const ViewedMessages& messages) : messages_(messages)
{
  if (!messages.has_steps()) {
    return;
  }
  for (const auto& schedule : messages.operations()) {
    set_bytes_.push_back(block_set_bytes(*schedule));
  }
}

std::uint64_t ViewedBytes::operator()(MessageId message) const
{
  if (!messages_.is_own(message)) {
    return messages_.others()[index(message) - messages_.own_count()].bytes;
  }
  const auto [operation, own] = messages_.place(message);
  const Schedule& schedule = *messages_.operations()[operation];
  return set_bytes_.empty() ? schedule.plain[index(own)].bytes
                            : set_bytes_[operation][static_cast<std::uint32_t>(schedule.messages[index(own)].blocks)];
}

} // namespace wormcast
