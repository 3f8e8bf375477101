#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/merged_source.hpp"
#include "wormcast/simulator/random_stream.hpp"
#include "wormcast/simulator/seeded_random.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/rounds_source.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/simulator/traffic/warm_up.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace wormcast {

namespace {

// Keep the sources, and the seeds of later broadcasts, apart from the other uses of a seed.
constexpr std::uint64_t source_stream = 0x736f75726365ULL;
constexpr std::uint64_t member_stream = 0x6d656d626572ULL;

constexpr std::uint32_t outside_rounds = 0xffffffff;
constexpr std::size_t most_looks = 100; // at the backlog, until every second one is forgotten

/// The members of a series, each with a seed and a source of its own.
std::vector<SeriesBroadcast> draw_members(const Topology& topology, NodeId source, const RunParameters& run,
                                          const SeriesParameters& series)
{
  const std::uint32_t nodes = topology.node_count();
  if (series.count > nodes) {
    throw InputError(fmt::format("broadcast.count: found {}, but the {} has {} nodes, and sources are different",
                                 series.count, topology.title(), nodes));
  }
  std::vector<SeriesBroadcast> members;
  for (std::uint32_t round = 0; round < series.rounds; ++round) {
    RandomStream random(run.seed ^ source_stream, round);
    std::vector<NodeId> taken;
    while (taken.size() < series.count) {
      const bool configured = taken.empty() && !series.random_sources;
      const NodeId drawn = configured ? source : NodeId{static_cast<std::uint32_t>(random.below(nodes))};
      if (std::ranges::find(taken, drawn) == taken.end()) {
        taken.push_back(drawn);
        const std::uint64_t number = members.size();
        members.push_back({.number = static_cast<std::uint32_t>(number),
                           .round = round,
                           .source = drawn,
                           .seed = number == 0 ? run.seed : seeded_number(run.seed ^ member_stream, number)});
      }
    }
  }
  return members;
}

/// What the load's messages of one round add up to.
struct RoundLoad {
  std::uint64_t messages = 0;
  WideSum latency = 0;
};

/// When a round was under way: from its start up to, but not including its end.
struct RoundTime {
  std::int64_t start = 0;
  std::int64_t end = 0;
};

/// A network under a load that is watched: how much is under way, and whether anything still arrives.
class WatchedLoad {
public:
  WatchedLoad(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
              const Pattern& pattern, double patience)
      : network_(network), pattern_(pattern), load_(traffic.load.value()),
        times_(load_times(topology, network, traffic, pattern, load_, patience)),
        warm_up_(traffic.warm_up, times_.step), look_(times_.step)
  {}

  WarmUp& warm_up() { return warm_up_; }
  std::int64_t look() const { return look_; }

  void note_created(const TrafficMessage& message)
  {
    backlog_ += static_cast<double>(message.bytes);
    ++created_since_delivery_;
  }
  void note_delivered(const TrafficMessage& message) { backlog_ -= static_cast<double>(message.bytes); }
  void note_deliveries(std::int64_t now)
  {
    created_since_delivery_ = 0;
    last_delivery_ = now;
  }

  bool warm_up_ends(std::uint64_t created)
  {
    const std::int64_t now = warm_up_.boundary();
    return warm_up_.ends(backlog_, created, load_ * full_load_bytes(network_, pattern_, now));
  }

  /// Whether the network carries nothing any more.
  bool seems_stopped(std::int64_t now) const
  {
    return created_since_delivery_ > 100 + 4 * std::uint64_t{pattern_.sender_count()} &&
           now - last_delivery_ > times_.longest_idle;
  }

  /// A look at what is under way, at each multiple of look() after the warm-up; true: it has grown twice, while the
  /// time watched doubled. Broadcasts make it rise and fall, so one look says little.
  bool grows()
  {
    backlogs_.push_back(backlog_);
    if (backlogs_.size() < most_looks) {
      return false;
    }
    const auto watched = static_cast<std::int64_t>(backlogs_.size()) * look_;
    const bool grows_now = backlog_grows(backlogs_, load_ * full_load_bytes(network_, pattern_, watched));
    const bool grew = std::exchange(grew_, grows_now);
    for (std::size_t i = 0; i < backlogs_.size() / 2; ++i) {
      backlogs_[i] = backlogs_[2 * i + 1];
    }
    backlogs_.resize(backlogs_.size() / 2);
    look_ *= 2;
    return grows_now && grew;
  }

private:
  const NetworkParameters& network_;
  const Pattern& pattern_;
  double load_;
  LoadTimes times_;
  WarmUp warm_up_;
  std::int64_t look_;
  double backlog_ = 0; // bytes under way
  std::uint64_t created_since_delivery_ = 0;
  std::int64_t last_delivery_ = 0;
  std::vector<double> backlogs_;
  bool grew_ = false;
};

/// A setting with all that is made of it before the run.
struct PreparedSeries {
  const SeriesSetting& setting;
  NetworkParameters network; ///< suited to the topology
  std::vector<SeriesBroadcast> members;
  std::map<NodeId, std::shared_ptr<const Schedule>> schedules; ///< by source
  std::optional<Pattern> pattern;                              ///< where there is traffic

  explicit PreparedSeries(const SeriesSetting& from)
      : setting(from), network(from.network), members(draw_members(from.topology, from.source, from.run, from.series))
  {
    suit_to_topology(network, from.topology);
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
      pattern.emplace(from.topology, *from.traffic, from.run.seed);
    }
  }

  const Schedule& schedule(std::size_t member) const { return *schedules.at(members[member].source); }
};

class SeriesRun {
public:
  SeriesRun(const PreparedSeries& prepared, const SeriesSinks& sinks, double patience)
      : prepared_(prepared), sinks_(sinks), times_(prepared.setting.series.rounds),
        loads_(prepared.setting.series.rounds)
  {
    const SeriesSetting& setting = prepared.setting;
    result_.engine = engine_for_coming_messages(prepared.network, setting.run.engine);
    result_.patience = patience;
    std::vector<RoundMember> round_members;
    for (const SeriesBroadcast& member : prepared.members) {
      round_members.push_back({.schedule = prepared.schedules.at(member.source), .run = setting.run});
      round_members.back().run.seed = member.seed;
    }
    RoundsSource::Listener listener{.ended = [this](std::size_t member, std::int64_t now) { note_ended(member, now); }};
    if (sinks.message) {
      collect_bytes();
      listener.taken = [this](std::size_t member, MessageId message, std::int64_t now) {
        tell_taken(member, message, now);
      };
    }
    auto rounds = std::make_unique<RoundsSource>(setting.topology, prepared.network, std::move(round_members),
                                                 setting.series.count, setting.series.pause, std::move(listener));
    rounds_ = rounds.get();
    result_.messages = *rounds->message_count();
    std::vector<std::unique_ptr<MessageSource>> parts;
    parts.push_back(std::move(rounds));
    if (setting.traffic) {
      load_.emplace(setting.topology, prepared.network, *setting.traffic, *prepared.pattern, patience);
      auto source = std::make_unique<TrafficSource>(
          setting.topology, prepared.network, *setting.traffic, *prepared.pattern, *setting.traffic->load, setting.run,
          TrafficSource::Listener{
              .created = [this](TrafficMessage& message, MessageId id) { note_created(message, id); },
              .delivered = [this](const TrafficMessage& message, MessageId) { note_delivered(message); }});
      traffic_ = source.get();
      parts.push_back(std::move(source));
    }
    source_ = std::make_unique<MergedSource>(std::move(parts));
    record_sinks_ = sinks.records;
    record_sinks_.contention = [this](const ContentionRecord& record) { note_wait(record); };
    engine_ = make_engine(result_.engine, {setting.topology, prepared.network, record_sinks_, *source_});
  }

  SeriesResult run()
  {
    if (!load_ || load_->warm_up().boundary() == 0) {
      rounds_->start(0);
      next_look_ = load_ ? load_->look() : never;
    } else {
      next_look_ = load_->warm_up().boundary();
      warming_ = true;
    }
    while (!rounds_->done() || unfinished_ > 0) {
      if (!engine_->advance(next_look_).empty()) {
        last_delivery_ = engine_->now();
        if (load_) {
          load_->note_deliveries(last_delivery_);
        }
      } else if (!load_ || !look()) {
        break;
      }
    }
    if (!rounds_->done() || unfinished_ > 0) {
      look_for_deadlock(); // a part of the network can have stopped where the load seems too much
    }
    result_.header_hops = engine_->header_hops();
    result_.flit_hops = engine_->flit_hops();
    result_.load_messages = traffic_ != nullptr ? traffic_->created() : 0;
    if (!result_.saturated) {
      result_.broadcasts = std::move(ended_);
    }
    return std::move(result_);
  }

  /// After run(): it was given up because nothing arrived, but there was no deadlock.
  bool was_impatient() const { return impatient_; }
  const std::vector<RoundTime>& times() const { return times_; }
  const std::vector<RoundLoad>& loads() const { return loads_; }

private:
  // At next_look_. False: the run ends here.
  bool look()
  {
    const std::int64_t now = next_look_;
    if (now >= last_instant) {
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
        next_look_ = now + load_->look();
      } else {
        next_look_ = load_->warm_up().boundary();
      }
      return true;
    }
    if (load_->grows()) {
      result_.saturated = true;
      return false;
    }
    next_look_ = now + load_->look();
    return true;
  }

  // Without new messages all of them arrive sooner or later, unless they wait for each other.
  void look_for_deadlock()
  {
    if (traffic_ != nullptr) {
      traffic_->stop();
    }
    while (!engine_->advance().empty()) {
      last_delivery_ = engine_->now();
    }
    const MessageSource::Rest rest = warming_ ? MessageSource::Rest{} : rounds_->rest();
    if (engine_->under_way() == 0 && rest.messages == 0) {
      impatient_ = !result_.saturated;
      return;
    }
    result_.saturated = false;
    StoppedNetwork stopped = engine_->explain_deadlock(last_delivery_);
    result_.deadlock = Deadlock{.at = Time{stopped.since},
                                .cycle = std::move(stopped.cycle),
                                .undelivered = engine_->under_way() + rest.messages,
                                .first_never_ready = rest.first};
  }

  // Called by the sources and the engine, in their order ---------------------------------------------------------

  void note_ended(std::size_t member, std::int64_t now)
  {
    SeriesBroadcast broadcast = prepared_.members[member];
    broadcast.start = Time{rounds_->round_start()};
    broadcast.latency = Time{now} - broadcast.start;
    RoundTime& time = times_[broadcast.round];
    time = {.start = rounds_->round_start(), .end = std::max(time.end, now)};
    result_.end = Time{now};
    ended_.push_back(broadcast);
  }

  // Blocks of a schedule, by its source.
  void collect_bytes()
  {
    for (const auto& [source, schedule] : prepared_.schedules) {
      if (schedule->operation != Operation::none) {
        set_bytes_.emplace(source, block_set_bytes(*schedule));
      }
    }
  }

  void tell_taken(std::size_t member, MessageId own, std::int64_t now)
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
                    .ready = Time{now}});
  }

  void note_created(TrafficMessage& message, MessageId own)
  {
    if (sinks_.message) {
      sinks_.message({.id = source_->merged({1, own}),
                      .broadcast = {},
                      .own = own,
                      .source = message.source,
                      .destination = message.destination,
                      .bytes = message.bytes,
                      .ready = Time{message.created}});
    }
    load_->note_created(message);
    message.tag = outside_rounds;
    if (rounds_->under_way_since(message.created)) {
      message.tag = static_cast<std::uint32_t>(rounds_->round());
      ++unfinished_;
    }
  }

  void note_delivered(const TrafficMessage& message)
  {
    load_->note_delivered(message);
    const auto latency = static_cast<std::uint64_t>(engine_->now() - message.created);
    if (warming_) {
      load_->warm_up().note_delivered(latency);
    }
    if (message.tag != outside_rounds) {
      --unfinished_;
      ++loads_[message.tag].messages;
      loads_[message.tag].latency += latency;
    }
  }

  void note_wait(ContentionRecord record)
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
    } else if (rounds_->under_way_since(engine_->now())) {
      result_.load_waits.add(record.kind, record.wait);
    }
    if (sinks_.records.contention) {
      sinks_.records.contention(record);
    }
  }

  const PreparedSeries& prepared_;
  const SeriesSinks& sinks_;
  RecordSinks record_sinks_;
  std::map<NodeId, std::vector<std::uint64_t>> set_bytes_; // by source and block set; where messages are told
  std::optional<WatchedLoad> load_;
  std::unique_ptr<MergedSource> source_;
  RoundsSource* rounds_ = nullptr; // part 0
  TrafficSource* traffic_ = nullptr;
  std::unique_ptr<Engine> engine_;
  SeriesResult result_;
  std::vector<SeriesBroadcast> ended_;
  std::vector<RoundTime> times_;
  std::vector<RoundLoad> loads_;
  std::uint64_t unfinished_ = 0; // messages of rounds' loads
  std::int64_t next_look_ = never;
  std::int64_t last_delivery_ = 0;
  bool warming_ = false;
  bool impatient_ = false;
};

/// The load alone, over the times of the rounds.
std::vector<RoundLoad> load_without_broadcasts(const Topology& topology, const NetworkParameters& network,
                                               const TrafficParameters& traffic, const Pattern& pattern,
                                               const RunParameters& run, const std::vector<RoundTime>& times)
{
  std::vector<RoundLoad> loads(times.size());
  std::size_t next = 0; // round that has not ended when the last message came
  std::uint64_t unfinished = 0;
  Engine* clock = nullptr;
  TrafficSource source(topology, network, traffic, pattern, *traffic.load, run,
                       {.created =
                            [&](TrafficMessage& message, MessageId) {
                              while (next < times.size() && times[next].end <= message.created) {
                                ++next;
                              }
                              const bool during = next < times.size() && times[next].start <= message.created;
                              message.tag = during ? static_cast<std::uint32_t>(next) : outside_rounds;
                              unfinished += during ? 1 : 0;
                            },
                        .delivered =
                            [&](const TrafficMessage& message, MessageId) {
                              if (message.tag != outside_rounds) {
                                --unfinished;
                                ++loads[message.tag].messages;
                                loads[message.tag].latency +=
                                    static_cast<std::uint64_t>(clock->now() - message.created);
                              }
                            }});
  const RecordSinks no_sinks;
  const std::unique_ptr<Engine> engine =
      make_engine(engine_for_coming_messages(network, run.engine), {topology, network, no_sinks, source});
  clock = engine.get();
  while (!engine->advance(times.back().end).empty()) {
  }
  source.stop();
  while (unfinished > 0 && !engine->advance().empty()) {
  }
  return loads;
}

std::optional<LoadEffect> effect_on(const std::vector<RoundLoad>& with, const std::vector<RoundLoad>& without)
{
  LoadEffect effect;
  WideSum sum_with = 0;
  WideSum sum_without = 0;
  std::vector<double> differences;
  for (std::size_t round = 0; round < with.size(); ++round) {
    if (with[round].messages == 0 || with[round].messages != without[round].messages) {
      continue;
    }
    const auto count = static_cast<double>(with[round].messages);
    effect.messages += with[round].messages;
    sum_with += with[round].latency;
    sum_without += without[round].latency;
    differences.push_back((static_cast<double>(with[round].latency) - static_cast<double>(without[round].latency)) /
                          count);
  }
  if (effect.messages == 0) {
    return std::nullopt;
  }
  effect.with = static_cast<double>(sum_with) / static_cast<double>(effect.messages);
  effect.without = static_cast<double>(sum_without) / static_cast<double>(effect.messages);
  effect.half_interval = interval_of_batch_means(differences);
  return effect;
}

/// Means of the rounds of a series.
template <typename Value> std::vector<double> means_of_rounds(std::span<const SeriesBroadcast> broadcasts, Value value)
{
  std::vector<double> means;
  for (std::size_t begin = 0; begin < broadcasts.size();) {
    double sum = 0;
    std::size_t end = begin;
    for (; end < broadcasts.size() && broadcasts[end].round == broadcasts[begin].round; ++end) {
      sum += value(broadcasts[end]);
    }
    means.push_back(sum / static_cast<double>(end - begin));
    begin = end;
  }
  return means;
}

void summarise(SeriesResult& result)
{
  const auto latency = [](const SeriesBroadcast& broadcast) {
    return static_cast<double>(broadcast.latency.picoseconds);
  };
  const std::vector<double> latencies = means_of_rounds(result.broadcasts, latency);
  result.latency.mean = mean_of(latencies);
  result.latency.half_interval = interval_of_batch_means(latencies);
  const std::vector<double> slowdowns = means_of_rounds(result.broadcasts, [&](const SeriesBroadcast& broadcast) {
    return latency(broadcast) / static_cast<double>(broadcast.alone.picoseconds);
  });
  result.slowdown = mean_of(slowdowns);
  result.slowdown_interval = interval_of_batch_means(slowdowns);
  std::vector<std::int64_t> sorted;
  for (const SeriesBroadcast& broadcast : result.broadcasts) {
    sorted.push_back(broadcast.latency.picoseconds);
  }
  if (sorted.empty()) {
    return;
  }
  std::ranges::sort(sorted);
  const auto place = [&](std::size_t percent) { return sorted[(sorted.size() * percent + 99) / 100 - 1]; };
  result.latency.smallest = sorted.front();
  result.latency.median = place(50);
  result.latency.percentile_95 = place(95);
  result.latency.largest = sorted.back();
}

/// How long each would take on the empty network.
void measure_alone(const PreparedSeries& prepared, std::span<SeriesBroadcast> broadcasts)
{
  const SeriesSetting& setting = prepared.setting;
  RunParameters alone = setting.run;
  std::map<std::pair<NodeId, std::uint64_t>, Time> known;
  const bool same =
      alone.start_jitter == Time{} && !alone.noise && alone.tie_break != TieBreak::seeded; // whatever the seed
  for (SeriesBroadcast& broadcast : broadcasts) {
    const auto [place, is_new] = known.try_emplace({broadcast.source, same ? 0 : broadcast.seed});
    if (is_new) {
      alone.seed = broadcast.seed;
      const SimulationResult result =
          simulate_core(setting.topology, prepared.schedule(broadcast.number), setting.network, alone);
      if (!result.latency) {
        throw InputError(fmt::format("on the empty network the operation from {} comes to a stop: its messages wait "
                                     "for each other",
                                     setting.topology.node_name(broadcast.source)));
      }
      place->second = *result.latency;
    }
    broadcast.alone = place->second;
  }
}

} // namespace

SeriesResult simulate_series(const SeriesSetting& setting)
{
  const PreparedSeries prepared(setting);
  const SeriesSinks no_sinks;
  constexpr double more_patience = 16; // a message can be much longer than most
  for (double patience = 1;; patience *= more_patience) {
    SeriesRun series_run(prepared, no_sinks, patience);
    SeriesResult result = series_run.run();
    if (series_run.was_impatient()) {
      continue;
    }
    if (setting.traffic && !result.saturated && !result.deadlock) {
      result.load =
          effect_on(series_run.loads(), load_without_broadcasts(setting.topology, prepared.network, *setting.traffic,
                                                                *prepared.pattern, setting.run, series_run.times()));
    }
    measure_alone(prepared, result.broadcasts);
    std::ranges::sort(result.broadcasts, {}, &SeriesBroadcast::number);
    if (!result.deadlock) {
      summarise(result);
    }
    return result;
  }
}

void replay_series(const SeriesSetting& setting, const SeriesResult& result, const SeriesSinks& sinks)
{
  const PreparedSeries prepared(setting);
  SeriesRun(prepared, sinks, result.patience).run();
}

} // namespace wormcast
