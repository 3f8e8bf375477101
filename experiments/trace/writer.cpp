#include "wormcast/experiments/trace/writer.hpp"

#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/experiments/trace/trace_events.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace wormcast {

namespace {

class JsonLinesWriter final : public TraceWriter {
public:
  JsonLinesWriter(const Experiment& experiment, const Schedule& schedule, std::ostream& out)
      : names_(*experiment.topology, experiment.network.ports), out_(out)
  {
    write_header(experiment, schedule);
    write_messages(schedule);
  }

  void contention(const ContentionRecord& record) override
  {
    ++contention_count_;
    fmt::format_to(std::back_inserter(line_), R"({{"type":"contention","kind":"{}",)",
                   contention_kind_name(record.kind));
    append_resource(record.resource);
    fmt::format_to(std::back_inserter(line_),
                   R"("waiting":{{"message":{},"step":{}}},"holding":{{"message":{},"step":{}}},)",
                   index(record.waiting), record.waiting_step, index(record.holding), record.holding_step);
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
    fmt::format_to(std::back_inserter(line_), R"("message":{},"step":{},)", index(record.message), record.step);
    append_times(record.from, record.to);
    write_line();
  }

  void end(const SimulationResult& simulation) override
  {
    const auto out = std::back_inserter(line_);
    fmt::format_to(out, R"({{"type":"end","latency_us":{},)",
                   simulation.latency ? format_microseconds(*simulation.latency) : "null");
    if (simulation.deadlock) {
      fmt::format_to(out, R"("deadlock_us":{},)", format_microseconds(simulation.deadlock->at));
    }
    fmt::format_to(out, R"("undelivered":{},"contention":{},"occupancy":{}}})",
                   simulation.deadlock ? simulation.deadlock->undelivered : 0, contention_count_, occupancy_count_);
    write_line();
  }

private:
  void write_header(const Experiment& experiment, const Schedule& schedule)
  {
    const Topology& topology = *experiment.topology;
    nlohmann::ordered_json header;
    header["format"] = "wormcast-trace/1";
    header["version"] = program_version();
    header["topology"] = experiment.effective.at("topology");
    header["nodes"] = topology.node_count();
    header["channels"] = topology.channel_count();
    header["messages"] = schedule.messages.size();
    header["config"] = experiment.effective;
    out_ << json_text(header, JsonLayout::one_line) << '\n';
  }

  void write_messages(const Schedule& schedule)
  {
    const bool plain = schedule.operation == Operation::none;
    const auto set_bytes = plain ? std::vector<std::uint64_t>() : block_set_bytes(schedule);
    for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
      const Message& message = schedule.messages[id];
      const std::uint64_t bytes =
          plain ? schedule.plain[id].bytes : set_bytes[static_cast<std::uint32_t>(message.blocks)];
      fmt::format_to(std::back_inserter(line_),
                     R"({{"type":"message","id":{},"step":{},"src":{},"dst":{},"bytes":{}}})", id, message.step,
                     index(message.source), index(message.destination), bytes);
      write_line();
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
  fmt::memory_buffer line_;
  std::uint64_t contention_count_ = 0;
  std::uint64_t occupancy_count_ = 0;
};

class TraceEventWriter final : public TraceWriter {
public:
  TraceEventWriter(const Experiment& experiment, std::ostream& out)
      : names_(*experiment.topology, experiment.network.ports),
        events_(fmt::format("{}, {}", experiment.topology->title(), experiment.algorithm), out)
  {}

  void contention(const ContentionRecord& record) override { events_.contention(place(record.resource), record); }
  void occupancy(const OccupancyRecord& record) override { events_.occupancy(place(record.resource), record); }
  void end(const SimulationResult&) override { events_.end(); }

private:
  TraceEvents::Place place(const Resource& resource) const
  {
    return {names_.number(resource), [this, &resource] { return names_.name(resource); }};
  }

  ResourceNames names_;
  TraceEvents events_;
};

class JointWriter final : public TraceWriter {
public:
  explicit JointWriter(std::vector<std::unique_ptr<TraceWriter>> writers) : writers_(std::move(writers)) {}

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
  void end(const SimulationResult& simulation) override
  {
    for (const auto& writer : writers_) {
      writer->end(simulation);
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

std::unique_ptr<TraceWriter> make_trace_event_writer(const Experiment& experiment, std::ostream& out)
{
  return std::make_unique<TraceEventWriter>(experiment, out);
}

std::unique_ptr<TraceWriter> make_json_lines_writer(const Experiment& experiment, const Schedule& schedule,
                                                    std::ostream& out)
{
  return std::make_unique<JsonLinesWriter>(experiment, schedule, out);
}

std::unique_ptr<TraceWriter> make_trace_writer(const std::filesystem::path& file, const Experiment& experiment,
                                               const Schedule& schedule, std::ostream& out)
{
  return file.string().ends_with(".perfetto.json") ? make_trace_event_writer(experiment, out)
                                                   : make_json_lines_writer(experiment, schedule, out);
}

} // namespace wormcast
