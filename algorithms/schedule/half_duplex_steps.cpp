#include "wormcast/algorithms/schedule/half_duplex_steps.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Divides one step after the other.
class StepDivider {
public:
  StepDivider(Schedule& schedule, std::uint32_t node_count)
      : schedule_(schedule), bytes_(block_set_bytes(schedule)), sends_(node_count, none), receives_(node_count, none)
  {}

  /// The messages of one step; they become those of step `first` and of the next ones. Returns how many steps.
  std::uint32_t divide(std::span<const MessageId> messages, std::uint32_t first)
  {
    enter(messages);
    parts_ = 0;
    for (const MessageId id : messages) {
      if (receives_[index(message(id).source)] == none) {
        place(chain_from(id), false, first);
      }
    }
    for (const MessageId id : messages) { // what is left are cycles
      if (sends_[index(message(id).source)] != none) {
        place(chain_from(id), true, first);
      }
    }
    for (const MessageId id : messages) {
      receives_[index(message(id).destination)] = none;
    }
    return parts_;
  }

private:
  Message& message(MessageId id) { return schedule_.messages[index(id)]; }
  std::uint64_t bytes(MessageId id) { return bytes_[static_cast<std::uint32_t>(message(id).blocks)]; }

  void enter(std::span<const MessageId> messages)
  {
    for (const MessageId id : messages) {
      std::uint32_t& sent = sends_[index(message(id).source)];
      std::uint32_t& received = receives_[index(message(id).destination)];
      if (sent != none || received != none) {
        throw InputError(fmt::format(
            "step {}: node {} {} several messages, expected a schedule for one port", message(id).step,
            index(sent != none ? message(id).source : message(id).destination), sent != none ? "sends" : "receives"));
      }
      sent = received = index(id);
    }
  }

  /// The messages from `id` on, each sent by the node that receives the one before; they are taken out of sends_.
  std::vector<MessageId> chain_from(MessageId id)
  {
    std::vector<MessageId> chain;
    for (std::uint32_t next = index(id); next != none;) {
      chain.push_back(MessageId{next});
      sends_[index(message(chain.back()).source)] = none;
      next = sends_[index(message(chain.back()).destination)];
    }
    return chain;
  }

  void place(std::vector<MessageId> chain, bool is_cycle, std::uint32_t first)
  {
    const auto size_of = [this](MessageId id) { return bytes(id); };
    std::size_t alternating = chain.size();
    if (is_cycle && chain.size() % 2 == 1) { // the smallest message goes last, in a part of its own
      std::ranges::rotate(chain, std::ranges::min_element(chain, {}, size_of) + 1);
      --alternating;
      set_part(chain.back(), 2, first);
    }
    std::uint64_t largest[2] = {};
    for (std::size_t i = 0; i < alternating; ++i) {
      largest[i % 2] = std::max(largest[i % 2], bytes(chain[i]));
    }
    const std::size_t swapped = largest[1] > largest[0] ? 1 : 0;
    for (std::size_t i = 0; i < alternating; ++i) {
      set_part(chain[i], static_cast<std::uint32_t>((i + swapped) % 2), first);
    }
  }

  void set_part(MessageId id, std::uint32_t part, std::uint32_t first)
  {
    message(id).step = first + part;
    parts_ = std::max(parts_, part + 1);
  }

  Schedule& schedule_;
  std::vector<std::uint64_t> bytes_;    ///< by block set
  std::vector<std::uint32_t> sends_;    ///< by node: the message that it sends in this step and that is not placed yet
  std::vector<std::uint32_t> receives_; ///< by node: the message that it receives in this step
  std::uint32_t parts_ = 0;
};

} // namespace

Schedule divided_for_half_duplex(const Schedule& schedule, std::uint32_t node_count)
{
  if (schedule.operation == Operation::none) {
    throw InputError("found a plain message list, expected a schedule with steps to divide");
  }
  Schedule divided = schedule;
  divided.ports = PortModel{1};
  divided.duplex = Duplex::half;
  const StepOrder steps = order_by_step(schedule);
  StepDivider divider(divided, node_count);
  std::uint32_t next = 0;
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    next += divider.divide(
        std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]), next);
  }
  return divided;
}

} // namespace wormcast
