#include "wormcast/experiments/run/series_quantities.hpp"

#include "wormcast/simulator/sources/start_delays.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

using enum QuantityType;

template <typename Of> auto when_it_has_latencies(Of of)
{
  return [of](const SeriesOutcome& series) {
    return has_latency(series.result) ? quantity_value(of(series.result)) : QuantityValue();
  };
}

template <typename Of> auto of_the_load(Of of)
{
  return [of](const SeriesOutcome& series) {
    return series.result.load ? quantity_value(of(*series.result.load)) : QuantityValue();
  };
}

void append_latencies(std::vector<ResultQuantity<SeriesOutcome>>& all)
{
  const auto add = [&](const std::string& name, QuantityType type, const std::string& meaning, auto of) {
    all.push_back({{.name = name, .type = type, .unit = "us", .text = meaning}, when_it_has_latencies(of)});
  };
  add("latency_us", mean_time, "mean latency of the broadcasts from the start of the round; none: a load saturates",
      [](const SeriesResult& result) { return result.latency.mean; });
  all.push_back({{.name = "latency_from_source_us",
                  .type = mean_time,
                  .unit = "us",
                  .text = "the same from the sources' own starts (start jitter)"},
                 [](const SeriesOutcome& series) {
                   return has_latency(series.result) ? QuantityValue(mean_from_source(series.experiment, series.result))
                                                     : QuantityValue();
                 }});
  add("latency_low_us", mean_time,
      "of a series of broadcasts, whose mean from the start of the round is `latency_us`: lower end of its 95 % "
      "interval",
      [](const SeriesResult& result) { return result.latency.mean - result.latency.half_interval; });
  add("latency_high_us", mean_time, "upper end of that interval",
      [](const SeriesResult& result) { return result.latency.mean + result.latency.half_interval; });
  add("latency_min_us", time, "the shortest latency of a series",
      [](const SeriesResult& result) { return Time{result.latency.smallest}; });
  add("latency_p50_us", time, "their median: latency that half of a series' broadcasts are not above",
      [](const SeriesResult& result) { return Time{result.latency.median}; });
  add("latency_p95_us", time, "their 95th percentile: latency that 95 % of a series' broadcasts are not above",
      [](const SeriesResult& result) { return Time{result.latency.percentile_95}; });
  add("latency_max_us", time, "the longest latency of a series",
      [](const SeriesResult& result) { return Time{result.latency.largest}; });
  add("alone_us", mean_time, "mean of `latency_us` of the same broadcasts on the empty network", mean_alone);
}

void append_slowdown(std::vector<ResultQuantity<SeriesOutcome>>& all)
{
  const auto add = [&](const std::string& name, const std::string& meaning, auto of) {
    all.push_back({{.name = name, .type = number, .text = meaning}, when_it_has_latencies(of)});
  };
  add("slowdown.mean",
      "mean of the quotients of a series' latencies, each over that of the same broadcast on the empty network",
      [](const SeriesResult& result) { return result.slowdown; });
  add("slowdown.low", "lower end of its 95 % interval",
      [](const SeriesResult& result) { return result.slowdown - result.slowdown_interval; });
  add("slowdown.high", "upper end of that interval",
      [](const SeriesResult& result) { return result.slowdown + result.slowdown_interval; });
}

void append_load(std::vector<ResultQuantity<SeriesOutcome>>& all)
{
  const auto add = [&](const std::string& name, QuantityType type, const std::string& unit, const std::string& meaning,
                       auto of) {
    all.push_back({{.name = name, .type = type, .unit = unit, .text = meaning}, std::move(of)});
  };
  const auto difference = [](const LoadEffect& load) { return load.with - load.without; };
  add("load.offered", setting, "", "load of `[traffic]`, as a fraction of a channel's rate",
      [](const SeriesOutcome& series) { return *series.experiment.traffic->load; });
  add("load.saturated", truth, "", "`true`: the load is more than the network carries, and there are no latencies",
      [](const SeriesOutcome& series) { return series.result.saturated; });
  add("load.warm_up_us", time, "us", "when the first broadcast started",
      [](const SeriesOutcome& series) { return series.result.warm_up; });
  add("load.all_messages", count, "messages", "of the load in the whole run",
      [](const SeriesOutcome& series) { return quantity_value(series.result.load_messages); });
  add("load.messages", count, "messages", "of the load that were generated while a broadcast was in flight",
      [](const SeriesOutcome& series) {
        return quantity_value(series.result.load ? series.result.load->messages : 0);
      });
  add("load.latency_us", mean_time, "us", "mean latency of these",
      of_the_load([](const LoadEffect& load) { return load.with; }));
  add("load.latency_without_us", mean_time, "us", "mean latency of the same messages without broadcasts",
      of_the_load([](const LoadEffect& load) { return load.without; }));
  add("load.difference_us.mean", mean_time, "us", "difference of the two: what the broadcasts do to the load",
      of_the_load(difference));
  add("load.difference_us.low", mean_time, "us", "lower end of its 95 % interval",
      of_the_load([=](const LoadEffect& load) { return difference(load) - load.half_interval; }));
  add("load.difference_us.high", mean_time, "us", "upper end of that interval",
      of_the_load([=](const LoadEffect& load) { return difference(load) + load.half_interval; }));
  std::ranges::move(
      quantities_within<SeriesOutcome, ContentionTotals>(
          "load.contention", contention_quantities(all_contention_kinds),
          [](const SeriesOutcome& series) -> const ContentionTotals& { return series.result.load_waits; }),
      std::back_inserter(all));
}

std::vector<ResultQuantity<SeriesOutcome>> declare_series_quantities()
{
  std::vector<ResultQuantity<SeriesOutcome>> all;
  for (const ResultQuantity<CheckedCompleteness>& declared : completeness_quantities()) {
    all.push_back(
        {declared.quantity, [value = declared.value](const SeriesOutcome& series) { return value(series.checked); }});
  }
  all.push_back({{.name = "engine", .type = text, .text = "the engine that ran"},
                 [](const SeriesOutcome& series) { return series.result.engine; }});
  append_latencies(all);
  append_slowdown(all);
  all.push_back({{.name = "deadlock_us",
                  .type = time,
                  .unit = "us",
                  .text = "when the last thing moved before a deadlock; none: there was no deadlock"},
                 [](const SeriesOutcome& series) {
                   const std::optional<Deadlock>& deadlock = series.result.deadlock;
                   return deadlock ? QuantityValue(deadlock->at) : QuantityValue();
                 }});
  all.push_back({{.name = "messages", .type = count, .unit = "messages", .text = "of all broadcasts"},
                 [](const SeriesOutcome& series) { return quantity_value(series.result.messages); }});
  std::ranges::move(quantities_within<SeriesOutcome, ContentionTotals>(
                        "contention", contention_quantities(all_contention_kinds),
                        [](const SeriesOutcome& series) -> const ContentionTotals& { return series.result.waits; }),
                    std::back_inserter(all));
  append_load(all);
  return all;
}

} // namespace

std::span<const ResultQuantity<SeriesOutcome>> series_quantities()
{
  static const std::vector<ResultQuantity<SeriesOutcome>> all = declare_series_quantities();
  return all;
}

bool has_latency(const SeriesResult& result)
{
  return !result.broadcasts.empty() && !result.deadlock;
}

double mean_alone(const SeriesResult& result)
{
  double sum = 0;
  for (const SeriesBroadcast& broadcast : result.broadcasts) {
    sum += static_cast<double>(broadcast.alone.picoseconds);
  }
  return sum / static_cast<double>(result.broadcasts.size());
}

double mean_from_source(const SeriesExperiment& experiment, const SeriesResult& result)
{
  const Experiment& single = experiment.single;
  if (single.run.start_jitter == Time{}) {
    return result.latency.mean;
  }
  const ScheduleOf schedule = series_setting(experiment).schedule_of;
  RunParameters run = single.run;
  double sum = 0;
  for (const SeriesBroadcast& broadcast : result.broadcasts) {
    run.seed = broadcast.seed;
    const Time start = source_start(*single.topology, *schedule(broadcast.source), single.network, run);
    sum += static_cast<double>((broadcast.latency - start).picoseconds);
  }
  return sum / static_cast<double>(result.broadcasts.size());
}

} // namespace wormcast
