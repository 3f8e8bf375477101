#include "wormcast/experiments/sweep/plots.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/output_name.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/run/network_title.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

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

/// The value of a dotted key in a configuration; none where it has no such key.
const Json* find_value(const Json& config, std::string_view key)
{
  const Json* value = &config;
  while (true) {
    const std::size_t dot = key.find('.');
    const auto found = value->find(std::string(key.substr(0, dot)));
    if (!value->is_object() || found == value->end()) {
      return nullptr;
    }
    value = &*found;
    if (dot == std::string_view::npos) {
      return value;
    }
    key.remove_prefix(dot + 1);
  }
}

/// A cell of an axis as a JSON value: a number or a truth value where its key is one in the point's configuration, or,
/// where the point has none, in that of another point.
Json typed_cell(const std::string& cell, const Json* value, bool is_number_elsewhere)
{
  const bool can_be_number = value != nullptr ? value->is_number() || value->is_boolean() : is_number_elsewhere;
  Json parsed = can_be_number ? Json::parse(cell, nullptr, false) : Json(cell);
  return parsed.is_number() || parsed.is_boolean() ? parsed : Json(cell);
}

bool may_be_time(std::string_view text)
{
  return !text.empty() && text.front() >= '0' && text.front() <= '9' && text.back() == 's';
}

constexpr unsigned decimals_of_a_time = 12; // of a microsecond: those of parse_byte_time

/// The times among a configuration's values in microseconds, under "network.startup_us".
Json times_of(const Json& config)
{
  Json times = Json::object();
  for (const auto& [section, content] : config.items()) {
    for (const auto& [name, value] : content.items()) {
      if (value.is_string() && may_be_time(value.get_ref<const std::string&>())) {
        try {
          const ByteTime time = parse_byte_time(value.get_ref<const std::string&>()); // that of a byte, or any other
          times[section + "." + name + "_us"] =
              Json::parse(format_rounded(exact_byte_time(time) / 1'000'000, decimals_of_a_time));
        } catch (const InputError&) { // another text
        }
      }
    }
  }
  return times;
}

/// What the view `runs` shows of the points besides their results.
struct ViewRows {
  std::vector<StoredSweep::Row> rows;
  std::set<std::string> times; ///< "network.startup_us"
};

ViewRows view_rows(const SweepPlan& plan)
{
  std::vector<Json> configs; // null where it is wrong
  for (const SweepPoint& point : plan.points) {
    configs.push_back(point.config.empty() ? Json() : Json::parse(point.config));
  }
  std::vector<bool> is_number;
  for (const std::string& axis : plan.axes) {
    is_number.push_back(std::ranges::any_of(configs, [&](const Json& config) {
      const Json* value = config.is_null() ? nullptr : find_value(config, axis);
      return value != nullptr && value->is_number();
    }));
  }
  ViewRows view;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint& point = plan.points[i];
    Json cells = Json::array();
    for (std::size_t axis = 0; axis < point.cells.size(); ++axis) {
      const Json* value = configs[i].is_null() ? nullptr : find_value(configs[i], plan.axes[axis]);
      cells.push_back(typed_cell(point.cells[axis], value, is_number[axis]));
    }
    Json facts = configs[i].is_null() ? Json::object() : times_of(configs[i]);
    for (const auto& [name, time] : facts.items()) {
      view.times.insert(name);
    }
    for (const auto& [name, text] : point.facts) {
      facts[name] = std::stoll(text);
    }
    view.rows.push_back({point.key, cells.dump(), facts.dump()});
  }
  return view;
}

/// What it takes to draw the sweep again.
std::string sweep_document(const SweepPicture& picture)
{
  Json document = {{"axes", picture.plan.axes}, {"title", picture.title}, {"plots", Json::array()}};
  for (const PlotRequest& plot : picture.plots) {
    document["plots"].push_back(plot_json(plot));
  }
  document["points"] = Json::array();
  for (std::size_t i = 0; i < picture.plan.points.size(); ++i) {
    const SweepPoint& point = picture.plan.points[i];
    Json facts = Json::object();
    for (const auto& [name, text] : point.facts) {
      facts[name] = std::stoll(text);
    }
    document["points"].push_back(
        {{"key", point.key},
         {"error", point.key.empty() ? point.error : std::string()},
         {"cells", point.cells},
         {"facts", facts},
         {"formula", picture.formulas.empty() ? Json(nullptr) : formula_json(picture.formulas[i])}});
  }
  return document.dump();
}

/// "load.contention.step" as "load", "contention" and "step".
std::vector<std::string> dotted_parts(std::string_view name)
{
  std::vector<std::string> parts;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    parts.emplace_back(name.substr(0, dot));
    name.remove_prefix(dot + 1);
  }
  parts.emplace_back(name);
  return parts;
}

std::vector<ViewColumn> view_columns(const RunTable& table, const std::set<std::string>& times)
{
  std::vector<ViewColumn> columns = {{"position", "sweep_points", "position"}};
  std::set<std::string> facts;
  for (const auto& declared : topology_quantities()) {
    facts.insert(declared.quantity.name);
  }
  const auto add_time_of = [&](const std::string& key) {
    if (times.contains(key + "_us")) {
      columns.push_back({key + "_us", "sweep_points", "facts", {key + "_us"}, ViewColumn::Type::real});
    }
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& [name, origin] = table.columns[i];
    if (origin == RunTable::Origin::axis) {
      columns.push_back({name, "sweep_points", "cells", {fmt::format("[{}]", i)}});
      add_time_of(name);
    } else if (facts.contains(name)) {
      columns.push_back({name, "sweep_points", "facts", {name}});
    } else if (origin == RunTable::Origin::key) {
      columns.push_back({name, "points", "config", dotted_parts(name)});
      add_time_of(name);
    } else if (const auto fraction = fraction_of(name)) {
      columns.push_back({name, "points", "result", dotted_parts(fraction->name), ViewColumn::Type::fraction});
    } else if (!times.contains(name)) {
      columns.push_back({name, "points", "result", dotted_parts(name)});
    }
  }
  return columns;
}

} // namespace

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
  const std::string where = json.at("where");
  try {
    return plot_request(std::move(given), where);
  } catch (const InputError& error) {
    throw StoredPlotError(fmt::format("{}; --plot draws others", error.what()));
  }
}

VariesInFigure varied_keys(const RawConfig& config)
{
  return [&config](std::string_view prefix) { return varies(config, prefix); };
}

std::string sweep_title(const RawConfig& config, const SweepPlan& plan)
{
  const auto point =
      std::ranges::find_if(plan.points, [](const SweepPoint& candidate) { return !candidate.key.empty(); });
  const Experiment experiment = is_series(config, point->values) ? make_series_experiment(config, point->values).single
                                                                 : make_experiment(config, point->values);
  std::vector<std::string> parts = network_title(*experiment.topology, experiment.network, varied_keys(config));
  if (!varies(config, "message.") && experiment.request.message_bytes > 0) {
    parts.push_back(format_bytes(experiment.request.message_bytes));
  }
  if (!varies(config, "run.mode") && experiment.run.mode == Mode::self_timed) {
    parts.emplace_back("self-timed");
  }
  if (!varies(config, "run.start_jitter") && experiment.run.start_jitter != Time{}) {
    parts.push_back("start jitter " + spaced_time(experiment.run.start_jitter));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

void keep_picture(ResultStore& store, const SweepPicture& picture, const RunTable& table)
{
  ViewRows view = view_rows(picture.plan);
  store.put_sweep({sweep_document(picture), std::move(view.rows)});
  store.make_view(view_columns(table, view.times));
}

SweepPicture kept_picture(const ResultStore& store, bool with_plots)
{
  const std::optional<std::string> document = store.sweep_document();
  if (!document) {
    throw InputError(fmt::format("{}: does not say what its sweep was; run \"wormcast sweep\", or what wrote it, with "
                                 "--resume once more (latency-load curves are drawn again by \"wormcast load\" with "
                                 "--resume)",
                                 store.file().string()));
  }
  try {
    const Json json = Json::parse(*document);
    SweepPicture picture;
    picture.plan.axes = json.at("axes").get<std::vector<std::string>>();
    picture.title = json.at("title");
    for (const Json& plot : with_plots ? json.at("plots") : Json::array()) {
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
  } catch (const StoredPlotError& error) {
    throw InputError(fmt::format("{}: {}", store.file().string(), error.what()));
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
    check_output_name(name, plot.where + ": plot.name");
    if (!names.insert(name).second) {
      throw InputError(fmt::format("{}: plot.name: a second plot would be called \"{}\", expected a name of its own",
                                   plot.where, name));
    }
  }
}

DrawnPlots draw_figures(const std::vector<NamedFigure>& figures, const std::filesystem::path& folder)
{
  DrawnPlots drawn;
  for (const NamedFigure& figure : figures) {
    try {
      const std::string& name = figure.name;
      if (write_figure(figure.make(), folder, name) == PlotOutcome::written) {
        for (const std::string& ending : picture_endings()) {
          drawn.files.push_back(folder / (name + ending));
        }
      } else {
        drawn.errors.push_back(fmt::format("gnuplot is not installed, so {} is not drawn: install the package "
                                           "gnuplot-nox and run \"wormcast plot {}\"",
                                           (folder / (name + ".svg")).string(), folder.string()));
      }
      drawn.files.push_back(folder / (name + ".gnuplot"));
    } catch (const OutputError& error) {
      drawn.errors.emplace_back(error.what());
    } catch (const InputError& error) {
      drawn.errors.emplace_back(error.what());
      drawn.bad_input = true;
    } catch (const std::runtime_error& error) { // the numbers are worth having without the picture
      drawn.errors.emplace_back(error.what());
    }
  }
  return drawn;
}

DrawnPlots draw_plots(const SweepPicture& picture, const RunTable& table, const std::filesystem::path& folder)
{
  std::vector<NamedFigure> figures;
  for (const PlotRequest& plot : picture.plots) {
    figures.push_back({plot_name(plot, table),
                       [&] { return run_figure(plot, table, {.formulas = picture.formulas}, picture.title); }});
  }
  return draw_figures(figures, folder);
}

} // namespace wormcast
