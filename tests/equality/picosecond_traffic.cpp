#include "tests/equality/picosecond_traffic.hpp"

#include <algorithm>
#include <numeric>

namespace wormcast::testing {

PicosecondTraffic::PicosecondTraffic(const Schedule& schedule, const RunParameters& run,
                                     std::vector<std::int64_t> start_delays, const std::vector<std::size_t>& port_of,
                                     std::int64_t channels)
    : schedule_(schedule), mode_(run.mode), delays_(std::move(start_delays)), ready_(schedule.messages.size(), false),
      delivered_(schedule.messages.size(), false), port_of_(port_of), channels_(channels)
{
  for (const std::int64_t delay : delays_) {
    last_start_ = std::max(last_start_, delay);
  }
  if (schedule.operation == Operation::none || mode_ == Mode::lockstep) {
    return;
  }
  hold_blocks_at_start(delays_.size());
  std::vector<std::size_t> order(schedule.messages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t message) { return schedule.messages[message].step; });
  for (const std::size_t message : order) {
    ports_.resize(std::max(ports_.size(), port_of[message] + 1));
    ports_[port_of[message]].messages.push_back(message);
  }
}

void PicosecondTraffic::hold_blocks_at_start(std::size_t nodes)
{
  if (combines(schedule_.operation)) {
    return; // a sender has something of every block, see brings_before
  }
  const std::size_t blocks = schedule_.blocks;
  held_.assign(nodes, std::vector<bool>(blocks, false));
  for (std::size_t block = 0; block < blocks; ++block) {
    switch (schedule_.operation) {
    case Operation::multinode_broadcast: // C*N blocks, block b that of node b mod N
    case Operation::gather:
      held_[block % nodes][block] = true;
      break;
    case Operation::total_exchange:
      held_[block / nodes][block] = true;
      break;
    default:
      held_[index(schedule_.source)][block] = true;
      break;
    }
  }
}

// Whether `earlier` brings the sender of `message` something that the message carries.
bool PicosecondTraffic::brings_before(std::size_t earlier, std::size_t message) const
{
  const Message& first = schedule_.messages[earlier];
  const Message& second = schedule_.messages[message];
  if (first.destination != second.source || first.step >= second.step) {
    return false;
  }
  for (const BlockRange& a : schedule_.block_sets.ranges(first.blocks)) {
    for (const BlockRange& b : schedule_.block_sets.ranges(second.blocks)) {
      if (a.begin < b.end && b.begin < a.end) {
        return true;
      }
    }
  }
  return false;
}

bool PicosecondTraffic::sender_holds_blocks(std::size_t message) const
{
  if (combines(schedule_.operation)) {
    for (std::size_t earlier = 0; earlier < delivered_.size(); ++earlier) {
      if (!delivered_[earlier] && brings_before(earlier, message)) {
        return false;
      }
    }
    return true;
  }
  const std::vector<bool>& held = held_[index(schedule_.messages[message].source)];
  for (const BlockRange& range : schedule_.block_sets.ranges(schedule_.messages[message].blocks)) {
    for (std::uint32_t block = range.begin; block < range.end; ++block) {
      if (!held[block]) {
        return false;
      }
    }
  }
  return true;
}

std::int64_t PicosecondTraffic::delay_of_sender(std::size_t message) const
{
  return delays_[index(schedule_.messages[message].source)];
}

void PicosecondTraffic::deliver(std::size_t message)
{
  delivered_[message] = true;
  if (held_.empty()) {
    return;
  }
  std::vector<bool>& held = held_[index(schedule_.messages[message].destination)];
  for (const BlockRange& range : schedule_.block_sets.ranges(schedule_.messages[message].blocks)) {
    for (std::uint32_t block = range.begin; block < range.end; ++block) {
      held[block] = true;
    }
  }
}

void PicosecondTraffic::release_port(std::size_t message)
{
  if (!ports_.empty()) {
    --ports_[port_of_[message]].on_their_way;
  }
}

std::optional<std::int64_t> PicosecondTraffic::ready_in_list(std::size_t message, std::int64_t now) const
{
  if (!std::ranges::all_of(schedule_.after[message], [&](MessageId before) { return delivered_[index(before)]; })) {
    return std::nullopt;
  }
  return std::max({now, schedule_.plain[message].start.picoseconds, delay_of_sender(message)});
}

std::optional<std::int64_t> PicosecondTraffic::ready_in_lockstep(std::size_t message, std::int64_t now) const
{
  for (std::size_t other = 0; other < delivered_.size(); ++other) {
    if (schedule_.messages[other].step < schedule_.messages[message].step && !delivered_[other]) {
      return std::nullopt;
    }
  }
  return std::max(now, delay_of_sender(message));
}

void PicosecondTraffic::find_ready_on(Port& port, std::int64_t now,
                                      const std::function<void(std::size_t, std::int64_t)>& ready)
{
  while (port.next < port.messages.size() && port.on_their_way < channels_) {
    const std::size_t message = port.messages[port.next];
    const bool reports_are_there =
        std::ranges::all_of(schedule_.after[message], [&](MessageId before) { return delivered_[index(before)]; });
    if (now < delay_of_sender(message) || !reports_are_there || !sender_holds_blocks(message)) {
      return;
    }
    ready(message, now);
    ++port.on_their_way;
    ++port.next;
  }
}

void PicosecondTraffic::find_ready(std::int64_t now, const std::function<void(std::size_t, std::int64_t)>& ready)
{
  if (schedule_.operation != Operation::none && mode_ == Mode::self_timed) {
    for (Port& port : ports_) {
      find_ready_on(port, now, ready);
    }
    return;
  }
  for (std::size_t message = 0; message < ready_.size(); ++message) {
    if (ready_[message]) {
      continue;
    }
    const std::optional<std::int64_t> at =
        schedule_.operation == Operation::none ? ready_in_list(message, now) : ready_in_lockstep(message, now);
    if (at) {
      ready_[message] = true;
      ready(message, *at);
    }
  }
}

} // namespace wormcast::testing
