#include "wormcast/algorithms/tuning/segments.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::int64_t most_segments_of_all = std::int64_t{1} << 24;

} // namespace

SegmentTimes::SegmentTimes(const Topology& topology, const SegmentTrees& trees) : period_(trees.period)
{
  for (const std::vector<TreeEdge>& edges : trees.trees) {
    Tree& tree = trees_.emplace_back();
    for (const TreeEdge& edge : edges) {
      tree.longest.resize(std::max<std::size_t>(tree.longest.size(), edge.start + std::size_t{1}));
      tree.longest[edge.start] = std::max(tree.longest[edge.start], topology.distance(edge.from, edge.to));
    }
    const auto first = std::ranges::find_if(tree.longest, [](std::uint32_t hops) { return hops > 0; });
    tree.first = static_cast<std::uint32_t>(first - tree.longest.begin());
  }
}

std::uint64_t SegmentTimes::first_step(std::uint64_t segments) const
{
  std::uint64_t first = trees_.front().first;
  for (std::size_t tree = 0; tree < std::min<std::uint64_t>(segments, trees_.size()); ++tree) {
    first = std::min<std::uint64_t>(first, trees_[tree].first);
  }
  return first;
}

std::uint64_t SegmentTimes::steps(std::uint64_t segments) const
{
  const std::uint64_t span = span_of(segments);
  if (segments >= 2 * trees_.size()) {
    return span; // something is sent in every step
  }
  const std::vector<std::uint32_t> longest = longest_by_step(segments);
  return span - static_cast<std::uint64_t>(std::ranges::count(longest, 0U));
}

std::uint64_t SegmentTimes::span_of(std::uint64_t segments) const
{
  std::uint64_t end = 0;
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    const std::uint64_t carried = segments_of_tree(segments, tree, trees_.size());
    if (carried > 0 && !trees_[tree].longest.empty()) {
      end = std::max(end, trees_[tree].longest.size() + period_ * (carried - 1));
    }
  }
  return end - std::min(end, first_step(segments));
}

std::vector<std::uint32_t> SegmentTimes::longest_by_step(std::uint64_t segments) const
{
  std::vector<std::uint32_t> longest(span_of(segments), 0);
  const std::uint64_t first = first_step(segments);
  for (std::size_t tree = 0; tree < trees_.size(); ++tree) {
    const std::uint64_t carried = segments_of_tree(segments, tree, trees_.size());
    for (std::size_t start = 0; start < trees_[tree].longest.size(); ++start) {
      for (std::uint64_t turn = 0; trees_[tree].longest[start] > 0 && turn < carried; ++turn) {
        std::uint32_t& step = longest[start + turn * period_ - first];
        step = std::max(step, trees_[tree].longest[start]);
      }
    }
  }
  return longest;
}

std::uint64_t SegmentTimes::counted_hops(std::uint64_t segments) const
{
  std::uint64_t sum = 0;
  for (const std::uint32_t hops : longest_by_step(segments)) {
    sum += hops;
  }
  return sum;
}

// From so many segments on all edges of a colour are in use at once, and as many more segments as there are trees add
// the same steps again.
std::uint64_t SegmentTimes::regular_from() const
{
  std::size_t longest = 0;
  for (const Tree& tree : trees_) {
    longest = std::max(longest, tree.longest.size());
  }
  return trees_.size() * (longest / period_ + 2);
}

std::uint64_t SegmentTimes::hops(std::uint64_t segments) const
{
  const std::uint64_t regular = regular_from();
  if (segments <= regular) {
    return counted_hops(segments);
  }
  const std::uint64_t rounds = (segments - regular) / trees_.size();
  const std::uint64_t near = segments - rounds * trees_.size();
  const std::uint64_t base = counted_hops(near);
  return rounds == 0 ? base : base + rounds * (counted_hops(near + trees_.size()) - base);
}

ExactTime SegmentTimes::time(std::uint64_t segments, const ScheduleRequest& request) const
{
  return time(segments, request, std::nullopt);
}

ExactTime SegmentTimes::time(std::uint64_t segments, const ScheduleRequest& request,
                             std::optional<std::uint64_t> known_hops) const
{
  const std::uint64_t alpha = steps(segments);
  const FormulaCosts formula{alpha, Fraction(static_cast<std::int64_t>(alpha), static_cast<std::int64_t>(segments))};
  const std::int64_t per_hop = request.costs->per_hop.picoseconds;
  return formula_time(formula, request) +
         (per_hop == 0 ? ExactTime(0) : ExactTime(known_hops ? *known_hops : hops(segments)) * per_hop);
}

std::vector<std::uint64_t> SegmentTimes::first_hops(std::uint64_t most) const
{
  std::vector<std::uint64_t> hops = {0};
  std::vector<std::uint32_t> longest; // of each step, counted from the first start of all trees
  for (std::uint64_t segment = 0; segment < most; ++segment) {
    const std::vector<std::uint32_t>& added = trees_[segment % trees_.size()].longest;
    const std::uint64_t begin = segment / trees_.size() * period_;
    longest.resize(std::max<std::size_t>(longest.size(), begin + added.size()), 0);
    std::uint64_t sum = hops.back();
    for (std::size_t start = 0; start < added.size(); ++start) {
      std::uint32_t& step = longest[begin + start];
      sum += std::max(step, added[start]) - step;
      step = std::max(step, added[start]);
    }
    hops.push_back(sum);
  }
  return hops;
}

// Along k = r, r + T, r + 2T, ... for T trees the time is convex as soon as every tree has a segment and hops grow
// evenly: it is looked at one by one before, and beyond where it stops to fall.
std::uint64_t SegmentTimes::best(std::uint64_t most, const ScheduleRequest& request) const
{
  const std::uint64_t trees = trees_.size();
  const bool counts_hops = request.costs->per_hop != Time{};
  const std::uint64_t single = std::min(most, counts_hops ? std::max(2 * trees, regular_from()) : 2 * trees);
  const std::vector<std::uint64_t> hops = counts_hops ? first_hops(single) : std::vector<std::uint64_t>();
  std::uint64_t best = 1;
  ExactTime least = time(1, request);
  const auto try_one = [&](std::uint64_t segments) {
    ExactTime taken = time(segments, request, segments < hops.size() ? std::optional(hops[segments]) : std::nullopt);
    if (taken < least || (taken == least && segments < best)) {
      best = segments;
      least = std::move(taken);
    }
  };
  for (std::uint64_t segments = 2; segments <= single; ++segments) {
    try_one(segments);
  }
  for (std::uint64_t start = single + 1; start <= std::min(single + trees, most); ++start) {
    std::uint64_t low = 0; // rounds of all trees; the least time is at low .. high
    std::uint64_t high = (most - start) / trees;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (time(start + middle * trees, request) <= time(start + (middle + 1) * trees, request)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    try_one(start + low * trees);
  }
  return best;
}

Parameter segments_parameter()
{
  return {.name = "segments",
          .type = ParameterType::integer,
          .text = "segments of the message; \"best\": the fastest number for the length and the network (flits are not "
                  "counted)",
          .fallback = std::string(best_value),
          .minimum = 1,
          .maximum = most_segments_of_all,
          .choices = {std::string(best_value)}};
}

std::uint64_t most_segments(const Topology& topology, const ScheduleRequest& request)
{
  const std::uint64_t receivers = std::max<std::uint32_t>(topology.host_count(), 2) - 1;
  const std::uint64_t most = std::min<std::uint64_t>(request.message_bytes, most_segments_of_all);
  return std::max<std::uint64_t>(1, std::min(most, most_messages / receivers));
}

Schedule make_segmented(std::string_view algorithm, const SegmentTrees& trees, const Topology& topology,
                        const ScheduleRequest& request)
{
  const auto segments = static_cast<std::uint64_t>(request.parameters.integer("segments"));
  require_bytes_for(algorithm, segments, "segments", request);
  require_message_limit(algorithm, segments, "segments", topology.host_count());
  return segmented_broadcast(trees, segments);
}

ParameterValues best_segments(const SegmentTrees& trees, const Topology& topology, const ScheduleRequest& request)
{
  ParameterValues values = request.parameters;
  const std::uint64_t best = SegmentTimes(topology, trees).best(most_segments(topology, request), request);
  values.set("segments", static_cast<std::int64_t>(best));
  return values;
}

std::function<SegmentCosts(std::uint64_t segments)> segment_costs(const SegmentTrees& trees, const Topology& topology)
{
  return [times = SegmentTimes(topology, trees)](std::uint64_t segments) {
    return SegmentCosts{times.steps(segments), times.hops(segments)};
  };
}

void require_bytes_for(std::string_view algorithm, std::uint64_t parts, std::string_view parameter,
                       const ScheduleRequest& request)
{
  if (parts > request.message_bytes) {
    throw InputError(
        fmt::format("{} needs a byte for each part of the message at least; {} is {}, the message has {} {}", algorithm,
                    parameter, parts, request.message_bytes, request.message_bytes == 1 ? "byte" : "bytes"));
  }
}

} // namespace wormcast
