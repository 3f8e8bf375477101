#include "wormcast/simulator/contention.hpp"

#include <algorithm>

namespace wormcast {

std::string_view contention_kind_name(ContentionKind kind)
{
  switch (kind) {
  case ContentionKind::step:
    return "step";
  case ContentionKind::depth:
    return "depth";
  case ContentionKind::port:
    return "port";
  case ContentionKind::sharing:
    return "sharing";
  case ContentionKind::other:
    return "other";
  }
  return "";
}

std::string_view wait_cause_name(WaitCause cause)
{
  switch (cause) {
  case WaitCause::channel:
    return "channel";
  case WaitCause::queue:
    return "queue";
  case WaitCause::virtual_channel:
    return "virtual_channel";
  case WaitCause::slot:
    return "slot";
  case WaitCause::crossbar:
    return "crossbar";
  }
  return "";
}

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
