#include "wormcast/experiments/trace/convert.hpp"

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/trace/reader.hpp"
#include "wormcast/experiments/trace/trace_events.hpp"

#include <fmt/format.h>

#include <memory>
#include <unordered_map>

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
  ProgramWords program;
  std::unordered_map<std::uint32_t, MessageWords> words; // by message
  listener.message = [&](const TraceMessage& message) {
    if (message.has_words) {
      words.emplace(message.id, numbered_words(message.words, program));
    }
  };
  const auto told = [&](std::uint32_t message, const MessageOwner& owner) -> TraceEvents::Told {
    const auto found = words.find(message);
    return {.owner = owner, .words = found == words.end() ? std::string() : program.text(found->second)};
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
    events->contention(place_of(header, wait.resource), record, told(wait.waiting, wait.waiting_owner),
                       told(wait.holding, wait.holding_owner));
  };
  listener.occupancy = [&](const TraceOccupancy& occupancy) {
    OccupancyRecord record;
    record.message = MessageId{occupancy.message};
    record.step = occupancy.step;
    record.from = occupancy.from;
    record.to = occupancy.to;
    events->occupancy(place_of(header, occupancy.resource), record, told(occupancy.message, occupancy.owner));
  };
  read_trace(file, listener);
  events->end();
}

} // namespace wormcast
