#include "wormcast/algorithms/schedule/ready_messages.hpp"

#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace wormcast {

namespace {

// The messages that wait for readiness, by (step, id).
std::vector<MessageId> waiting_messages(const Schedule& schedule, std::uint64_t above)
{
  const std::vector<std::uint64_t> bytes = block_set_bytes(schedule);
  std::vector<MessageId> waiting;
  for (const MessageId id : order_by_step(schedule).order) {
    if (bytes[static_cast<std::uint32_t>(schedule.messages[index(id)].blocks)] > above) {
      waiting.push_back(id);
    }
  }
  return waiting;
}

// Moves every message to its step among those with the steps of readiness.
void make_room_for_steps(Schedule& schedule, const std::vector<MessageId>& waiting)
{
  std::vector<std::uint32_t> shift(step_count(schedule) + std::size_t{1}, 0); // by step: the new steps up to it
  for (const MessageId id : waiting) {
    shift[schedule.messages[index(id)].step] = 1;
  }
  for (std::size_t step = 1; step < shift.size(); ++step) {
    shift[step] += shift[step - 1];
  }
  for (Message& message : schedule.messages) {
    message.step += shift[message.step];
  }
}

} // namespace

Schedule with_ready_messages(const Schedule& schedule, std::uint32_t node_count, std::uint64_t above)
{
  if (schedule.operation == Operation::none) {
    throw InputError("a plain message list or a program says itself what its messages wait for: they cannot wait for "
                     "the readiness of their receivers");
  }
  Schedule ready = schedule;
  const std::vector<MessageId> waiting = waiting_messages(schedule, above);
  const std::size_t count = schedule.messages.size();
  if (count + waiting.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4294967295 messages, with those by which receivers report that they are ready");
  }
  make_room_for_steps(ready, waiting);
  for (const MessageId id : waiting) {
    const Message message = ready.messages[index(id)];
    ready.messages.push_back({.step = message.step - 1,
                              .source = message.destination,
                              .destination = message.source,
                              .blocks = message.blocks});
    if (!ready.ports_of_messages.empty()) {
      ready.ports_of_messages.push_back(ready.ports_of_messages[index(id)]);
    }
  }
  // A report waits for what a message of the same blocks from the same node would wait for.
  const MessageLists awaited = awaited_messages(ready, node_count);
  const BlockSetId nothing = ready.block_sets.intern(std::span<const BlockRange>());
  std::vector<std::vector<MessageId>> reports(count);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    reports[index(waiting[i])].push_back(MessageId{static_cast<std::uint32_t>(count + i)});
  }
  for (std::size_t id = 0; id < count; ++id) {
    ready.after.set(id, reports[id]);
  }
  for (std::size_t id = count; id < ready.messages.size(); ++id) {
    ready.messages[id].blocks = nothing;
    std::vector<MessageId> earlier(awaited[id].begin(), awaited[id].end());
    std::erase_if(earlier, [count](MessageId other) { return index(other) >= count; });
    ready.after.set(id, earlier);
  }
  return ready;
}

} // namespace wormcast
