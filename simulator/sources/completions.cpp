#include "wormcast/simulator/sources/completions.hpp"

#include "wormcast/algorithms/verifier/added_bytes.hpp"
#include "wormcast/simulator/engines/engine.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

std::vector<Time> received_work(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                const RunParameters& run)
{
  std::vector<Time> work;
  if (schedule.operation == Operation::none) {
    if (std::ranges::all_of(schedule.plain, [](const PlainMessage& message) { return message.compute == Time{}; })) {
      return {};
    }
    work.reserve(schedule.plain.size());
    for (const PlainMessage& message : schedule.plain) {
      work.push_back(next_whole_cycle(network, message.compute));
    }
    return work;
  }
  const TimeTable& table = run.computation.reduce;
  if (table.empty()) {
    return {};
  }
  std::vector<std::uint64_t> added = added_bytes(schedule, topology.host_count());
  for (std::size_t id = 1; id < schedule.packets.size(); ++id) { // a message is added with its last packet
    if (schedule.packets[id] > 0) {
      added[id] += std::exchange(added[id - 1], 0);
    }
  }
  if (std::ranges::all_of(added, [](std::uint64_t bytes) { return bytes == 0; })) {
    return {};
  }
  work.reserve(added.size());
  for (const std::uint64_t bytes : added) {
    work.push_back(next_whole_cycle(network, table.at(bytes)));
  }
  return work;
}

std::uint64_t copied_bytes(const Schedule& schedule, std::uint32_t ranks)
{
  if (schedule.operation == Operation::none || schedule.operation == Operation::barrier) {
    return 0;
  }
  std::uint64_t bytes = schedule.message_bytes;
  if (!cuts_message(schedule.operation) && __builtin_mul_overflow(bytes, std::uint64_t{ranks}, &bytes)) {
    return ~std::uint64_t{0};
  }
  return bytes;
}

namespace {

Time copy_time(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
               const RunParameters& run, CopyTime when)
{
  const Computation& computation = run.computation;
  return computation.copy_time == when && !computation.copy.empty()
             ? next_whole_cycle(
                   network, computation.copy.at(copied_bytes(schedule, participants(schedule, topology.host_count()))))
             : Time{};
}

} // namespace

Time work_before_start(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                       const RunParameters& run)
{
  return next_whole_cycle(network, run.computation.call) + copy_time(topology, schedule, network, run, CopyTime::start);
}

Time work_after_end(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                    const RunParameters& run)
{
  return copy_time(topology, schedule, network, run, CopyTime::end);
}

void finish_times(SimulationResult& result, const MessageSource& source, std::optional<Time> last_delivery)
{
  const std::span completions = source.completions();
  result.completed.reserve(completions.size());
  for (const std::int64_t completion : completions) {
    result.completed.push_back(Time{completion});
  }
  result.computed = source.computed();
  if (last_delivery) {
    result.latency = Time{source.end(last_delivery->picoseconds)};
  }
}

Completions::Completions(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                         const RunParameters& run)
    : schedule_(schedule), latency_(network.startup_latency.picoseconds),
      serial_(run.computation.additions == Additions::serial), work_(received_work(topology, schedule, network, run))
{
  if (immediate()) {
    return;
  }
  times_.assign(schedule.messages.size(), 0);
  free_from_.assign(work_.empty() || !serial_ ? 0 : topology.host_count(), 0);
}

bool Completions::add(MessageId message, std::int64_t now)
{
  std::int64_t end = now + latency_;
  if (!work_.empty() && work_[index(message)] != Time{}) {
    const NodeId node = schedule_.messages[index(message)].destination;
    const std::int64_t begin = serial_ ? std::max(end, free_from_[index(node)]) : end;
    end = begin + work_[index(message)].picoseconds;
    ++computed_.count;
    computed_.time += work_[index(message)];
    if (serial_) {
      free_from_[index(node)] = end;
    }
  }
  if (end >= largest_time) {
    throw_time_overflow();
  }
  times_[index(message)] = end;
  if (end == now) {
    return true;
  }
  pending_.push({.time = end, .message = message});
  return false;
}

void Completions::pop(std::int64_t now, std::vector<Delivery>& completed)
{
  const auto first = static_cast<std::ptrdiff_t>(completed.size());
  pending_.pop_all(now, [&](const Pending& pending) { completed.push_back({.message = pending.message}); });
  std::ranges::sort(completed.begin() + first, completed.end(), {}, &Delivery::message);
}

} // namespace wormcast
