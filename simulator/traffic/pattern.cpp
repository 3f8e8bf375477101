#include "wormcast/simulator/traffic/pattern.hpp"

#include "wormcast/simulator/traffic/patterns.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

void check_shares(const PatternShares& shares, const std::string& pattern, std::uint32_t nodes)
{
  const bool in_range = shares.even >= 0 && shares.even <= 1; // not a number: false
  if (!in_range) {
    throw InputError(
        fmt::format("pattern: \"{}\" sends the share {} to all nodes alike, expected 0 to 1", pattern, shares.even));
  }
  for (const TrafficShare& share : shares.chosen) {
    if (index(share.source) >= nodes || index(share.destination) >= nodes) {
      throw InputError(fmt::format("pattern: \"{}\" sends from {} to {}, expected nodes from 0 to {}", pattern,
                                   index(share.source), index(share.destination), nodes - 1));
    }
    if (share.weight == 0 || share.weight > largest_traffic_weight) {
      throw InputError(fmt::format("pattern: \"{}\" has the weight {}, expected 1 to 2^32", pattern, share.weight));
    }
  }
}

} // namespace

Pattern::Pattern(const Topology& topology, const PatternChoice& choice, std::uint64_t seed)
    : nodes_(topology.host_count()), include_self_(choice.include_self), sends_(nodes_), chosen_(nodes_)
{
  const PatternShares shares =
      find_pattern(choice.pattern).make(topology, {.parameters = choice.pattern_parameters, .seed = seed});
  check_shares(shares, choice.pattern, nodes_);
  even_ = shares.even;
  for (const TrafficShare& share : shares.chosen) {
    if (share.source != share.destination || include_self_) {
      std::vector<Weighted>& entries = chosen_[index(share.source)];
      const std::uint64_t before = entries.empty() ? 0 : entries.back().weight_before + entries.back().weight;
      entries.push_back({share.destination, before, share.weight});
    }
  }
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    sends_[node] = !chosen_[node].empty() || (even_ > 0 && (nodes_ > 1 || include_self_));
  }
  senders_ = static_cast<std::uint32_t>(std::ranges::count(sends_, true));
  if (senders_ == 0) {
    throw InputError("pattern: no node sends anything to another one");
  }
}

NodeId Pattern::any_other(NodeId from, RandomStream& random) const
{
  if (include_self_) {
    return NodeId{static_cast<std::uint32_t>(random.below(nodes_))};
  }
  const auto drawn = static_cast<std::uint32_t>(random.below(nodes_ - 1));
  return NodeId{drawn + (drawn >= index(from) ? 1U : 0U)};
}

NodeId Pattern::destination(NodeId from, RandomStream& random) const
{
  const std::vector<Weighted>& entries = chosen_[index(from)];
  if (entries.empty() || (even_ > 0 && !random.chance(1 - even_))) {
    return any_other(from, random);
  }
  if (entries.size() == 1) {
    return entries.front().to;
  }
  const std::uint64_t drawn = random.below(entries.back().weight_before + entries.back().weight);
  return std::prev(std::ranges::upper_bound(entries, drawn, {}, &Weighted::weight_before))->to;
}

void Pattern::for_each_chosen(NodeId from, const std::function<void(NodeId, double)>& visit) const
{
  const std::vector<Weighted>& entries = chosen_[index(from)];
  if (entries.empty()) {
    return;
  }
  const auto all = static_cast<double>(entries.back().weight_before + entries.back().weight);
  for (const Weighted& entry : entries) {
    visit(entry.to, (1 - even_) * static_cast<double>(entry.weight) / all);
  }
}

} // namespace wormcast
