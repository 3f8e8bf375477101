#include "wormcast/experiments/trace/reader.hpp"

#include "wormcast/experiments/formats/json_fields.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"
#include "wormcast/values/text_line.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view format_name = "wormcast-trace/1";

/// The fields of one line by name.
class Line {
public:
  explicit Line(std::string_view text) : fields_(read_json_fields(text)) {}

  const JsonField* find(std::string_view name) const
  {
    for (const JsonField& field : fields_) {
      if (field.name == name) {
        return &field;
      }
    }
    return nullptr;
  }
  const std::string& text(std::string_view name) const { return get(name, JsonField::Kind::text, "a text").text; }
  std::uint64_t whole(std::string_view name, std::uint64_t maximum = std::numeric_limits<std::int64_t>::max()) const
  {
    return read_whole(get(name, JsonField::Kind::number, "a whole number"), maximum);
  }
  std::uint32_t below(std::string_view name, std::uint64_t count) const
  {
    if (count == 0) {
      throw InputError(fmt::format("\"{}\": found a value, but the trace's header says that there is none", name));
    }
    return static_cast<std::uint32_t>(whole(name, count - 1));
  }
  /// none for null
  std::optional<std::uint64_t> whole_or_null(std::string_view name) const
  {
    const JsonField* field = find(name);
    return field != nullptr && field->kind == JsonField::Kind::null ? std::nullopt : std::optional(whole(name));
  }
  /// none for null
  std::optional<std::uint32_t> below_or_null(std::string_view name, std::uint64_t count) const
  {
    return whole_or_null(name) ? std::optional(below(name, count)) : std::nullopt;
  }
  /// false where the field is not there
  bool is_true(std::string_view name) const
  {
    return find(name) != nullptr && get(name, JsonField::Kind::boolean, "true or false").text == "true";
  }
  std::vector<std::int64_t> list(std::string_view name) const
  {
    std::vector<std::int64_t> numbers;
    for (const JsonField& field : fields_) {
      if (field.name == name && field.kind == JsonField::Kind::number) {
        numbers.push_back(static_cast<std::int64_t>(read_whole(field, std::numeric_limits<std::int64_t>::max())));
      }
    }
    return numbers;
  }
  Time microseconds(std::string_view name) const
  {
    const JsonField& field = get(name, JsonField::Kind::number, "a time in microseconds");
    try {
      return parse_time(field.text + "us");
    } catch (const InputError& error) {
      throw InputError(fmt::format("\"{}\": {}", name, error.what()));
    }
  }
  /// none for null, or where the field is not there
  std::optional<Time> microseconds_or_null(std::string_view name) const
  {
    const JsonField* field = find(name);
    return field == nullptr || field->kind == JsonField::Kind::null ? std::nullopt : std::optional(microseconds(name));
  }

private:
  const JsonField& get(std::string_view name, JsonField::Kind kind, std::string_view expected) const
  {
    const JsonField* field = find(name);
    if (field == nullptr) {
      throw InputError(fmt::format("\"{}\" is missing, expected {}", name, expected));
    }
    if (field->kind != kind) {
      throw InputError(fmt::format("\"{}\": expected {}", name, expected));
    }
    return *field;
  }
  static std::uint64_t read_whole(const JsonField& field, std::uint64_t maximum)
  {
    const auto number = number_of_text<std::uint64_t>(field.text);
    if (!number || *number > maximum) {
      throw InputError(
          fmt::format("\"{}\": found {}, expected a whole number from 0 to {}", field.name, field.text, maximum));
    }
    return *number;
  }

  std::vector<JsonField> fields_;
};

constexpr std::uint64_t largest_step = std::numeric_limits<std::uint32_t>::max();

std::optional<TraceSeries> read_series(const Line& line, std::uint64_t messages)
{
  if (line.find("broadcasts") == nullptr) {
    return std::nullopt;
  }
  TraceSeries series;
  series.broadcasts = line.whole("broadcasts", std::numeric_limits<std::uint32_t>::max());
  series.messages = line.whole("broadcast_messages", messages);
  if (line.find("round") != nullptr) {
    series.round = static_cast<std::uint32_t>(line.whole("round", largest_step));
  }
  return series;
}

TraceHeader read_header(std::string_view text)
{
  const bool says_format = text.find(format_name) != std::string_view::npos;
  const std::optional<Line> line = says_format ? std::optional<Line>(text) : std::nullopt;
  const JsonField* format = line ? line->find("format") : nullptr;
  if (format == nullptr || format->text != format_name) {
    throw InputError(fmt::format("not a trace: the first line has no \"format\": \"{}\" (wormcast run --trace FILE "
                                 "writes such files, unless FILE ends in .perfetto.json)",
                                 format_name));
  }
  TraceHeader header;
  header.kind = printable(line->text("topology.kind"));
  header.dims = line->list("topology.dims");
  constexpr std::uint64_t largest = std::uint64_t{1} << 32;
  header.nodes = line->whole("nodes", largest);
  header.channels = line->whole("channels", largest);
  header.messages = line->whole("messages", largest);
  header.series = read_series(*line, header.messages);
  if (const JsonField* algorithm = line->find("config.algorithm.name")) {
    header.algorithm = printable(algorithm->text);
  }
  return header;
}

ContentionKind read_kind(const Line& line)
{
  const std::string& name = line.text("kind");
  for (const ContentionKind kind : all_contention_kinds) {
    if (contention_kind_name(kind) == name) {
      return kind;
    }
  }
  throw InputError(
      fmt::format("\"kind\": found \"{}\", expected \"step\", \"depth\", \"port\", \"sharing\" or \"other\"", name));
}

/// `field` says whose `message` is.
MessageOwner read_owner(const TraceHeader& header, const Line& line, std::string_view field, std::uint64_t message)
{
  if (!header.series) {
    return {};
  }
  const MessageOwner owner{.in_series = true, .broadcast = line.below_or_null(field, header.series->broadcasts)};
  if (owner.broadcast.has_value() != (message < header.series->messages)) {
    throw InputError(fmt::format("\"{}\": found {} for message {}, but the messages of broadcasts are those below {}",
                                 field, owner.broadcast ? fmt::to_string(*owner.broadcast) : "null", message,
                                 header.series->messages));
  }
  return owner;
}

Resource::Kind read_resource_kind(const Line& line)
{
  const std::string& name = line.text("resource");
  for (const Resource::Kind kind : {Resource::Kind::external, Resource::Kind::injection, Resource::Kind::ejection}) {
    if (resource_kind_name(kind) == name) {
      return kind;
    }
  }
  throw InputError(
      fmt::format("\"resource\": found \"{}\", expected \"external\", \"injection\" or \"ejection\"", name));
}

TraceResource read_resource(const TraceHeader& header, const Line& line)
{
  TraceResource resource;
  resource.kind = read_resource_kind(line);
  resource.name = printable(line.text("channel"));
  if (line.whole_or_null("channel_id")) {
    resource.channel_id = line.below("channel_id", header.channels);
  }
  resource.node = line.below("node", header.nodes);
  if (line.whole_or_null("to_node")) {
    resource.to_node = line.below("to_node", header.nodes);
  }
  return resource;
}

std::pair<Time, Time> read_times(const Line& line)
{
  const std::pair times(line.microseconds("from_us"), line.microseconds("to_us"));
  if (times.second < times.first) {
    throw InputError("\"to_us\" is before \"from_us\"");
  }
  return times;
}

TraceOccupancy read_occupancy(const TraceHeader& header, const Line& line)
{
  TraceOccupancy occupancy;
  occupancy.resource = read_resource(header, line);
  occupancy.message = line.below("message", header.messages);
  occupancy.step = static_cast<std::uint32_t>(line.whole("step", largest_step));
  occupancy.owner = read_owner(header, line, "broadcast", occupancy.message);
  std::tie(occupancy.from, occupancy.to) = read_times(line);
  return occupancy;
}

TraceWait read_wait(const TraceHeader& header, const Line& line)
{
  TraceWait wait;
  wait.kind = read_kind(line);
  wait.resource = read_resource(header, line);
  wait.waiting = line.below("waiting.message", header.messages);
  wait.waiting_step = static_cast<std::uint32_t>(line.whole("waiting.step", largest_step));
  wait.holding = line.below("holding.message", header.messages);
  wait.holding_step = static_cast<std::uint32_t>(line.whole("holding.step", largest_step));
  wait.waiting_owner = read_owner(header, line, "waiting.broadcast", wait.waiting);
  wait.holding_owner = read_owner(header, line, "holding.broadcast", wait.holding);
  std::tie(wait.from, wait.to) = read_times(line);
  wait.wait = wait.kind == ContentionKind::sharing ? line.microseconds("wait_us") : wait.to - wait.from;
  if (wait.wait > wait.to - wait.from) {
    throw InputError("\"wait_us\" is more than the time from \"from_us\" to \"to_us\"");
  }
  return wait;
}

TraceBroadcast read_broadcast(const TraceHeader& header, const Line& line)
{
  TraceBroadcast broadcast;
  broadcast.number = line.below("number", header.series ? header.series->broadcasts : 0);
  broadcast.round = static_cast<std::uint32_t>(line.whole("round", largest_step));
  broadcast.source = line.below("source", header.nodes);
  broadcast.start = line.microseconds("start_us");
  broadcast.latency = line.microseconds("latency_us");
  return broadcast;
}

TraceEnd read_end(const Line& line)
{
  TraceEnd end;
  end.latency = line.microseconds_or_null("latency_us");
  end.deadlock = line.microseconds_or_null("deadlock_us");
  end.saturated = line.is_true("saturated");
  end.undelivered = line.find("undelivered") == nullptr ? 0 : line.whole("undelivered");
  return end;
}

/// Lines of these kinds are told by how the writer begins them.
bool begins_as(std::string_view text, std::string_view type)
{
  return text.starts_with(R"({"type":")") && text.substr(9).starts_with(type) &&
         text.substr(9 + type.size()).starts_with('"');
}

/// What reading has come to.
struct Reading {
  const TraceListener& listener;
  TraceFrame frame = {};
  std::uint64_t line = 0;
  std::uint64_t waits = 0;
  bool ended = false;

  void take(const std::string& text)
  {
    if (line == 1) {
      frame.header = read_header(text);
      if (listener.header) {
        listener.header(frame.header);
      }
    } else if (ended) {
      throw InputError("found a record behind the one of type \"end\"");
    } else if ((!listener.occupancy && begins_as(text, "occupancy")) ||
               (!listener.message && begins_as(text, "message"))) {
      check_json(text);
    } else {
      take_record(Line(text));
    }
  }

private:
  void take_record(const Line& record)
  {
    const std::string& type = record.text("type");
    if (type == "contention") {
      ++waits;
      const TraceWait wait = read_wait(frame.header, record);
      if (listener.wait) {
        listener.wait(wait);
      }
    } else if (type == "occupancy") {
      if (listener.occupancy) {
        listener.occupancy(read_occupancy(frame.header, record));
      }
    } else if (type == "message") {
      if (listener.message) {
        listener.message({record.below("id", frame.header.messages), record.whole("bytes")});
      }
    } else if (type == "broadcast") {
      const TraceBroadcast broadcast = read_broadcast(frame.header, record);
      if (listener.broadcast) {
        listener.broadcast(broadcast);
      }
    } else if (type == "end") {
      take_end(record);
    } else {
      throw InputError(fmt::format("\"type\": found \"{}\", expected \"contention\", \"occupancy\", \"message\", "
                                   "\"broadcast\" or \"end\"",
                                   type));
    }
  }

  void take_end(const Line& record)
  {
    ended = true;
    frame.end = read_end(record);
    if (const std::uint64_t written = record.whole("contention"); written != waits) {
      throw InputError(fmt::format("found {} contention records, but {} were written", waits, written));
    }
  }
};

} // namespace

TraceFrame read_trace(std::istream& in, std::string_view name, const TraceListener& listener)
{
  Reading reading{.listener = listener};
  LineReader lines(in, name);
  std::string text;
  while (lines.read(text)) {
    reading.line = lines.number();
    try {
      reading.take(text);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}:{}: {}", name, reading.line, error.what()));
    }
  }
  if (in.bad()) {
    throw FileError(fmt::format("{}: cannot be read: {}", name, std::strerror(errno)));
  }
  if (reading.line == 0) {
    throw InputError(fmt::format("{}: the file is empty, expected a trace ({})", name, format_name));
  }
  if (!reading.ended) {
    throw InputError(fmt::format("{}:{}: the trace ends here without its record of type \"end\": it was cut short",
                                 name, reading.line));
  }
  return reading.frame;
}

TraceFrame read_trace(const std::filesystem::path& file, const TraceListener& listener)
{
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  const int reason = errno;
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(file, ignored);
  if (!in || is_folder) {
    throw FileError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(is_folder ? EISDIR : reason)));
  }
  return read_trace(in, file.string(), listener);
}

} // namespace wormcast
