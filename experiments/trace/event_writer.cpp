#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/experiments/trace/writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <vector>

namespace wormcast {

namespace {

/// What a track shows; both of a channel stand next to each other.
enum class TrackKind : std::uint8_t { held, waiting };

class TraceEventWriter final : public TraceWriter {
public:
  TraceEventWriter(const Experiment& experiment, std::ostream& out)
      : names_(*experiment.topology, experiment.network.ports), out_(out)
  {
    out_ << R"({"displayTimeUnit":"ns","traceEvents":[)" << '\n'
         << fmt::format(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})",
                        json_quoted(fmt::format("{}, {}", experiment.topology->title(), experiment.algorithm)));
  }

  void contention(const ContentionRecord& record) override
  {
    const std::uint32_t track = find_track(record.resource, TrackKind::waiting, record.from, record.to);
    append_event(track, fmt::format("message {} waits for {}", index(record.waiting), index(record.holding)),
                 fmt::format("contention,{}", contention_kind_name(record.kind)), record.from, record.to);
    fmt::format_to(std::back_inserter(event_),
                   R"("args":{{"message":{},"step":{},"holding_message":{},"holding_step":{},"kind":"{}"}}}})",
                   index(record.waiting), record.waiting_step, index(record.holding), record.holding_step,
                   contention_kind_name(record.kind));
    write_event();
  }

  void occupancy(const OccupancyRecord& record) override
  {
    const std::uint32_t track = find_track(record.resource, TrackKind::held, record.from, record.to);
    append_event(track, fmt::format("message {}", index(record.message)), "occupancy", record.from, record.to);
    fmt::format_to(std::back_inserter(event_), R"("args":{{"message":{},"step":{}}}}})", index(record.message),
                   record.step);
    write_event();
  }

  void end(const SimulationResult&) override { out_ << "\n]}\n"; }

private:
  struct Track {
    std::uint32_t id = 0;
    Time busy_until;
  };

  /// Records come in the order of their ends, so an event overlaps with others of a track only if it begins before the
  /// last one's end.
  std::uint32_t find_track(const Resource& resource, TrackKind kind, Time from, Time to)
  {
    const std::uint64_t order = 2 * names_.number(resource) + static_cast<std::uint64_t>(kind);
    std::vector<Track>& tracks = tracks_[order];
    for (Track& track : tracks) {
      if (track.busy_until <= from) {
        track.busy_until = to;
        return track.id;
      }
    }
    tracks.push_back({++last_track_, to});
    name_track(last_track_, names_.name(resource) + (kind == TrackKind::waiting ? " (waiting)" : ""), order);
    return last_track_;
  }

  void name_track(std::uint32_t track, const std::string& name, std::uint64_t order)
  {
    fmt::format_to(std::back_inserter(event_),
                   R"({{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":{}}}}})", track,
                   json_quoted(name));
    write_event();
    fmt::format_to(std::back_inserter(event_),
                   R"({{"ph":"M","pid":1,"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})", track,
                   order);
    write_event();
  }

  void append_event(std::uint32_t track, std::string_view name, std::string_view category, Time from, Time to)
  {
    fmt::format_to(std::back_inserter(event_),
                   R"({{"ph":"X","pid":1,"tid":{},"name":"{}","cat":"{}","ts":{},"dur":{},)", track, name, category,
                   format_microseconds(from), format_microseconds(to - from));
  }

  void write_event()
  {
    out_ << ",\n";
    out_.write(event_.data(), static_cast<std::streamsize>(event_.size()));
    event_.clear();
  }

  ResourceNames names_;
  std::ostream& out_;
  fmt::memory_buffer event_;
  std::unordered_map<std::uint64_t, std::vector<Track>> tracks_;
  std::uint32_t last_track_ = 0;
};

} // namespace

std::unique_ptr<TraceWriter> make_trace_event_writer(const Experiment& experiment, std::ostream& out)
{
  return std::make_unique<TraceEventWriter>(experiment, out);
}

} // namespace wormcast
