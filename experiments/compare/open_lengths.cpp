#include "wormcast/experiments/compare/open_lengths.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

void OpenLengths::open(const LineAtLength& line, std::int64_t bound)
{
  std::vector<Bounded>& waiting = lengths_[line.length].waiting;
  const Bounded opened{.line = line.line, .bound = bound};
  const auto order = [](const Bounded& one) { return std::pair(one.bound, one.line); };
  waiting.insert(std::ranges::upper_bound(waiting, order(opened), {}, order), opened);
}

void OpenLengths::answer(const LineAtLength& line, SeedLatencies latencies)
{
  if (!latencies.empty() && search_.kind() == LatencyKind::exact) {
    OpenLength& open = lengths_[line.length];
    const std::int64_t latency = latencies.front();
    if (!open.least || latency < *open.least || (latency == *open.least && line.line < open.least_line)) {
      open.least = latency;
      open.least_line = line.line;
    }
  }
  search_.answer(line.line, line.length, std::move(latencies));
}

std::size_t OpenLengths::count() const
{
  std::size_t sum = 0;
  for (const auto& [length, open] : lengths_) {
    sum += open.waiting.size();
  }
  return sum;
}

/// Whether what is no faster than its bound can still be the lowest; of equal ones the first line is.
bool OpenLengths::may_be_least(const OpenLength& open, const Bounded& one)
{
  return !open.least || one.bound < *open.least || (one.bound == *open.least && one.line < open.least_line);
}

std::vector<LineAtLength> OpenLengths::next(bool all)
{
  constexpr std::size_t at_once = 2;
  std::vector<LineAtLength> next;
  for (auto& [length, open] : lengths_) {
    std::size_t taken = 0;
    std::vector<Bounded> later;
    for (const Bounded& one : open.waiting) {
      if (!may_be_least(open, one)) {
        search_.answer(one.line, length, SeedLatencies(repeats_, one.bound));
      } else if (all || one.bound == 0 || taken < at_once) {
        next.push_back({.line = one.line, .length = length});
        ++taken;
      } else {
        later.push_back(one);
      }
    }
    open.waiting = std::move(later);
  }
  return next;
}

} // namespace wormcast
