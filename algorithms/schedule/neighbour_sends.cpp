#include "wormcast/algorithms/schedule/neighbour_sends.hpp"

namespace wormcast {

Schedule whole_message_broadcast(const SendSteps& steps)
{
  Schedule schedule;
  const BlockSetId whole = schedule.block_sets.intern(BlockRange{0, 1});
  for (std::uint32_t step = 0; step < steps.size(); ++step) {
    for (const NodeSend send : steps[step]) {
      schedule.messages.push_back({step, send.from, send.to, whole});
    }
  }
  return schedule;
}

bool all_links_at_once(PortModel ports, std::uint32_t degree)
{
  return ports.count == PortModel::all || ports.count >= degree;
}

} // namespace wormcast
