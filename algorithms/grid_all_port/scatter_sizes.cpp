#include "wormcast/algorithms/grid_all_port/scatter_sizes.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

using Feasible = std::function<bool(const ScatterCapacity&)>;

constexpr std::size_t most_steps = 64;

std::int64_t sum(const ScatterCapacity& capacity)
{
  std::int64_t result = 0;
  for (const std::int64_t size : capacity.s) {
    result += size;
  }
  return result;
}

// (s[T], ..., s[1]) of a before that of b.
bool lexicographically_smaller(const ScatterCapacity& a, const ScatterCapacity& b)
{
  return std::lexicographical_compare(a.s.rbegin(), a.s.rend(), b.s.rbegin(), b.s.rend());
}

bool better(const ScatterCapacity& a, const ScatterCapacity& b)
{
  const std::int64_t sum_a = sum(a);
  const std::int64_t sum_b = sum(b);
  return sum_a < sum_b || (sum_a == sum_b && lexicographically_smaller(a, b));
}

// No larger size makes a next step stronger.
std::int64_t largest_useful(const ScatterCapacity& capacity)
{
  return std::max(capacity.s_total.back(), 2 * capacity.b_total.back());
}

// All prefixes with one more step, without those that another one equals or surpasses in its reach: every continuation
// of them can follow the other one.
std::vector<ScatterCapacity> extended(const std::vector<ScatterCapacity>& prefixes, std::int64_t largest)
{
  std::vector<ScatterCapacity> all;
  for (const ScatterCapacity& prefix : prefixes) {
    for (std::int64_t size = 1; size <= std::min(largest, largest_useful(prefix)); ++size) {
      all.push_back(prefix);
      all.back().push(size);
    }
  }
  std::ranges::sort(all, better);
  std::vector<ScatterCapacity> kept;
  std::vector<std::pair<std::int64_t, std::int64_t>> front; // (SM, BM) of kept ones; SM falls, BM grows
  for (ScatterCapacity& candidate : all) {
    const std::pair reach(candidate.s_total.back(), candidate.b_total.back());
    const auto fits = [&](const auto& other) { return other.first >= reach.first && other.second >= reach.second; };
    if (std::ranges::none_of(front, fits)) {
      std::erase_if(front,
                    [&](const auto& other) { return other.first <= reach.first && other.second <= reach.second; });
      front.push_back(reach);
      kept.push_back(std::move(candidate));
    }
  }
  return kept;
}

std::size_t fewest_steps(std::int64_t largest, const Feasible& feasible)
{
  ScatterCapacity capacity;
  while (!feasible(capacity)) {
    if (capacity.steps() == most_steps) {
      throw std::logic_error("a scatter that no number of steps can do");
    }
    capacity.push(largest);
  }
  return capacity.steps();
}

// The smallest size of the first step with which the prefix is feasible, pushed; false if there is none up to
// `largest`.
bool push_smallest(ScatterCapacity& prefix, std::int64_t largest, const Feasible& feasible)
{
  std::int64_t low = 1;
  std::int64_t high = largest + 1; // infeasible or unknown below low, feasible from high on
  while (low < high) {
    const std::int64_t size = low + (high - low) / 2;
    prefix.push(size);
    const bool fits = feasible(prefix);
    prefix.pop();
    (fits ? high : low) = fits ? size : size + 1;
  }
  if (low > largest) {
    return false;
  }
  prefix.push(low);
  return true;
}

} // namespace

ScatterCapacity::ScatterCapacity() : s{0}, s_hand{0}, s_side{0}, s_total{1}, b_hand{0}, b_total{0} {}

void ScatterCapacity::push(std::int64_t size)
{
  const std::int64_t hand = std::min(size, s_total.back());
  const std::int64_t hand_both = std::min(size / 2, b_total.back());
  b_total.push_back(2 * hand_both + std::min(size, s_total.back()));
  b_hand.push_back(hand_both);
  s_total.push_back(s_total.back() + 2 * hand);
  s_side.push_back(s_side.back() + hand);
  s_hand.push_back(hand);
  s.push_back(size);
}

void ScatterCapacity::pop()
{
  for (auto* values : {&s, &s_hand, &s_side, &s_total, &b_hand, &b_total}) {
    values->pop_back();
  }
}

bool ScatterCapacity::s_job_fits(std::size_t j, std::int64_t left, std::int64_t right) const
{
  return left <= s_side[j] && right <= s_side[j];
}

bool ScatterCapacity::b_job_fits(std::size_t j, std::int64_t left, std::int64_t right) const
{
  const std::int64_t left_kept = std::max<std::int64_t>(0, left - b_hand[j]);
  const std::int64_t right_kept = std::max<std::int64_t>(0, right - b_hand[j]);
  return j >= 1 && left_kept + 1 + right_kept <= s[j] && s_job_fits(j - 1, left_kept, right_kept);
}

ScatterCapacity optimal_scatter_sizes(std::int64_t largest, const Feasible& feasible)
{
  const std::size_t steps = fewest_steps(largest, feasible);
  if (steps == 0) {
    return {};
  }
  std::vector<ScatterCapacity> prefixes(1);
  for (std::size_t j = 1; j + 2 <= steps; ++j) {
    prefixes = extended(prefixes, largest);
  }
  std::optional<ScatterCapacity> best;
  const auto consider = [&](ScatterCapacity candidate) {
    if (push_smallest(candidate, largest, feasible) && (!best || better(candidate, *best))) {
      best = std::move(candidate);
    }
  };
  for (const ScatterCapacity& prefix : prefixes) {
    if (steps == 1) {
      consider(prefix);
      continue;
    }
    for (std::int64_t size = 1; size <= std::min(largest, largest_useful(prefix)); ++size) {
      ScatterCapacity candidate = prefix;
      candidate.push(size);
      if (best && sum(candidate) >= sum(*best)) {
        break; // the first step sends at least one part
      }
      consider(std::move(candidate));
    }
  }
  return *best;
}

} // namespace wormcast
