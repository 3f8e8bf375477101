#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/trace/reader.hpp"
#include "wormcast/values/names.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace wormcast {

/// The owner of messages of a series.
enum class SeriesPart : std::uint8_t { broadcasts, load };

/// "broadcasts" or "load".
inline constexpr auto series_part_names =
    names<SeriesPart>({{SeriesPart::broadcasts, "broadcasts"}, {SeriesPart::load, "load"}});

/// A selection of waits. Empty members select all.
struct WaitSelection {
  std::optional<ContentionKind> kind = {};
  std::string channel = {};                          ///< an id, or the name of a channel or port; see same_channel
  std::optional<std::uint32_t> message = {};         ///< waiting or holding
  std::optional<std::uint32_t> step = {};            ///< of the waiting message; messages of a load have none
  std::optional<SeriesPart> of = {};                 ///< owner of the waiting message
  std::optional<std::uint32_t> broadcast = {};       ///< owner of the waiting or holding message
  std::optional<std::pair<Time, Time>> between = {}; ///< waits that overlap this time; only the part in it is counted,
                                                     ///< of sharing at most the whole of its waiting time
};

/// Whether `asked` names the channel or port `name` with id `id`: the id in decimal, or the name; blanks and
/// parentheses do not matter, and ">" means "->": "1,2>2,2" is "(1, 2) -> (2, 2)".
bool same_channel(std::string_view asked, std::string_view name, std::optional<std::uint64_t> id);

/// Number of waits, the time they took together, and the longest.
struct WaitSum {
  std::uint64_t count = 0;
  TotalTime wait;
  Time longest;

  void add(Time time);
};

/// A contention record in memory.
struct Wait {
  std::uint32_t channel = 0; ///< in ContentionTrace::channels
  std::uint32_t waiting = 0;
  std::uint32_t waiting_step = 0;
  std::uint32_t holding = 0;
  std::uint32_t holding_step = 0;
  MessageOwner waiting_owner = {};
  MessageOwner holding_owner = {};
  ContentionKind kind = ContentionKind::step;
  bool selected = true;
  Time from = {};
  Time to = {};
  Time wait = {};
  Time counted = {}; ///< the selected part
};

/// A channel or port for which a message waited.
struct WaitedChannel {
  std::string name;
  std::optional<std::uint64_t> id;
  std::uint32_t node = 0;
  std::optional<std::uint32_t> to_node; ///< none: a port
  Resource::Kind kind = Resource::Kind::external;
};

/// What a trace tells of a message.
struct ToldMessage {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::optional<MessageWords> words = {}; ///< of an MPI program, with texts of ContentionTrace::program
};

/// The contention records of a trace. Memory: 96 bytes a record; while it is read about 80 for each message.
struct ContentionTrace {
  TraceHeader header;
  TraceEnd end;
  std::optional<TraceBroadcast> broadcast; ///< the selected wait that ended there
  std::vector<WaitedChannel> channels;
  std::vector<Wait> waits;                                 ///< in the order of the trace
  std::unordered_map<std::uint32_t, ToldMessage> messages; ///< those that the waits name, by number
  ProgramWords program;
};

/// Throws what read_trace throws, and InputError where the selection names a message, a broadcast or a channel id that
/// the trace does not have, or a name that no channel or port has, there or, where that is not a grid, in the trace.
ContentionTrace read_contention(const std::filesystem::path& file, const WaitSelection& selection);

/// Sums over the selected waits, indexed by ContentionKind.
std::array<WaitSum, all_contention_kinds.size()> totals_by_kind(const ContentionTrace& trace);

/// The waits between messages of different owners in a series.
enum class WaitingParts : std::uint8_t {
  broadcast_for_itself,
  broadcast_for_another,
  broadcast_for_load,
  load_for_broadcast,
  load_for_itself
};

/// "broadcast_for_itself": as in files.
inline constexpr auto waiting_parts_names =
    names<WaitingParts>({{WaitingParts::broadcast_for_itself, "broadcast_for_itself"},
                         {WaitingParts::broadcast_for_another, "broadcast_for_another"},
                         {WaitingParts::broadcast_for_load, "broadcast_for_load"},
                         {WaitingParts::load_for_broadcast, "load_for_broadcast"},
                         {WaitingParts::load_for_itself, "load_for_itself"}});

/// Sums over the selected waits of a series, indexed by WaitingParts.
std::array<WaitSum, waiting_parts_names.size()> totals_by_parts(const ContentionTrace& trace);

/// Sums for one channel or port.
struct ChannelWaits {
  std::uint32_t channel = 0;
  WaitSum sum;
};

/// By waiting time, longest first; equal ones in the order of their first wait.
std::vector<ChannelWaits> waits_by_channel(const ContentionTrace& trace);

/// Sums for the messages of one step.
struct StepWaits {
  std::uint32_t step = 0;
  WaitSum sum;
  std::uint32_t channel = 0; ///< the channel or port for which they waited longest, in ContentionTrace::channels
  TotalTime channel_wait;
};

/// By waiting time, longest first, then by step; of several channels with the same time the first of the trace.
/// Messages of a load have no steps and are left out.
std::vector<StepWaits> waits_by_step(const ContentionTrace& trace);

/// How long a message waited, and how long it let others wait.
struct MessageWaits {
  std::uint32_t message = 0;
  MessageOwner owner = {};
  WaitSum waited;
  WaitSum held_up; ///< waits of others for it
};

/// By the time that the message waited, longest first, then by the time that it let others wait, then by id.
std::vector<MessageWaits> waits_by_message(const ContentionTrace& trace);

/// Positions of the selected waits, longest first; equal ones in the order of the trace.
std::vector<std::uint32_t> longest_waits(const ContentionTrace& trace);

/// A chain of waits: each wait's holding message waits itself, in the next link, at that time. Waits of the kind
/// sharing block no message until another one moves, and are left out.
struct WaitChain {
  std::vector<std::uint32_t> waits; ///< positions, two at least
  bool cycle = false;               ///< the last one's holding message is the first one's waiting one: a deadlock
};

/// The cycles with a selected wait, and the longest chains with one that are not the end of a longer one: cycles
/// first, then by links, then by the time at which they begin; at most `most`. Where the holding message has several
/// waits at the time, the chain goes on with the one that overlaps longest. Cost O(waits * length of a chain).
std::vector<WaitChain> wait_chains(const ContentionTrace& trace, std::size_t most);

} // namespace wormcast
