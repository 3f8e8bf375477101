#include "wormcast/experiments/trace/reader.hpp"

#include "wormcast/experiments/trace/trace_line.hpp"
#include "wormcast/topologies/faults.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"
#include "wormcast/values/text_line.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>
#include <type_traits>

namespace wormcast {

namespace {

constexpr std::string_view format_name = "wormcast-trace/1";

constexpr std::uint64_t largest_step = std::numeric_limits<std::uint32_t>::max();

std::optional<TraceSeries> read_series(const TraceLine& line, std::uint64_t messages)
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
  const std::optional<TraceLine> line = says_format ? std::optional<TraceLine>(text) : std::nullopt;
  const JsonField* format = line ? line->find("format") : nullptr;
  if (format == nullptr || format->text != format_name) {
    throw InputError(fmt::format("not a trace: the first line has no \"format\": \"{}\" (wormcast run --trace FILE "
                                 "writes such files, unless FILE ends in .perfetto.json)",
                                 format_name));
  }
  TraceHeader header;
  header.kind = printable(line->text("topology.kind"));
  header.dims = line->list("topology.dims");
  header.wrap = line->flags("topology.wrap");
  for (const Parameter& key : fault_parameters()) {
    const std::string name = "topology." + key.name;
    if (key.type != ParameterType::texts) {
      if (line->find(name) == nullptr) {
        continue;
      }
      const auto maximum = static_cast<std::uint64_t>(key.maximum);
      if (key.type == ParameterType::number) {
        header.faults.set(key.name, line->share(name, static_cast<double>(maximum)));
      } else {
        header.faults.set(key.name, static_cast<std::int64_t>(line->whole(name, maximum)));
      }
    } else if (std::vector<std::string> texts = line->texts(name); !texts.empty()) {
      header.faults.set(key.name, std::move(texts));
    }
  }
  constexpr std::uint64_t largest = std::uint64_t{1} << 32;
  header.concentration =
      line->find("topology.concentration") != nullptr ? line->whole("topology.concentration", largest) : 1;
  header.nodes = line->whole("nodes", largest);
  header.channels = line->whole("channels", largest);
  header.messages = line->whole("messages", largest);
  header.series = read_series(*line, header.messages);
  if (const JsonField* algorithm = line->find("config.algorithm.name")) {
    header.algorithm = printable(algorithm->text);
  }
  return header;
}

} // namespace

MessageWords numbered_words(const TraceWords& words, ProgramWords& program)
{
  return {.sender = words.sender,
          .receiver = words.receiver,
          .call = program.calls.number(words.call),
          .communicator = program.communicators.number(words.communicator),
          .region = program.regions.number(words.region),
          .collective = words.collective,
          .tag = words.tag};
}

namespace {

/// "\"step\", \"depth\" or \"port\"".
template <typename Enum, std::size_t count> std::string alternatives(const Names<Enum, count>& names)
{
  std::vector<std::string> texts = names.texts();
  const std::string last = texts.back();
  texts.pop_back();
  return fmt::format("\"{}\" or \"{}\"", fmt::join(texts, "\", \""), last);
}

/// Reads the fields of a record from a line.
class RecordFields {
public:
  RecordFields(const TraceHeader& header, const TraceLine& line) : header_(header), line_(line) {}

  template <typename Enum, std::size_t count>
  void choice(std::string_view key, Enum& value, const Names<Enum, count>& names, std::string_view) const
  {
    const std::string& text = line_.text(within(key));
    const std::optional<Enum> found = names.find(text);
    if (!found) {
      throw InputError(fmt::format("\"{}\": found \"{}\", expected {}", key, text, alternatives(names)));
    }
    value = *found;
  }
  void text(std::string_view key, std::string& value, std::string_view) const
  {
    value = printable(line_.text(within(key)));
  }
  template <typename Number> void number(std::string_view key, Number& value, std::string_view) const
  {
    if constexpr (std::is_signed_v<Number>) {
      if constexpr (std::is_same_v<Number, std::int32_t>) {
        value = line_.signed_32(within(key));
      } else {
        value = line_.signed_64(within(key));
      }
      return;
    }
    constexpr std::uint64_t largest =
        std::min<std::uint64_t>(std::numeric_limits<Number>::max(), std::numeric_limits<std::int64_t>::max());
    value = static_cast<Number>(line_.whole(within(key), largest));
  }
  template <typename Number>
  void number(std::string_view key, std::optional<Number>& value, std::string_view meaning) const
  {
    if (line_.whole_or_null(within(key))) {
      number(key, value.emplace(), meaning);
    }
  }
  void below(std::string_view key, std::uint32_t& value, TraceCount count, std::string_view) const
  {
    value = line_.below(within(key), of_header(count));
  }
  template <typename Number>
  void below(std::string_view key, std::optional<Number>& value, TraceCount count, std::string_view) const
  {
    value = line_.below_or_null(within(key), of_header(count));
  }
  void owner(std::string_view key, MessageOwner& owner, std::uint32_t message, std::string_view) const
  {
    if (!header_.series) {
      return;
    }
    const std::string field = within(key);
    owner = {.in_series = true, .broadcast = line_.below_or_null(field, header_.series->broadcasts)};
    if (owner.broadcast.has_value() != (message < header_.series->messages)) {
      throw InputError(fmt::format("\"{}\": found {} for message {}, but the messages of broadcasts are those below {}",
                                   field, owner.broadcast ? fmt::to_string(*owner.broadcast) : "null", message,
                                   header_.series->messages));
    }
  }
  void time(std::string_view key, Time& value, std::string_view) const { value = line_.microseconds(within(key)); }
  void time(std::string_view key, std::optional<Time>& value, std::string_view) const
  {
    value = line_.microseconds_or_null(within(key));
  }
  void truth(std::string_view key, bool& value, std::string_view) const { value = line_.is_true(within(key)); }
  template <typename Members> void object(std::string_view key, std::string_view, Members members)
  {
    object_ = std::string(key) + ".";
    members();
    object_.clear();
  }
  bool has(std::string_view key, bool, std::string_view) const { return line_.find(within(key)) != nullptr; }

private:
  std::string within(std::string_view key) const { return object_ + std::string(key); }

  std::uint64_t of_header(TraceCount count) const
  {
    switch (count) {
    case TraceCount::nodes:
      return header_.nodes;
    case TraceCount::channels:
      return header_.channels;
    case TraceCount::messages:
      return header_.messages;
    case TraceCount::broadcasts:
      break;
    }
    return header_.series ? header_.series->broadcasts : 0;
  }

  const TraceHeader& header_;
  const TraceLine& line_;
  std::string object_; ///< "waiting."; empty outside of objects
};

template <typename Record> Record read_record(const TraceHeader& header, const TraceLine& line)
{
  Record record;
  RecordFields fields(header, line);
  trace_fields(fields, record);
  return record;
}

TraceMessage read_message(const TraceHeader& header, const TraceLine& line)
{
  auto message = read_record<TraceMessage>(header, line);
  message.has_words = line.find("mpi.sender") != nullptr;
  return message;
}

void check_interval(Time from, Time to)
{
  if (to < from) {
    throw InputError("\"to_us\" is before \"from_us\"");
  }
}

TraceOccupancy read_occupancy(const TraceHeader& header, const TraceLine& line)
{
  const auto occupancy = read_record<TraceOccupancy>(header, line);
  check_interval(occupancy.from, occupancy.to);
  return occupancy;
}

TraceWait read_wait(const TraceHeader& header, const TraceLine& line)
{
  auto wait = read_record<TraceWait>(header, line);
  check_interval(wait.from, wait.to);
  if (wait.kind != ContentionKind::sharing) {
    wait.wait = wait.to - wait.from;
  } else if (line.find("wait_us") == nullptr) {
    throw InputError("\"wait_us\" is missing, expected a time in microseconds");
  }
  if (wait.wait > wait.to - wait.from) {
    throw InputError("\"wait_us\" is more than the time from \"from_us\" to \"to_us\"");
  }
  return wait;
}

/// Lines of these kinds are recognized by the writer's first characters.
bool begins_as(std::string_view text, std::string_view type)
{
  return text.starts_with(R"({"type":")") && text.substr(9).starts_with(type) &&
         text.substr(9 + type.size()).starts_with('"');
}

/// The state of reading.
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
      take_record(TraceLine(text));
    }
  }

private:
  void take_record(const TraceLine& record)
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
        listener.message(read_message(frame.header, record));
      }
    } else if (type == "broadcast") {
      const auto broadcast = read_record<TraceBroadcast>(frame.header, record);
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

  void take_end(const TraceLine& record)
  {
    ended = true;
    const auto totals = read_record<TraceTotals>(frame.header, record);
    frame.end = totals.end;
    frame.end.in_series = frame.header.series.has_value();
    if (totals.contention != waits) {
      throw InputError(fmt::format("found {} contention records, but {} were written", waits, totals.contention));
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
