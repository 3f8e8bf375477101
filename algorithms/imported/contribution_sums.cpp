#include "wormcast/algorithms/imported/contribution_sums.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

namespace {

constexpr std::size_t most_intervals = std::size_t{1} << 25;
constexpr std::size_t most_shown_contributions = 16;

using Interval = ContributionSums::Interval;

/// Without overflow: how often a contribution is there matters up to twice.
std::uint32_t sum_of(std::uint32_t one, std::uint32_t other)
{
  return one > std::numeric_limits<std::uint32_t>::max() - other ? std::numeric_limits<std::uint32_t>::max()
                                                                 : one + other;
}

void append(std::vector<Interval>& intervals, const Interval& next)
{
  if (!intervals.empty() && intervals.back().end == next.begin && intervals.back().times == next.times) {
    intervals.back().end = next.end;
  } else {
    intervals.push_back(next);
  }
}

} // namespace

std::span<const Interval> ContributionSums::intervals(std::uint32_t value) const
{
  return std::span(intervals_).subspan(offsets_[value], offsets_[value + std::size_t{1}] - offsets_[value]);
}

std::uint32_t ContributionSums::add(std::span<const Interval> intervals)
{
  if (intervals_.size() + intervals.size() > most_intervals) {
    throw InputError(fmt::format("the contributions to all chunks take more than {} intervals of ranks, too many for a "
                                 "proof",
                                 most_intervals));
  }
  intervals_.insert(intervals_.end(), intervals.begin(), intervals.end());
  offsets_.push_back(intervals_.size());
  return static_cast<std::uint32_t>(offsets_.size() - 2);
}

std::uint32_t ContributionSums::single(std::uint32_t rank, std::uint64_t chunk)
{
  const std::uint64_t contribution = chunk * ranks_ + rank;
  const Interval one{.begin = contribution, .end = contribution + 1};
  return add({&one, 1});
}

std::uint32_t ContributionSums::sum(std::uint32_t one, std::uint32_t other)
{
  if (one == 0 || other == 0) {
    return one + other;
  }
  const auto [low, high] = std::minmax(one, other);
  const std::uint64_t key = (std::uint64_t{low} << 32U) | high;
  if (const auto known = sums_.find(key); known != sums_.end()) {
    return known->second;
  }
  const std::span<const Interval> left = intervals(one);
  const std::span<const Interval> right = intervals(other);
  merged_.clear();
  std::size_t i = 0;
  std::size_t j = 0;
  std::uint64_t from = 0; // everything before is merged
  while (i < left.size() || j < right.size()) {
    const std::uint64_t left_begin = i < left.size() ? std::max(left[i].begin, from) : UINT64_MAX;
    const std::uint64_t right_begin = j < right.size() ? std::max(right[j].begin, from) : UINT64_MAX;
    Interval next{.begin = std::min(left_begin, right_begin), .end = UINT64_MAX, .times = 0};
    if (i < left.size()) { // it ends where the next one of either side begins or ends
      next.times = left_begin == next.begin ? left[i].times : 0;
      next.end = std::min(next.end, left_begin == next.begin ? left[i].end : left_begin);
    }
    if (j < right.size()) {
      next.times = right_begin == next.begin ? sum_of(next.times, right[j].times) : next.times;
      next.end = std::min(next.end, right_begin == next.begin ? right[j].end : right_begin);
    }
    append(merged_, next);
    from = next.end;
    i += i < left.size() && left[i].end <= from ? 1 : 0;
    j += j < right.size() && right[j].end <= from ? 1 : 0;
  }
  const std::uint32_t value = add(merged_);
  sums_.emplace(key, value);
  return value;
}

std::optional<std::uint64_t> ContributionSums::common(std::uint32_t one, std::uint32_t other) const
{
  const std::span<const Interval> left = intervals(one);
  const std::span<const Interval> right = intervals(other);
  for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
    const std::uint64_t begin = std::max(left[i].begin, right[j].begin);
    if (begin < std::min(left[i].end, right[j].end)) {
      return begin;
    }
    left[i].end <= right[j].end ? ++i : ++j;
  }
  return std::nullopt;
}

bool ContributionSums::is_single(std::uint32_t value, std::uint32_t rank, std::uint64_t chunk) const
{
  const std::span<const Interval> all = intervals(value);
  const std::uint64_t contribution = chunk * ranks_ + rank;
  return all.size() == 1 && all.front() == Interval{.begin = contribution, .end = contribution + 1};
}

bool ContributionSums::is_complete(std::uint32_t value, std::uint64_t chunk) const
{
  const std::span<const Interval> all = intervals(value);
  return all.size() == 1 && all.front() == Interval{.begin = chunk * ranks_, .end = (chunk + 1) * ranks_};
}

std::string ContributionSums::text(std::span<const Interval> all) const
{
  std::string text = "{";
  std::size_t shown = 0;
  for (const Interval& interval : all) {
    for (std::uint64_t one = interval.begin; one < interval.end; ++one, ++shown) {
      if (shown == most_shown_contributions) {
        return text + ", ...}";
      }
      text += fmt::format("{}({}, {}){}", shown == 0 ? "" : ", ", rank_of(one), chunk_of(one),
                          interval.times > 1 ? fmt::format(" {} times", interval.times) : std::string());
    }
  }
  return text + "}";
}

std::string ContributionSums::single_text(std::uint32_t rank, std::uint64_t chunk) const
{
  return fmt::format("{{({}, {})}}", rank, chunk);
}

std::string ContributionSums::complete_text(std::uint64_t chunk) const
{
  const Interval complete{.begin = chunk * ranks_, .end = (chunk + 1) * ranks_};
  return text({&complete, 1});
}

} // namespace wormcast
