#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>

namespace wormcast {

namespace {

using nlohmann::json;

constexpr std::uint32_t unset = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_steps = std::uint64_t{1} << 24;
constexpr std::uint64_t most_blocks = std::uint64_t{1} << 32;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62;
constexpr std::size_t deepest_nesting = 16; // a schedule needs 5

// A message as the file has it, checked only for types: the topology may come behind the messages.
struct Draft {
  std::uint32_t id = unset;
  std::uint32_t step = 0;
  std::uint64_t source = 0;
  std::uint64_t destination = 0;
  std::optional<BlockSetId> blocks;
  std::optional<std::uint64_t> bytes;
  Time start;
  std::vector<MessageId> after;
};

std::string text_of(const json& value)
{
  if (value.is_binary()) { // a number with a fraction or an exponent, see DocumentReader
    return std::string(value.get_binary().begin(), value.get_binary().end());
  }
  if (!value.is_structured()) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace);
  }
  std::vector<std::string> parts;
  for (const auto& [key, item] : value.items()) {
    parts.push_back(value.is_array() ? text_of(item) : text_of(json(key)) + ":" + text_of(item));
  }
  return value.is_array() ? fmt::format("[{}]", fmt::join(parts, ",")) : fmt::format("{{{}}}", fmt::join(parts, ","));
}

std::string show(const json& value)
{
  const std::string text = text_of(value);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

[[noreturn]] void wrong(std::string_view key, const json& found, std::string_view expected)
{
  throw InputError(fmt::format("{}: found {}, expected {}", key, show(found), expected));
}

std::uint64_t read_number(std::string_view key, const json& value, std::uint64_t minimum, std::uint64_t maximum)
{
  const bool fits =
      value.is_number_unsigned() && value.get<std::uint64_t>() >= minimum && value.get<std::uint64_t>() <= maximum;
  if (!fits) {
    wrong(key, value, fmt::format("a whole number from {} to {}", minimum, maximum));
  }
  return value.get<std::uint64_t>();
}

Time read_microseconds(std::string_view key, const json& value)
{
  constexpr std::string_view expected = "microseconds of at least 0 with at most six decimals";
  std::string text;
  if (value.is_binary()) {
    text.assign(value.get_binary().begin(), value.get_binary().end());
  } else if (value.is_number_unsigned()) {
    text = value.dump();
  } else {
    wrong(key, value, expected);
  }
  try {
    return parse_time(text + "us");
  } catch (const InputError&) {
    wrong(key, value, expected);
  }
}

[[noreturn]] void unknown_key(const std::string& key, std::span<const std::string> known)
{
  const std::string nearest = nearest_name(key, known);
  throw InputError(fmt::format("unknown key \"{}\"{}", key,
                               nearest.empty() ? fmt::format(", expected one of {}", fmt::join(known, ", "))
                                               : fmt::format(", did you mean \"{}\"?", nearest)));
}

std::vector<BlockRange> read_ranges(const json& value)
{
  std::vector<BlockRange> ranges;
  for (const json& range : value.is_array() ? value : json::array()) {
    const bool pair = range.is_array() && range.size() == 2 && range[0].is_number_unsigned() &&
                      range[1].is_number_unsigned() && range[1].get<std::uint64_t>() < most_blocks;
    if (!pair) {
      wrong("blocks", range, "a half-open range [begin, end]");
    }
    const auto begin = range[0].get<std::uint64_t>();
    const auto end = range[1].get<std::uint64_t>();
    if (begin >= end) {
      wrong("blocks", range, "a range that is not empty");
    }
    ranges.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }
  if (ranges.empty()) {
    wrong("blocks", value, "a list of at least one range [begin, end]");
  }
  return ranges;
}

Draft read_message(const json& object, BlockSets& sets)
{
  static const std::vector<std::string> known = {"id", "step", "src", "dst", "blocks", "bytes", "start_us", "after"};
  if (!object.is_object()) {
    throw InputError(fmt::format("found {}, expected a message as an object", show(object)));
  }
  Draft draft;
  for (const char* key : {"id", "src", "dst"}) {
    if (!object.contains(key)) {
      throw InputError(fmt::format("the key \"{}\" is missing", key));
    }
  }
  for (const auto& [key, value] : object.items()) {
    if (key == "id") {
      draft.id = static_cast<std::uint32_t>(read_number(key, value, 0, unset - 1));
    } else if (key == "step") {
      draft.step = static_cast<std::uint32_t>(read_number(key, value, 0, most_steps - 1));
    } else if (key == "src") {
      draft.source = read_number(key, value, 0, unset - 1);
    } else if (key == "dst") {
      draft.destination = read_number(key, value, 0, unset - 1);
    } else if (key == "blocks") {
      draft.blocks = sets.intern(read_ranges(value));
    } else if (key == "bytes") {
      draft.bytes = read_number(key, value, 1, most_bytes);
    } else if (key == "start_us") {
      draft.start = read_microseconds(key, value);
    } else if (key == "after") {
      if (!value.is_array()) {
        wrong(key, value, "a list of message ids");
      }
      for (const json& id : value) {
        draft.after.push_back(MessageId{static_cast<std::uint32_t>(read_number(key, id, 0, unset - 1))});
      }
    } else {
      unknown_key(key, known);
    }
  }
  return draft;
}

// Reads the document value by value and turns each message into a draft as soon as it is complete, so that only one is
// there as a JSON value. A number with a fraction or an exponent is kept as its text (as binary, a type that JSON text
// cannot have), so that no decimal is rounded.
class DocumentReader final : public nlohmann::json_sax<json> {
public:
  explicit DocumentReader(std::string_view name) : name_(name) {}

  json header;
  std::vector<Draft> drafts;
  BlockSets sets;

  bool null() override { return attach(nullptr) != nullptr; }
  bool boolean(bool value) override { return attach(value) != nullptr; }
  bool number_integer(number_integer_t value) override { return attach(value) != nullptr; }
  bool number_unsigned(number_unsigned_t value) override { return attach(value) != nullptr; }
  bool number_float(number_float_t, const string_t& text) override
  {
    return attach(json::binary(std::vector<std::uint8_t>(text.begin(), text.end()))) != nullptr;
  }
  bool string(string_t& value) override { return attach(value) != nullptr; }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override
  {
    if (stack_.back()->contains(name)) {
      throw InputError(fmt::format("{}: the key \"{}\" stands twice in one object", name_, name));
    }
    key_ = name;
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const json::exception& error) override
  {
    // "[json.exception.parse_error.101] parse error at line 3, column 7: ..."
    std::string text = error.what();
    const std::size_t line = text.find("at line ");
    const std::size_t column = text.find(", column ", line);
    const std::size_t colon = text.find(": ", column);
    if (line == std::string::npos || column == std::string::npos || colon == std::string::npos) {
      throw InputError(fmt::format("{}: malformed JSON: {}", name_, text));
    }
    throw InputError(fmt::format("{}:{}:{}: malformed JSON: {}", name_, text.substr(line + 8, column - line - 8),
                                 text.substr(column + 9, colon - column - 9), text.substr(colon + 2)));
  }

private:
  json* attach(json value)
  {
    if (stack_.empty()) {
      header = std::move(value);
      return &header;
    }
    json& parent = *stack_.back();
    json* place = nullptr;
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      place = &parent.back();
    } else {
      place = &(parent[key_] = std::move(value));
    }
    if (place->is_primitive()) {
      take_message(); // an element of `messages` that is no object is an error to report there
    }
    return place;
  }

  bool open(json value)
  {
    if (stack_.size() == deepest_nesting) {
      throw InputError(fmt::format("{}: more than {} lists and objects inside of one another", name_, deepest_nesting));
    }
    if (stack_.size() == 1 && value.is_array() && stack_[0]->is_object() && key_ == "messages") {
      in_messages_ = true;
    }
    stack_.push_back(attach(std::move(value)));
    return true;
  }

  bool close()
  {
    stack_.pop_back();
    if (stack_.size() < 2) {
      in_messages_ = false;
    }
    take_message();
    return true;
  }

  // Level 2 is the list of messages itself: what was just completed there is one of them.
  void take_message()
  {
    if (!in_messages_ || stack_.size() != 2) {
      return;
    }
    json& list = *stack_.back();
    try {
      drafts.push_back(read_message(list.back(), sets));
    } catch (const InputError& error) {
      const json& message = list.back();
      const bool named = message.is_object() && message.contains("id");
      throw InputError(fmt::format("{}: message {}: {}", name_,
                                   named ? show(message["id"]) : fmt::format("number {} of the list", drafts.size()),
                                   error.what()));
    }
    list.clear();
  }

  std::string name_;
  std::string key_;
  std::vector<json*> stack_;
  bool in_messages_ = false;
};

RawValue raw_value(std::string_view key, const json& value)
{
  if (value.is_string()) {
    return value.get<std::string>();
  }
  if (value.is_number_integer()) {
    return value.get<std::int64_t>();
  }
  if (value.is_array() && std::ranges::all_of(value, [](const json& item) { return item.is_number_integer(); })) {
    return value.get<std::vector<std::int64_t>>();
  }
  wrong(key, value, "a text, a whole number or a list of whole numbers");
}

void read_topology(const json& object, Schedule& schedule)
{
  if (!object.is_object() || !object.contains("kind") || !object["kind"].is_string()) {
    wrong("topology", object, "an object with a \"kind\"");
  }
  schedule.topology.kind = object["kind"];
  std::map<std::string, RawValue, std::less<>> raw;
  for (const auto& [key, value] : object.items()) {
    if (key == "tie" || key == "routing") {
      if (!value.is_string()) {
        wrong(key, value, "a text");
      }
      (key == "tie" ? schedule.routing.tie : schedule.routing.routing) = value;
    } else if (key != "kind") {
      raw.emplace(key, raw_value(key, value));
    }
  }
  if (schedule.routing.tie != "no_wrap" && schedule.routing.tie != "positive") {
    wrong("tie", object["tie"], "one of \"no_wrap\", \"positive\"");
  }
  schedule.topology.parameters = read_parameters(find_topology_kind(schedule.topology.kind).parameters, raw);
}

Operation read_operation(const json& value)
{
  for (const Operation operation : {Operation::broadcast, Operation::scatter, Operation::multinode_broadcast,
                                    Operation::total_exchange, Operation::none}) {
    if (value.is_string() && value.get<std::string>() == operation_name(operation)) {
      return operation;
    }
  }
  wrong("operation", value, "one of \"broadcast\", \"scatter\", \"multinode_broadcast\", \"total_exchange\", \"none\"");
}

// All but the messages. Gives the topology, which the messages are checked against.
std::unique_ptr<Topology> read_header(const json& header, Schedule& schedule)
{
  static const std::vector<std::string> known = {"format", "topology", "ports",         "duplex",  "operation",
                                                 "source", "blocks",   "message_bytes", "messages"};
  if (!header.is_object()) {
    throw InputError("expected a schedule as one JSON object");
  }
  for (const auto& [key, value] : header.items()) {
    if (std::ranges::find(known, key) == known.end()) {
      unknown_key(key, known);
    }
  }
  const auto require = [&](const char* key) -> const json& {
    if (!header.contains(key)) {
      throw InputError(fmt::format("the key \"{}\" is missing", key));
    }
    return header[key];
  };
  if (const json& format = require("format"); format != "wormcast-schedule/1") {
    wrong("format", format, "\"wormcast-schedule/1\"");
  }
  if (const json& messages = require("messages"); !messages.is_array()) {
    wrong("messages", messages, "a list of messages");
  }
  read_topology(require("topology"), schedule);
  std::unique_ptr<Topology> topology = make_topology(schedule.topology, schedule.routing);
  const std::uint64_t nodes = topology->node_count();
  schedule.operation = read_operation(require("operation"));
  if (header.contains("ports")) {
    const json& ports = header["ports"];
    if (ports.is_string() && ports != "all") {
      wrong("ports", ports, "a whole number from 1 to 64 or \"all\"");
    }
    schedule.ports.count =
        ports == "all" ? PortModel::all : static_cast<std::uint32_t>(read_number("ports", ports, 1, 64));
  }
  if (header.contains("duplex")) {
    const json& duplex = header["duplex"];
    if (duplex != "full" && duplex != "half") {
      wrong("duplex", duplex, "one of \"full\", \"half\"");
    }
    schedule.duplex = duplex == "half" ? Duplex::half : Duplex::full;
  }
  const bool has_source = schedule.operation == Operation::broadcast || schedule.operation == Operation::scatter;
  if (has_source || header.contains("source")) {
    schedule.source = NodeId{static_cast<std::uint32_t>(read_number("source", require("source"), 0, nodes - 1))};
  }
  if (schedule.operation != Operation::none || header.contains("message_bytes")) {
    schedule.message_bytes = read_number("message_bytes", require("message_bytes"), 1, most_bytes);
  }
  if (schedule.operation == Operation::broadcast) {
    schedule.blocks = read_number("blocks", require("blocks"), 1, most_blocks - 1);
  } else if (schedule.operation != Operation::none) {
    schedule.blocks = schedule.operation == Operation::total_exchange ? nodes * nodes : nodes;
    if (schedule.blocks >= most_blocks) {
      throw InputError(fmt::format("a {} on {} nodes has too many blocks", operation_name(schedule.operation), nodes));
    }
    if (header.contains("blocks")) {
      read_number("blocks", header["blocks"], schedule.blocks, schedule.blocks);
    }
  }
  return topology;
}

void check_block_ranges(const Draft& draft, const Schedule& schedule)
{
  const BlockRange last = schedule.block_sets.ranges(*draft.blocks).back();
  if (last.end > schedule.blocks) {
    throw InputError(fmt::format("block {} does not exist, the last one is {}", last.end - 1, schedule.blocks - 1));
  }
}

void place_message(Draft& draft, const Topology& topology, Schedule& schedule)
{
  const std::uint64_t nodes = topology.node_count();
  for (const auto& [key, node] : {std::pair("src", draft.source), std::pair("dst", draft.destination)}) {
    if (node >= nodes) {
      throw InputError(
          fmt::format("{}: node {} is outside of the {}, expected 0 to {}", key, node, topology.title(), nodes - 1));
    }
  }
  if (draft.source == draft.destination) {
    throw InputError(fmt::format("node {} sends to itself", draft.source));
  }
  Message& message = schedule.messages[draft.id];
  message.step = draft.step;
  message.source = NodeId{static_cast<std::uint32_t>(draft.source)};
  message.destination = NodeId{static_cast<std::uint32_t>(draft.destination)};
  if (schedule.operation == Operation::none) {
    if (!draft.bytes || draft.blocks) {
      throw InputError("a message of operation \"none\" needs \"bytes\" and has no \"blocks\"");
    }
    for (const MessageId earlier : draft.after) {
      if (index(earlier) >= schedule.messages.size()) {
        throw InputError(fmt::format("after: there is no message {}", index(earlier)));
      }
    }
    schedule.plain[draft.id] = {*draft.bytes, draft.start, std::move(draft.after)};
    return;
  }
  if (!draft.blocks || draft.bytes || !draft.after.empty() || draft.start != Time{}) {
    throw InputError(
        fmt::format("a message of operation \"{}\" needs \"blocks\"; \"bytes\", \"start_us\" and \"after\" "
                    "belong to operation \"none\"",
                    operation_name(schedule.operation)));
  }
  check_block_ranges(draft, schedule);
  message.blocks = *draft.blocks;
}

// A message that waits for itself, by way of others or directly, would wait for ever.
void check_after_is_acyclic(const Schedule& schedule)
{
  std::vector<std::uint32_t> missing(schedule.plain.size(), 0);
  std::vector<std::vector<std::uint32_t>> dependents(schedule.plain.size());
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < schedule.plain.size(); ++i) {
    missing[i] = static_cast<std::uint32_t>(schedule.plain[i].after.size());
    for (const MessageId earlier : schedule.plain[i].after) {
      dependents[index(earlier)].push_back(i);
    }
    if (missing[i] == 0) {
      ready.push_back(i);
    }
  }
  for (std::size_t i = 0; i < ready.size(); ++i) {
    for (const std::uint32_t later : dependents[ready[i]]) {
      if (--missing[later] == 0) {
        ready.push_back(later);
      }
    }
  }
  if (ready.size() < missing.size()) {
    const auto stuck = std::ranges::find_if(missing, [](std::uint32_t count) { return count > 0; });
    throw InputError(
        fmt::format("message {}: after: it waits, directly or through others, for messages that wait for it",
                    stuck - missing.begin()));
  }
}

Schedule assemble(DocumentReader& reader)
{
  Schedule schedule;
  const std::unique_ptr<Topology> topology = read_header(reader.header, schedule);
  schedule.block_sets = std::move(reader.sets);
  const std::size_t count = reader.drafts.size();
  schedule.messages.resize(count);
  if (schedule.operation == Operation::none) {
    schedule.plain.resize(count);
  }
  std::vector<bool> seen(count, false);
  for (Draft& draft : reader.drafts) {
    try {
      if (draft.id >= count) {
        throw InputError(fmt::format("ids must be 0 to {} for {} messages", count - 1, count));
      }
      if (seen[draft.id]) {
        throw InputError("this id stands twice");
      }
      seen[draft.id] = true;
      place_message(draft, *topology, schedule);
    } catch (const InputError& error) {
      throw InputError(fmt::format("message {}: {}", draft.id, error.what()));
    }
  }
  check_after_is_acyclic(schedule);
  return schedule;
}

} // namespace

Schedule read_schedule(std::istream& in, std::string_view name)
{
  DocumentReader reader(name);
  json::sax_parse(in, &reader);
  try {
    return assemble(reader);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

Schedule read_schedule(const std::filesystem::path& file)
{
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw FileError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  }
  if (std::filesystem::is_directory(file)) {
    throw FileError(fmt::format("{}: cannot be read: it is a directory", file.string()));
  }
  return read_schedule(in, file.string());
}

} // namespace wormcast
