#include "wormcast/simulator/traffic/series_run.hpp"

#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

PreparedSeries::PreparedSeries(const SeriesSetting& from)
    : setting(from), network(from.network), members(series_members(from))
{
  resolve_for(network, from.topology);
  for (const SeriesBroadcast& member : members) {
    std::shared_ptr<const Schedule>& schedule = schedules[member.source];
    if (schedule == nullptr) {
      schedule = from.schedule_of(member.source);
      if (schedule->messages.empty()) {
        throw InputError("the operation has no messages: it cannot be repeated");
      }
    }
  }
  if (from.traffic) {
    classes.emplace(from.topology, *from.traffic, from.run.seed);
  }
}

SeriesRun::SeriesRun(const PreparedSeries& prepared, const SeriesSinks& sinks, double timeout_factor)
    : prepared_(prepared), sinks_(sinks), times_(prepared.setting.series.rounds), loads_(prepared.setting.series.rounds)
{
  const SeriesSetting& setting = prepared.setting;
  result_.engine = engine_for_online_messages(prepared.network, setting.run.engine);
  result_.timeout_factor = timeout_factor;
  std::vector<RoundMember> round_members;
  for (const SeriesBroadcast& member : prepared.members) {
    round_members.push_back({.schedule = prepared.schedules.at(member.source), .run = setting.run});
    round_members.back().run.seed = member.seed;
  }
  RoundsSource::Listener listener{.ended = [this](std::size_t member, std::int64_t now) { note_ended(member, now); }};
  if (sinks.message) {
    collect_bytes();
    listener.requested = [this](std::size_t member, MessageId message, std::int64_t now) {
      report_request(member, message, now);
    };
  }
  auto rounds = std::make_unique<RoundsSource>(setting.topology, prepared.network, std::move(round_members),
                                               setting.series.count, setting.series.pause, std::move(listener));
  rounds_ = rounds.get();
  result_.messages = *rounds->message_count();
  std::vector<std::unique_ptr<MessageSource>> parts;
  parts.push_back(std::move(rounds));
  if (setting.traffic) {
    load_.emplace(setting.topology, prepared.network, *setting.traffic, *prepared.classes, timeout_factor);
    auto source = std::make_unique<TrafficSource>(
        setting.topology, prepared.network, *setting.traffic, *prepared.classes, *setting.traffic->load, setting.run,
        TrafficSource::Listener{
            .created = [this](TrafficMessage& message, MessageId id) { note_created(message, id); },
            .delivered = [this](const TrafficMessage& message, const Delivery&) { note_delivered(message); }});
    traffic_ = source.get();
    parts.push_back(std::move(source));
  }
  source_ = std::make_unique<MergedSource>(std::move(parts));
  record_sinks_ = sinks.records;
  record_sinks_.contention = [this](const ContentionRecord& record) { note_wait(record); };
  if (sinks.records.occupancy && sinks.wanted) {
    record_sinks_.occupancy = [this](const OccupancyRecord& record) {
      if (is_wanted(source_->part_of(record.message))) {
        sinks_.records.occupancy(record);
      }
    };
  }
  engine_ = make_engine(result_.engine, {.topology = setting.topology,
                                         .network = prepared.network,
                                         .sinks = record_sinks_,
                                         .source = *source_,
                                         .threads = setting.run.threads});
}

SeriesResult SeriesRun::run()
{
  if (!load_ || load_->warm_up().next_check() == 0) {
    rounds_->start(0);
    next_check_ = load_ ? load_->sample_interval() : never;
  } else {
    next_check_ = load_->warm_up().next_check();
    warming_ = true;
  }
  while (!rounds_->done() || unfinished_ > 0) {
    if (!engine_->advance(next_check_).empty()) {
      last_delivery_ = engine_->now();
      if (load_) {
        load_->note_deliveries(last_delivery_);
      }
    } else if (!load_ || !check()) {
      break;
    }
  }
  if (!rounds_->done() || unfinished_ > 0) {
    check_for_deadlock(); // part of the network can be in a deadlock although the load seems to saturate it
  }
  result_.header_hops = engine_->header_hops();
  result_.flit_hops = engine_->flit_hops();
  result_.load_messages = traffic_ != nullptr ? traffic_->created() : 0;
  if (!result_.saturated) {
    result_.broadcasts = std::move(ended_);
  }
  return std::move(result_);
}

bool SeriesRun::check()
{
  const std::int64_t now = next_check_;
  if (now >= largest_time) {
    throw_time_overflow();
  }
  if (load_->seems_stopped(now)) {
    return false;
  }
  if (warming_) {
    if (load_->warm_up_ends(traffic_->created())) {
      warming_ = false;
      rounds_->start(now);
      result_.warm_up = Time{rounds_->round_start()};
      next_check_ = now + load_->sample_interval();
    } else {
      next_check_ = load_->warm_up().next_check();
    }
    return true;
  }
  if (load_->grows()) {
    result_.saturated = true;
    return false;
  }
  next_check_ = now + load_->sample_interval();
  return true;
}

void SeriesRun::check_for_deadlock()
{
  if (traffic_ != nullptr) {
    traffic_->stop();
  }
  while (!engine_->advance().empty()) {
    last_delivery_ = engine_->now();
  }
  const MessageSource::Rest rest = warming_ ? MessageSource::Rest{} : rounds_->rest();
  if (engine_->in_flight() == 0 && rest.messages == 0) {
    timed_out_ = !result_.saturated;
    return;
  }
  result_.saturated = false;
  stopped_ = true;
  StoppedNetwork stopped = engine_->explain_deadlock(last_delivery_);
  result_.deadlock = Deadlock{.at = Time{stopped.since},
                              .cycle = std::move(stopped.cycle),
                              .undelivered = engine_->in_flight() + rest.messages,
                              .first_never_ready = rest.first};
  if (const std::optional<std::int64_t> begun = rounds_->active_since(stopped.since)) {
    result_.stopped_round = Time{*begun};
  }
}

void SeriesRun::note_ended(std::size_t member, std::int64_t now)
{
  SeriesBroadcast broadcast = prepared_.members[member];
  broadcast.start = Time{rounds_->round_start()};
  broadcast.latency = Time{now} - broadcast.start;
  RoundTime& time = times_[broadcast.round];
  time = {.start = rounds_->round_start(), .end = std::max(time.end, now)};
  result_.end = Time{now};
  ended_.push_back(broadcast);
}

void SeriesRun::collect_bytes()
{
  for (const auto& [source, schedule] : prepared_.schedules) {
    if (schedule->operation != Operation::none) {
      set_bytes_.emplace(source, block_set_bytes(*schedule));
    }
  }
}

void SeriesRun::report_request(std::size_t member, MessageId own, std::int64_t now)
{
  const SeriesBroadcast& broadcast = prepared_.members[member];
  const Schedule& schedule = prepared_.schedule(member);
  const Message& message = schedule.messages[index(own)];
  sinks_.message({.id = MessageId{index(rounds_->first_of(member)) + index(own)},
                  .broadcast = broadcast.number,
                  .own = own,
                  .step = message.step,
                  .source = message.source,
                  .destination = message.destination,
                  .bytes = schedule.operation == Operation::none
                               ? schedule.plain[index(own)].bytes
                               : set_bytes_.at(broadcast.source)[static_cast<std::uint32_t>(message.blocks)],
                  .ready = Time{now},
                  .round = broadcast.round});
}

std::optional<std::uint32_t> SeriesRun::active_round(std::int64_t now) const
{
  return rounds_->active_since(now) ? std::optional(static_cast<std::uint32_t>(rounds_->round())) : std::nullopt;
}

bool SeriesRun::is_wanted(const PartMessage& message) const
{
  return stopped_ || !sinks_.wanted ||
         sinks_.wanted(message.part == 0 ? prepared_.members[rounds_->member_of(message.message)].round
                                         : active_round(engine_->now()));
}

void SeriesRun::note_created(TrafficMessage& message, MessageId own)
{
  const std::optional<std::uint32_t> round = active_round(message.created);
  if (sinks_.message) {
    sinks_.message({.id = source_->merged({1, own}),
                    .broadcast = {},
                    .own = own,
                    .source = message.source,
                    .destination = message.destination,
                    .bytes = message.bytes,
                    .ready = Time{message.created},
                    .round = round});
  }
  load_->note_created(message);
  message.tag = round.value_or(no_round);
  if (round) {
    ++unfinished_;
  }
}

void SeriesRun::note_delivered(const TrafficMessage& message)
{
  load_->note_delivered(message);
  const auto latency = static_cast<std::uint64_t>(engine_->now() - message.created);
  if (warming_) {
    load_->warm_up().note_delivered(latency);
  }
  if (message.tag != no_round) {
    --unfinished_;
    ++loads_[message.tag].messages;
    loads_[message.tag].latency += latency;
  }
}

void SeriesRun::note_wait(ContentionRecord record)
{
  const PartMessage waiting = source_->part_of(record.waiting);
  const PartMessage holding = source_->part_of(record.holding);
  const auto member = [this](const PartMessage& message) {
    return message.part == 0 ? rounds_->member_of(message.message) : std::numeric_limits<std::size_t>::max();
  };
  if (record.kind != ContentionKind::sharing && member(waiting) != member(holding)) {
    record.kind = ContentionKind::other;
  }
  if (waiting.part == 0) {
    result_.waits.add(record.kind, record.wait);
  } else if (stopped_ || active_round(engine_->now())) {
    result_.load_waits.add(record.kind, record.wait);
  }
  if (sinks_.records.contention && is_wanted(waiting)) {
    sinks_.records.contention(record);
  }
}

} // namespace wormcast
