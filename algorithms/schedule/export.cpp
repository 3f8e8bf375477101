#include "wormcast/algorithms/schedule/export.hpp"

#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/icl/interval_set.hpp>
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

namespace wormcast {

namespace {

std::uint64_t message_size(const Schedule& schedule, const std::vector<std::uint64_t>& set_bytes, std::uint32_t id)
{
  return schedule.operation == Operation::none ? schedule.plain[id].bytes
                                               : set_bytes[static_cast<std::uint32_t>(schedule.messages[id].blocks)];
}

std::vector<std::uint64_t> sizes_of_sets(const Schedule& schedule)
{
  return schedule.operation == Operation::none ? std::vector<std::uint64_t>{} : block_set_bytes(schedule);
}

using HeldBlocks = boost::icl::interval_set<std::uint64_t>;

HeldBlocks as_set(std::span<const BlockRange> ranges)
{
  HeldBlocks set;
  for (const BlockRange range : ranges) {
    set += HeldBlocks::interval_type::right_open(range.begin, range.end);
  }
  return set;
}

// The blocks of a node before it receives any.
HeldBlocks first_blocks(const Schedule& schedule, std::uint32_t node, std::uint64_t nodes)
{
  const auto range = [](std::uint64_t begin, std::uint64_t end) {
    return HeldBlocks(HeldBlocks::interval_type::right_open(begin, end));
  };
  switch (schedule.operation) {
  case Operation::broadcast:
  case Operation::multicast:
  case Operation::scatter:
    return node == index(schedule.source) ? range(0, schedule.blocks) : HeldBlocks();
  case Operation::multinode_broadcast:
  case Operation::gather:
    return as_set(blocks_of_node(schedule, NodeId{node}));
  case Operation::total_exchange:
    return range(node * nodes, (node + std::uint64_t{1}) * nodes);
  case Operation::reduce:
  case Operation::reduce_scatter:
  case Operation::all_reduce:
  case Operation::barrier:
  case Operation::none:
    break;
  }
  return {};
}

// The actions of a rank of GOAL, by step.
struct RankMessages {
  std::vector<MessageId> sent;
  std::vector<MessageId> received;
};

// The messages of each port in their order (step, id): with all ports those with the same first channel, else all of a
// node. The position of each in its port's row, by message.
std::vector<std::optional<MessageId>> before_on_port(const Topology& topology, const Schedule& schedule,
                                                     const std::vector<MessageId>& order)
{
  const bool all_ports = schedule.ports.count == PortModel::all;
  std::vector<std::optional<MessageId>> last(all_ports ? topology.channel_count() : topology.host_count());
  std::vector<std::optional<MessageId>> before(schedule.messages.size());
  std::vector<ChannelId> route;
  for (const MessageId id : order) {
    const Message& message = schedule.messages[index(id)];
    std::uint32_t port = index(message.source);
    if (all_ports) {
      if (topology.draws_route(message.source, message.destination)) {
        throw InputError(
            "which port a message takes is drawn (tie \"random\"), so that GOAL cannot keep the order at the "
            "ports; expected another tie, or one port");
      }
      route.clear();
      topology.append_route(message.source, message.destination, route);
      port = index(route.front());
    }
    before[index(id)] = std::exchange(last[port], id);
  }
  return before;
}

// Each send follows the one before it at its port.
void require_port(const Schedule& schedule, const std::vector<std::optional<MessageId>>& before, MessageId id,
                  std::ostream& out)
{
  if (before[index(id)]) {
    const bool several = schedule.ports.count > 1; // the next one begins while this one is still on its way out
    fmt::print(out, "s{} {} s{}\n", index(id), several ? "irequires" : "requires", index(*before[index(id)]));
  }
}

// Each send waits for the receives that deliver its blocks, of several that deliver a block for the first one in the
// schedule.
void require_blocks(const Schedule& schedule, const RankMessages& rank, HeldBlocks held,
                    const std::vector<std::optional<MessageId>>& before, std::ostream& out)
{
  const auto message = [&](MessageId id) { return schedule.messages[index(id)]; };
  std::vector<HeldBlocks> news; // of each receive
  for (const MessageId id : rank.received) {
    const HeldBlocks brought = as_set(schedule.block_sets.ranges(message(id).blocks));
    news.push_back(brought - held);
    held += brought;
  }
  for (const MessageId id : rank.sent) {
    require_port(schedule, before, id, out);
    const HeldBlocks sent = as_set(schedule.block_sets.ranges(message(id).blocks));
    for (std::size_t i = 0; i < rank.received.size() && message(rank.received[i]).step < message(id).step; ++i) {
      if (boost::icl::intersects(news[i], sent)) {
        fmt::print(out, "s{} requires r{}\n", index(id), index(rank.received[i]));
      }
    }
  }
}

// Where partial results are combined, each send waits for all receives that have a part in it.
void require_awaited(const Schedule& schedule, const RankMessages& rank, const MessageLists& awaited,
                     const std::vector<std::optional<MessageId>>& before, std::ostream& out)
{
  for (const MessageId id : rank.sent) {
    require_port(schedule, before, id, out);
    for (const MessageId earlier : awaited[index(id)]) {
      fmt::print(out, "s{} requires r{}\n", index(id), index(earlier));
    }
  }
}

// A plain message waits for nothing but its `after`.
void require_after(const Schedule& schedule, NodeId node, const RankMessages& rank, std::ostream& out)
{
  for (const MessageId id : rank.sent) {
    for (const MessageId earlier : schedule.after[index(id)]) {
      const Message& message = schedule.messages[index(earlier)];
      if (message.destination != node && message.source != node) {
        throw InputError(fmt::format("GOAL cannot say that message {} from node {} waits for message {}, which that "
                                     "node neither sends nor receives",
                                     index(id), index(node), index(earlier)));
      }
      fmt::print(out, "s{} requires {}{}\n", index(id), message.destination == node ? 'r' : 's', index(earlier));
    }
  }
}

/// For a DOT string in quotes, in which a backslash begins a special character.
std::string dot_escaped(std::string_view text)
{
  std::string escaped;
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') {
      escaped += '\\';
    }
    escaped += letter;
  }
  return escaped;
}

} // namespace

void write_schedule_dot(const Topology& topology, const Schedule& schedule, std::ostream& out)
{
  const std::vector<std::uint64_t> set_bytes = sizes_of_sets(schedule);
  fmt::print(out, "digraph schedule {{\n");
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    fmt::print(out, "  n{} [label=\"{}\"];\n", node, dot_escaped(topology.node_name(NodeId{node})));
  }
  for (std::uint32_t id = 0; id < schedule.messages.size(); ++id) {
    const Message& message = schedule.messages[id];
    fmt::print(out, "  n{} -> n{} [label=\"{}: {}\"];\n", index(message.source), index(message.destination),
               message.step, format_bytes(message_size(schedule, set_bytes, id)));
  }
  fmt::print(out, "}}\n");
}

void write_schedule_goal(const Topology& topology, const Schedule& schedule, std::ostream& out)
{
  if (schedule.program) {
    throw InputError("a program in GOAL is not written again, its file says it all");
  }
  if (std::ranges::any_of(schedule.plain, [](const PlainMessage& message) { return message.compute != Time{}; })) {
    throw InputError("a message list with \"compute_us\" cannot be written as GOAL, whose computations are in whole "
                     "nanoseconds");
  }
  if (std::ranges::any_of(schedule.plain, [](const PlainMessage& message) { return message.priority != 0; })) {
    throw InputError("a message list with \"priority\" cannot be written as GOAL, which has no priorities");
  }
  const std::vector<std::uint64_t> set_bytes = sizes_of_sets(schedule);
  const std::vector<MessageId> order = order_by_step(schedule).order;
  const std::vector<std::optional<MessageId>> before = before_on_port(topology, schedule, order);
  const MessageLists awaited =
      combines(schedule.operation) ? awaited_messages(schedule, topology.host_count()) : MessageLists();
  std::vector<RankMessages> ranks(topology.host_count());
  for (const MessageId id : order) {
    ranks[index(schedule.messages[index(id)].source)].sent.push_back(id);
    ranks[index(schedule.messages[index(id)].destination)].received.push_back(id);
  }
  fmt::print(out, "num_ranks {}\n", topology.host_count());
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    const RankMessages& rank = ranks[node];
    fmt::print(out, "\nrank {} {{\n", node);
    for (const MessageId id : rank.received) {
      fmt::print(out, "r{0}: recv {1}b from {2} tag {0}\n", index(id), message_size(schedule, set_bytes, index(id)),
                 index(schedule.messages[index(id)].source));
    }
    for (const MessageId id : rank.sent) {
      fmt::print(out, "s{0}: send {1}b to {2} tag {0}\n", index(id), message_size(schedule, set_bytes, index(id)),
                 index(schedule.messages[index(id)].destination));
    }
    if (schedule.operation == Operation::none) {
      require_after(schedule, NodeId{node}, rank, out);
    } else if (combines(schedule.operation)) {
      require_awaited(schedule, rank, awaited, before, out);
    } else {
      require_blocks(schedule, rank, first_blocks(schedule, node, topology.host_count()), before, out);
    }
    fmt::print(out, "}}\n");
  }
}

} // namespace wormcast
