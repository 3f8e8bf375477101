#include "wormcast/experiments/reproduction/frame/mutation.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

namespace wormcast {

namespace {

Mutation current_mutation = Mutation::none;

bool value_is_changed()
{
  return current_mutation == Mutation::value_changed;
}

/// One unit of the fraction's denominator.
Fraction unit_of(const Fraction& value)
{
  return {1, value.denominator()};
}

std::uint32_t other_node(std::uint32_t node_count, const Message& message)
{
  std::uint32_t other = 0;
  while (other == index(message.source) || other == index(message.destination)) {
    ++other;
  }
  return other < node_count ? other : index(message.source);
}

} // namespace

MutationScope::MutationScope(Mutation mutation)
{
  if (current_mutation != Mutation::none) {
    throw std::logic_error("scopes of mutations do not nest");
  }
  current_mutation = mutation;
}

MutationScope::~MutationScope()
{
  current_mutation = Mutation::none;
}

bool is_mutated_by(Mutation mutation)
{
  return current_mutation == mutation;
}

std::int64_t as_claimed(std::int64_t value)
{
  return value_is_changed() ? value + 1 : value;
}

Fraction as_claimed(const Fraction& value)
{
  return value_is_changed() ? value + unit_of(value) : value;
}

std::int64_t as_upper_bound(std::int64_t value)
{
  return value_is_changed() ? value - 1 : value;
}

Fraction as_upper_bound(const Fraction& value)
{
  return as_upper_bound(value, unit_of(value));
}

Fraction as_upper_bound(const Fraction& value, const Fraction& unit)
{
  return value_is_changed() ? value - unit : value;
}

std::int64_t as_lower_bound(std::int64_t value)
{
  return value_is_changed() ? value + 1 : value;
}

Fraction as_lower_bound(const Fraction& value, const Fraction& unit)
{
  return value_is_changed() ? value + unit : value;
}

Schedule as_made(Schedule schedule, std::uint32_t node_count)
{
  constexpr std::array of_messages = {Mutation::message_dropped, Mutation::message_redirected, Mutation::message_moved};
  if (std::ranges::find(of_messages, current_mutation) == of_messages.end() || schedule.messages.empty()) {
    return schedule;
  }
  const std::size_t last = index(order_by_step(schedule).order.back());
  Message& message = schedule.messages[last];
  switch (current_mutation) {
  case Mutation::message_dropped:
    schedule.messages.erase(std::next(schedule.messages.begin(), static_cast<std::ptrdiff_t>(last)));
    break;
  case Mutation::message_redirected:
    message.destination = NodeId{other_node(node_count, message)};
    break;
  case Mutation::message_moved:
    message.step = 0;
    break;
  default:
    break;
  }
  return schedule;
}

} // namespace wormcast
