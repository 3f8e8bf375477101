#include "wormcast/experiments/sweep/plan.hpp"

#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/experiments/plugins/plugins.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

namespace wormcast {

namespace {

/// Appends those of `names` that are files.
void append_existing(const std::vector<std::string>& names, const std::filesystem::path& folder,
                     std::vector<std::filesystem::path>& files)
{
  for (const std::string& name : names) {
    std::error_code ignored;
    if (const std::filesystem::path file = folder / name; std::filesystem::is_regular_file(file, ignored)) {
      files.push_back(file);
    }
  }
}

/// The value of a dotted key in an effective configuration; none where it has no such key.
std::optional<std::string> effective_text(const nlohmann::ordered_json& effective, const std::string& key)
{
  const std::size_t dot = key.find('.');
  const auto section = effective.find(key.substr(0, dot));
  if (section == effective.end() || dot == std::string::npos) {
    return std::nullopt;
  }
  const auto value = section->find(key.substr(dot + 1));
  if (value == section->end()) {
    return std::nullopt;
  }
  return value->is_string() ? value->get<std::string>() : value->dump();
}

void check_axes(const RawConfig& config)
{
  for (const SweepAxis& axis : config.sweep) {
    if (axis.values.empty()) {
      throw InputError(fmt::format("{}: sweep axis \"{}\" has no values", axis.origin.text(), axis.key));
    }
  }
}

void note_warnings(const std::vector<NetworkWarning>& found, std::vector<PlannedWarning>& warnings)
{
  for (const NetworkWarning& warning : found) {
    const auto same =
        std::ranges::find_if(warnings, [&](const PlannedWarning& known) { return known.first.kind == warning.kind; });
    if (same != warnings.end()) {
      ++same->points;
    } else {
      warnings.push_back({.first = warning, .points = 1});
    }
  }
}

/// The point at which each axis has the value that `position` says.
SweepPoint plan_point(const RawConfig& config, const PointReader& read, const std::vector<std::size_t>& position,
                      std::vector<PlannedWarning>& warnings)
{
  SweepPoint point;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const SweepAxis& axis = config.sweep[i];
    point.cells.push_back(raw_value_text(axis.values[position[i]]));
    if (axis.sets.empty()) {
      point.values.emplace_back(axis.key, axis.values[position[i]]);
    } else {
      for (const auto& [key, entry] : axis.sets[position[i]]) {
        point.values.emplace_back(key, entry.value);
      }
    }
  }
  try {
    const PlannedPoint experiment = read(config, point.values);
    note_warnings(experiment.warnings, warnings);
    point.config = json_text(experiment.effective, JsonLayout::one_line);
    point.threads = experiment.effective.value("/run/threads"_json_pointer, std::uint32_t{1});
    point.facts = topology_facts(*experiment.topology);
    point.key = point_key(results_version(), point.config, experiment.files);
    for (std::size_t i = 0; i < position.size(); ++i) {
      const SweepAxis& axis = config.sweep[i];
      if (!axis.sets.empty() || std::holds_alternative<std::vector<std::int64_t>>(axis.values[position[i]])) {
        continue; // names and coordinates of a node stay what they are
      }
      if (std::optional<std::string> text = effective_text(experiment.effective, axis.key)) {
        point.cells[i] = std::move(*text);
      }
    }
  } catch (const InputError& error) {
    point.error = error.what();
  }
  return point;
}

} // namespace

std::vector<std::pair<std::string, std::string>> topology_facts(const Topology& topology)
{
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [quantity, value] : topology_quantities()) {
    facts.emplace_back(quantity.name, quantity_json(quantity, value(topology)).dump());
  }
  return facts;
}

std::uint32_t most_threads(std::span<const SweepPlan> plans)
{
  std::uint32_t most = 1;
  for (const SweepPlan& plan : plans) {
    for (const SweepPoint& point : plan.points) {
      most = std::max(most, point.threads);
    }
  }
  return most;
}

std::string FileContents::of(const Topology& topology, std::vector<std::filesystem::path> others)
{
  const TopologyDescription& description = topology.description();
  for (const Parameter& parameter : find_topology_kind(description.kind).parameters) {
    if (parameter.type == ParameterType::file && description.parameters.has(parameter.name)) {
      others.emplace_back(description.parameters.text(parameter.name));
    }
  }
  std::ranges::copy(loaded_plugins(), std::back_inserter(others));
  std::string all;
  for (const std::filesystem::path& file : others) {
    std::string& digest = digests_[file];
    if (digest.empty()) {
      digest = point_key({}, {}, read_whole_file(file, any_length));
    }
    all += digest;
  }
  return all;
}

std::string FileContents::of(const Experiment& experiment)
{
  return of(experiment, {});
}

std::string FileContents::of(const SeriesExperiment& experiment)
{
  return of(experiment.single,
            experiment.traffic ? pattern_files(*experiment.traffic) : std::vector<std::filesystem::path>());
}

std::string FileContents::of(const LoadExperiment& experiment)
{
  return of(*experiment.topology, pattern_files(experiment.traffic));
}

std::string FileContents::of(const Experiment& experiment, std::vector<std::filesystem::path> files)
{
  files.insert(files.end(), experiment.schedule_files.begin(), experiment.schedule_files.end());
  if (!experiment.run.noise_file.empty()) {
    files.emplace_back(experiment.run.noise_file);
  }
  for (const auto& [name, value] : experiment.request.parameters.all()) {
    if (const auto* words = std::get_if<std::vector<std::string>>(&value)) { // a command, and scripts among its words
      append_existing(*words, experiment.request.folder, files);
    }
  }
  return of(*experiment.topology, std::move(files));
}

SweepPlan plan_points(const RawConfig& config, const PointReader& read)
{
  check_axes(config);
  SweepPlan plan;
  for (const SweepAxis& axis : config.sweep) {
    plan.axes.push_back(axis.key);
  }
  std::vector<std::size_t> position(plan.axes.size(), 0);
  while (true) {
    WorkWatch::look();
    plan.points.push_back(plan_point(config, read, position, plan.warnings));
    std::size_t axis = position.size();
    while (axis > 0 && ++position[axis - 1] == config.sweep[axis - 1].values.size()) {
      position[--axis] = 0;
    }
    if (axis == 0) {
      break;
    }
  }
  if (std::all_of(plan.points.begin(), plan.points.end(), [](const SweepPoint& point) { return point.key.empty(); })) {
    throw InputError(plan.points.front().error);
  }
  return plan;
}

SweepPlan plan_sweep(const RawConfig& config)
{
  if (config.sweep.empty()) {
    throw InputError(
        fmt::format("{}: a sweep needs a section [sweep] with at least one axis, such as \"message.bytes\" = "
                    "[64, 4096]; \"wormcast run\" does a single run",
                    config.file.string()));
  }
  FileContents contents;
  MadeTopologies made;
  return plan_points(config, [&](const RawConfig& raw, std::span<const std::pair<std::string, RawValue>> values) {
    if (is_series(raw, values)) {
      SeriesExperiment series = make_series_experiment(raw, values, made);
      return PlannedPoint{std::move(series.single.effective), series.single.topology, contents.of(series),
                          network_warnings(series.single.network, *series.single.topology)};
    }
    Experiment experiment = make_experiment(raw, values, made);
    return PlannedPoint{std::move(experiment.effective), experiment.topology, contents.of(experiment),
                        experiment.run.fluid ? fluid_warnings(experiment.network, experiment.run)
                                             : network_warnings(experiment.network, *experiment.topology)};
  });
}

CellUnit axis_unit(const SweepPlan& plan, std::size_t axis)
{
  if (plan.axes[axis] == length_axis) {
    return CellUnit::bytes;
  }
  const std::optional<CellNumber> number = read_cell(plan.points.front().cells[axis]);
  return number ? number->unit : CellUnit::none;
}

} // namespace wormcast
