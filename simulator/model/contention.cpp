#include "wormcast/simulator/model/contention.hpp"

#include <algorithm>

namespace wormcast {

void ContentionTotals::add(ContentionKind kind, Time wait)
{
  Kind& sums = by_kind[static_cast<std::size_t>(kind)];
  ++sums.count;
  sums.wait += wait;
}

bool ContentionTotals::none() const
{
  return std::ranges::all_of(by_kind, [](const Kind& kind) { return kind.count == 0; });
}

} // namespace wormcast
