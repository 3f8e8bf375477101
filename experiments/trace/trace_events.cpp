#include "wormcast/experiments/trace/trace_events.hpp"

#include "wormcast/experiments/output/json_text.hpp"

#include <iterator>

namespace wormcast {

TraceEvents::TraceEvents(std::string_view process, std::ostream& out) : out_(out)
{
  out_ << R"({"displayTimeUnit":"ns","traceEvents":[)" << '\n'
       << fmt::format(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})", json_quoted(process));
}

void TraceEvents::contention(const Place& place, const ContentionRecord& record)
{
  const std::uint32_t track = find_track(place, TrackKind::waiting, record.from, record.to);
  append_event(track, fmt::format("message {} waits for {}", index(record.waiting), index(record.holding)),
               fmt::format("contention,{}", contention_kind_name(record.kind)), record.from, record.to);
  fmt::format_to(std::back_inserter(event_),
                 R"("args":{{"message":{},"step":{},"holding_message":{},"holding_step":{},"kind":"{}"}}}})",
                 index(record.waiting), record.waiting_step, index(record.holding), record.holding_step,
                 contention_kind_name(record.kind));
  write_event();
}

void TraceEvents::occupancy(const Place& place, const OccupancyRecord& record)
{
  const std::uint32_t track = find_track(place, TrackKind::held, record.from, record.to);
  append_event(track, fmt::format("message {}", index(record.message)), "occupancy", record.from, record.to);
  fmt::format_to(std::back_inserter(event_), R"("args":{{"message":{},"step":{}}}}})", index(record.message),
                 record.step);
  write_event();
}

void TraceEvents::end()
{
  out_ << "\n]}\n";
}

/// Records come in the order of their ends, so an event overlaps with others of a track only if it begins before the
/// last one's end.
std::uint32_t TraceEvents::find_track(const Place& place, TrackKind kind, Time from, Time to)
{
  const std::uint64_t order = 2 * place.number + static_cast<std::uint64_t>(kind);
  std::vector<Track>& tracks = tracks_[order];
  for (Track& track : tracks) {
    if (track.busy_until <= from) {
      track.busy_until = to;
      return track.id;
    }
  }
  tracks.push_back({++last_track_, to});
  name_track(last_track_, place.name() + (kind == TrackKind::waiting ? " (waiting)" : ""), order);
  return last_track_;
}

void TraceEvents::name_track(std::uint32_t track, const std::string& name, std::uint64_t order)
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

void TraceEvents::append_event(std::uint32_t track, std::string_view name, std::string_view category, Time from,
                               Time to)
{
  fmt::format_to(std::back_inserter(event_), R"({{"ph":"X","pid":1,"tid":{},"name":"{}","cat":"{}","ts":{},"dur":{},)",
                 track, name, category, format_microseconds(from), format_microseconds(to - from));
}

void TraceEvents::write_event()
{
  out_ << ",\n";
  out_.write(event_.data(), static_cast<std::streamsize>(event_.size()));
  event_.clear();
}

} // namespace wormcast
