#include "wormcast/experiments/program/commands/contention_json.hpp"

#include "wormcast/algorithms/schedule/message_words_json.hpp"
#include "wormcast/experiments/program/commands/contention_table.hpp"
#include "wormcast/formats/json_text.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json microseconds_or_null(const std::optional<Time>& time)
{
  return time ? exact_microseconds(*time) : Json(nullptr);
}

void add_sum(Json& json, const WaitSum& sum)
{
  json["waits"] = sum.count;
  json["wait_us"] = exact_microseconds(sum.wait);
  json["longest_us"] = exact_microseconds(sum.longest);
}

Json message_json(const ContentionTrace& trace, std::uint32_t message, const MessageOwner& owner,
                  std::optional<std::uint32_t> step = {})
{
  Json json = {{"message", message}};
  if (owner.in_series) {
    json["broadcast"] = owner.broadcast ? Json(*owner.broadcast) : Json(nullptr);
  }
  if (step) {
    json["step"] = *step;
  }
  if (const auto told = trace.messages.find(message); told != trace.messages.end()) {
    json["src"] = told->second.source;
    json["dst"] = told->second.destination;
    if (told->second.words) {
      json["mpi"] = Json::parse(message_words_json(trace.program, *told->second.words));
    }
  }
  return json;
}

Json wait_json(const ContentionTrace& trace, const Wait& wait)
{
  const WaitedChannel& channel = trace.channels[wait.channel];
  return {{"kind", contention_kind_names.text(wait.kind)},
          {"channel", channel.name},
          {"channel_id", channel.id ? Json(*channel.id) : Json(nullptr)},
          {"node", channel.node},
          {"waiting", message_json(trace, wait.waiting, wait.waiting_owner, wait.waiting_step)},
          {"holding", message_json(trace, wait.holding, wait.holding_owner, wait.holding_step)},
          {"from_us", exact_microseconds(wait.from)},
          {"to_us", exact_microseconds(wait.to)},
          {"wait_us", exact_microseconds(wait.wait)}};
}

Json broadcast_json(const TraceBroadcast& broadcast)
{
  return {{"number", broadcast.number},
          {"round", broadcast.round},
          {"source", broadcast.source},
          {"start_us", exact_microseconds(broadcast.start)},
          {"latency_us", exact_microseconds(broadcast.latency)}};
}

} // namespace

std::string contention_json_text(const ContentionTrace& trace, std::size_t top)
{
  Json json;
  json["format"] = "wormcast-contention/1";
  json["latency_us"] = microseconds_or_null(trace.end.latency);
  json["deadlock_us"] = microseconds_or_null(trace.end.deadlock);
  json["undelivered"] = trace.end.undelivered;
  if (trace.header.series) {
    json["saturated"] = trace.end.saturated;
    json["broadcast"] = trace.broadcast ? broadcast_json(*trace.broadcast) : Json(nullptr);
  }
  const auto totals = totals_by_kind(trace);
  for (const ContentionKind kind : kinds_of(trace.header)) {
    add_sum(json["totals"][std::string(contention_kind_names.text(kind))], totals[static_cast<std::size_t>(kind)]);
  }
  if (trace.header.series) {
    const auto by_parts = totals_by_parts(trace);
    for (const WaitingParts parts : waiting_parts_names.all()) {
      add_sum(json["whose"][std::string(waiting_parts_names.text(parts))], by_parts[static_cast<std::size_t>(parts)]);
    }
  }
  for (const char* list : {"steps", "channels", "messages", "waits", "chains"}) {
    json[list] = Json::array();
  }
  for (const StepWaits& waits : waits_by_step(trace)) {
    if (json["steps"].size() == top) {
      break;
    }
    Json entry = {{"step", waits.step}};
    add_sum(entry, waits.sum);
    entry["channel"] = trace.channels[waits.channel].name;
    entry["channel_wait_us"] = exact_microseconds(waits.channel_wait);
    json["steps"].push_back(std::move(entry));
  }
  for (const ChannelWaits& waits : waits_by_channel(trace)) {
    if (json["channels"].size() == top) {
      break;
    }
    const WaitedChannel& channel = trace.channels[waits.channel];
    Json entry = {{"channel", channel.name},
                  {"channel_id", channel.id ? Json(*channel.id) : Json(nullptr)},
                  {"node", channel.node}};
    add_sum(entry, waits.sum);
    json["channels"].push_back(std::move(entry));
  }
  for (const MessageWaits& waits : waits_by_message(trace)) {
    if (json["messages"].size() == top) {
      break;
    }
    Json entry = message_json(trace, waits.message, waits.owner);
    entry["waits"] = waits.waited.count;
    entry["wait_us"] = exact_microseconds(waits.waited.wait);
    entry["held_up"] = waits.held_up.count;
    entry["held_up_us"] = exact_microseconds(waits.held_up.wait);
    json["messages"].push_back(std::move(entry));
  }
  const std::vector<std::uint32_t> longest = longest_waits(trace);
  for (std::size_t i = 0; i < longest.size() && i < top; ++i) {
    json["waits"].push_back(wait_json(trace, trace.waits[longest[i]]));
  }
  for (const WaitChain& chain : wait_chains(trace, top)) {
    Json links = Json::array();
    for (const std::uint32_t wait : chain.waits) {
      links.push_back(wait_json(trace, trace.waits[wait]));
    }
    json["chains"].push_back({{"cycle", chain.cycle}, {"waits", std::move(links)}});
  }
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
