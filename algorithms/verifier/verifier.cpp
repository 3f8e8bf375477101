#include "wormcast/algorithms/verifier/verifier.hpp"

#include "wormcast/algorithms/verifier/contention_finder.hpp"
#include "wormcast/algorithms/verifier/contributions.hpp"
#include "wormcast/algorithms/verifier/cost_counter.hpp"
#include "wormcast/algorithms/verifier/port_counter.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/algorithms/verifier/proved_reduction.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

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
  WorkSteps steps;
  return blocks_where(wanted, [&](std::uint32_t word) {
    steps.add();
    return ~held[word];
  });
}

/// "step 0: node 3 sends 2 messages"
std::string excess_text(const Topology& topology, std::uint32_t step, const PortCounter::Excess& excess)
{
  return fmt::format("step {}: node {} {}", step, topology.node_name(excess.node), excess.text());
}

class Checker {
public:
  Checker(const Topology& topology, const Schedule& schedule, const CheckOptions& options)
      : topology_(topology), schedule_(schedule), options_(options), combines_(combines(schedule.operation)),
        step_order_(order_by_step(schedule)), possession_(schedule, topology.host_count()), costs_(topology, schedule),
        contention_(topology), ports_(topology, schedule)
  {
    if (!combines_) {
      return;
    }
    report_.contributions = proof_of_contributions(schedule, topology.host_count(), options.most_contributor_bits);
    if (report_.contributions == ContributionProof::fingerprints) {
      proved_by_tests_ = tests_of_proved_reduction(schedule, step_order_, topology.host_count());
    }
    if (!proved_by_tests_) {
      contributions_.emplace(schedule, topology.host_count(), options.most_contributor_bits);
    }
  }

  CheckReport run()
  {
    const StepOrder& steps = step_order_;
    for (std::uint32_t step = 0; step + 1 < steps.offsets.size(); ++step) {
      steps_.add();
      const std::span messages =
          std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]);
      for (const MessageId message : messages) {
        check_message(step, message);
      }
      // Blocks received in a step can be sent on from the next step on.
      deliver(step, messages);
      costs_.end_step(!messages.empty());
      contention_.end_step();
      if (options_.progress) {
        options_.progress(steps.offsets[step + 1], schedule_.messages.size());
      }
    }
    if (!combines_) {
      check_coverage();
    } else if (proved_by_tests_) {
      report_.error_probability = fingerprint_error_probability(*proved_by_tests_);
    } else {
      check_contributions();
    }
    report_.costs = costs_.result();
    report_.ports_needed.count = ports_.needed();
    report_.costs.ports_needed = report_.ports_needed;
    report_.costs.ports_excess = std::move(ports_excess_);
    return std::move(report_);
  }

private:
  void check_message(std::uint32_t step, MessageId id)
  {
    const Message& message = schedule_.messages[index(id)];
    const bool drawn = topology_.draws_route(message.source, message.destination);
    route_.clear();
    topology_.append_route(message.source, message.destination, route_);
    costs_.add(id, route_, drawn);
    if (!combines_ && !possession_.holds(message.source, message.blocks)) {
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
    if (drawn) {
      report_.contention_free = false; // it is not proved
      if (schedule_.ports.count == PortModel::all) {
        report_.ports_known = false;
        return;
      }
    }
    for (const auto& broken : ports_.add(step, message, route_)) {
      report_.ports = false;
      if (ports_excess_.empty()) {
        ports_excess_ = excess_text(topology_, step, broken);
      }
      record(ViolationKind::port, [&] {
        Violation violation;
        violation.step = step;
        violation.messages = {id};
        violation.nodes = {broken.node};
        violation.text = fmt::format("{} (message {})", excess_text(topology_, step, broken), index(id));
        return violation;
      });
    }
    if (drawn) {
      return;
    }
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

  void deliver(std::uint32_t step, std::span<const MessageId> messages)
  {
    if (proved_by_tests_) {
      return;
    }
    if (!combines_) {
      for (const MessageId id : messages) {
        const Message& message = schedule_.messages[index(id)];
        possession_.add(message.destination, message.blocks);
      }
      return;
    }
    contributions_->deliver(messages, [&](const CountedTwice& found) {
      report_.counted_once = false;
      record(ViolationKind::counting, [&] { return describe(step, found); });
    });
  }

  Violation describe(std::uint32_t step, const CountedTwice& found) const
  {
    const NodeId node = schedule_.messages[index(found.message)].destination;
    Violation violation;
    violation.step = step;
    violation.messages = {found.message};
    violation.nodes = {node};
    violation.blocks = {{found.block, found.block + 1}};
    if (found.contributor) {
      violation.contributors = {*found.contributor};
    }
    violation.text = fmt::format(
        "step {}: node {} combines {} to block {} a second time (message {})", step, topology_.node_name(node),
        found.contributor ? fmt::format("the contribution of node {}", topology_.node_name(*found.contributor))
                          : "some contribution",
        found.block, index(found.message));
    return violation;
  }

  void check_contributions()
  {
    for (std::uint32_t node = 0; node < topology_.host_count(); ++node) {
      for (const BlockRange wanted : wanted_results(schedule_, NodeId{node})) {
        for (std::uint32_t block = wanted.begin; block < wanted.end; ++block) {
          check_contributions(NodeId{node}, block);
        }
      }
    }
    report_.error_probability = contributions_->error_probability();
  }

  void check_contributions(NodeId node, std::uint32_t block)
  {
    steps_.add(1 + topology_.host_count() / 64);
    if (contributions_->complete(node, block)) {
      return;
    }
    report_.complete = false;
    record(ViolationKind::coverage, [&] {
      Violation violation;
      violation.nodes = {node};
      violation.blocks = {{block, block + 1}};
      violation.contributors = contributions_->missing(node, block);
      violation.text = fmt::format("node {} lacks {} to block {} at the end", topology_.node_name(node),
                                   contributors_text(violation.contributors), block);
      return violation;
    });
  }

  std::string contributors_text(std::span<const NodeId> contributors) const
  {
    if (contributors.empty()) {
      return "contributions"; // fingerprints do not identify the node
    }
    std::vector<std::string> names;
    for (const NodeId node : contributors.first(std::min(contributors.size(), shown_ranges))) {
      names.push_back(topology_.node_name(node));
    }
    return fmt::format("the {} of {} {}{}", contributors.size() == 1 ? "contribution" : "contributions",
                       contributors.size() == 1 ? "node" : "nodes", fmt::join(names, ", "),
                       contributors.size() > shown_ranges ? ", ..." : "");
  }

  void check_coverage()
  {
    const std::uint32_t nodes = topology_.host_count();
    std::vector<bool> is_destination(nodes, schedule_.operation != Operation::multicast);
    for (const NodeId node : schedule_.destinations) {
      is_destination[index(node)] = true;
    }
    for (std::uint32_t node = 0; node < nodes; ++node) {
      steps_.add();
      const std::vector<BlockRange> wanted = wanted_blocks(schedule_, NodeId{node}, nodes);
      if (!is_destination[node] || possession_.holds(NodeId{node}, wanted)) {
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
  bool combines_; ///< the operation combines
  StepOrder step_order_;
  Possession possession_;
  std::optional<std::uint64_t> proved_by_tests_; ///< so many tests have proved the reduction already
  std::optional<Contributions> contributions_;   ///< where the operation combines, else
  CostCounter costs_;
  ContentionFinder contention_;
  PortCounter ports_;
  std::vector<ChannelId> route_;
  std::string ports_excess_; ///< ScheduleCosts::ports_excess
  std::array<std::size_t, violation_kind_names.size()> recorded_ = {};
  CheckReport report_;
  WorkSteps steps_;
};

} // namespace

std::string format_fraction(const Fraction& fraction)
{
  return fraction.denominator() == 1 ? fmt::format("{}", fraction.numerator())
                                     : fmt::format("{}/{}", fraction.numerator(), fraction.denominator());
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

ScheduleCosts schedule_costs(const Topology& topology, const Schedule& schedule, const RouteDraw& draw)
{
  CostCounter counter(topology, schedule);
  std::vector<ChannelId> route;
  const auto add = [&](MessageId id) {
    const Message& message = schedule.messages[index(id)];
    route.clear();
    const bool drawn = topology.draws_route(message.source, message.destination);
    topology.append_drawn_route(message.source, message.destination, drawn && draw ? draw(id) : 0, route);
    counter.add(id, route, drawn && !draw);
  };
  if (schedule.operation == Operation::none) {
    for (std::uint32_t i = 0; i < schedule.messages.size(); ++i) {
      add(MessageId{i});
    }
    counter.end_step(false);
    return counter.result();
  }
  PortCounter ports(topology, schedule);
  std::string ports_excess;
  const StepOrder steps = order_by_step(schedule);
  for (std::uint32_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    for (std::size_t i = steps.offsets[step]; i < steps.offsets[step + 1]; ++i) {
      const MessageId id = steps.order[i];
      add(id);
      const auto excesses = ports.add(step, schedule.messages[index(id)], route);
      if (!excesses.empty() && ports_excess.empty()) {
        ports_excess = excess_text(topology, step, excesses.front());
      }
    }
    counter.end_step(steps.offsets[step] != steps.offsets[step + 1]);
  }
  ScheduleCosts costs = counter.result();
  costs.ports_needed.count = ports.needed();
  costs.ports_excess = std::move(ports_excess);
  return costs;
}

} // namespace wormcast
