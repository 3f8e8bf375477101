#include "wormcast/simulator/engines/input_queued/cycle_waits.hpp"

#include <bit>
#include <utility>

namespace wormcast {

MessageClaim CycleWaits::first_owner(std::uint32_t place, const RouterInput& input) const
{
  const std::uint32_t first = layout_.place(layout_.router_of(place), input.port * layout_.vcs);
  std::uint32_t found = first + static_cast<std::uint32_t>(std::countr_zero(input.range));
  for (std::uint32_t other = found + 1; input.range >> (other - first) != 0; ++other) {
    if (buffers_.outputs[other].granted < buffers_.outputs[found].granted) {
      found = other;
    }
  }
  return buffers_.outputs[found].claim;
}

void CycleWaits::lose(std::uint32_t place, MessageClaim other, Cycle now)
{
  if (sharing_.empty()) {
    sharing_.resize(buffers_.inputs.size());
  }
  Sharing& sharing = sharing_[place];
  if (sharing.lost == 0) {
    sharing.since = now;
    sharing.other = other;
  }
  sharing.last = now + 1;
  ++sharing.lost;
}

void CycleWaits::log_sharing(std::uint32_t place, const RouterInput& input)
{
  const Sharing sharing = std::exchange(sharing_[place], Sharing{});
  log_.add_sharing(resource_wanted(place, input), input.claim, sharing.other, sharing.since, sharing.last,
                   sharing.lost);
}

void CycleWaits::end_all_sharing()
{
  for (std::uint32_t place = 0; place < sharing_.size(); ++place) {
    if (buffers_.inputs[place].worm != CycleLayout::nothing) {
      end_sharing(place, buffers_.inputs[place]);
    }
  }
}

} // namespace wormcast
