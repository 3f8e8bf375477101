#include "wormcast/simulator/engines/input_queued/cycle_sources.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

CycleSources::CycleSources(const CycleParts& parts, bool wants_port_releases)
    : parts_(parts), calendar_(parts.calendar()), wants_port_releases_(wants_port_releases), sources_(parts.band.count),
      slots_(std::size_t{parts.band.count} * parts.layout.vcs, parts.layout.slots),
      granted_(parts.log.wants_occupancy() ? slots_.size() : 0),
      waiting_(parts.pipeline.priority == FlitPriority::message)
{
  for (Source& source : sources_) {
    source.free_vcs = static_cast<std::uint16_t>(parts_.layout.all_vcs);
  }
}

void CycleSources::wake(std::uint32_t node)
{
  if (!sources_[node].awake) {
    sources_[node].awake = true;
    awake_.push_back(node);
  }
}

void CycleSources::enqueue(const NewMessage& message)
{
  if (message.flits > most_flits_one_by_one) {
    throw InputError(fmt::format("a message of {} flits is longer than the {} that "
                                 "router \"input_queued\" can move one by one",
                                 message.flits, most_flits_one_by_one));
  }
  const std::uint32_t node = index(message.source) - parts_.band.first;
  Source& source = sources_[node];
  waiting_.push(source.queue, message);
  wake(node);
}

void CycleSources::receive_credit(std::uint32_t vc_index, Cycle now)
{
  const std::uint32_t node = vc_index / parts_.layout.vcs;
  Source& source = sources_[node];
  ++slots_[vc_index];
  if (source.draining_vcs != 0 && slots_[vc_index] == parts_.layout.slots) {
    const std::uint32_t vc = vc_index % parts_.layout.vcs;
    if ((source.draining_vcs >> vc & 1U) != 0) {
      source.draining_vcs = static_cast<std::uint16_t>(source.draining_vcs & ~(1U << vc));
      release(node, vc, now);
    }
  }
  if (source.worm != nothing || !source.queue.empty()) {
    wake(node);
  }
}

void CycleSources::send(Cycle now)
{
  std::size_t kept = 0;
  for (const std::uint32_t node : awake_) {
    if (step(node, now)) {
      awake_[kept++] = node;
    }
  }
  awake_.resize(kept);
}

// Returns true if the node may send in the next cycle, too.
bool CycleSources::step(std::uint32_t node, Cycle now)
{
  const CycleLayout& layout = parts_.layout;
  Source& source = sources_[node];
  source.awake = true;
  if (source.last_cycle == now) {
    return true;
  }
  FlitArrival arrival;
  if (source.worm == nothing) {
    const std::uint32_t vc = free_vc(node, source);
    if (vc == nothing) {
      source.awake = false;
      return false;
    }
    enter(node, source, vc, now);
    arrival.worm = source.worm;
  } else if (slots_[node * layout.vcs + source.vc] == 0) {
    source.awake = false;
    return false;
  }
  arrival.input = layout.vc_index(parts_.band.first + node, layout.node_port * layout.vcs + source.vc);
  source.last_cycle = now;
  --slots_[node * layout.vcs + source.vc];
  ++parts_.hops.flits;
  calendar_.at(now + 2).arrivals.push_back(arrival);
  if (--source.left == 0) {
    finish(node, source, now);
    source.awake = !source.queue.empty();
  }
  return source.awake;
}

std::uint32_t CycleSources::free_vc(std::uint32_t node, Source& source) const
{
  const std::uint32_t vcs = parts_.layout.vcs;
  for (std::uint32_t k = 0; k < vcs; ++k) {
    const std::uint32_t vc = source.next_vc + k < vcs ? source.next_vc + k : source.next_vc + k - vcs;
    if ((source.free_vcs >> vc & 1U) != 0 && slots_[node * vcs + vc] > 0) {
      return vc;
    }
  }
  if (source.cause == WaitCause::channel) {
    source.cause = source.free_vcs == 0 ? WaitCause::virtual_channel : WaitCause::slot;
    source.holder = source.last;
  }
  return nothing;
}

void CycleSources::enter(std::uint32_t node, Source& source, std::uint32_t vc, Cycle now)
{
  const std::uint32_t vcs = parts_.layout.vcs;
  const NewMessage& message = waiting_.front(source.queue);
  const MessageStep message_step{message.message, message.step};
  source.vc = static_cast<std::uint8_t>(vc);
  source.next_vc = static_cast<std::uint8_t>(vc + 1 == vcs ? 0 : vc + 1);
  source.free_vcs = static_cast<std::uint16_t>(source.free_vcs & ~(1U << vc));
  source.left = static_cast<std::uint32_t>(message.flits);
  source.worm = parts_.worms.add(message, parts_.numbers);
  parts_.worms[source.worm].times.head_injected = parts_.log.time_of(now);
  ++parts_.hops.headers;
  const Time ready{message.time};
  if (parts_.log.time_of(now) > ready) {
    const bool queued = source.cause == WaitCause::channel;
    parts_.log.add_wait(injection(node), message_step, queued ? source.last : source.holder, parts_.log.cycle_of(ready),
                        queued ? WaitCause::queue : source.cause, now);
  }
  source.cause = WaitCause::channel;
  if (!granted_.empty()) {
    granted_[node * vcs + vc] = {now, message_step};
  }
  waiting_.pop(source.queue);
}

void CycleSources::finish(std::uint32_t node, Source& source, Cycle now)
{
  PipelineWorm& worm = parts_.worms[source.worm];
  if (parts_.wants_deliveries) {
    worm.times.tail_injected = parts_.log.time_of(now);
  }
  source.last = {worm.message, worm.step};
  if (parts_.pipeline.releases_at_credit) {
    source.draining_vcs = static_cast<std::uint16_t>(source.draining_vcs | 1U << source.vc);
  } else {
    release(node, source.vc, now + 1);
  }
  if (wants_port_releases_) {
    calendar_.at(now + 1).sent.push_back(worm.message);
  }
  source.worm = nothing;
}

void CycleSources::release(std::uint32_t node, std::uint32_t vc, Cycle cycle)
{
  Source& source = sources_[node];
  source.free_vcs = static_cast<std::uint16_t>(source.free_vcs | 1U << vc);
  if (!granted_.empty()) {
    const Granted& granted = granted_[node * parts_.layout.vcs + vc];
    parts_.log.add_occupancy(injection(node), granted.owner, parts_.log.time_of(granted.since),
                             parts_.log.time_of(cycle));
  }
}

void CycleSources::release_all(Cycle end)
{
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    for (std::uint32_t vc = 0; vc < parts_.layout.vcs; ++vc) {
      if ((sources_[node].free_vcs >> vc & 1U) == 0) {
        release(node, vc, end);
      }
    }
  }
}

} // namespace wormcast
