#include "wormcast/algorithms/verifier/operation_check.hpp"

#include "wormcast/algorithms/verifier/contributions.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/algorithms/verifier/proved_reduction.hpp"

#include <fmt/format.h>

#include <span>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// Sets of contributors are stored up to this number of bits, fingerprints beyond (Contributions).
constexpr std::uint64_t most_contributor_bits = std::uint64_t{1} << 31;

/// Calls `visit` with the messages of one step after the other.
template <typename Visit> void for_each_step(const StepOrder& steps, Visit&& visit)
{
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    visit(std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]));
  }
}

OperationCheck check_copies(const Topology& topology, const Schedule& schedule)
{
  const std::uint32_t nodes = topology.host_count();
  OperationCheck check;
  Possession possession(schedule, nodes);
  std::vector<std::pair<MessageId, std::vector<BlockRange>>> partly_held;
  for_each_step(order_by_step(schedule), [&](std::span<const MessageId> messages) {
    partly_held.clear();
    for (const MessageId id : messages) {
      const Message& message = schedule.messages[index(id)];
      if (!possession.holds(message.source, message.blocks)) {
        const std::span<const std::uint64_t> held = std::as_const(possession).bits(message.source);
        partly_held.emplace_back(
            id, blocks_where(schedule.block_sets, message.blocks, [&](std::uint32_t word) { return held[word]; }));
      }
    }
    check.not_held += partly_held.size();
    auto partly = partly_held.begin();
    for (const MessageId id : messages) {
      const Message& message = schedule.messages[index(id)];
      if (partly != partly_held.end() && partly->first == id) {
        possession.add(message.destination, partly->second);
        ++partly;
      } else {
        possession.add(message.destination, message.blocks);
      }
    }
  });
  std::vector<bool> is_destination(nodes, schedule.operation != Operation::multicast);
  for (const NodeId node : schedule.destinations) {
    is_destination[index(node)] = true;
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (!is_destination[node]) {
      continue;
    }
    const std::vector<BlockRange> wanted = wanted_blocks(schedule, NodeId{node}, nodes);
    check.concerned += wanted.empty() ? 0 : 1;
    check.lacking += possession.holds(NodeId{node}, wanted) ? 0 : 1;
  }
  return check;
}

OperationCheck check_reduction(const Topology& topology, const Schedule& schedule)
{
  OperationCheck check;
  const StepOrder steps = order_by_step(schedule);
  if (proof_of_contributions(schedule, topology.host_count(), most_contributor_bits) ==
          ContributionProof::fingerprints &&
      tests_of_proved_reduction(schedule, steps, topology.host_count())) {
    for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
      check.concerned += wanted_results(schedule, NodeId{node}).empty() ? 0 : 1;
    }
    return check;
  }
  Contributions contributions(schedule, topology.host_count(), most_contributor_bits);
  for_each_step(steps, [&](std::span<const MessageId> messages) {
    contributions.deliver(messages, [&](const CountedTwice&) { ++check.counted_twice; });
  });
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    const std::vector<BlockRange> wanted = wanted_results(schedule, NodeId{node});
    bool lacks = false;
    for (const BlockRange range : wanted) {
      for (std::uint32_t block = range.begin; block < range.end && !lacks; ++block) {
        lacks = !contributions.complete(NodeId{node}, block);
      }
    }
    check.concerned += wanted.empty() ? 0 : 1;
    check.lacking += lacks ? 1 : 0;
  }
  return check;
}

/// "does not broadcast"
std::string not_done(Operation operation)
{
  switch (operation) {
  case Operation::broadcast:
  case Operation::scatter:
  case Operation::gather:
  case Operation::multicast:
  case Operation::reduce:
    return fmt::format("does not {}", operation_names.text(operation));
  default:
    return fmt::format("is no complete {}", operation_names.text(operation));
  }
}

/// "lack it"; of `one` node "lacks it".
std::string lack_text(const Schedule& schedule, bool one)
{
  const std::string_view verb = one ? "lacks" : "lack";
  switch (schedule.operation) {
  case Operation::broadcast:
  case Operation::multicast:
    return fmt::format("{} it{}", verb, schedule.blocks > 1 ? " or parts of it" : "");
  case Operation::scatter:
    return fmt::format("{} {}", verb, one ? "its part" : "their parts");
  case Operation::gather:
    return fmt::format("{} parts of other nodes", verb);
  case Operation::multinode_broadcast:
  case Operation::total_exchange:
    return fmt::format("{} messages of other nodes", verb);
  case Operation::barrier:
    return fmt::format("{} the news of other nodes", verb);
  default:
    return fmt::format("{} contributions of other nodes", verb);
  }
}

} // namespace

OperationCheck check_operation(const Topology& topology, const Schedule& schedule)
{
  if (schedule.operation == Operation::none) {
    return {};
  }
  return combines(schedule.operation) ? check_reduction(topology, schedule) : check_copies(topology, schedule);
}

std::string undone_text(const Topology& topology, const Schedule& schedule, const OperationCheck& check)
{
  const std::string subject = not_done(schedule.operation);
  if (check.lacking > 0 && check.concerned == 1 && has_source(schedule.operation)) { // the root
    return fmt::format("{}: node {} {}", subject, topology.node_name(schedule.source), lack_text(schedule, true));
  }
  if (check.lacking > 0) {
    return fmt::format("{}: {} of {} {} {}", subject, check.lacking, check.concerned,
                       schedule.operation == Operation::multicast ? "destinations" : "nodes",
                       lack_text(schedule, check.lacking == 1));
  }
  if (check.counted_twice > 0) {
    return fmt::format("{}: {} {} a contribution a second time", subject, check.counted_twice,
                       check.counted_twice == 1 ? "message brings" : "messages bring");
  }
  return fmt::format("{}: {} what {} not hold", subject,
                     check.not_held == 1 ? "a message carries" : fmt::format("{} messages carry", check.not_held),
                     check.not_held == 1 ? "its sender does" : "their senders do");
}

} // namespace wormcast
