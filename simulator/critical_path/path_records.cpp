#include "wormcast/simulator/critical_path/path_records.hpp"

#include <algorithm>

namespace wormcast {

std::span<const ContentionRecord> PathRecords::waits_of(MessageId message) const
{
  return std::ranges::equal_range(waits, message, {}, &ContentionRecord::waiting);
}

std::span<const PathRecords::Grant> PathRecords::grants_of(MessageId message) const
{
  return std::ranges::equal_range(grants, message, {}, &Grant::message);
}

PathRecorder::PathRecorder(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                           ScheduleInRun position)
    : schedule_(schedule), keeps_grants_(network.virtual_channels > 1 || topology.headers_choose())
{
  records_.sender_ports.resize(schedule.messages.size());
  records_.position = position;
}

std::optional<MessageId> PathRecorder::own(MessageId in_run) const
{
  const std::uint32_t first = records_.position.first;
  return index(in_run) >= first && index(in_run) - first < schedule_.messages.size()
             ? std::optional(MessageId{index(in_run) - first})
             : std::nullopt;
}

void PathRecorder::contention(const ContentionRecord& record)
{
  if (const std::optional<MessageId> waiting = own(record.waiting)) {
    ContentionRecord& wait = records_.waits.emplace_back(record);
    wait.waiting = *waiting;
    wait.from = wait.from - records_.position.start;
    wait.to = wait.to - records_.position.start;
  }
}

void PathRecorder::occupancy(const OccupancyRecord& record)
{
  const std::optional<MessageId> message = own(record.message);
  if (!message) {
    return;
  }
  const Time start = records_.position.start;
  // A half-duplex port is recorded as an injection port in both directions: the node tells the direction.
  const NodeId sender = schedule_.messages[index(*message)].source;
  if (record.resource.kind == Resource::Kind::injection && record.resource.node == sender) {
    records_.sender_ports[index(*message)] = {
        .granted = record.from - start, .released = record.to - start, .channel = record.resource.channel};
  } else if (keeps_grants_) {
    records_.grants.push_back({.message = *message, .resource = record.resource, .at = record.from - start});
  }
}

PathRecords PathRecorder::finish()
{
  std::ranges::stable_sort(records_.waits, {}, &ContentionRecord::waiting);
  std::ranges::stable_sort(records_.grants, {}, &PathRecords::Grant::message);
  return std::move(records_);
}

} // namespace wormcast
