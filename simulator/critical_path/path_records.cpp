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

PathRecorder::PathRecorder(const Schedule& schedule, const NetworkParameters& network)
    : schedule_(schedule), keeps_grants_(network.virtual_channels > 1)
{
  records_.sender_ports.resize(schedule.messages.size());
}

void PathRecorder::occupancy(const OccupancyRecord& record)
{
  // A half-duplex port carries the name of an injection port on both sides: the node tells which side it is.
  const NodeId sender = schedule_.messages[index(record.message)].source;
  if (record.resource.kind == Resource::Kind::injection && record.resource.node == sender) {
    records_.sender_ports[index(record.message)] = {.granted = record.from, .released = record.to};
  } else if (keeps_grants_) {
    records_.grants.push_back({.message = record.message, .resource = record.resource, .at = record.from});
  }
}

PathRecords PathRecorder::take()
{
  std::ranges::stable_sort(records_.waits, {}, &ContentionRecord::waiting);
  std::ranges::stable_sort(records_.grants, {}, &PathRecords::Grant::message);
  return std::move(records_);
}

} // namespace wormcast
