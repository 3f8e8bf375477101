#include "wormcast/experiments/view/viewed_round.hpp"

#include "wormcast/experiments/run/series_result.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace wormcast {

namespace {

/// The broadcasts of a round that ended.
std::span<const SeriesBroadcast> ended_in(const SeriesResult& result, std::uint32_t round)
{
  const auto found = std::ranges::equal_range(result.broadcasts, round, {}, &SeriesBroadcast::round);
  return {found.begin(), found.end()};
}

Time end_of_round(const SeriesResult& result, std::uint32_t round)
{
  Time end;
  for (const SeriesBroadcast& broadcast : ended_in(result, round)) {
    end = std::max(end, broadcast.start + broadcast.latency);
  }
  return end;
}

std::uint32_t slowest_round(const SeriesResult& result)
{
  return std::ranges::max_element(result.broadcasts, {}, &SeriesBroadcast::latency)->round;
}

/// Where a series stopped: the round that was in flight, else the last one that ended, else the time before the
/// first.
RoundWindow window_of_deadlock(const SeriesExperiment& experiment, const SeriesResult& result)
{
  const auto ended = static_cast<std::uint32_t>(result.broadcasts.size() / experiment.series.count);
  RoundWindow window{.stopped = true, .start = {}, .begin = {}, .end = result.deadlock->at};
  if (result.stopped_round) {
    window.round = ended;
    window.start = *result.stopped_round;
  } else if (ended > 0) {
    window.round = ended - 1;
    window.start = ended_in(result, window.round).front().start;
  } else {
    window.begun = false;
    window.start = Time{window.end.picoseconds - window.end.picoseconds / 10};
  }
  return window;
}

std::string round_names(const SeriesExperiment& experiment)
{
  return experiment.series.rounds == 1 ? "0" : fmt::format("0 to {}", experiment.series.rounds - 1);
}

std::string title_of(const SeriesExperiment& experiment, const RoundWindow& window)
{
  return fmt::format("{}{}, {}round {}", view_title(experiment.single), experiment.traffic ? " among traffic" : "",
                     window.begun ? "" : "before ", window.round);
}

/// Latencies of the round's broadcasts; of many only the smallest and the largest.
void append_broadcasts(const SeriesExperiment& experiment, std::span<const SeriesBroadcast> ended,
                       std::vector<std::pair<std::string, std::string>>& rows)
{
  constexpr std::size_t most_rows = 8;
  const auto latency = [](const SeriesBroadcast& broadcast) {
    return fmt::format("{} us, {} us on the empty network", format_microseconds(broadcast.latency),
                       format_microseconds(broadcast.alone));
  };
  if (ended.size() <= most_rows) {
    for (const SeriesBroadcast& broadcast : ended) {
      rows.emplace_back(fmt::format("broadcast {} from {}", broadcast.number,
                                    experiment.single.topology->node_name(broadcast.source)),
                        latency(broadcast));
    }
    return;
  }
  const auto [fastest, slowest] = std::ranges::minmax_element(ended, {}, &SeriesBroadcast::latency);
  rows.emplace_back("its fastest broadcast", latency(*fastest));
  rows.emplace_back("its slowest broadcast", latency(*slowest));
}

/// Where the deadlock of a window happened: "in" its round ...
const char* side_of_stop(const SeriesResult& result, const RoundWindow& window)
{
  return !window.begun ? "before" : result.stopped_round ? "in" : "after";
}

std::string remark_of(const SeriesExperiment& experiment, const SeriesResult& result, const RoundWindow& window,
                      bool chosen)
{
  const std::string times =
      fmt::format("times are from its beginning, {} us into the series", format_microseconds(window.start));
  if (!window.begun) {
    return fmt::format("The last tenth of the time to the deadlock, which came before round 0; {}.", times);
  }
  const std::string why = window.stopped
                              ? fmt::format(", {} which the network came to a stop", side_of_stop(result, window))
                          : chosen                        ? ""
                          : experiment.series.rounds == 1 ? ", the only one"
                          : experiment.series.count == 1  ? ", the slowest"
                                                          : ", which has the slowest broadcast";
  return fmt::format("Round {} of {}{}; {}.", window.round, round_names(experiment), why, times);
}

} // namespace

bool RoundWindow::shows(Time from, Time to) const
{
  return stopped ? from <= end && (to > begin || to == end) : from < end && to > begin;
}

void check_round(const SeriesExperiment& experiment, std::int64_t round)
{
  if (round < 0 || round >= experiment.series.rounds) {
    throw InputError(fmt::format("--repetition: found {}, expected {}: broadcast.repeat is {}", round,
                                 round_names(experiment), experiment.series.rounds));
  }
}

RoundWindow round_window(const SeriesExperiment& experiment, const SeriesResult& result,
                         std::optional<std::uint32_t> wanted)
{
  if (result.saturated) {
    throw InputError(fmt::format("traffic.load: {} is more than the network carries: nothing is stationary, and no "
                                 "round is like another; expected a smaller load",
                                 *experiment.traffic->load));
  }
  RoundWindow window;
  if (result.deadlock) {
    window = window_of_deadlock(experiment, result);
    if (wanted && *wanted > window.round) {
      throw InputError(fmt::format("--repetition: found {}, but the network came to a stop {} round {}", *wanted,
                                   side_of_stop(result, window), window.round));
    }
  }
  if (!result.deadlock || (wanted && *wanted < window.round)) {
    window = {.round = wanted ? *wanted : slowest_round(result), .start = {}, .begin = {}, .end = {}};
    window.start = ended_in(result, window.round).front().start;
    window.end = end_of_round(result, window.round);
  }
  const Time before = window.round > 0 ? end_of_round(result, window.round - 1) : Time{};
  window.begin = std::max(window.start - Time{(window.end - window.start).picoseconds / 10}, before);
  if (!window.begun) {
    window.begin = window.start;
  }
  return window;
}

/// Finds the messages of a window, and those that others of the window waited for.
class ViewedRound::Finder {
public:
  Finder(const SeriesSetting& setting, const SeriesResult& result, const RoundWindow& window)
      : window_(window), count_(setting.series.count)
  {
    if (window.stopped) {
      for (const WaitingLink& link : result.deadlock->cycle) {
        cycle_.insert(index(link.waiting));
      }
    }
    std::map<NodeId, std::shared_ptr<const Schedule>> schedules;
    for (const SeriesBroadcast& member : series_members(setting)) {
      if (member.round == window.round) {
        std::shared_ptr<const Schedule>& schedule = schedules[member.source];
        if (schedule == nullptr) {
          schedule = setting.schedule_of(member.source);
        }
        first_.push_back(first_.empty() ? 0 : first_.back() + operations_.back()->messages.size());
        operations_.push_back(schedule);
      }
    }
    own_delivered_.resize(first_.back() + operations_.back()->messages.size());
  }

  SeriesSinks sinks()
  {
    SeriesSinks sinks;
    sinks.message = [this](const SeriesMessage& message) { note(message); };
    sinks.records.contention = [this](const ContentionRecord& record) {
      if (window_.shows(record.from, record.to)) {
        note_named(record.waiting);
        note_named(record.holding);
      }
    };
    sinks.records.occupancy = [this](const OccupancyRecord& record) {
      if (window_.shows(record.from, record.to)) {
        note_named(record.message);
      }
    };
    sinks.records.delivery = [this](const DeliveryRecord& record) { note_delivery(record.message, record.delivered); };
    return sinks;
  }

  /// What was found; those that were only named are there without details.
  std::unique_ptr<ViewedMessages> messages() const
  {
    std::vector<ViewedMessages::Other> others;
    for (const auto& [name, message] : load_) {
      others.push_back(message.other);
      others.back().always = cycle_.contains(name);
    }
    for (const std::uint32_t name : named_) {
      others.push_back({.name = MessageId{name}, .broadcast = {}, .under_way = false});
    }
    std::ranges::sort(others, {}, &ViewedMessages::Other::name);
    return std::make_unique<ViewedMessages>(operations_, first_name_.value_or(0), window_.round * count_,
                                            std::move(others));
  }

  /// By ViewedMessages' numbers, from the round's start.
  std::vector<std::optional<Time>> delivered(const ViewedMessages& messages) const
  {
    std::vector<std::optional<Time>> delivered = own_delivered_;
    for (const ViewedMessages::Other& other : messages.others()) {
      const auto found = load_.find(index(other.name));
      delivered.push_back(found == load_.end() ? std::nullopt : found->second.delivered);
    }
    for (std::optional<Time>& time : delivered) {
      if (time) {
        time = *time - window_.start;
      }
    }
    return delivered;
  }

  bool only_named(MessageId name) const { return named_.contains(index(name)); }

private:
  struct LoadMessage {
    ViewedMessages::Other other;
    std::optional<Time> delivered;
  };

  bool is_own(MessageId name) const
  {
    return first_name_ && index(name) >= *first_name_ && index(name) - *first_name_ < own_delivered_.size();
  }

  void note(const SeriesMessage& message)
  {
    if (message.broadcast && *message.broadcast / count_ == window_.round) {
      const std::uint64_t place = first_[*message.broadcast % count_] + index(message.own);
      first_name_ = static_cast<std::uint32_t>(index(message.id) - place);
    } else if (!message.broadcast && window_.shows(message.ready, window_.end)) {
      load_[index(message.id)].other = {.name = message.id,
                                        .broadcast = {},
                                        .source = message.source,
                                        .destination = message.destination,
                                        .bytes = message.bytes};
    }
  }

  void note_delivery(MessageId name, Time at)
  {
    if (is_own(name)) {
      own_delivered_[index(name) - *first_name_] = at;
      return;
    }
    const auto found = load_.find(index(name));
    if (found != load_.end()) {
      found->second.delivered = at;
      if (at <= window_.begin) {
        load_.erase(found);
      }
    }
  }

  // Who is over already can still be who others waited for, or free a channel later.
  void note_named(MessageId name)
  {
    if (!is_own(name) && !load_.contains(index(name))) {
      named_.insert(index(name));
    }
  }

  RoundWindow window_;
  std::uint32_t count_;
  std::vector<std::shared_ptr<const Schedule>> operations_;
  std::vector<std::uint64_t> first_;        // by position in the round: its message 0, counted in the round
  std::optional<std::uint32_t> first_name_; // of the round's first message; none: it has sent nothing
  std::vector<std::optional<Time>> own_delivered_;
  std::map<std::uint32_t, LoadMessage> load_;
  std::set<std::uint32_t> named_;
  std::set<std::uint32_t> cycle_; // of a deadlock
};

ViewedRound::ViewedRound(const SeriesExperiment& experiment, const SeriesResult& result, const RoundWindow& window,
                         const ViewLimits& limits)
    : experiment_(experiment), result_(result), window_(window)
{
  const SeriesSetting setting = series_setting(experiment);
  Finder finder(setting, result, window);
  replay_series(setting, result, finder.sinks());
  messages_ = finder.messages();
  delivered_ = finder.delivered(*messages_);
  record(setting, finder, limits);
}

void ViewedRound::record(const SeriesSetting& setting, Finder& finder, const ViewLimits& limits)
{
  recorder_ = std::make_unique<ViewRecorder>(setting.topology, *messages_, limits);
  const RecordSinks kept = recorder_->sinks();
  const auto shift = [this](auto record) {
    record.from = record.from - window_.start;
    record.to = record.to - window_.start;
    return record;
  };
  SeriesSinks sinks;
  sinks.message = [&](const SeriesMessage& message) {
    if (finder.only_named(message.id)) {
      messages_->describe({.name = message.id,
                           .broadcast = message.broadcast,
                           .source = message.source,
                           .destination = message.destination,
                           .bytes = message.bytes,
                           .under_way = false});
    }
  };
  sinks.records.contention = [&](const ContentionRecord& record) {
    if (window_.shows(record.from, record.to)) {
      ContentionRecord shown = shift(record);
      shown.waiting = messages_->named(index(record.waiting)).value();
      shown.holding = messages_->named(index(record.holding)).value();
      kept.contention(shown);
    }
  };
  sinks.records.occupancy = [&](const OccupancyRecord& record) {
    if (window_.shows(record.from, record.to)) {
      OccupancyRecord shown = shift(record);
      shown.message = messages_->named(index(record.message)).value();
      kept.occupancy(shown);
    }
  };
  replay_series(setting, result_, sinks);
  recorder_->finish(delivered_);
}

ViewedRun ViewedRound::run(bool chosen) const
{
  ViewedRun run{
      .experiment = experiment_.single,
      .messages = *messages_,
      .recorder = *recorder_,
      .delivered = delivered_,
      .title = title_of(experiment_, window_),
      .rows = {{"round", fmt::format("{} of {}", window_.round, round_names(experiment_))},
               {"it begins at", fmt::format("{} us", format_microseconds(window_.start))}},
      .round =
          ViewedRun::Round{.number = window_.round, .start = window_.start, .traffic = experiment_.traffic.has_value()},
      .remark = remark_of(experiment_, result_, window_, chosen),
      .deadlock = {},
      .begin = window_.begin - window_.start,
      .end = window_.end - window_.start};
  append_broadcasts(experiment_, ended_in(result_, window_.round), run.rows);
  for (auto& row : series_rows(experiment_, result_)) {
    run.rows.push_back(std::move(row));
  }
  if (window_.stopped) {
    run.deadlock = series_deadlock(experiment_, result_);
  }
  return run;
}

} // namespace wormcast
