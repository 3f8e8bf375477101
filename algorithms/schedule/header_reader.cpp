#include "wormcast/algorithms/schedule/header_reader.hpp"

#include "wormcast/formats/checked_json.hpp"
#include "wormcast/topologies/graph_files/described_nodes.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace wormcast {

namespace {

using nlohmann::json;

RawValue raw_value(std::string_view key, const json& value)
{
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  if (value.is_binary()) { // a number that is not whole, as JsonReader keeps it
    const std::string digits(value.get_binary().begin(), value.get_binary().end());
    if (const auto number = number_of_text<double>(digits)) {
      return *number;
    }
  }
  if (value.is_array() && std::ranges::all_of(value, [](const json& item) { return item.is_number_integer(); })) {
    return value.get<std::vector<std::int64_t>>();
  }
  if (value.is_array() && std::ranges::all_of(value, [](const json& item) { return item.is_string(); })) {
    return value.get<std::vector<std::string>>();
  }
  if (value.is_array() && std::ranges::all_of(value, [](const json& item) { return item.is_boolean(); })) {
    std::vector<std::string> texts; // values/flag_list.hpp
    for (const json& item : value) {
      texts.emplace_back(item.get<bool>() ? "true" : "false");
    }
    return texts;
  }
  throw_wrong(key, value, "a text, a number or a list of texts, of whole numbers or of true and false");
}

void read_topology(const json& object, Schedule& schedule)
{
  if (!object.is_object() || !object.contains("kind") || !object["kind"].is_string()) {
    throw_wrong("topology", object, "an object with a \"kind\"");
  }
  schedule.topology.kind = object["kind"];
  std::map<std::string, RawValue, std::less<>> raw;
  for (const auto& [key, value] : object.items()) {
    if (key == "tie" || key == "routing") {
      if (!value.is_string()) {
        throw_wrong(key, value, "a text");
      }
      (key == "tie" ? schedule.routing.tie : schedule.routing.routing) = value;
    } else if (key != "kind") {
      raw.emplace(key, raw_value(key, value));
    }
  }
  if (!tie_names.find(schedule.routing.tie)) {
    throw_wrong("tie", object["tie"], tie_names.expectation());
  }
  schedule.topology.parameters = read_parameters(find_topology_kind(schedule.topology.kind).parameters, raw);
}

Operation read_operation(const json& value)
{
  if (value.is_string()) {
    if (const auto operation = find_operation(value.get<std::string>())) {
      return *operation;
    }
  }
  std::vector<std::string> names;
  for (const Operation operation : all_operations()) {
    names.push_back(fmt::format("\"{}\"", operation_names.text(operation)));
    if (const std::string_view other = other_operation_name(operation); !other.empty()) {
      names.push_back(fmt::format("\"{}\"", other));
    }
  }
  throw_wrong("operation", value, fmt::format("one of {}", fmt::join(names, ", ")));
}

void read_destinations(const json& value, std::uint32_t nodes, Schedule& schedule)
{
  if (!value.is_array() || !std::ranges::all_of(value, [](const json& item) { return item.is_number_integer(); })) {
    throw_wrong("destinations", value, "a list of nodes");
  }
  const auto destinations = value.get<std::vector<std::int64_t>>();
  try {
    check_destinations(destinations, schedule.source, nodes);
  } catch (const InputError& error) {
    throw InputError(fmt::format("destinations: {}", error.what()));
  }
  for (const std::int64_t node : destinations) {
    schedule.destinations.push_back(NodeId{static_cast<std::uint32_t>(node)});
  }
}

// The only number that there can be, or a multiple of it.
void read_fixed_blocks(const json& value, std::uint64_t nodes, Schedule& schedule)
{
  if (!may_share_blocks(schedule.operation)) {
    read_number("blocks", value, schedule.blocks, schedule.blocks);
    return;
  }
  const std::uint64_t blocks = read_number("blocks", value, nodes, schedule_limit::blocks - 1);
  if (blocks % nodes != 0) {
    throw_wrong(
        "blocks", value,
        fmt::format("a multiple of {}, the number of nodes, in a {}", nodes, operation_names.text(schedule.operation)));
  }
  schedule.blocks = blocks;
  schedule.blocks_per_node = blocks / nodes;
}

// What the algorithm chose: numbers and texts by name.
ParameterValues read_chosen(const json& chosen)
{
  if (!chosen.is_object()) {
    throw_wrong("chosen", chosen, "an object of whole numbers and texts");
  }
  ParameterValues values;
  for (const auto& [name, value] : chosen.items()) {
    if (value.is_string()) {
      values.set(name, value.get<std::string>());
    } else {
      values.set(name, static_cast<std::int64_t>(read_number(name, value, 0, schedule_limit::bytes)));
    }
  }
  return values;
}

} // namespace

std::unique_ptr<Topology> read_schedule_header(const json& header, Schedule& schedule)
{
  static const std::vector<std::string> known = {"format",    "topology", "ports",        "duplex",
                                                 "operation", "source",   "blocks",       "message_bytes",
                                                 "chosen",    "messages", "destinations", "mpi"};
  if (!header.is_object()) {
    throw InputError("expected a schedule as one JSON object");
  }
  for (const auto& [key, value] : header.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      throw_unknown_key(key, known);
    }
  }
  const auto require = [&](const char* key) -> const json& {
    if (!header.contains(key)) {
      throw InputError(fmt::format("the key \"{}\" is missing", key));
    }
    return header[key];
  };
  if (const json& format = require("format"); format != "wormcast-schedule/1") {
    throw_wrong("format", format, "\"wormcast-schedule/1\"");
  }
  if (const json& messages = require("messages"); !messages.is_array()) {
    throw_wrong("messages", messages, "a list of messages");
  }
  read_topology(require("topology"), schedule);
  schedule.operation = read_operation(require("operation"));
  if (header.contains("ports")) {
    const json& ports = header["ports"];
    if (ports.is_string() && ports != "all") {
      throw_wrong("ports", ports, "a whole number from 1 to 64 or \"all\"");
    }
    schedule.ports.count =
        ports == "all" ? PortModel::all : static_cast<std::uint32_t>(read_number("ports", ports, 1, 64));
  }
  if (header.contains("duplex")) {
    const json& duplex = header["duplex"];
    const auto read = duplex.is_string() ? duplex_names.find(duplex.get<std::string>()) : std::nullopt;
    if (!read) {
      throw_wrong("duplex", duplex, duplex_names.expectation());
    }
    schedule.duplex = *read;
  }
  if (const auto described = described_nodes(schedule.topology); described && header.contains("source")) {
    read_number("source", header["source"], 0, *described - 1);
  }
  // Only now, for it can take long.
  std::unique_ptr<Topology> topology = make_topology(schedule.topology, schedule.routing);
  const std::uint64_t nodes = topology->host_count();
  if (has_source(schedule.operation) || header.contains("source")) {
    schedule.source = NodeId{static_cast<std::uint32_t>(read_number("source", require("source"), 0, nodes - 1))};
  }
  if (schedule.operation != Operation::none || header.contains("message_bytes")) {
    schedule.message_bytes = read_number("message_bytes", require("message_bytes"), 1, schedule_limit::bytes);
  }
  if (header.contains("chosen")) {
    schedule.chosen = read_chosen(header["chosen"]);
  }
  if (schedule.operation == Operation::multicast) {
    read_destinations(require("destinations"), topology->host_count(), schedule);
  } else if (header.contains("destinations")) {
    throw InputError("\"destinations\" belong to operation \"multicast\"");
  }
  if (chooses_blocks(schedule.operation)) {
    schedule.blocks = read_number("blocks", require("blocks"), 1, schedule_limit::blocks - 1);
  } else if (schedule.operation != Operation::none) {
    schedule.blocks = fixed_blocks(schedule.operation, nodes);
    if (schedule.blocks >= schedule_limit::blocks) {
      throw InputError(
          fmt::format("a {} on {} nodes has too many blocks", operation_names.text(schedule.operation), nodes));
    }
    if (header.contains("blocks")) {
      read_fixed_blocks(header["blocks"], nodes, schedule);
    }
  }
  return topology;
}

} // namespace wormcast
