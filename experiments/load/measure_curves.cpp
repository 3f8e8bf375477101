#include "wormcast/experiments/load/measure_curves.hpp"

#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/experiments/load/load_nodes.hpp"
#include "wormcast/experiments/load/load_point.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/load/load_search.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

// A curve whose points are being measured.
struct CurveUnderWay {
  LoadExperiment experiment;
  std::string files;
  LoadSearch search;
  std::size_t first_unit = 0; ///< of those that shards share
};

void add_point(LoadCurve& curve, LoadSearch& search, double load, const StoredPoint& stored)
{
  LoadPoint point{.offered = load, .state = stored.state, .error = stored.error, .result = nullptr, .key = stored.key};
  if (!stored.result.empty()) {
    point.result = nlohmann::ordered_json::parse(stored.result);
  }
  if (point.state == PointState::done || point.state == PointState::deadlock) {
    search.add(load, point.verdict());
  } else {
    search.stop(); // nothing is known of this load
  }
  if (point.state == PointState::done) {
    const double accepted = point.value(load_quantity::accepted).get<double>();
    curve.largest_accepted = std::max(curve.largest_accepted.value_or(0), accepted);
  }
  curve.points.push_back(std::move(point));
}

/// The unit of a load: its own where loads are listed, else that of the curve.
std::size_t unit_of(const CurveUnderWay& under_way, double load)
{
  const std::vector<double>& listed = under_way.experiment.load.points;
  const auto place = std::ranges::find(listed, load);
  return under_way.first_unit + (place == listed.end() ? 0 : static_cast<std::size_t>(place - listed.begin()));
}

/// What the task of a point reports.
TaskReport report_of(const nlohmann::ordered_json& parameters,
                     const std::function<ComputedPoint(std::size_t curve, double load)>& compute)
{
  const auto curve = parameters.at("curve").get<std::size_t>();
  const auto load = parameters.at("load").get<double>();
  return point_report([&] { return compute(curve, load); });
}

} // namespace

LoadVerdict LoadPoint::verdict() const
{
  if (state == PointState::deadlock) {
    return LoadVerdict::saturated;
  }
  if (state == PointState::done) {
    return load_verdict_names.read(value(load_quantity::verdict).get<std::string>());
  }
  return LoadVerdict::undecided;
}

nlohmann::ordered_json LoadPoint::value(std::string_view path) const
{
  const nlohmann::ordered_json* found = &result;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string name(path.substr(0, dot));
    if (found->is_array()) { // counted_figures::classes
      const auto is_named = [&](const nlohmann::ordered_json& one) {
        return one.is_object() && one.value(counted_figures::class_name, "") == name;
      };
      const auto one = std::ranges::find_if(*found, is_named);
      if (one == found->end()) {
        return nullptr;
      }
      found = &*one;
    } else if (found->is_object() && found->contains(name)) {
      found = &found->at(name);
    } else {
      return nullptr;
    }
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return *found;
}

std::vector<std::string> LoadPoint::classes() const
{
  std::vector<std::string> names;
  for (const auto& one : value(counted_figures::classes)) {
    names.push_back(one.at(counted_figures::class_name).get<std::string>());
  }
  return names;
}

std::string LoadPoint::cell(std::string_view path) const
{
  const nlohmann::ordered_json found = value(path);
  return found.is_null() ? std::string() : found.is_string() ? found.get<std::string>() : found.dump();
}

SweepPlan plan_curves(const RawConfig& config)
{
  FileContents contents;
  MadeTopologies made;
  return plan_points(config, [&](const RawConfig& raw, std::span<const std::pair<std::string, RawValue>> values) {
    LoadExperiment experiment = make_load_experiment(raw, values, made);
    return PlannedPoint{std::move(experiment.effective), experiment.topology, contents.of(experiment),
                        network_warnings(experiment.network, *experiment.topology)};
  });
}

void add_points(LoadCurve& curve, const std::vector<std::pair<double, StoredPoint>>& points)
{
  LoadSearch search({}, {});
  for (const auto& [load, stored] : points) {
    add_point(curve, search, load, stored);
  }
  std::ranges::sort(curve.points, {}, &LoadPoint::offered);
  curve.saturation = search.bracket();
}

TaskWork load_work(const RawConfig& config, const SweepPlan& plan)
{
  return {plan_basis(plan), [&](const nlohmann::ordered_json& parameters) {
            return report_of(parameters, [&](std::size_t curve, double load) {
              return compute_load_point(make_load_experiment(config, plan.points.at(curve).values), load);
            });
          }};
}

LoadCurves measure_curves(const RawConfig& config, const SweepPlan& plan, ResultStore& store,
                          const SweepOptions& options)
{
  FileContents contents;
  LoadCurves measured;
  measured.axes = plan.axes;
  std::vector<std::unique_ptr<CurveUnderWay>> under_way;
  // Children of this process have the experiments already.
  const TaskWork work = {plan_basis(plan), [&](const nlohmann::ordered_json& parameters) {
                           return report_of(parameters, [&](std::size_t curve, double load) {
                             return compute_load_point(under_way.at(curve)->experiment, load);
                           });
                         }};
  std::size_t units = 0;
  for (const SweepPoint& planned : plan.points) {
    LoadCurve& curve = measured.curves.emplace_back();
    curve.cells = planned.cells;
    curve.error = planned.error;
    curve.config = planned.config;
    under_way.emplace_back();
    if (!planned.error.empty()) {
      continue;
    }
    LoadExperiment experiment = make_load_experiment(config, planned.values);
    const TrafficClasses classes(*experiment.topology, experiment.traffic, experiment.run.seed);
    curve.expected = expected_load(*experiment.topology, experiment.network, classes);
    LoadSearch search(experiment.load, {.capacity = curve.expected.capacity,
                                        .largest = largest_load(experiment.network, experiment.traffic),
                                        .precision = experiment.load.precision.value_or(experiment.traffic.precision)});
    std::string files = contents.of(experiment);
    const std::size_t listed = experiment.load.points.size();
    under_way.back() = std::make_unique<CurveUnderWay>(
        CurveUnderWay{std::move(experiment), std::move(files), std::move(search), units});
    units += std::max<std::size_t>(1, listed);
  }
  while (true) {
    SweepPlan wave;
    std::vector<std::pair<std::size_t, double>> places; // curve and load
    std::vector<bool> owned;
    for (std::size_t i = 0; i < under_way.size(); ++i) {
      if (under_way[i] == nullptr) {
        continue;
      }
      const LoadExperiment& experiment = under_way[i]->experiment;
      for (const double load : under_way[i]->search.next()) {
        SweepPoint& point = wave.points.emplace_back();
        point.cells = measured.curves[i].cells;
        point.cells.push_back(fmt::format("load {}", load));
        point.config = json_text(load_point_config(experiment.effective, load), JsonLayout::one_line);
        point.key = point_key(results_version(), point.config, under_way[i]->files);
        places.emplace_back(i, load);
        owned.push_back(options.part.shard.owns(unit_of(*under_way[i], load)));
      }
    }
    if (wave.points.empty()) {
      break;
    }
    const auto parameters = [&](std::size_t point) {
      return nlohmann::ordered_json{{"curve", places[point].first}, {"load", places[point].second}};
    };
    const SweepOutcome outcome =
        compute_points(wave, store, options, {.work = work, .parameters = parameters, .owned = owned});
    measured.kept += outcome.kept;
    measured.computed += outcome.computed;
    measured.interrupted_by = outcome.interrupted_by;
    if (outcome.interrupted_by != 0) {
      return measured;
    }
    for (const std::size_t point : outcome.missing) {
      measured.missing.push_back(fmt::format("{}", fmt::join(wave.points[point].cells, ", ")));
      under_way[places[point].first]->search.stop();
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto [curve, load] = places[i];
      add_point(measured.curves[curve], under_way[curve]->search, load, outcome.points[i]);
    }
  }
  for (std::size_t i = 0; i < under_way.size(); ++i) {
    LoadCurve& curve = measured.curves[i];
    std::ranges::sort(curve.points, {}, &LoadPoint::offered);
    if (under_way[i] != nullptr) {
      curve.saturation = under_way[i]->search.bracket();
    }
  }
  return measured;
}

} // namespace wormcast
