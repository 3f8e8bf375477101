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

/// The [broadcast] section of a configuration: an operation again and again, several at a time (docs/load.md).
struct SeriesParameters {
  std::uint32_t rounds = 30;   ///< one after the other
  Time pause;                  ///< from the end of a round to the beginning of the next
  std::uint32_t count = 1;     ///< broadcasts of a round, which start together, from different sources
  bool random_sources = false; ///< all sources are drawn; else the first one of a round is the configured one
};

/// One broadcast of a series.
struct SeriesBroadcast {
  std::uint32_t number = 0; ///< in the series: those of a round follow each other
  std::uint32_t round = 0;
  NodeId source{};
  std::uint64_t seed = 0; ///< of its jitter, ties and noise: that of the run for the first one
  Time start = {};        ///< of its round
  Time latency = {};      ///< from there to its last delivery
  Time alone = {};        ///< latency of the same broadcast, with the same seed, on the empty network
};

/// A message of a series or of the load beside it.
struct SeriesMessage {
  MessageId id{};                         ///< in the one numbering: the broadcasts' first, by their numbers
  std::optional<std::uint32_t> broadcast; ///< number of the broadcast whose it is; none: the load's
  MessageId own{};                        ///< its number in the broadcast's schedule, or in the load
  std::uint32_t step = 0;                 ///< of the load's: 0
  NodeId source{};
  NodeId destination{};
  std::uint64_t bytes = 0;
  Time ready;                         ///< it asks for its port
  std::optional<std::uint32_t> round; ///< that was under way then; none: none was
};

/// Where the records of a series go as they are made; all name messages in the one numbering. Contention that is of
/// kind `other` says so.
struct SeriesSinks {
  std::function<void(const SeriesMessage&)> message = {}; ///< before all records of it; may be empty
  RecordSinks records = {};                               ///< no paths, and no progress
  /// Whether contention and occupancy of a round are told: of its broadcasts' messages, and of the load's what is
  /// recorded while it is under way (none: no round is). Empty: all are. What stops for good is always told.
  std::function<bool(std::optional<std::uint32_t> round)> wanted = {};
};

/// Latencies of broadcasts, in picoseconds.
struct SeriesLatency {
  double mean = 0;
  double half_interval = 0; ///< of the 95 % interval, rounds taken for independent; infinite of fewer than two
  std::int64_t smallest = 0;
  std::int64_t median = 0; ///< the smallest that half of them, or 95 % of them, are not above
  std::int64_t percentile_95 = 0;
  std::int64_t largest = 0;
};

/// What broadcasts do to the load: the messages that came into being while one was under way, and the very same
/// messages in a network without broadcasts. Times in picoseconds.
struct LoadEffect {
  std::uint64_t messages = 0;
  double with = 0; ///< mean latency, from creation to delivery
  double without = 0;
  double half_interval = 0; ///< of the 95 % interval of their difference, by means of the rounds
};

/// What a series of broadcasts did, and the others with it.
struct SeriesResult {
  std::string engine;
  std::vector<SeriesBroadcast> broadcasts; ///< by number; those that ended
  SeriesLatency latency;
  double slowdown = 0;             ///< mean of latency / alone
  double slowdown_interval = 0;    ///< half its 95 % interval, as that of the latency
  std::uint64_t messages = 0;      ///< of the broadcasts
  ContentionTotals waits;          ///< of the broadcasts' messages
  ContentionTotals load_waits;     ///< of the load's, that ended while a broadcast was under way, or in a deadlock
  std::optional<LoadEffect> load;  ///< none without traffic, and where no message came in a round
  bool saturated = false;          ///< the load is more than the network carries: it ended early, and latencies mean
                                   ///< nothing; broadcasts is empty then
  Time warm_up;                    ///< when the first round began
  Time end;                        ///< when the last one ended
  std::uint64_t load_messages = 0; ///< of the whole run
  std::uint64_t header_hops = 0;
  std::uint64_t flit_hops = 0;
  std::optional<Deadlock> deadlock;  ///< then only the broadcasts that ended before count
  std::optional<Time> stopped_round; ///< after a deadlock: when the round began that was under way; none: none was
  double timeout_factor = 1;         ///< how much longer than usual nothing had to arrive until it was given up
};

/// The schedule of the operation from a source.
using ScheduleOf = std::function<std::shared_ptr<const Schedule>(NodeId source)>;

/// What is repeated where, and among what.
struct SeriesSetting {
  const Topology& topology;
  NodeId source{}; ///< the configured one
  ScheduleOf schedule_of;
  const NetworkParameters& network;
  RunParameters run;
  SeriesParameters series;
  std::optional<TrafficParameters> traffic; ///< with a load; none: no traffic
};

/// The broadcasts of a series by number, with round, source and seed; what simulate_series() measures is not there.
/// Throws InputError where `count` is more than the network has nodes.
std::vector<SeriesBroadcast> series_members(const SeriesSetting& setting);

/// Runs a series. The engine runs alone, without SimGrid; memory grows with the messages of a round and those of the
/// load that are under way. Sources are drawn by the run's seed. `schedule_of` is called once for each source, in no
/// order. Throws InputError as simulate() and simulate_load() do, and where `count` is more than the network has nodes.
SeriesResult simulate_series(const SeriesSetting& setting);

/// Runs it once more, and tells `sinks` all that happens; `result` is what simulate_series() gave. A series may be
/// begun several times before it is known how it ends: records of it are to be had only afterwards.
void replay_series(const SeriesSetting& setting, const SeriesResult& result, const SeriesSinks& sinks);

} // namespace wormcast
