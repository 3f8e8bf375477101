#include "algorithms/verifier.hpp"

#include "algorithms/possession.hpp"
#include "topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t shown_ranges = 8; // of the blocks that a violation names

std::string format_blocks(std::span<const BlockRange> ranges)
{
  std::vector<std::string> parts;
  std::uint64_t blocks = 0;
  for (const BlockRange range : ranges) {
    blocks += range.end - range.begin;
    if (parts.size() < shown_ranges) {
      parts.push_back(range.end - range.begin == 1 ? fmt::format("{}", range.begin)
                                                   : fmt::format("{}-{}", range.begin, range.end - 1));
    }
  }
  return fmt::format("{} {}{}", blocks == 1 ? "block" : "blocks", fmt::join(parts, ", "),
                     ranges.size() > shown_ranges ? ", ..." : "");
}

// The blocks of `wanted` that are not in `held`, a node's bits.
std::vector<BlockRange> missing_blocks(std::span<const std::uint64_t> held, std::span<const BlockRange> wanted)
{
  std::vector<BlockRange> missing;
  for (const BlockRange range : wanted) {
    for (std::uint32_t block = range.begin; block < range.end; ++block) {
      if ((held[block / 64] >> (block % 64) & 1) != 0) {
        continue;
      }
      if (!missing.empty() && missing.back().end == block) {
        ++missing.back().end;
      } else {
        missing.push_back({block, block + 1});
      }
    }
  }
  return missing;
}

// What one pass over the messages, step by step, counts.
class CostCounter {
public:
  CostCounter(const Topology& topology, const Schedule& schedule)
      : topology_(topology), schedule_(schedule), half_duplex_(schedule.duplex == Duplex::half),
        load_(topology.channel_count(), 0)
  {
    if (schedule.operation != Operation::none) {
      set_bytes_ = block_set_bytes(schedule);
    }
    if (half_duplex_) {
      sends_.assign(topology.node_count(), none);
      receives_.assign(topology.node_count(), none);
    }
  }

  // `route` is the message's.
  void add(MessageId id, std::span<const ChannelId> route)
  {
    const Message& message = schedule_.messages[index(id)];
    const std::uint64_t bytes = schedule_.operation == Operation::none
                                    ? schedule_.plain[index(id)].bytes
                                    : set_bytes_[static_cast<std::uint32_t>(message.blocks)];
    ++costs_.messages;
    costs_.tcd += route.size();
    costs_.bytes_sent += bytes;
    largest_in_step_ = std::max(largest_in_step_, bytes);
    for (const ChannelId channel : route) {
      costs_.max_channel_load = std::max(costs_.max_channel_load, ++load_[index(channel)]);
    }
    if (half_duplex_) {
      sends_[index(message.source)] = message.step;
      receives_[index(message.destination)] = message.step;
      twice_ = twice_ || receives_[index(message.source)] == message.step ||
               sends_[index(message.destination)] == message.step;
    }
  }

  void end_step(bool sent_anything)
  {
    if (sent_anything) {
      const std::uint64_t times = twice_ ? 2 : 1;
      costs_.alpha += times;
      if (__builtin_add_overflow(costs_.beta_bytes, times * largest_in_step_, &costs_.beta_bytes) ||
          costs_.beta_bytes > std::uint64_t{1} << 62) {
        throw InputError("the largest messages of all steps are more than 2^62 bytes together");
      }
    }
    largest_ = std::max(largest_, largest_in_step_);
    largest_in_step_ = 0;
    twice_ = false;
  }

  ScheduleCosts result()
  {
    if (schedule_.operation != Operation::none) {
      const auto whole = static_cast<std::int64_t>(schedule_.message_bytes);
      costs_.beta = Fraction(static_cast<std::int64_t>(costs_.beta_bytes), whole);
      costs_.largest_message = Fraction(static_cast<std::int64_t>(largest_), whole);
    }
    return costs_;
  }

private:
  const Topology& topology_;
  const Schedule& schedule_;
  bool half_duplex_;
  std::vector<std::uint64_t> set_bytes_;
  std::vector<std::uint64_t> load_;     // by channel
  std::vector<std::uint32_t> sends_;    // by node: the last step in which it sends
  std::vector<std::uint32_t> receives_; // by node
  std::uint64_t largest_in_step_ = 0;
  std::uint64_t largest_ = 0;
  bool twice_ = false;
  ScheduleCosts costs_;
};

// Finds the messages of a step that share a directed channel with one another.
class ContentionFinder {
public:
  ContentionFinder(const Topology& topology, const Schedule& schedule)
      : step_(topology.channel_count(), none), head_(topology.channel_count(), none),
        seen_(schedule.messages.size(), none)
  {}

  // Calls found(earlier message, first shared channel) once for each earlier message of the step that shares a channel
  // of `route`.
  template <typename Found>
  void add(std::uint32_t step, MessageId message, std::span<const ChannelId> route, Found&& found)
  {
    for (const ChannelId channel : route) {
      const std::uint32_t c = index(channel);
      if (step_[c] != step) {
        step_[c] = step;
        head_[c] = none;
      }
      for (std::uint32_t user = head_[c]; user != none; user = users_[user].next) {
        const MessageId earlier = users_[user].message;
        if (seen_[index(earlier)] != index(message)) {
          seen_[index(earlier)] = index(message);
          found(earlier, channel);
        }
      }
    }
    for (const ChannelId channel : route) {
      users_.push_back({message, head_[index(channel)]});
      head_[index(channel)] = static_cast<std::uint32_t>(users_.size() - 1);
    }
  }

  void end_step() { users_.clear(); }

private:
  struct User {
    MessageId message{};
    std::uint32_t next = none; // in users_, of the same channel
  };
  std::vector<std::uint32_t> step_; // by channel: the step that head_ is of
  std::vector<std::uint32_t> head_; // by channel: its last user in users_
  std::vector<User> users_;         // of the current step
  std::vector<std::uint32_t> seen_; // by message: the later message that it was last found to share with
};

// Counts the messages of a step at each port.
class PortCounter {
public:
  PortCounter(const Topology& topology, const Schedule& schedule)
      : schedule_(schedule), sends_(topology.node_count()), receives_(topology.node_count())
  {
    if (schedule.ports.count == PortModel::all) {
      leaving_.resize(topology.channel_count());
      entering_.resize(topology.channel_count());
    }
  }

  // Calls violated(node, text) for each port that this message is one too many for.
  template <typename Violated>
  void add(std::uint32_t step, const Message& message, std::span<const ChannelId> route, Violated&& violated)
  {
    const std::uint32_t sent = count(sends_[index(message.source)], step);
    const std::uint32_t received = count(receives_[index(message.destination)], step);
    needed_ = std::max({needed_, sent, received});
    const bool half = schedule_.duplex == Duplex::half;
    if (half) {
      needed_ = std::max({needed_, sent + in_step(receives_[index(message.source)], step),
                          received + in_step(sends_[index(message.destination)], step)});
    }
    if (schedule_.ports.count == PortModel::all) {
      if (count(leaving_[index(route.front())], step) > 1) {
        violated(message.source, "sends more than one message through one external channel");
      }
      if (count(entering_[index(route.back())], step) > 1) {
        violated(message.destination, "receives more than one message through one external channel");
      }
      return;
    }
    const std::uint32_t ports = schedule_.ports.count;
    if (sent > ports) {
      violated(message.source, fmt::format("sends {} messages", sent));
    }
    if (received > ports) {
      violated(message.destination, fmt::format("receives {} messages", received));
    }
    if (half) {
      const std::uint32_t at_source = in_step(receives_[index(message.source)], step);
      const std::uint32_t at_destination = in_step(sends_[index(message.destination)], step);
      if (at_source > 0 && sent + at_source > ports) {
        violated(message.source,
                 fmt::format("sends {} and receives {} messages with half-duplex ports", sent, at_source));
      }
      if (at_destination > 0 && received + at_destination > ports) {
        violated(message.destination,
                 fmt::format("sends {} and receives {} messages with half-duplex ports", at_destination, received));
      }
    }
  }

  std::uint32_t needed() const { return needed_; }

private:
  struct Count {
    std::uint32_t step = none;
    std::uint32_t messages = 0;
  };
  static std::uint32_t in_step(const Count& count, std::uint32_t step)
  {
    return count.step == step ? count.messages : 0;
  }
  static std::uint32_t count(Count& count, std::uint32_t step)
  {
    if (count.step != step) {
      count = {step, 0};
    }
    return ++count.messages;
  }

  const Schedule& schedule_;
  std::vector<Count> sends_; // by node
  std::vector<Count> receives_;
  std::vector<Count> leaving_; // by external channel
  std::vector<Count> entering_;
  std::uint32_t needed_ = 1;
};

class Checker {
public:
  Checker(const Topology& topology, const Schedule& schedule, const CheckOptions& options)
      : topology_(topology), schedule_(schedule), options_(options), possession_(schedule, topology.node_count()),
        costs_(topology, schedule), contention_(topology, schedule), ports_(topology, schedule)
  {}

  CheckReport run()
  {
    const StepOrder steps = order_by_step(schedule_);
    for (std::uint32_t step = 0; step + 1 < steps.offsets.size(); ++step) {
      const std::span messages =
          std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]);
      for (const MessageId message : messages) {
        check_message(step, message);
      }
      // What a step brings can be sent on from the next step on.
      for (const MessageId id : messages) {
        const Message& message = schedule_.messages[index(id)];
        possession_.add(message.destination, message.blocks);
      }
      costs_.end_step(!messages.empty());
      contention_.end_step();
    }
    check_coverage();
    report_.costs = costs_.result();
    report_.ports_needed.count = ports_.needed();
    return std::move(report_);
  }

private:
  void check_message(std::uint32_t step, MessageId id)
  {
    const Message& message = schedule_.messages[index(id)];
    route_.clear();
    topology_.append_route(message.source, message.destination, route_);
    costs_.add(id, route_);
    if (!possession_.holds(message.source, message.blocks)) {
      report_.possession = false;
      record(ViolationKind::possession, [&] {
        Violation violation;
        violation.step = step;
        violation.messages = {id};
        violation.nodes = {message.source};
        violation.blocks =
            missing_blocks(possession_.bits(message.source), schedule_.block_sets.ranges(message.blocks));
        violation.text = fmt::format("step {}: node {} sends {} in message {}, which it does not hold", step,
                                     topology_.node_name(message.source), format_blocks(violation.blocks), index(id));
        return violation;
      });
    }
    ports_.add(step, message, route_, [&](NodeId node, const auto& what) {
      report_.ports = false;
      record(ViolationKind::port, [&] {
        Violation violation;
        violation.step = step;
        violation.messages = {id};
        violation.nodes = {node};
        violation.text =
            fmt::format("step {}: node {} {} (message {})", step, topology_.node_name(node), what, index(id));
        return violation;
      });
    });
    contention_.add(step, id, route_, [&](MessageId earlier, ChannelId channel) {
      report_.contention_free = false;
      ++report_.contended_pairs;
      record(ViolationKind::contention, [&] {
        Violation violation;
        violation.step = step;
        violation.messages = {earlier, id};
        violation.channels = {channel};
        violation.text = fmt::format("step {}: {} and {} share the channel {} -> {}", step, message_name(earlier),
                                     message_name(id), topology_.node_name(topology_.channel_source(channel)),
                                     topology_.node_name(topology_.channel_target(channel)));
        return violation;
      });
    });
  }

  void check_coverage()
  {
    std::vector<BlockRange> wanted = {{0, static_cast<std::uint32_t>(schedule_.blocks)}};
    const std::uint32_t nodes = topology_.node_count();
    if (schedule_.operation == Operation::total_exchange) {
      wanted.resize(nodes);
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (schedule_.operation == Operation::scatter) {
        wanted[0] = {node, node + 1};
      } else if (schedule_.operation == Operation::total_exchange) {
        for (std::uint32_t sender = 0; sender < nodes; ++sender) {
          wanted[sender] = {sender * nodes + node, sender * nodes + node + 1};
        }
      }
      if (possession_.holds(NodeId{node}, wanted)) {
        continue;
      }
      report_.complete = false;
      record(ViolationKind::coverage, [&] {
        Violation violation;
        violation.nodes = {NodeId{node}};
        violation.blocks = missing_blocks(possession_.bits(NodeId{node}), wanted);
        violation.text = fmt::format("node {} lacks {} at the end", topology_.node_name(NodeId{node}),
                                     format_blocks(violation.blocks));
        return violation;
      });
    }
  }

  // Counts a violation, and describes it while there is room for more of its kind.
  template <typename Describe> void record(ViolationKind kind, Describe&& describe)
  {
    ++report_.violation_count;
    if (recorded_[static_cast<std::size_t>(kind)]++ < options_.max_violations) {
      Violation violation = describe();
      violation.kind = kind;
      report_.violations.push_back(std::move(violation));
    }
  }

  std::string message_name(MessageId id) const
  {
    const Message& message = schedule_.messages[index(id)];
    return fmt::format("message {} ({} -> {})", index(id), topology_.node_name(message.source),
                       topology_.node_name(message.destination));
  }

  const Topology& topology_;
  const Schedule& schedule_;
  CheckOptions options_;
  Possession possession_;
  CostCounter costs_;
  ContentionFinder contention_;
  PortCounter ports_;
  std::vector<ChannelId> route_;
  std::size_t recorded_[4] = {};
  CheckReport report_;
};

} // namespace

std::string format_fraction(const Fraction& fraction)
{
  return fraction.denominator() == 1 ? fmt::format("{}", fraction.numerator())
                                     : fmt::format("{}/{}", fraction.numerator(), fraction.denominator());
}

std::string_view violation_kind_name(ViolationKind kind)
{
  switch (kind) {
  case ViolationKind::coverage:
    return "coverage";
  case ViolationKind::possession:
    return "possession";
  case ViolationKind::port:
    return "port";
  case ViolationKind::contention:
    return "contention";
  }
  return "";
}

CheckReport check_schedule(const Topology& topology, const Schedule& schedule, const CheckOptions& options)
{
  if (schedule.operation == Operation::none) {
    CheckReport report;
    report.costs = schedule_costs(topology, schedule);
    report.ports_needed = schedule.ports;
    return report;
  }
  return Checker(topology, schedule, options).run();
}

ScheduleCosts schedule_costs(const Topology& topology, const Schedule& schedule)
{
  CostCounter counter(topology, schedule);
  std::vector<ChannelId> route;
  const auto add = [&](MessageId id) {
    const Message& message = schedule.messages[index(id)];
    route.clear();
    topology.append_route(message.source, message.destination, route);
    counter.add(id, route);
  };
  if (schedule.operation == Operation::none) {
    for (std::uint32_t i = 0; i < schedule.messages.size(); ++i) {
      add(MessageId{i});
    }
    counter.end_step(false);
    return counter.result();
  }
  const StepOrder steps = order_by_step(schedule);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    for (std::size_t i = steps.offsets[step]; i < steps.offsets[step + 1]; ++i) {
      add(steps.order[i]);
    }
    counter.end_step(steps.offsets[step] != steps.offsets[step + 1]);
  }
  return counter.result();
}

} // namespace wormcast
