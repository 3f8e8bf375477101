#include "wormcast/simulator/traffic/series_paths.hpp"

#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/routers.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

FlitTimes since(const FlitTimes& times, Time start)
{
  return {.head_injected = times.head_injected - start,
          .tail_injected = times.tail_injected - start,
          .head_ejected = times.head_ejected - start};
}

/// The records of one broadcast.
struct RecordedBroadcast {
  SeriesBroadcast broadcast;
  std::shared_ptr<const Schedule> schedule;
  ScheduleInRun position;
  PathRecorder recorder;
  SimulationResult result = {}; ///< times count from the broadcast's start

  RecordedBroadcast(const SeriesBroadcast& of, std::shared_ptr<const Schedule> its_schedule, const Topology& topology,
                    const NetworkParameters& network, ScheduleInRun its_position)
      : broadcast(of), schedule(std::move(its_schedule)), position(its_position),
        recorder(topology, *schedule, network, its_position)
  {
    result.latency = broadcast.latency;
    result.delivered.resize(schedule->messages.size());
    result.flits.resize(network.router->reports_flits ? schedule->messages.size() : 0);
  }
};

class SeriesFollower {
public:
  SeriesFollower(const SeriesSetting& setting, const SeriesResult& result)
      : setting_(setting), result_(result), network_(setting.network)
  {
    if (result.broadcasts.empty() || result.deadlock) {
      throw std::logic_error("a series without a latency has no paths");
    }
    resolve_for(network_, setting.topology);
    paths_.slowest = *std::ranges::max_element(result.broadcasts, {}, &SeriesBroadcast::latency);
  }

  SeriesPaths follow()
  {
    replay_series(setting_, result_,
                  {.message = [this](const SeriesMessage& message) { note(message); },
                   .records = {.contention = [this](const ContentionRecord& record) { note(record); },
                               .occupancy = [this](const OccupancyRecord& record) { note(record); },
                               .delivery = [this](const DeliveryRecord& record) { note(record); }}});
    finish_until(setting_.series.rounds);
    for (double& mean : paths_.means) {
      mean /= static_cast<double>(result_.broadcasts.size());
    }
    return std::move(paths_);
  }

private:
  void note(const SeriesMessage& message)
  {
    if (message.broadcast) {
      const SeriesBroadcast& broadcast = result_.broadcasts.at(*message.broadcast);
      if (!recorded_.contains(broadcast.number)) {
        // The last records of a round can have the time at which the next one begins.
        finish_until(std::max(broadcast.round, 1U) - 1);
        begin(broadcast, index(message.id) - index(message.own));
      }
      broadcast_of_[message.id] = broadcast.number;
    }
    if (message.broadcast != paths_.slowest.number && !has_slowest_) {
      others_.emplace(message.id, message);
    }
  }

  void note(const ContentionRecord& record)
  {
    if (RecordedBroadcast* broadcast = of(record.waiting)) {
      broadcast->recorder.contention(record);
    }
  }

  void note(const OccupancyRecord& record)
  {
    if (RecordedBroadcast* broadcast = of(record.message)) {
      broadcast->recorder.occupancy(record);
    }
  }

  void note(const DeliveryRecord& record)
  {
    if (RecordedBroadcast* broadcast = of(record.message)) {
      const std::size_t own = index(record.message) - broadcast->position.first;
      broadcast->result.delivered[own] = record.delivered - broadcast->broadcast.start;
      if (record.flits && network_.router->reports_flits) {
        broadcast->result.flits.at(own) = since(*record.flits, broadcast->broadcast.start);
      }
    }
    if (!records_slowest_) {
      others_.erase(record.message);
    }
  }

  RecordedBroadcast* of(MessageId message)
  {
    const auto number = broadcast_of_.find(message);
    return number == broadcast_of_.end() ? nullptr : &recorded_.at(number->second);
  }

  void begin(const SeriesBroadcast& broadcast, std::uint32_t first)
  {
    records_slowest_ = records_slowest_ || broadcast.round == paths_.slowest.round;
    std::shared_ptr<const Schedule>& schedule = schedules_[broadcast.source];
    if (schedule == nullptr) {
      schedule = setting_.schedule_of(broadcast.source);
    }
    recorded_.emplace(std::piecewise_construct, std::forward_as_tuple(broadcast.number),
                      std::forward_as_tuple(broadcast, schedule, setting_.topology, network_,
                                            ScheduleInRun{.first = first, .start = broadcast.start}));
  }

  // The broadcasts of the rounds before `round`.
  void finish_until(std::uint32_t round)
  {
    while (!recorded_.empty() && recorded_.begin()->second.broadcast.round < round) {
      finish(recorded_.begin()->second);
      recorded_.erase(recorded_.begin());
    }
  }

  void finish(RecordedBroadcast& recorded)
  {
    for (std::uint32_t own = 0; own < recorded.schedule->messages.size(); ++own) {
      broadcast_of_.erase(recorded.position.in_run(MessageId{own}));
    }
    RunParameters run = setting_.run;
    run.seed = recorded.broadcast.seed;
    CriticalPath path = *critical_path(setting_.topology, *recorded.schedule, network_, run, recorded.result,
                                       recorded.recorder.finish());
    for (std::size_t cause = 0; cause < path_cause_count; ++cause) {
      paths_.means[cause] += static_cast<double>(path.sums[cause].picoseconds);
    }
    if (recorded.broadcast.number == paths_.slowest.number) {
      paths_.schedule = recorded.schedule;
      paths_.position = recorded.position;
      paths_.path = std::move(path);
      keep_holders();
    }
  }

  void keep_holders()
  {
    for (const PathMessage& message : paths_.path.messages) {
      for (const PathSegment& segment : message.segments) {
        const auto other = segment.wait ? others_.find(segment.wait->holding) : others_.end();
        if (other != others_.end()) {
          paths_.others.insert(*other);
        }
      }
    }
    others_.clear();
    has_slowest_ = true;
  }

  const SeriesSetting& setting_;
  const SeriesResult& result_;
  NetworkParameters network_;
  SeriesPaths paths_;
  std::map<NodeId, std::shared_ptr<const Schedule>> schedules_;
  std::map<std::uint32_t, RecordedBroadcast> recorded_; // by number
  std::map<MessageId, std::uint32_t> broadcast_of_;     // number of the broadcast, of the recorded ones' messages
  std::map<MessageId, SeriesMessage> others_; // messages that can hold channels on the slowest broadcast's path
  bool records_slowest_ = false;              // its round has begun
  bool has_slowest_ = false;                  // its path is known
};

} // namespace

SeriesPaths series_paths(const SeriesSetting& setting, const SeriesResult& result)
{
  return SeriesFollower(setting, result).follow();
}

} // namespace wormcast
