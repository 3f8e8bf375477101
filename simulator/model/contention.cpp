#include "wormcast/simulator/model/contention.hpp"

#include <algorithm>

namespace wormcast {

void ContentionTotals::add(ContentionKind kind, Time wait)
{
  add(kind, 1, wait, 1);
}

void ContentionTotals::add(ContentionKind kind, std::uint64_t count, Time unit, std::uint64_t units)
{
  Kind& sums = by_kind[static_cast<std::size_t>(kind)];
  sums.count += count;
  sums.wait.picoseconds += TotalTime(unit).picoseconds * units;
}

void ContentionTotals::add(const ContentionTotals& other)
{
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind) {
    by_kind[kind].count += other.by_kind[kind].count;
    by_kind[kind].wait += other.by_kind[kind].wait;
  }
}

ContentionTotals ContentionTotals::since(const ContentionTotals& before) const
{
  ContentionTotals added = *this;
  for (std::size_t kind = 0; kind < by_kind.size(); ++kind) {
    added.by_kind[kind].count -= before.by_kind[kind].count;
    added.by_kind[kind].wait.picoseconds -= before.by_kind[kind].wait.picoseconds;
  }
  return added;
}

bool ContentionTotals::none() const
{
  return std::ranges::all_of(by_kind, [](const Kind& kind) { return kind.count == 0; });
}

} // namespace wormcast
