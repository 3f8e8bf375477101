#include "wormcast/experiments/run/program_check.hpp"

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/simulator/program_source.hpp"

#include <algorithm>
#include <vector>

namespace wormcast {

ProgramCheck check_program(const Topology& topology, const Schedule& schedule)
{
  NetworkParameters network;
  network.per_byte = Time{1};
  const std::unique_ptr<MessageSource> source = make_program_source(topology, schedule, network, RunParameters{});
  std::vector<NewMessage> sent;
  for (std::int64_t now = source->next_time(); now != never; now = source->next_time()) {
    sent.clear();
    source->take(now, sent);
    std::ranges::sort(sent, {}, &NewMessage::message);
    for (const NewMessage& message : sent) {
      const Delivery delivery{.message = message.message, .handle = message.handle};
      source->port_released(message.message, now);
      source->delivered({&delivery, 1}, now);
    }
  }
  const MessageSource::Rest rest = source->rest();
  const bool any_order = std::ranges::none_of(schedule.program->actions, [](const ProgramAction& action) {
    return action.kind == ProgramAction::Kind::receive && (action.any_peer || !action.tag);
  });
  return {.never_sent = rest.messages, .first_never_sent = rest.first, .any_order = any_order};
}

} // namespace wormcast
