#include "wormcast/algorithms/imported/netrace.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint32_t no_packet_message = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_awaited_packets = std::uint64_t{1} << 28;

bool to_itself(const NetracePacket& packet)
{
  return packet.source == packet.destination;
}

/// The message of each packet; none of packets to themselves.
std::vector<std::uint32_t> messages_of_packets(const Netrace& trace)
{
  std::vector<std::uint32_t> message_of;
  message_of.reserve(trace.packets.size());
  std::uint32_t next = 0;
  for (const NetracePacket& packet : trace.packets) {
    message_of.push_back(to_itself(packet) ? no_packet_message : next++);
  }
  return message_of;
}

Time time_of_cycles(std::uint64_t cycles, const NetraceUse& use, std::string_view name)
{
  constexpr std::uint64_t longest = std::uint64_t{1} << 62;
  const auto cycle = static_cast<std::uint64_t>(use.cycle.picoseconds);
  if (cycle > 0 && cycles > longest / cycle) {
    throw InputError(fmt::format("{}: cycle {} of {} is later than 2^62 ps", name, cycles, format_time(use.cycle)));
  }
  return Time{static_cast<std::int64_t>(cycles * cycle)};
}

void refuse_cycle(const Netrace& trace, std::string_view name)
{
  const std::vector<Finding> findings = trace.findings.all();
  if (!findings.empty()) {
    const Finding& finding = findings.front();
    throw InputError(fmt::format("{}: {}: {}", name, finding_kind_names.text(finding.kind), finding.text));
  }
}

/// When packets may begin, and the messages that must be delivered before: where a packet waits for one of a node to
/// itself, it waits for what that one waits for.
class ClosedLoop {
public:
  ClosedLoop(const Netrace& trace, std::span<const std::uint32_t> message_of, std::string_view name)
      : message_of_(message_of), begin_(trace.packets.size()), awaited_(trace.packets.size())
  {
    std::uint64_t entries = 0;
    for (const std::uint32_t packet : trace.order) {
      begin_[packet] = trace.packets[packet].cycle;
      for (const MessageId earlier : trace.after[packet]) {
        add(packet, index(earlier));
      }
      std::vector<MessageId>& awaited = awaited_[packet];
      std::ranges::sort(awaited);
      const auto repeated = std::ranges::unique(awaited);
      awaited.erase(repeated.begin(), repeated.end());
      entries += awaited.size();
      if (entries > most_awaited_packets) {
        throw InputError(fmt::format("{}: packets wait for more than {} others in all", name, most_awaited_packets));
      }
    }
  }

  std::uint64_t begin(std::uint32_t packet) const { return begin_[packet]; }
  std::span<const MessageId> awaited(std::uint32_t packet) const { return awaited_[packet]; }

private:
  void add(std::uint32_t packet, std::uint32_t earlier)
  {
    std::vector<MessageId>& awaited = awaited_[packet];
    if (message_of_[earlier] != no_packet_message) {
      awaited.push_back(MessageId{message_of_[earlier]});
      return;
    }
    begin_[packet] = std::max(begin_[packet], begin_[earlier]);
    awaited.insert(awaited.end(), awaited_[earlier].begin(), awaited_[earlier].end());
  }

  std::span<const std::uint32_t> message_of_;
  std::vector<std::uint64_t> begin_;
  std::vector<std::vector<MessageId>> awaited_;
};

/// Makes the actions of a program in which every packet has an action at whose end it begins.
class ThinkingProgram {
public:
  ThinkingProgram(const Netrace& trace, const NetraceUse& use, std::string_view name)
      : trace_(trace), use_(use), name_(name), message_of_(messages_of_packets(trace)), delivered_(trace.packets.size())
  {
    program_.ranks = trace.nodes;
    program_.title = "program of a trace of netrace";
  }

  Program make()
  {
    for (std::uint32_t packet = 0; packet < trace_.packets.size(); ++packet) {
      add_packet(packet);
    }
    for (std::uint32_t packet = 0; packet < trace_.packets.size(); ++packet) {
      add_waits(packet);
    }
    return std::move(program_);
  }

private:
  std::uint32_t add(const ProgramAction& action)
  {
    program_.actions.push_back(action);
    return static_cast<std::uint32_t>(program_.actions.size() - 1);
  }

  /// Computing on a processor of its own.
  std::uint32_t add_pause(std::uint32_t node, std::uint64_t cycles)
  {
    return add({.rank = node,
                .cpu = static_cast<std::uint32_t>(program_.actions.size()),
                .duration = time_of_cycles(cycles, use_, name_)});
  }

  /// The first action of a packet is begin_[packet].
  void add_packet(std::uint32_t packet)
  {
    const NetracePacket& here = trace_.packets[packet];
    if (to_itself(here)) {
      delivered_[packet] = add_pause(here.source, 0);
      begin_.push_back(delivered_[packet]);
      return;
    }
    ProgramAction action{.kind = ProgramAction::Kind::send,
                         .rank = here.source,
                         .peer = here.destination,
                         .tag = message_of_[packet],
                         .bytes = netrace_bytes(here),
                         .duration = {}};
    const std::uint32_t send = add(action);
    program_.sends.push_back(send);
    begin_.push_back(send);
    std::swap(action.rank, action.peer);
    action.kind = ProgramAction::Kind::receive;
    delivered_[packet] = add(action);
    program_.dependencies.push_back({.before = send, .after = delivered_[packet], .on_start = true});
  }

  void add_waits(std::uint32_t packet)
  {
    const NetracePacket& here = trace_.packets[packet];
    if (trace_.after[packet].empty()) {
      program_.dependencies.push_back({.before = add_pause(here.source, here.cycle), .after = begin_[packet]});
    }
    for (const MessageId earlier : trace_.after[packet]) {
      const std::uint64_t before = trace_.packets[index(earlier)].cycle;
      const std::uint32_t pause = add_pause(here.source, here.cycle > before ? here.cycle - before : 0);
      program_.dependencies.push_back({.before = delivered_[index(earlier)], .after = pause});
      program_.dependencies.push_back({.before = pause, .after = begin_[packet]});
    }
  }

  const Netrace& trace_;
  const NetraceUse& use_;
  std::string_view name_;
  std::vector<std::uint32_t> message_of_;
  std::vector<std::uint32_t> begin_;     ///< by packet: its first action
  std::vector<std::uint32_t> delivered_; ///< by packet: the action that ends with its delivery
  Program program_;
};

} // namespace

Schedule netrace_messages(const Netrace& trace, const NetraceUse& use, std::span<const NodeId> node_of,
                          std::string_view name)
{
  const std::vector<std::uint32_t> message_of = messages_of_packets(trace);
  std::optional<ClosedLoop> loop;
  if (use.closed) {
    refuse_cycle(trace, name);
    loop.emplace(trace, message_of, name);
  }
  Schedule schedule;
  schedule.operation = Operation::none;
  for (std::uint32_t packet = 0; packet < trace.packets.size(); ++packet) {
    const NetracePacket& here = trace.packets[packet];
    if (to_itself(here)) {
      continue;
    }
    const std::uint64_t cycle = loop ? loop->begin(packet) : here.cycle;
    if (loop) {
      schedule.after.set(schedule.messages.size(), loop->awaited(packet));
    }
    schedule.messages.push_back(
        {.step = 0, .source = node_of[here.source], .destination = node_of[here.destination], .blocks = {}});
    schedule.plain.push_back({.bytes = netrace_bytes(here), .start = time_of_cycles(cycle, use, name)});
  }
  return schedule;
}

Program netrace_program(const Netrace& trace, const NetraceUse& use, std::string_view name)
{
  refuse_cycle(trace, name);
  return ThinkingProgram(trace, use, name).make();
}

} // namespace wormcast
