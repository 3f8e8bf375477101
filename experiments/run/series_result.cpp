#include "wormcast/experiments/run/series_result.hpp"

#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/run/series_quantities.hpp"
#include "wormcast/experiments/run/series_rows.hpp"
#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
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

TableRows series_rows(const SeriesExperiment& experiment, const SeriesResult& result)
{
  return table_rows(series_row_texts(), series_quantities(), other_values_of_series(),
                    {experiment, result, {completeness_of(experiment, result), experiment.single.run.unchecked}});
}

std::string series_table(const SeriesExperiment& experiment, const SeriesResult& result)
{
  constexpr std::size_t width = 25;
  return aligned_rows(series_rows(experiment, result), width);
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
