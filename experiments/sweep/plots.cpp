#include "wormcast/experiments/sweep/plots.hpp"

#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Whether the sweep varies a key that begins like this.
bool varies(const RawConfig& config, std::string_view prefix)
{
  return std::ranges::any_of(config.sweep, [&](const SweepAxis& axis) {
    return (axis.sets.empty() && axis.key.starts_with(prefix)) ||
           std::ranges::any_of(axis.sets, [&](const KeySet& keys) {
             return std::ranges::any_of(keys, [&](const auto& entry) { return entry.first.starts_with(prefix); });
           });
  });
}

Json plot_json(const PlotRequest& plot)
{
  Json json = {{"where", plot.where}, {"given", Json::object()}};
  for (const auto& [key, value] : plot.given) {
    std::visit([&, &name = key](const auto& content) { json["given"][name] = content; }, value);
  }
  return json;
}

PlotRequest read_plot(const Json& json)
{
  std::map<std::string, RawValue, std::less<>> given;
  for (const auto& [key, value] : json.at("given").items()) {
    given.emplace(key, value.is_boolean() ? RawValue(value.get<bool>()) : RawValue(value.get<std::string>()));
  }
  return plot_request(std::move(given), json.at("where"));
}

Json formula_json(const std::optional<CostLine>& line)
{
  return line ? Json{format_exact(line->fixed), format_exact(line->per_byte)} : Json(nullptr);
}

std::optional<CostLine> read_formula(const Json& json)
{
  if (json.is_null()) {
    return std::nullopt;
  }
  return CostLine{ExactNumber(json.at(0).get<std::string>()), ExactNumber(json.at(1).get<std::string>())};
}

StoredSweep stored_sweep(const SweepPicture& picture)
{
  Json document = {{"axes", picture.plan.axes}, {"title", picture.title}, {"plots", Json::array()}};
  for (const PlotRequest& plot : picture.plots) {
    document["plots"].push_back(plot_json(plot));
  }
  document["points"] = Json::array();
  StoredSweep stored;
  for (std::size_t i = 0; i < picture.plan.points.size(); ++i) {
    const SweepPoint& point = picture.plan.points[i];
    Json facts = Json::object();
    for (const auto& [name, text] : point.facts) {
      facts[name] = std::stoll(text);
    }
    const Json cells = point.cells;
    document["points"].push_back(
        {{"key", point.key},
         {"error", point.key.empty() ? point.error : std::string()},
         {"cells", cells},
         {"facts", facts},
         {"formula", picture.formulas.empty() ? Json(nullptr) : formula_json(picture.formulas[i])}});
    stored.rows.push_back({point.key, cells.dump(), facts.dump()});
  }
  stored.document = document.dump();
  return stored;
}

std::vector<std::string> dotted_parts(const std::string& name)
{
  const std::size_t dot = name.find('.');
  return dot == std::string::npos ? std::vector{name} : std::vector{name.substr(0, dot), name.substr(dot + 1)};
}

std::vector<ViewColumn> view_columns(const SweepPlan& plan, const RunTable& table)
{
  std::vector<ViewColumn> columns = {{"position", "sweep_points", "position"}};
  const std::set<std::string> facts = {"nodes", "channels"};
  std::set<std::string> derived;
  for (const std::string& axis : plan.axes) {
    derived.insert(axis + "_us");
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& [name, origin] = table.columns[i];
    if (origin == RunTable::Origin::axis) {
      columns.push_back({name, "sweep_points", "cells", {fmt::format("[{}]", i)}});
    } else if (facts.contains(name)) {
      columns.push_back({name, "sweep_points", "facts", {name}});
    } else if (origin == RunTable::Origin::key) {
      columns.push_back({name, "points", "config", dotted_parts(name)});
    } else if (!derived.contains(name) && !name.ends_with("_decimal")) {
      columns.push_back({name, "points", "result", dotted_parts(name)});
    }
  }
  return columns;
}

} // namespace

std::string sweep_title(const RawConfig& config, const SweepPlan& plan)
{
  const auto point =
      std::ranges::find_if(plan.points, [](const SweepPoint& candidate) { return !candidate.key.empty(); });
  const Experiment experiment = is_series(config, point->values) ? make_series_experiment(config, point->values).single
                                                                 : make_experiment(config, point->values);
  const NetworkParameters& network = experiment.network;
  std::vector<std::string> parts;
  if (!varies(config, "topology.")) {
    parts.push_back(experiment.topology->title());
  }
  if (!varies(config, "network.startup")) {
    parts.push_back("startup " + format_time(network.startup));
  }
  if (!varies(config, "network.per_byte")) {
    parts.push_back(short_time(network.per_byte) + " per byte");
  }
  if (!varies(config, "network.per_hop") && network.per_hop != Time{}) {
    parts.push_back(format_time(network.per_hop) + " per hop");
  }
  if (!varies(config, "network.ports") && network.ports.count != 1) {
    parts.push_back(network.ports.count == PortModel::all ? "all ports" : fmt::format("{} ports", network.ports.count));
  }
  if (!varies(config, "run.mode") && experiment.run.mode == Mode::self_timed) {
    parts.emplace_back("self-timed");
  }
  if (!varies(config, "run.start_jitter") && experiment.run.start_jitter != Time{}) {
    parts.push_back("start jitter " + format_time(experiment.run.start_jitter));
  }
  std::string title;
  for (const std::string& part : parts) {
    title += (title.empty() ? "" : ", ") + part;
  }
  return title;
}

void keep_picture(ResultStore& store, const SweepPicture& picture, const RunTable& table)
{
  store.put_sweep(stored_sweep(picture));
  store.make_view(view_columns(picture.plan, table));
}

SweepPicture kept_picture(const ResultStore& store)
{
  const std::optional<std::string> document = store.sweep_document();
  if (!document) {
    throw InputError(fmt::format("{}: does not say what its sweep was; run \"wormcast sweep\" with --resume once more",
                                 store.file().string()));
  }
  try {
    const Json json = Json::parse(*document);
    SweepPicture picture;
    picture.plan.axes = json.at("axes").get<std::vector<std::string>>();
    picture.title = json.at("title");
    for (const Json& plot : json.at("plots")) {
      picture.plots.push_back(read_plot(plot));
    }
    for (const Json& stored : json.at("points")) {
      SweepPoint point;
      point.key = stored.at("key");
      point.error = stored.at("error");
      point.cells = stored.at("cells").get<std::vector<std::string>>();
      if (point.cells.size() != picture.plan.axes.size()) {
        throw InputError("a point has not as many values as there are axes");
      }
      for (const auto& [name, number] : stored.at("facts").items()) {
        point.facts.emplace_back(name, number.dump());
      }
      picture.plan.points.push_back(std::move(point));
      picture.formulas.push_back(read_formula(stored.at("formula")));
    }
    return picture;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: what it says of its sweep is damaged: {}", store.file().string(), error.what()));
  }
}

std::vector<StoredPoint> kept_points(const ResultStore& store, const SweepPlan& plan)
{
  std::vector<StoredPoint> points;
  for (const SweepPoint& point : plan.points) {
    std::optional<StoredPoint> stored = point.key.empty() ? std::nullopt : store.find(point.key);
    if (!stored) {
      stored = StoredPoint{.key = point.key,
                           .config = {},
                           .state = point.key.empty() ? PointState::bad_input : PointState::died,
                           .result = {},
                           .error = point.key.empty() ? point.error : "not computed yet"};
    }
    points.push_back(std::move(*stored));
  }
  return points;
}

void check_plot_names(const std::vector<PlotRequest>& plots, const RunTable& table)
{
  std::set<std::string> names;
  for (const PlotRequest& plot : plots) {
    const std::string name = plot_name(plot, table);
    if (!names.insert(name).second) {
      throw InputError(fmt::format("{}: plot.name: a second plot would be called \"{}\", expected a name of its own",
                                   plot.where, name));
    }
  }
}

DrawnPlots draw_plots(const SweepPicture& picture, const RunTable& table, const std::filesystem::path& folder)
{
  DrawnPlots drawn;
  for (const PlotRequest& plot : picture.plots) {
    try {
      const std::string name = plot_name(plot, table);
      const Figure figure = run_figure(plot, table, picture.formulas, picture.title);
      if (write_figure(figure, folder, name) == PlotOutcome::written) {
        for (const std::string& ending : picture_endings()) {
          drawn.files.push_back(folder / (name + ending));
        }
      } else {
        drawn.errors.push_back(fmt::format("gnuplot is not installed, so {} is not drawn: install the package "
                                           "gnuplot-nox and run \"wormcast plot {}\"",
                                           (folder / (name + ".svg")).string(), folder.string()));
      }
      drawn.files.push_back(folder / (name + ".gnuplot"));
    } catch (const InputError& error) {
      drawn.errors.emplace_back(error.what());
      drawn.bad_input = true;
    } catch (const std::runtime_error& error) { // the numbers are worth having without the picture
      drawn.errors.emplace_back(error.what());
    }
  }
  return drawn;
}

} // namespace wormcast
