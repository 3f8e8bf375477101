#include "wormcast/simulator/engines/input_queued/cycle_waits.hpp"

#include <bit>
#include <utility>

namespace wormcast {

MessageStep CycleWaits::first_owner(std::uint32_t vc_index, const RouterInput& input) const
{
  const std::uint32_t first = layout_.vc_index(layout_.router_of(vc_index), input.port * layout_.vcs);
  std::uint32_t found = first + static_cast<std::uint32_t>(std::countr_zero(input.range));
  for (std::uint32_t other = found + 1; input.range >> (other - first) != 0; ++other) {
    if (buffers_.outputs[other].granted < buffers_.outputs[found].granted) {
      found = other;
    }
  }
  return buffers_.outputs[found].last_owner;
}

void CycleWaits::count_first_loss(std::uint32_t vc_index, MessageStep other, Cycle now)
{
  if (sharing_.empty()) {
    sharing_.resize(inputs_);
  }
  sharing_[vc_index - first_] = {.since = now, .last = now + 1, .lost = 1, .other = other};
}

void CycleWaits::log_sharing(std::uint32_t vc_index, const RouterInput& input)
{
  const Sharing sharing = std::exchange(sharing_[vc_index - first_], Sharing{});
  log_.add_sharing(resource_requested(vc_index, input), input.message_step, sharing.other, sharing.since, sharing.last,
                   sharing.lost);
}

void CycleWaits::end_all_sharing()
{
  for (std::uint32_t vc_index = first_; vc_index < first_ + sharing_.size(); ++vc_index) {
    if (buffers_.inputs[vc_index].worm != CycleLayout::nothing) {
      end_sharing(vc_index, buffers_.inputs[vc_index]);
    }
  }
}

} // namespace wormcast
