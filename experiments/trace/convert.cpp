#include "wormcast/experiments/trace/convert.hpp"

#include "wormcast/experiments/trace/reader.hpp"
#include "wormcast/experiments/trace/trace_events.hpp"

#include <fmt/format.h>

#include <memory>

namespace wormcast {

namespace {

std::string process_of(const TraceHeader& header)
{
  const std::string network = network_title(header);
  return header.algorithm.empty() ? network : fmt::format("{}, {}", network, header.algorithm);
}

/// As ResourceNames::number.
TraceEvents::Place place_of(const TraceHeader& header, const TraceResource& resource)
{
  std::uint64_t number = resource.channel_id.value_or(0);
  if (resource.kind != Resource::Kind::external) {
    const std::uint64_t owner = resource.channel_id.value_or(resource.node);
    number = header.channels + 2 * owner + (resource.kind == Resource::Kind::ejection ? 1 : 0);
  }
  return {number, [&resource] { return resource.name; }};
}

} // namespace

void convert_trace(const std::filesystem::path& file, std::ostream& out)
{
  TraceHeader header;
  std::unique_ptr<TraceEvents> events;
  TraceListener listener;
  listener.header = [&](const TraceHeader& read) {
    header = read;
    events = std::make_unique<TraceEvents>(process_of(header), out);
  };
  listener.wait = [&](const TraceWait& wait) {
    ContentionRecord record;
    record.kind = wait.kind;
    record.waiting = MessageId{wait.waiting};
    record.waiting_step = wait.waiting_step;
    record.holding = MessageId{wait.holding};
    record.holding_step = wait.holding_step;
    record.from = wait.from;
    record.to = wait.to;
    events->contention(place_of(header, wait.resource), record, wait.waiting_owner, wait.holding_owner);
  };
  listener.occupancy = [&](const TraceOccupancy& occupancy) {
    OccupancyRecord record;
    record.message = MessageId{occupancy.message};
    record.step = occupancy.step;
    record.from = occupancy.from;
    record.to = occupancy.to;
    events->occupancy(place_of(header, occupancy.resource), record, occupancy.owner);
  };
  read_trace(file, listener);
  events->end();
}

} // namespace wormcast
