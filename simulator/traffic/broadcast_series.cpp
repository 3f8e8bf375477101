#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/random/seeded_random.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/series_run.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace wormcast {

namespace {

// Separate the sources, and the seeds of later broadcasts, from the other uses of a seed.
constexpr std::uint64_t source_stream = 0x736f75726365ULL;
constexpr std::uint64_t member_stream = 0x6d656d626572ULL;

/// Runs the load alone, over the times of the rounds.
std::vector<RoundLoad> load_without_broadcasts(const Topology& topology, const NetworkParameters& network,
                                               const TrafficParameters& traffic, const TrafficClasses& classes,
                                               const RunParameters& run, const std::vector<RoundTime>& times)
{
  std::vector<RoundLoad> loads(times.size());
  std::size_t next = 0; // the round that had not ended when the last message was generated
  std::uint64_t unfinished = 0;
  Engine* clock = nullptr;
  TrafficSource source(topology, network, traffic, classes, *traffic.load, run,
                       {.created =
                            [&](TrafficMessage& message, MessageId) {
                              while (next < times.size() && times[next].end <= message.created) {
                                ++next;
                              }
                              const bool during = next < times.size() && times[next].start <= message.created;
                              message.tag = during ? static_cast<std::uint32_t>(next) : no_round;
                              unfinished += during ? 1 : 0;
                            },
                        .delivered =
                            [&](const TrafficMessage& message, const Delivery&) {
                              if (message.tag != no_round) {
                                --unfinished;
                                ++loads[message.tag].messages;
                                loads[message.tag].latency +=
                                    static_cast<std::uint64_t>(clock->now() - message.created);
                              }
                            }});
  const RecordSinks no_sinks;
  const std::unique_ptr<Engine> engine = make_engine(
      engine_for_online_messages(network, run.engine),
      {.topology = topology, .network = network, .sinks = no_sinks, .source = source, .threads = run.threads});
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

/// Returns the means of the rounds of a series.
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
  const auto percentile = [&](std::size_t percent) { return sorted[(sorted.size() * percent + 99) / 100 - 1]; };
  result.latency.smallest = sorted.front();
  result.latency.median = percentile(50);
  result.latency.percentile_95 = percentile(95);
  result.latency.largest = sorted.back();
}

/// Measures the isolated latency of each broadcast: its latency on the empty network.
void measure_alone(const PreparedSeries& prepared, std::span<SeriesBroadcast> broadcasts)
{
  const SeriesSetting& setting = prepared.setting;
  RunParameters alone = setting.run;
  std::map<std::pair<NodeId, std::uint64_t>, Time> known;
  const bool same =
      alone.start_jitter == Time{} && !alone.noise && alone.tie_break != TieBreak::seeded; // whatever the seed
  for (SeriesBroadcast& broadcast : broadcasts) {
    const auto [entry, is_new] = known.try_emplace({broadcast.source, same ? 0 : broadcast.seed});
    if (is_new) {
      alone.seed = broadcast.seed;
      const SimulationResult result =
          simulate_core(setting.topology, prepared.schedule(broadcast.number), setting.network, alone);
      if (!result.latency) {
        throw InputError(fmt::format("on the empty network the operation from {} comes "
                                     "to a stop: its messages wait for each other",
                                     setting.topology.node_name(broadcast.source)));
      }
      entry->second = *result.latency;
    }
    broadcast.alone = entry->second;
  }
}

} // namespace

std::vector<SeriesBroadcast> series_members(const SeriesSetting& setting)
{
  const SeriesParameters& series = setting.series;
  const std::uint64_t seed = setting.run.seed;
  const std::uint32_t nodes = setting.topology.host_count();
  if (series.count > nodes) {
    throw InputError(fmt::format("broadcast.count: found {}, but the {} has {} nodes, and sources are different",
                                 series.count, setting.topology.title(), nodes));
  }
  std::vector<SeriesBroadcast> members;
  for (std::uint32_t round = 0; round < series.rounds; ++round) {
    RandomStream random(seed ^ source_stream, round);
    std::vector<NodeId> taken;
    while (taken.size() < series.count) {
      const bool configured = taken.empty() && !series.random_sources;
      const NodeId drawn = configured ? setting.source : NodeId{static_cast<std::uint32_t>(random.below(nodes))};
      if (std::ranges::find(taken, drawn) == taken.end()) {
        taken.push_back(drawn);
        const std::uint64_t number = members.size();
        members.push_back({.number = static_cast<std::uint32_t>(number),
                           .round = round,
                           .source = drawn,
                           .seed = number == 0 ? seed : seeded_number(seed ^ member_stream, number)});
      }
    }
  }
  return members;
}

SeriesResult simulate_series(const SeriesSetting& setting)
{
  const PreparedSeries prepared(setting);
  const SeriesSinks no_sinks;
  constexpr double timeout_growth = 16; // a message can be much longer than most
  for (double timeout_factor = 1;; timeout_factor *= timeout_growth) {
    SeriesRun series_run(prepared, no_sinks, timeout_factor);
    SeriesResult result = series_run.run();
    if (series_run.timed_out()) {
      continue;
    }
    if (setting.traffic && !result.saturated && !result.deadlock) {
      result.load =
          effect_on(series_run.loads(), load_without_broadcasts(setting.topology, prepared.network, *setting.traffic,
                                                                *prepared.classes, setting.run, series_run.times()));
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
  SeriesRun(prepared, sinks, result.timeout_factor).run();
}

} // namespace wormcast
