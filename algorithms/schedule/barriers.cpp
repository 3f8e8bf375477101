#include "wormcast/algorithms/schedule/barriers.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace wormcast {

namespace {

/// The nodes that send or receive a message, by id.
std::vector<NodeId> nodes_of(const Schedule& schedule)
{
  std::vector<NodeId> nodes;
  for (const Message& message : schedule.messages) {
    nodes.push_back(message.source);
    nodes.push_back(message.destination);
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  return nodes;
}

/// The messages of all barriers: their ids, and which a node receives.
class BarrierMessages {
public:
  BarrierMessages(std::size_t first, std::size_t nodes)
      : first_(first), nodes_(nodes), rounds_(nodes < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(nodes - 1)))
  {}

  std::uint32_t rounds() const { return rounds_; }
  std::size_t of_barrier() const { return nodes_ * rounds_; }

  /// The place to which the node at a place sends in a round.
  std::size_t target(std::size_t place, std::uint32_t round) const
  {
    return (place + (std::size_t{1} << round)) % nodes_;
  }

  /// Appends what the node at a place receives in the rounds of a barrier before `round`.
  void append_received(std::size_t barrier, std::uint32_t round, std::size_t place,
                       std::vector<MessageId>& messages) const
  {
    for (std::uint32_t earlier = 0; earlier < round; ++earlier) {
      const std::size_t from = (place + nodes_ - (std::size_t{1} << earlier)) % nodes_;
      messages.push_back(
          MessageId{static_cast<std::uint32_t>(first_ + barrier * of_barrier() + earlier * nodes_ + from)});
    }
  }

private:
  std::size_t first_;
  std::size_t nodes_;
  std::uint32_t rounds_;
};

} // namespace

Schedule with_barriers(const Schedule& schedule)
{
  if (schedule.operation == Operation::none) {
    throw InputError("a plain message list or a program has no steps between which nodes could pass a barrier");
  }
  const std::vector<NodeId> nodes = nodes_of(schedule);
  const StepOrder steps = order_by_step(schedule);
  const std::size_t barriers = std::max<std::size_t>(steps.offsets.size(), 2) - 2;
  const std::size_t count = schedule.messages.size();
  const BarrierMessages messages(count, nodes.size());
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (barriers > 0 && messages.of_barrier() > (most - count) / barriers) {
    throw InputError("more than 4294967295 messages, with those of the barriers between steps");
  }
  const auto place_of = [&](NodeId node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(nodes, node) - nodes.begin());
  };
  Schedule with = schedule;
  const std::uint32_t spacing = messages.rounds() + 1;
  // By place what the step before a barrier brings, and what a node waits for that is about to send.
  std::vector<std::vector<MessageId>> arrivals(nodes.size());
  std::vector<MessageId> awaited;
  const auto await = [&](std::size_t barrier, std::uint32_t round, std::size_t place) {
    awaited = arrivals[place];
    messages.append_received(barrier, round, place, awaited);
  };
  std::vector<std::vector<MessageId>> after(count);
  const BlockSetId nothing = with.block_sets.intern(std::span<const BlockRange>());
  with.messages.reserve(count + barriers * messages.of_barrier());
  MessageLists of_barriers;
  WorkSteps work;
  for (std::size_t barrier = 0; barrier < barriers; ++barrier) {
    std::ranges::for_each(arrivals, [](std::vector<MessageId>& list) { list.clear(); });
    for (std::size_t i = steps.offsets[barrier]; i < steps.offsets[barrier + 1]; ++i) {
      arrivals[place_of(schedule.messages[index(steps.order[i])].destination)].push_back(steps.order[i]);
    }
    for (std::uint32_t round = 0; round < messages.rounds(); ++round) {
      work.add(nodes.size());
      for (std::size_t place = 0; place < nodes.size(); ++place) {
        await(barrier, round, place);
        of_barriers.set(with.messages.size() - count, awaited);
        with.messages.push_back({.step = static_cast<std::uint32_t>(barrier * spacing + 1 + round),
                                 .source = nodes[place],
                                 .destination = nodes[messages.target(place, round)],
                                 .blocks = nothing});
      }
    }
    for (std::size_t i = steps.offsets[barrier + 1]; i < steps.offsets[barrier + 2]; ++i) {
      await(barrier, messages.rounds(), place_of(schedule.messages[index(steps.order[i])].source));
      after[index(steps.order[i])] = awaited;
    }
  }
  for (std::size_t id = 0; id < with.messages.size(); ++id) {
    if (id < count) {
      with.messages[id].step *= spacing;
      with.after.set(id, after[id]);
    } else {
      with.after.set(id, of_barriers[id - count]);
    }
  }
  if (!with.ports_of_messages.empty()) {
    with.ports_of_messages.resize(with.messages.size(), 0);
  }
  return with;
}

} // namespace wormcast
