#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The [broadcast] section of a configuration: an operation that is repeated in rounds, several at a time
/// (docs/load.md).
struct SeriesParameters {
  std::uint32_t rounds = 30;   ///< consecutive rounds
  Time pause;                  ///< from the end of a round to the beginning of the next
  std::uint32_t count = 1;     ///< broadcasts of a round, which start together, from different sources
  bool random_sources = false; ///< all sources are drawn; else the first source of a round is the configured one
};

/// One broadcast of a series.
struct SeriesBroadcast {
  std::uint32_t number = 0; ///< in the series; broadcasts of a round have consecutive numbers
  std::uint32_t round = 0;
  NodeId source{};
  std::uint64_t seed = 0; ///< seed of its jitter, ties and noise; the first broadcast has the run's seed
  Time start = {};        ///< start of its round
  Time latency = {};      ///< from its start to its last delivery
  Time alone = {};        ///< isolated latency: that of the same broadcast, with the same seed, on the empty network
};

/// A message of a series or of its background load.
struct SeriesMessage {
  MessageId id{}; ///< in the numbering of the run: the broadcasts' messages first, by the broadcasts' numbers
  std::optional<std::uint32_t> broadcast; ///< number of its broadcast; none: a message of the load
  MessageId own{};                        ///< its number in the broadcast's schedule, or in the load
  std::uint32_t step = 0;                 ///< 0 for messages of the load
  NodeId source{};
  NodeId destination{};
  std::uint64_t bytes = 0;
  Time ready;                         ///< time at which it requests its port
  std::optional<std::uint32_t> round; ///< the round running at that time; none: no round was running
};

/// Callbacks for the records of a series, as they are made; messages have their numbers in the run. Waits for messages
/// of another broadcast or of the load are of kind `other`.
struct SeriesSinks {
  std::function<void(const SeriesMessage&)> message = {}; ///< called before all records of the message; may be empty
  RecordSinks records = {};                               ///< without paths and progress
  /// Returns whether contention and occupancy of a round are recorded: those of its broadcasts' messages, and those of
  /// the load's messages while the round is running (none: no round is). Empty: all are recorded. Waits and holdings
  /// that never end are always recorded.
  std::function<bool(std::optional<std::uint32_t> round)> wanted = {};
};

/// Latencies of broadcasts, in picoseconds.
struct SeriesLatency {
  double mean = 0;
  double half_interval =
      0; ///< half the 95 % interval, with rounds assumed to be independent; infinite for fewer than two rounds
  std::int64_t smallest = 0;
  std::int64_t median = 0; ///< the smallest latency that half of all do not exceed
  std::int64_t percentile_95 = 0;
  std::int64_t largest = 0;
};

/// The effect of broadcasts on the load: the mean latency of the messages that were generated while a broadcast was
/// running, and of the very same messages in a network without broadcasts. Times in picoseconds.
struct LoadEffect {
  std::uint64_t messages = 0;
  double with = 0; ///< mean latency, from generation to delivery
  double without = 0;
  double half_interval = 0; ///< half the 95 % interval of their difference, by means of the rounds
};

/// The results of a series of broadcasts and of its background load.
struct SeriesResult {
  std::string engine;
  std::vector<SeriesBroadcast> broadcasts; ///< the broadcasts that ended, by number
  SeriesLatency latency;
  double slowdown = 0;          ///< mean of latency / alone
  double slowdown_interval = 0; ///< half its 95 % interval, as for the latency
  std::uint64_t messages = 0;   ///< messages of the broadcasts
  ContentionTotals waits;       ///< waits of the broadcasts' messages
  ContentionTotals
      load_waits; ///< waits of the load's messages that ended while a broadcast was running, or in a deadlock
  std::optional<LoadEffect> load; ///< none without traffic, and if no message was generated in a round
  bool saturated = false; ///< the network does not carry the load: the run ended early, latencies are meaningless, and
                          ///< broadcasts is empty
  Time warm_up;           ///< start of the first round
  Time end;               ///< end of the last round
  std::uint64_t load_messages = 0; ///< messages of the load in the whole run
  std::uint64_t header_hops = 0;
  std::uint64_t flit_hops = 0;
  std::optional<Deadlock> deadlock; ///< if set, only the broadcasts that ended before it count
  std::optional<Time>
      stopped_round;         ///< after a deadlock: start of the round that was running; none: no round was running
  double timeout_factor = 1; ///< factor on the time without deliveries after which the run is stopped
};

/// Returns the schedule of the operation from a source.
using ScheduleOf = std::function<std::shared_ptr<const Schedule>(NodeId source)>;

/// The operation of a series, its network and its background load.
struct SeriesSetting {
  const Topology& topology;
  NodeId source{}; ///< the configured source
  ScheduleOf schedule_of;
  const NetworkParameters& network;
  RunParameters run;
  SeriesParameters series;
  std::optional<TrafficParameters> traffic; ///< background traffic with its load; none: no traffic
};

/// Returns the broadcasts of a series by number, with round, source and seed, but without the values that
/// simulate_series() measures. Throws InputError if `count` exceeds the number of nodes.
std::vector<SeriesBroadcast> series_members(const SeriesSetting& setting);

/// Runs a series. The engine runs without SimGrid; memory grows with the messages of a round and the messages of the
/// load in flight. Sources are drawn by the run's seed. `schedule_of` is called once for each source, in no order.
/// Throws InputError as simulate() and simulate_load() do, and if `count` exceeds the number of nodes.
SeriesResult simulate_series(const SeriesSetting& setting);

/// Runs a series again and passes its records to `sinks`; `result` is the result of simulate_series(). A series may be
/// started several times before its end is known, so that records are available only afterwards.
void replay_series(const SeriesSetting& setting, const SeriesResult& result, const SeriesSinks& sinks);

} // namespace wormcast
