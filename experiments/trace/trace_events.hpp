#pragma once

#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/simulator/model/contention.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// Writes the trace-event format of Perfetto and chrome://tracing (docs/formats.md) as records come. Memory: a few
/// words for each channel and port that was used.
class TraceEvents {
public:
  /// A channel or port: a number that orders it among the others, and its name, asked for when it is new.
  struct Place {
    std::uint64_t number = 0;
    std::function<std::string()> name;
  };

  /// What is known of a message of an event.
  struct Told {
    MessageOwner owner = {};
    std::string words = {}; ///< what an MPI program says of it; empty: nothing
  };

  /// `process` is the title of all that is shown.
  TraceEvents(std::string_view process, std::ostream& out);

  void contention(const Place& place, const ContentionRecord& record, const Told& waiting, const Told& holding);
  void occupancy(const Place& place, const OccupancyRecord& record, const Told& message);
  /// To be called once, after the last record.
  void end();

private:
  /// The content of a track; the two tracks of a channel are adjacent.
  enum class TrackKind : std::uint8_t { held, waiting };

  struct Track {
    std::uint32_t id = 0;
    Time busy_until;
  };

  std::uint32_t find_track(const Place& place, TrackKind kind, Time from, Time to);
  void name_track(std::uint32_t track, const std::string& name, std::uint64_t order);
  void append_event(std::uint32_t track, std::string_view name, std::string_view category, const MessageOwner& owner,
                    Time from, Time to);
  void write_event();

  std::ostream& out_;
  fmt::memory_buffer event_;
  std::unordered_map<std::uint64_t, std::vector<Track>> tracks_;
  std::uint32_t last_track_ = 0;
};

} // namespace wormcast
