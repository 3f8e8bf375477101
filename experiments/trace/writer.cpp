#include "wormcast/experiments/trace/writer.hpp"

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/experiments/trace/records.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/experiments/trace/trace_events.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/names.hpp"

#include <fmt/format.h>

#include <concepts>
#include <iterator>
#include <string>
#include <utility>

namespace wormcast {

namespace {

TraceWords trace_words(const ProgramWords& program, MessageId message)
{
  const MessageWords& words = program.messages[index(message)];
  return {.sender = words.sender,
          .receiver = words.receiver,
          .call = program.calls.text(words.call),
          .collective = words.collective,
          .tag = words.tag,
          .communicator = program.communicators.text(words.communicator),
          .region = program.regions.text(words.region)};
}

/// Appends the fields of a record to a line of JSON.
class LineFields {
public:
  LineFields(std::string_view type, fmt::memory_buffer& line) : line_(line)
  {
    fmt::format_to(std::back_inserter(line_), R"({{"type":"{}")", type);
  }

  template <typename Enum, std::size_t count>
  void choice(std::string_view key, Enum value, const Names<Enum, count>& names, std::string_view)
  {
    append_key(key);
    line_.push_back('"');
    line_.append(names.text(value));
    line_.push_back('"');
  }
  void text(std::string_view key, const std::string& value, std::string_view) { append(key, json_quoted(value)); }
  template <std::integral Number> void number(std::string_view key, Number value, std::string_view)
  {
    const fmt::format_int digits(value);
    append(key, {digits.data(), digits.size()});
  }
  template <typename Number>
  void number(std::string_view key, const std::optional<Number>& value, std::string_view meaning)
  {
    value ? number(key, *value, meaning) : append(key, "null");
  }
  template <typename Number> void below(std::string_view key, const Number& value, TraceCount, std::string_view meaning)
  {
    number(key, value, meaning);
  }
  void owner(std::string_view key, const MessageOwner& owner, std::uint32_t, std::string_view meaning)
  {
    if (owner.in_series) {
      number(key, owner.broadcast, meaning);
    }
  }
  void time(std::string_view key, Time value, std::string_view) { append(key, format_microseconds(value)); }
  void time(std::string_view key, const std::optional<Time>& value, std::string_view meaning)
  {
    value ? time(key, *value, meaning) : append(key, "null");
  }
  void truth(std::string_view key, bool value, std::string_view) { append(key, value ? "true" : "false"); }
  template <typename Members> void object(std::string_view key, std::string_view, Members members)
  {
    append(key, "{");
    separator_ = false;
    members();
    line_.push_back('}');
    separator_ = true;
  }
  bool has(std::string_view, bool there, std::string_view) const { return there; }

private:
  void append(std::string_view key, std::string_view value)
  {
    append_key(key);
    line_.append(value);
  }
  void append_key(std::string_view key)
  {
    if (separator_) {
      line_.push_back(',');
    }
    separator_ = true;
    line_.push_back('"');
    line_.append(key);
    line_.append(std::string_view("\":"));
  }

  fmt::memory_buffer& line_;
  bool separator_ = true;
};

class JsonLinesWriter final : public TraceWriter {
public:
  JsonLinesWriter(const TraceHead& head, std::ostream& out)
      : names_(*head.experiment.topology, head.experiment.network.ports), out_(out),
        is_series_(head.series.has_value()), words_(head.words)
  {
    write_header(head);
    if (head.series) {
      write_broadcasts(head.series->ended);
    }
  }

  void message(const SeriesMessage& message) override
  {
    if (is_series_) {
      owners_.add(message);
    }
    TraceWords words;
    if (words_ != nullptr) {
      words = trace_words(*words_, message.id);
    }
    write("message", TraceMessage{.id = index(message.id),
                                  .step = message.step,
                                  .source = index(message.source),
                                  .destination = index(message.destination),
                                  .bytes = message.bytes,
                                  .owner = {.in_series = is_series_, .broadcast = message.broadcast},
                                  .round = message.round,
                                  .ready = message.ready,
                                  .has_words = words_ != nullptr,
                                  .words = std::move(words)});
  }

  void contention(const ContentionRecord& record) override
  {
    ++totals_.contention;
    write("contention", TraceWait{.kind = record.kind,
                                  .resource = resource(record.resource),
                                  .waiting = index(record.waiting),
                                  .waiting_step = record.waiting_step,
                                  .holding = index(record.holding),
                                  .holding_step = record.holding_step,
                                  .waiting_owner = owner(record.waiting),
                                  .holding_owner = owner(record.holding),
                                  .cause = record.cause,
                                  .from = record.from,
                                  .to = record.to,
                                  .wait = record.wait});
  }

  void occupancy(const OccupancyRecord& record) override
  {
    ++totals_.occupancy;
    write("occupancy", TraceOccupancy{.resource = resource(record.resource),
                                      .message = index(record.message),
                                      .step = record.step,
                                      .owner = owner(record.message),
                                      .from = record.from,
                                      .to = record.to});
  }

  void end(const TraceEnd& end) override
  {
    totals_.end = end;
    write("end", totals_);
  }

private:
  void write_header(const TraceHead& head)
  {
    const Topology& topology = *head.experiment.topology;
    nlohmann::ordered_json header;
    header["format"] = "wormcast-trace/1";
    header["version"] = program_version();
    header["topology"] = head.experiment.effective.at("topology");
    header["nodes"] = topology.node_count();
    header["channels"] = topology.channel_count();
    header["messages"] = head.messages;
    if (head.series) {
      header["broadcasts"] = head.series->broadcasts;
      header["broadcast_messages"] = head.series->messages;
      if (head.series->round) {
        header["round"] = *head.series->round;
      }
    }
    header["config"] = head.experiment.effective;
    out_ << json_text(header, JsonLayout::one_line) << '\n';
  }

  void write_broadcasts(std::span<const SeriesBroadcast> broadcasts)
  {
    for (const SeriesBroadcast& broadcast : broadcasts) {
      write("broadcast", TraceBroadcast{.number = broadcast.number,
                                        .round = broadcast.round,
                                        .source = index(broadcast.source),
                                        .start = broadcast.start,
                                        .latency = broadcast.latency});
    }
  }

  MessageOwner owner(MessageId message) const { return is_series_ ? owners_.of(message) : MessageOwner{}; }

  TraceResource resource(const Resource& resource) const
  {
    TraceResource named{.kind = resource.kind,
                        .name = names_.name(resource),
                        .channel_id = {},
                        .node = index(resource.node),
                        .to_node = {}};
    if (const auto channel = names_.channel(resource)) {
      named.channel_id = index(*channel);
    }
    if (resource.kind == Resource::Kind::external) {
      named.to_node = index(names_.topology().channel_target(resource.channel));
    }
    return named;
  }

  template <typename Record> void write(std::string_view type, const Record& record)
  {
    LineFields fields(type, line_);
    trace_fields(fields, record);
    line_.append(std::string_view("}\n"));
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
    line_.clear();
  }

  ResourceNames names_;
  std::ostream& out_;
  bool is_series_;
  const ProgramWords* words_;
  MessageOwners owners_;
  fmt::memory_buffer line_;
  TraceTotals totals_;
};

class TraceEventWriter final : public TraceWriter {
public:
  TraceEventWriter(const TraceHead& head, std::ostream& out)
      : names_(*head.experiment.topology, head.experiment.network.ports), is_series_(head.series.has_value()),
        words_(head.words),
        events_(fmt::format("{}, {}", head.experiment.topology->title(), head.experiment.algorithm), out)
  {}

  void message(const SeriesMessage& message) override
  {
    if (is_series_) {
      owners_.add(message);
    }
  }
  void contention(const ContentionRecord& record) override
  {
    events_.contention(place(record.resource), record, {.owner = owner(record.waiting), .words = words(record.waiting)},
                       {.owner = owner(record.holding), .words = words(record.holding)});
  }
  void occupancy(const OccupancyRecord& record) override
  {
    events_.occupancy(place(record.resource), record, {.owner = owner(record.message), .words = words(record.message)});
  }
  void end(const TraceEnd&) override { events_.end(); }

private:
  MessageOwner owner(MessageId message) const { return is_series_ ? owners_.of(message) : MessageOwner{}; }
  std::string words(MessageId message) const
  {
    return words_ == nullptr ? std::string() : words_->text(words_->messages[index(message)]);
  }
  TraceEvents::Place place(const Resource& resource) const
  {
    return {names_.number(resource), [this, &resource] { return names_.name(resource); }};
  }

  ResourceNames names_;
  bool is_series_;
  const ProgramWords* words_;
  MessageOwners owners_;
  TraceEvents events_;
};

class JointWriter final : public TraceWriter {
public:
  explicit JointWriter(std::vector<std::unique_ptr<TraceWriter>> writers) : writers_(std::move(writers)) {}

  void message(const SeriesMessage& message) override
  {
    for (const auto& writer : writers_) {
      writer->message(message);
    }
  }
  void contention(const ContentionRecord& record) override
  {
    for (const auto& writer : writers_) {
      writer->contention(record);
    }
  }
  void occupancy(const OccupancyRecord& record) override
  {
    for (const auto& writer : writers_) {
      writer->occupancy(record);
    }
  }
  void end(const TraceEnd& end) override
  {
    for (const auto& writer : writers_) {
      writer->end(end);
    }
  }

private:
  std::vector<std::unique_ptr<TraceWriter>> writers_;
};

} // namespace

std::unique_ptr<TraceWriter> make_joint_writer(std::vector<std::unique_ptr<TraceWriter>> writers)
{
  if (writers.size() < 2) {
    return writers.empty() ? nullptr : std::move(writers.front());
  }
  return std::make_unique<JointWriter>(std::move(writers));
}

std::unique_ptr<TraceWriter> make_trace_event_writer(const TraceHead& head, std::ostream& out)
{
  return std::make_unique<TraceEventWriter>(head, out);
}

std::unique_ptr<TraceWriter> make_json_lines_writer(const TraceHead& head, std::ostream& out)
{
  return std::make_unique<JsonLinesWriter>(head, out);
}

std::unique_ptr<TraceWriter> make_trace_writer(const std::filesystem::path& file, const TraceHead& head,
                                               std::ostream& out)
{
  return file.string().ends_with(".perfetto.json") ? make_trace_event_writer(head, out)
                                                   : make_json_lines_writer(head, out);
}

std::unique_ptr<TraceWriter> make_trace_writer(const std::filesystem::path& file, const Experiment& experiment,
                                               const Schedule& schedule, std::ostream& out)
{
  std::unique_ptr<TraceWriter> writer = make_trace_writer(
      file, {.experiment = experiment, .messages = schedule.messages.size(), .words = simulated_words(experiment)},
      out);
  const bool plain = schedule.operation == Operation::none;
  const auto set_bytes = plain ? std::vector<std::uint64_t>() : block_set_bytes(schedule);
  for (std::size_t i = 0; i < schedule.messages.size(); ++i) {
    const Message& message = schedule.messages[i];
    const MessageId id{static_cast<std::uint32_t>(i)};
    writer->message({.id = id,
                     .broadcast = {},
                     .own = id,
                     .step = message.step,
                     .source = message.source,
                     .destination = message.destination,
                     .bytes = plain ? schedule.plain[i].bytes : set_bytes[static_cast<std::uint32_t>(message.blocks)],
                     .ready = {},
                     .round = {}});
  }
  return writer;
}

} // namespace wormcast
