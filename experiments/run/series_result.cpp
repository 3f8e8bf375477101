#include "wormcast/experiments/run/series_result.hpp"

#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/run/series_quantities.hpp"
#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Of all broadcasts together. Those of a series that was not `unchecked` are complete, or there would be no result.
Completeness completeness_of(const SeriesExperiment& experiment, const SeriesResult& result)
{
  Completeness all{.complete = true, .undone = {}};
  if (!experiment.single.run.unchecked) {
    return all;
  }
  const ScheduleOf schedule_of = series_setting(experiment).schedule_of;
  std::set<NodeId> seen;
  for (const SeriesBroadcast& broadcast : result.broadcasts) {
    if (seen.insert(broadcast.source).second) {
      const Completeness one = require_completeness(experiment.single, *schedule_of(broadcast.source));
      if (one.complete != true) {
        return one;
      }
    }
  }
  return all;
}

std::string microseconds(double picoseconds)
{
  return fmt::format("{:.7g} us", picoseconds / 1e6);
}

/// A mean with half the width of its interval, to the second digit of that half.
std::string with_interval(double mean, double half)
{
  if (!std::isfinite(half) || half <= 0) {
    return microseconds(mean);
  }
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(half / 1e6))));
  return fmt::format("{:.{}f} us +- {:.{}f} us", mean / 1e6, decimals, half / 1e6, decimals);
}

void append_waits(std::string_view whose, const ContentionTotals& totals,
                  std::vector<std::pair<std::string, std::string>>& rows)
{
  for (const ContentionKind kind : all_contention_kinds) {
    if (totals[kind].count > 0) {
      rows.emplace_back(fmt::format("{}, {}", whose, contention_kind_names.text(kind)),
                        fmt::format("{} wait{}, {} us", totals[kind].count, totals[kind].count == 1 ? "" : "s",
                                    format_microseconds(totals[kind].wait)));
    }
  }
}

} // namespace

SeriesResult run_series(const SeriesExperiment& experiment)
{
  SeriesSetting setting = series_setting(experiment);
  setting.schedule_of = [&single = experiment.single, make = setting.schedule_of](NodeId source) {
    std::shared_ptr<const Schedule> schedule = make(source);
    require_completeness(single, *schedule);
    return schedule;
  };
  try {
    return simulate_series(setting);
  } catch (const IncompleteSchedule&) {
    throw;
  } catch (const InputError& error) {
    const std::string text = error.what();
    throw InputError(text.starts_with("broadcast.") || text.find(": ") != std::string::npos
                         ? text
                         : fmt::format("[broadcast]: {}", text));
  }
}

Json series_json(const SeriesExperiment& experiment, const SeriesResult& result, const Json& critical_path)
{
  const SeriesOutcome outcome = {
      experiment, result, {completeness_of(experiment, result), experiment.single.run.unchecked}};
  Json json;
  json["format"] = "wormcast-series/1";
  json["config"] = experiment.single.effective;
  for (const auto& [quantity, value] : series_quantities()) {
    if (object_of(quantity) == "load" && !experiment.traffic) {
      json["load"] = nullptr;
    } else {
      put_quantity(json, quantity, value(outcome));
    }
  }
  json["broadcasts"] = Json::array();
  for (const SeriesBroadcast& broadcast : result.broadcasts) {
    json["broadcasts"].push_back({{"number", broadcast.number},
                                  {"round", broadcast.round},
                                  {"source", index(broadcast.source)},
                                  {"seed", broadcast.seed},
                                  {"start_us", exact_microseconds(broadcast.start)},
                                  {"latency_us", exact_microseconds(broadcast.latency)},
                                  {"alone_us", exact_microseconds(broadcast.alone)}});
  }
  if (!critical_path.is_null()) {
    json["critical_path"] = critical_path;
  }
  json["version"] = program_version();
  return json;
}

std::string series_text(const SeriesExperiment& experiment, const SeriesResult& result, const Json& critical_path)
{
  return json_text(series_json(experiment, result, critical_path), JsonLayout::indented) + "\n";
}

std::string undone_of_series(const SeriesExperiment& experiment, const SeriesResult& result)
{
  return completeness_of(experiment, result).undone;
}

std::vector<std::pair<std::string, std::string>> series_rows(const SeriesExperiment& experiment,
                                                             const SeriesResult& result)
{
  const Experiment& single = experiment.single;
  std::vector<std::pair<std::string, std::string>> rows;
  const auto row = [&](std::string_view name, std::string value) { rows.emplace_back(name, std::move(value)); };
  row("topology", single.topology->title());
  row("algorithm", single.algorithm);
  if (const std::string undone = undone_of_series(experiment, result); !undone.empty()) {
    row("INCOMPLETE", undone);
  }
  row("engine", result.engine);
  if (experiment.traffic) {
    row("load",
        fmt::format("{}, {}", *experiment.traffic->load,
                    result.saturated ? "more than the network carries: latencies would grow with the time watched"
                                     : fmt::format("warmed up for {} us", format_microseconds(result.warm_up))));
  }
  if (has_latency(result)) {
    const SeriesLatency& latency = result.latency;
    const auto exact = [](std::int64_t picoseconds) { return format_microseconds(Time{picoseconds}) + " us"; };
    row("broadcasts", fmt::format("{}, {} at a time", result.broadcasts.size(), experiment.series.count));
    row("latency", with_interval(latency.mean, latency.half_interval));
    if (single.run.start_jitter != Time{}) {
      row("latency from source", microseconds(mean_from_source(experiment, result)));
    }
    row("median", exact(latency.median));
    row("95th percentile", exact(latency.percentile_95));
    row("smallest, largest", exact(latency.smallest) + ", " + exact(latency.largest));
    row("on an empty network", microseconds(mean_alone(result)));
    row("slowdown",
        fmt::format("{:.4g}{}", result.slowdown,
                    std::isfinite(result.slowdown_interval) ? fmt::format(" +- {:.2g}", result.slowdown_interval)
                                                            : ""));
  }
  if (!result.saturated) {
    append_waits("broadcast waits", result.waits, rows);
  }
  if (result.load) {
    const double difference = result.load->with - result.load->without;
    row("load's latency", fmt::format("{} during broadcasts, {} without them", microseconds(result.load->with),
                                      microseconds(result.load->without)));
    row("what they cost it", with_interval(difference, result.load->half_interval));
  }
  if (!result.saturated) {
    append_waits("load waits", result.load_waits, rows);
  }
  return rows;
}

std::string series_table(const SeriesExperiment& experiment, const SeriesResult& result)
{
  fmt::memory_buffer text;
  for (const auto& [name, value] : series_rows(experiment, result)) {
    fmt::format_to(std::back_inserter(text), "{:<25}{}\n", name, value);
  }
  return fmt::to_string(text);
}

std::string series_deadlock(const SeriesExperiment& experiment, const SeriesResult& result)
{
  const SeriesSetting setting = series_setting(experiment);
  std::vector<std::uint64_t> ends; // of the messages of the broadcasts
  std::map<NodeId, std::uint64_t> counts;
  for (const SeriesBroadcast& broadcast : series_members(setting)) {
    const auto [count, is_new] = counts.try_emplace(broadcast.source);
    if (is_new) {
      count->second = setting.schedule_of(broadcast.source)->messages.size();
    }
    ends.push_back((ends.empty() ? 0 : ends.back()) + count->second);
  }
  return explain_deadlock(ResourceNames(setting.topology, setting.network.ports), *result.deadlock,
                          [&](MessageId message) {
                            const auto end = std::ranges::upper_bound(ends, std::uint64_t{index(message)});
                            MessageOwner owner{.in_series = true};
                            if (end != ends.end()) {
                              owner.broadcast = static_cast<std::uint32_t>(end - ends.begin());
                            }
                            return message_name(index(message), owner);
                          });
}

} // namespace wormcast
