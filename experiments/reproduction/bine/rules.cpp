#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/reproduction/bine/checks.hpp"
#include "wormcast/experiments/reproduction/bine/peer_rule.hpp"
#include "wormcast/experiments/reproduction/frame/counted_all_reduce.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <tuple>

namespace wormcast::bine {

namespace {

constexpr std::uint32_t ports = 6;
constexpr std::array<Family, 2> families = {Family::bine, Family::recursive_doubling};

const char* name_of(Family family)
{
  return family == Family::bine ? "Bine" : "recursive doubling";
}

Evidence distances()
{
  constexpr std::array<std::int64_t, 8> printed = {1, -1, 3, -5, 11, -21, 43, -85};
  std::vector<Observation> observations;
  const std::int64_t ring = 256;
  const PeerRule rule({ring}, Family::bine, 0);
  const std::vector<Message> messages = schedule_of({{ring}, {}, "swing"}).messages;
  for (const ExchangeStep& step : rule.steps()) {
    const std::int64_t claimed = as_claimed(printed.at(step.exponent));
    std::int64_t found = 0;
    for (const Message& message : messages) { // all nodes go as far: the even ones upwards
      if (message.step == step.exponent && index(message.source) == 0) {
        found = index(message.destination);
      }
    }
    found = found > ring / 2 ? found - ring : found;
    observations.push_back(
        same_texts(fmt::format("step {} from node 0", step.exponent), fmt::to_string(claimed), fmt::to_string(found)));
  }
  return all_hold("the program's all_reduce on a ring of 256", observations);
}

/// Contributions to the vectors of all nodes, a bit for each.
class Contributions {
public:
  explicit Contributions(std::int64_t nodes)
      : nodes_(static_cast<std::size_t>(nodes)), words_((nodes_ + 63) / 64), bits_(nodes_ * words_)
  {
    for (std::size_t node = 0; node < nodes_; ++node) {
      bits_[node * words_ + node / 64] = std::uint64_t{1} << node % 64;
    }
  }

  /// Every node adds what its peer had before the step. Returns how many contributions are counted twice.
  std::int64_t exchange(const PeerRule& rule, const ExchangeStep& step)
  {
    const std::vector<std::uint64_t> before = bits_;
    std::int64_t twice = 0;
    for (std::size_t node = 0; node < nodes_; ++node) {
      const auto peer = static_cast<std::size_t>(rule.peer(static_cast<std::int64_t>(node), step));
      for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t& mine = bits_[node * words_ + word];
        const std::uint64_t other = before[peer * words_ + word];
        twice += std::popcount(mine & other);
        mine |= other;
      }
    }
    return twice;
  }

  /// Of the node that has the fewest.
  std::int64_t fewest() const
  {
    std::int64_t fewest = static_cast<std::int64_t>(nodes_);
    for (std::size_t node = 0; node < nodes_; ++node) {
      std::int64_t count = 0;
      for (std::size_t word = 0; word < words_; ++word) {
        count += std::popcount(bits_[node * words_ + word]);
      }
      fewest = std::min(fewest, count);
    }
    return fewest;
  }

private:
  std::size_t nodes_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

Evidence exchanges_count_once()
{
  std::vector<Observation> observations;
  for (const std::vector<std::int64_t>& shape : measured_shapes()) {
    for (const Family family : families) {
      std::int64_t fewest = 0;
      std::int64_t twice = 0;
      for (std::uint32_t port = 0; port < ports; ++port) {
        const PeerRule rule(shape, family, port);
        Contributions contributions(rule.nodes());
        for (const ExchangeStep& step : rule.steps()) {
          twice += contributions.exchange(rule, step);
        }
        fewest = port == 0 ? contributions.fewest() : std::min(fewest, contributions.fewest());
      }
      const std::int64_t nodes = PeerRule(shape, family, 0).nodes();
      observations.push_back(
          same_texts(fmt::format("{} on {}", name_of(family), shape_text(shape)),
                     fmt::format("{} contributions at every node, 0 of them twice", as_claimed(nodes)),
                     fmt::format("{} contributions at every node, {} of them twice", fewest, twice)));
    }
  }
  return all_hold("ports 0 to 5", observations);
}

/// The nodes that a tree reaches from node 0, and how often it sends to one that it has reached before.
struct Span {
  std::int64_t nodes = 0;
  std::int64_t again = 0;
};

/// The tree of the steps backwards: a node that is reached in one of them sends in all that follow.
Span span_of(const PeerRule& rule)
{
  std::vector<bool> reached(static_cast<std::size_t>(rule.nodes()));
  std::vector<std::int64_t> holders = {0};
  reached[0] = true;
  Span span;
  for (auto step = rule.steps().rbegin(); step != rule.steps().rend(); ++step) {
    const std::size_t senders = holders.size();
    for (std::size_t i = 0; i < senders; ++i) {
      const std::int64_t child = rule.peer(holders[i], *step);
      if (reached[static_cast<std::size_t>(child)]) {
        ++span.again;
      }
      reached[static_cast<std::size_t>(child)] = true;
      holders.push_back(child);
    }
  }
  span.nodes = std::ranges::count(reached, true);
  return span;
}

Evidence trees_span()
{
  std::vector<Observation> observations;
  for (const std::vector<std::int64_t>& shape : measured_shapes()) {
    for (const Family family : families) {
      for (std::uint32_t port = 0; port < ports; ++port) {
        const PeerRule rule(shape, family, port);
        const Span span = span_of(rule);
        observations.push_back(same_texts(fmt::format("{} on {}, port {}", name_of(family), shape_text(shape), port),
                                          fmt::format("{} nodes, 0 of them again", as_claimed(rule.nodes())),
                                          fmt::format("{} nodes, {} of them again", span.nodes, span.again)));
      }
    }
  }
  return all_hold("ports 0 to 5, from node 0", observations, 12);
}

/// Who sends to whom in which step.
using Sending = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;

Evidence schedules_follow_rule()
{
  std::vector<Observation> observations;
  for (const std::vector<std::int64_t>& shape : measured_shapes()) {
    for (const Family family : families) {
      const PeerRule rule(shape, family, 0);
      std::set<Sending> expected;
      std::uint32_t number = 0;
      for (const ExchangeStep& step : rule.steps()) {
        for (std::int64_t node = 0; node < rule.nodes(); ++node) {
          expected.emplace(number, node, rule.peer(node, step));
        }
        ++number;
      }
      std::size_t same = 0;
      const Schedule schedule = schedule_of({shape, {}, family == Family::bine ? "swing" : "torus_doubling"});
      for (const Message& message : schedule.messages) {
        same += expected.erase({message.step, index(message.source), index(message.destination)});
      }
      observations.push_back(same_texts(fmt::format("{} on {}", name_of(family), shape_text(shape)),
                                        fmt::format("{} messages, 0 others", rule.nodes() * number),
                                        fmt::format("{} messages, {} others", same, schedule.messages.size() - same)));
    }
  }
  return all_hold("whole vectors with one port: the program's all_reduces swing and torus_doubling", observations);
}

} // namespace

std::vector<Check> rule_checks()
{
  const Demonstration shown = {configuration_text({{8, 8, 8}, {}, "swing"}), "wormcast check CONFIG"};
  return {check_of("distances", {configuration_text({{256}, {}, "swing"}), "wormcast check CONFIG"}, distances),
          check_of("exchanges_count_once", shown, exchanges_count_once), check_of("trees_span", {}, trees_span),
          check_of("schedules_follow_rule", shown, schedules_follow_rule)};
}

} // namespace wormcast::bine
