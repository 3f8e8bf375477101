#include "wormcast/experiments/trace/writer.hpp"

#include "wormcast/experiments/formats/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/experiments/trace/trace_events.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace wormcast {

namespace {

std::string number_or_null(const std::optional<std::uint32_t>& number)
{
  return number ? fmt::to_string(*number) : "null";
}

class JsonLinesWriter final : public TraceWriter {
public:
  JsonLinesWriter(const TraceHead& head, std::ostream& out)
      : names_(*head.experiment.topology, head.experiment.network.ports), out_(out), is_series_(head.series.has_value())
  {
    write_header(head);
    if (head.series) {
      write_broadcasts(head.series->ended);
    }
  }

  void message(const SeriesMessage& message) override
  {
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, R"({{"type":"message","id":{},"step":{},"src":{},"dst":{},"bytes":{})", index(message.id),
                   message.step, index(message.source), index(message.destination), message.bytes);
    if (is_series_) {
      owners_.add(message);
      fmt::format_to(out, R"(,"broadcast":{},"round":{},"ready_us":{})", number_or_null(message.broadcast),
                     number_or_null(message.round), format_microseconds(message.ready));
    }
    line_.push_back('}');
    write_line();
  }

  void contention(const ContentionRecord& record) override
  {
    ++contention_count_;
    fmt::format_to(std::back_inserter(line_), R"({{"type":"contention","kind":"{}",)",
                   contention_kind_name(record.kind));
    append_resource(record.resource);
    line_.append(std::string_view(R"("waiting":{)"));
    append_message(record.waiting, record.waiting_step);
    line_.append(std::string_view(R"(},"holding":{)"));
    append_message(record.holding, record.holding_step);
    line_.append(std::string_view("},"));
    if (record.cause != WaitCause::channel) {
      fmt::format_to(std::back_inserter(line_), R"("cause":"{}",)", wait_cause_name(record.cause));
    }
    if (record.kind == ContentionKind::sharing) {
      fmt::format_to(std::back_inserter(line_), R"("wait_us":{},)", format_microseconds(record.wait));
    }
    append_times(record.from, record.to);
    write_line();
  }

  void occupancy(const OccupancyRecord& record) override
  {
    ++occupancy_count_;
    line_.append(std::string_view(R"({"type":"occupancy",)"));
    append_resource(record.resource);
    append_message(record.message, record.step);
    line_.push_back(',');
    append_times(record.from, record.to);
    write_line();
  }

  void end(const TraceEnd& end) override
  {
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, R"({{"type":"end","latency_us":{},)", end.latency ? format_microseconds(*end.latency) : "null");
    if (end.deadlock) {
      fmt::format_to(out, R"("deadlock_us":{},)", format_microseconds(*end.deadlock));
    }
    if (is_series_) {
      fmt::format_to(out, R"("saturated":{},)", end.saturated);
    }
    fmt::format_to(out, R"("undelivered":{},"contention":{},"occupancy":{}}})", end.undelivered, contention_count_,
                   occupancy_count_);
    write_line();
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
      fmt::format_to(std::back_inserter(line_),
                     R"({{"type":"broadcast","number":{},"round":{},"source":{},"start_us":{},"latency_us":{}}})",
                     broadcast.number, broadcast.round, index(broadcast.source), format_microseconds(broadcast.start),
                     format_microseconds(broadcast.latency));
      write_line();
    }
  }

  void append_message(MessageId message, std::uint32_t step)
  {
    fmt::format_to(std::back_inserter(line_), R"("message":{},"step":{})", index(message), step);
    if (is_series_) {
      fmt::format_to(std::back_inserter(line_), R"(,"broadcast":{})", number_or_null(owners_.of(message).broadcast));
    }
  }

  void append_resource(const Resource& resource)
  {
    const auto channel = names_.channel(resource);
    const bool external = resource.kind == Resource::Kind::external;
    fmt::format_to(std::back_inserter(line_), R"("resource":"{}","channel":{},"channel_id":{},"node":{},"to_node":{},)",
                   resource_kind_name(resource.kind), json_quoted(names_.name(resource)),
                   channel ? fmt::to_string(index(*channel)) : "null", index(resource.node),
                   external ? fmt::to_string(index(names_.topology().channel_target(resource.channel))) : "null");
  }

  void append_times(Time from, Time to)
  {
    fmt::format_to(std::back_inserter(line_), R"("from_us":{},"to_us":{}}})", format_microseconds(from),
                   format_microseconds(to));
  }

  void write_line()
  {
    line_.push_back('\n');
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
    line_.clear();
  }

  ResourceNames names_;
  std::ostream& out_;
  bool is_series_;
  MessageOwners owners_;
  fmt::memory_buffer line_;
  std::uint64_t contention_count_ = 0;
  std::uint64_t occupancy_count_ = 0;
};

class TraceEventWriter final : public TraceWriter {
public:
  TraceEventWriter(const TraceHead& head, std::ostream& out)
      : names_(*head.experiment.topology, head.experiment.network.ports), is_series_(head.series.has_value()),
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
    events_.contention(place(record.resource), record, owner(record.waiting), owner(record.holding));
  }
  void occupancy(const OccupancyRecord& record) override
  {
    events_.occupancy(place(record.resource), record, owner(record.message));
  }
  void end(const TraceEnd&) override { events_.end(); }

private:
  MessageOwner owner(MessageId message) const { return is_series_ ? owners_.of(message) : MessageOwner{}; }
  TraceEvents::Place place(const Resource& resource) const
  {
    return {names_.number(resource), [this, &resource] { return names_.name(resource); }};
  }

  ResourceNames names_;
  bool is_series_;
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
  std::unique_ptr<TraceWriter> writer =
      make_trace_writer(file, {.experiment = experiment, .messages = schedule.messages.size()}, out);
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
