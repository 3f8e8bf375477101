#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/sources/merged_source.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"
#include "wormcast/simulator/traffic/rounds_source.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/simulator/traffic/watched_load.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

/// Totals of the load's messages of one round.
struct RoundLoad {
  std::uint64_t messages = 0;
  WideSum latency = 0;
};

/// The time of a round, from its start up to, but not including its end.
struct RoundTime {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

/// The tag of the load's messages that were generated while no round was running; other tags are numbers of rounds.
inline constexpr std::uint32_t no_round = 0xffffffff;

/// A setting with the data made from it before the run.
struct PreparedSeries {
  const SeriesSetting& setting;
  NetworkParameters network; ///< resolved for the topology
  std::vector<SeriesBroadcast> members;
  std::map<NodeId, std::shared_ptr<const Schedule>> schedules; ///< by source
  std::optional<TrafficClasses> classes;                       ///< set with traffic

  /// Draws the sources and makes the schedules. Throws InputError as simulate_series() does.
  explicit PreparedSeries(const SeriesSetting& from);

  const Schedule& schedule(std::size_t member) const { return *schedules.at(members[member].source); }
};

/// One run of a series through an engine.
class SeriesRun {
public:
  /// All references must outlive the run. `timeout_factor`: see load_times.
  SeriesRun(const PreparedSeries& prepared, const SeriesSinks& sinks, double timeout_factor);

  /// Runs the series; call it once. The result has no isolated latencies and no summaries.
  SeriesResult run();

  /// Returns, after run(), whether the run was stopped because no message was delivered although there was no deadlock.
  bool timed_out() const { return timed_out_; }
  const std::vector<RoundTime>& times() const { return times_; }
  const std::vector<RoundLoad>& loads() const { return loads_; }

private:
  // Checks the load at next_check_; returns false if the run ends here.
  bool check();
  // Runs without new messages: all messages are delivered eventually, unless they wait for each other.
  void check_for_deadlock();
  void collect_bytes();
  std::optional<std::uint32_t> active_round(std::int64_t now) const;
  // Returns whether records of the message that are made now are passed on.
  bool is_wanted(const PartMessage& message) const;

  // Called by the sources and the engine, in their order.
  void report_request(std::size_t member, MessageId own, std::int64_t now);
  void note_ended(std::size_t member, std::int64_t now);
  void note_created(TrafficMessage& message, MessageId own);
  void note_delivered(const TrafficMessage& message);
  void note_wait(ContentionRecord record);

  const PreparedSeries& prepared_;
  const SeriesSinks& sinks_;
  RecordSinks record_sinks_;
  std::map<NodeId, std::vector<std::uint64_t>> set_bytes_; // by source and block set; if messages are reported
  std::optional<WatchedLoad> load_;
  std::unique_ptr<MergedSource> source_;
  RoundsSource* rounds_ = nullptr; // part 0
  TrafficSource* traffic_ = nullptr;
  std::unique_ptr<Engine> engine_;
  SeriesResult result_;
  std::vector<SeriesBroadcast> ended_;
  std::vector<RoundTime> times_;
  std::vector<RoundLoad> loads_;
  std::uint64_t unfinished_ = 0; // undelivered messages of the load that were generated in rounds
  std::int64_t next_check_ = never;
  std::int64_t last_delivery_ = 0;
  bool warming_ = false;
  bool stopped_ = false; // in a deadlock
  bool timed_out_ = false;
};

} // namespace wormcast
