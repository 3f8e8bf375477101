#include "wormcast/experiments/trace/trace_events.hpp"

#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast {

namespace {

std::string_view further_category(const MessageOwner& owner)
{
  if (!owner.in_series) {
    return "";
  }
  return owner.broadcast ? ",broadcast" : ",load";
}

/// A further member of an event's `args`; empty where there are no words.
std::string words_member(std::string_view key, const std::string& words)
{
  return words.empty() ? std::string() : fmt::format(",\"{}\":{}", key, json_quoted(words));
}

} // namespace

TraceEvents::TraceEvents(std::string_view process, std::ostream& out) : out_(out)
{
  out_ << R"({"displayTimeUnit":"ns","traceEvents":[)" << '\n'
       << fmt::format(R"({{"ph":"M","pid":1,"name":"process_name","args":{{"name":{}}}}})", json_quoted(process));
}

void TraceEvents::contention(const Place& place, const ContentionRecord& record, const Told& waiting,
                             const Told& holding)
{
  const std::uint32_t track = find_track(place, TrackKind::waiting, record.from, record.to);
  append_event(track,
               fmt::format("message {} waits for {}", message_name(index(record.waiting), waiting.owner),
                           message_name(index(record.holding), holding.owner)),
               fmt::format("contention,{}", contention_kind_names.text(record.kind)), waiting.owner, record.from,
               record.to);
  fmt::format_to(std::back_inserter(event_),
                 R"("args":{{"message":{},"step":{},"holding_message":{},"holding_step":{},"kind":"{}"{}{}}}}})",
                 index(record.waiting), record.waiting_step, index(record.holding), record.holding_step,
                 contention_kind_names.text(record.kind), words_member("mpi", waiting.words),
                 words_member("holding_mpi", holding.words));
  write_event();
}

void TraceEvents::occupancy(const Place& place, const OccupancyRecord& record, const Told& message)
{
  const std::uint32_t track = find_track(place, TrackKind::held, record.from, record.to);
  append_event(track, fmt::format("message {}", message_name(index(record.message), message.owner)), "occupancy",
               message.owner, record.from, record.to);
  fmt::format_to(std::back_inserter(event_), R"("args":{{"message":{},"step":{}{}}}}})", index(record.message),
                 record.step, words_member("mpi", message.words));
  write_event();
}

void TraceEvents::end()
{
  out_ << "\n]}\n";
}

/// Records are in the order of their ends, so an event overlaps with others of a track only if it begins before the
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

void TraceEvents::append_event(std::uint32_t track, std::string_view name, std::string_view category,
                               const MessageOwner& owner, Time from, Time to)
{
  const auto out = std::back_inserter(event_);
  fmt::format_to(out, R"({{"ph":"X","pid":1,"tid":{},"name":"{}","cat":"{}{}",)", track, name, category,
                 further_category(owner));
  if (owner.in_series && !owner.broadcast) {
    event_.append(std::string_view(R"("cname":"grey",)")); // of chrome://tracing
  }
  fmt::format_to(out, R"("ts":{},"dur":{},)", format_microseconds(from), format_microseconds(to - from));
}

void TraceEvents::write_event()
{
  out_ << ",\n";
  out_.write(event_.data(), static_cast<std::streamsize>(event_.size()));
  event_.clear();
}

} // namespace wormcast
