#include "wormcast/experiments/run/program_check.hpp"

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/simulator/sources/program_source.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// By rank, peer and tag: the receives in the order of the file; none: some receive matches more than one of them.
std::optional<std::vector<std::vector<std::uint32_t>>> receives_by_key(const Program& program)
{
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_key;
  for (std::uint32_t i = 0; i < program.actions.size(); ++i) {
    const ProgramAction& action = program.actions[i];
    if (action.kind != ProgramAction::Kind::receive) {
      continue;
    }
    if (action.any_peer || !action.tag) {
      return std::nullopt;
    }
    by_key[{action.rank, action.peer, *action.tag}].push_back(i);
  }
  std::vector<std::vector<std::uint32_t>> all;
  for (auto& [key, receives] : by_key) {
    all.push_back(std::move(receives));
  }
  return all;
}

/// Whether receives of one sender and tag are posted in an order that arrivals cannot change.
bool arrivals_do_not_matter(const Program& program)
{
  const auto receives = receives_by_key(program);
  if (!receives) {
    return false;
  }
  std::vector<bool> waits(program.actions.size(), false);
  std::set<std::pair<std::uint32_t, std::uint32_t>> direct; // the second waits for the end of the first
  for (const ProgramDependency& dependency : program.dependencies) {
    waits[dependency.after] = true;
    if (!dependency.on_start) {
      direct.emplace(dependency.before, dependency.after);
    }
  }
  return std::ranges::all_of(*receives, [&](const std::vector<std::uint32_t>& same) {
    const bool at_start = std::ranges::none_of(same, [&](std::uint32_t receive) { return waits[receive]; });
    const auto unordered = [&](std::uint32_t first, std::uint32_t second) { return !direct.contains({first, second}); };
    return at_start || std::ranges::adjacent_find(same, unordered) == same.end();
  });
}

} // namespace

ProgramCheck check_program(const Topology& topology, const Schedule& schedule)
{
  NetworkParameters network;
  network.per_byte = Time{1};
  const std::unique_ptr<MessageSource> source = make_program_source(topology, schedule, network, RunParameters{});
  std::vector<NewMessage> sent;
  for (std::int64_t now = source->next_time(); now != never; now = source->next_time()) {
    sent.clear();
    source->pop(now, sent);
    std::ranges::sort(sent, {}, &NewMessage::message);
    for (const NewMessage& message : sent) {
      const Delivery delivery{.message = message.message, .handle = message.handle};
      source->port_released(message.message, now);
      source->delivered({&delivery, 1}, now);
    }
  }
  const MessageSource::Rest rest = source->rest();
  return {.never_sent = rest.messages,
          .first_never_sent = rest.first,
          .any_order = arrivals_do_not_matter(*schedule.program)};
}

} // namespace wormcast
