#include "wormcast/experiments/load/load_figure.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/load/load_nodes.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/load/load_repetitions.hpp"
#include "wormcast/experiments/load/load_report.hpp"
#include "wormcast/experiments/output/output_name.hpp"
#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/measure.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

constexpr const char* offered_column = "offered";
constexpr const char* accepted_column = "accepted";
constexpr const char* drawn_latency = "latency_us.mean";
constexpr const char* zero_load_column = "zero_load_us";

/// What is written at an axis in the place of a column's name.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> axis_labels = {
    {{offered_column, "offered load (fraction of a channel's rate, per node)"},
     {accepted_column, "accepted load (fraction of a channel's rate, per node)"},
     {zero_load_column, "zero-load latency (us)"}}};

bool is_latency(std::string_view column)
{
  return column.starts_with("latency_us.") || column.starts_with("network_latency_us.");
}

/// "mean latency (us)", "99th percentile of the latency in the network (us)".
std::string axis_label(const std::string& column)
{
  for (const auto& [name, label] : axis_labels) {
    if (name == column) {
      return std::string(label);
    }
  }
  if (!is_latency(column)) {
    return column;
  }
  const std::string of = column.starts_with("network") ? "network latency" : "latency";
  const std::string part = column.substr(column.rfind('.') + 1);
  if (part == "max") {
    return fmt::format("largest {} (us)", of);
  }
  if (part == "p50") {
    return fmt::format("median {} (us)", of);
  }
  return part.starts_with('p') ? fmt::format("{}th percentile of the {} (us)", part.substr(1), of)
                               : fmt::format("{} {} (us)", part, of);
}

constexpr std::string_view class_column = counted_figures::class_name;

/// The columns of plots that classes have, and their keys in counted_figures::classes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> columns_of_classes = {
    {{accepted_column, "accepted"},
     {drawn_latency, "latency_us"},
     {"latency_us.p50", "latency_p50_us"},
     {"latency_us.p95", "latency_p95_us"},
     {"latency_us.p99", "latency_p99_us"},
     {"latency_us.max", "latency_max_us"},
     {"network_latency_us.mean", "network_latency_us"}}};

/// Whether a plot has a curve or a panel for each class of traffic.
bool is_by_class(const PlotRequest& plot)
{
  return plot.facet == class_column || std::ranges::find(plot.group, class_column) != plot.group.end();
}

/// Where a point has the value of a class in a column. None: classes have no such column.
std::optional<std::string> path_of_class(const std::string& class_name, const std::string& column)
{
  const auto found = std::ranges::find(columns_of_classes, column, [](const auto& pair) { return pair.first; });
  return found == columns_of_classes.end()
             ? std::nullopt
             : std::optional(fmt::format("{}.{}.{}", counted_figures::classes, class_name, found->second));
}

std::vector<std::string> load_plot_columns(const std::vector<std::string>& axes, bool has_classes)
{
  std::vector<std::string> known = axes;
  if (has_classes) {
    known.emplace_back(class_column);
  }
  known.emplace_back(offered_column);
  for (const std::string_view column : load_columns()) {
    known.emplace_back(column);
  }
  known.emplace_back(zero_load_column);
  return known;
}

/// A row with what decides whether its latencies count, and for its marks.
struct LoadRow {
  const LoadCurve* curve = nullptr;
  const LoadPoint* point = nullptr;
  const RepeatedCurves* group = nullptr; ///< null: one seed
  std::string of_class = {};             ///< of the traffic; empty: all messages
};

/// The curves as rows of results.csv.
class LoadTable {
public:
  LoadTable(const LoadCurves& curves, const PlotRequest& plot) : plot_(plot), by_class_(is_by_class(plot))
  {
    add_columns(curves);
    if (has_seeds(curves)) {
      groups_ = repeated_curves(curves);
    }
    for (const LoadCurve& curve : curves.curves) {
      for (const LoadPoint& point : curve.points) {
        if (!by_class_) {
          add_row({&curve, &point, group_of(curve)});
          continue;
        }
        for (const std::string& name : point.classes()) {
          add_row({&curve, &point, group_of(curve), name});
        }
      }
    }
  }

  const RunTable& table() const { return table_; }
  const std::vector<LoadRow>& rows() const { return rows_; }

private:
  void add_columns(const LoadCurves& curves)
  {
    for (const std::string& axis : curves.axes) {
      table_.columns.push_back({axis, RunTable::Origin::axis});
    }
    const std::vector<std::string> names = load_plot_columns(curves.axes, by_class_);
    for (std::size_t i = curves.axes.size(); i < names.size(); ++i) {
      const bool is_class = by_class_ && i == curves.axes.size();
      table_.columns.push_back({names[i], is_class ? RunTable::Origin::axis : RunTable::Origin::quantity});
    }
  }

  const RepeatedCurves* group_of(const LoadCurve& curve) const
  {
    const auto found = std::ranges::find_if(groups_, [&](const RepeatedCurves& group) {
      return std::ranges::find(group.curves, &curve) != group.curves.end();
    });
    return found == groups_.end() ? nullptr : &*found;
  }

  static bool latencies_count(const LoadRow& row)
  {
    return row.group == nullptr ? row.point->stable()
                                : row.group->stable_at(row.point->offered) == row.group->curves.size();
  }

  /// Of several seeds the points at one offered load are at one place, also where x is what each of them measured.
  std::string cell(const LoadRow& row, const std::string& column) const
  {
    if (column == class_column) {
      return row.of_class;
    }
    if (column == offered_column) {
      return fmt::format("{}", row.point->offered);
    }
    if (column == zero_load_column) {
      return measured_microseconds(row.curve->expected.zero_load_picoseconds).dump();
    }
    if (is_latency(column) && !latencies_count(row)) {
      return {};
    }
    const std::optional<std::string> path =
        row.of_class.empty() ? std::optional(column) : path_of_class(row.of_class, column);
    if (!path) {
      return {};
    }
    if (row.group != nullptr && column == plot_.x) {
      const std::vector<double> values = row.group->values_at(row.point->offered, *path);
      return values.empty() ? std::string() : number_text(statistics_of(values).mean);
    }
    return row.point->cell(*path);
  }

  void add_row(const LoadRow& row)
  {
    RunTable::Row& added = table_.rows.emplace_back();
    added.state = row.point->state;
    added.key = fmt::format("{}", table_.rows.size()); // each is a point of its own
    std::ranges::transform(row.curve->cells, std::back_inserter(added.cells), Cell::read);
    for (std::size_t i = added.cells.size(); i < table_.columns.size(); ++i) {
      added.cells.push_back(Cell::read(cell(row, table_.columns[i].name)));
    }
    rows_.push_back(row);
  }

  const PlotRequest& plot_;
  bool by_class_;
  std::vector<RepeatedCurves> groups_;
  RunTable table_;
  std::vector<LoadRow> rows_;
};

/// The ends of the dotted lines, and of the axis, of a plot of latencies.
class LatencyMarks {
public:
  LatencyMarks(const PlotRequest& plot, const LoadTable& loads)
      : plot_(plot), loads_(loads), x_(loads.table(), plot.x), y_(loads.table(), plot.y)
  {
    const std::vector<LoadRow>& rows = loads.rows();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto x = x_.value(loads.table().rows[i]);
      const auto y = y_.value(loads.table().rows[i]);
      if (x && y) {
        highest_ = std::max(highest_, decimal_value(*y));
        points_[key_of(rows[i])].emplace(decimal_value(*x), std::pair(*x, *y));
      }
    }
    for (const auto& [of, points] : points_) {
      begin_ = std::max(
          {begin_, of.first->expected.zero_load_picoseconds / 1e6, decimal_value(points.begin()->second.second)});
    }
  }

  /// A point next to the saturation would make everything else flat.
  std::optional<double> axis_end() const
  {
    constexpr double most_times_begin = 8;
    const double end = most_times_begin * begin_;
    return plot_.scale != PlotScale::log && plot_.scale != PlotScale::log_y && highest_ > end ? std::optional(end)
                                                                                              : std::nullopt;
  }

  /// By row of the table.
  std::vector<std::vector<std::vector<PlotPoint>>> lines() const
  {
    std::vector<std::vector<std::vector<PlotPoint>>> lines(loads_.rows().size());
    const bool over_load = plot_.x == offered_column || plot_.x == accepted_column;
    for (std::size_t i = 0; i < lines.size() && over_load && plot_.y == drawn_latency; ++i) {
      const LoadRow& row = loads_.rows()[i];
      const auto found = points_.find(key_of(row));
      if (found != points_.end() && row.of_class.empty()) { // zero load and saturation are those of all messages
        lines[i] = lines_of(row, found->second);
      }
    }
    return lines;
  }

private:
  using Points = std::map<double, std::pair<std::string, std::string>>;
  using Key = std::pair<const LoadCurve*, std::string>; // and the class

  static Key key_of(const LoadRow& row) { return {row.curve, row.of_class}; }

  std::vector<std::vector<PlotPoint>> lines_of(const LoadRow& row, const Points& points) const
  {
    std::vector<std::vector<PlotPoint>> lines;
    const bool log_x = plot_.scale == PlotScale::log || plot_.scale == PlotScale::log_x;
    if (!log_x) {
      const std::string zero_load = measured_microseconds(row.curve->expected.zero_load_picoseconds).dump();
      const auto& [x, y] = points.begin()->second;
      lines.push_back({{"0", zero_load}, {x, zero_load}});
    }
    if (const std::optional<double> end = saturation(row)) {
      const std::string x = fmt::format("{:.7g}", *end);
      const double top = std::min(highest_, axis_end().value_or(highest_));
      const double last = decimal_value(points.rbegin()->second.second);
      if (*end >= points.rbegin()->first && last < top) {
        lines.push_back({{x, fmt::format("{:.7g}", last)}, {x, fmt::format("{:.7g}", top)}});
      }
    }
    return lines;
  }

  std::optional<double> saturation(const LoadRow& row) const
  {
    if (row.group != nullptr) {
      const std::optional<RepeatedSaturation> repeated = repeated_saturation(*row.group);
      return repeated && plot_.x == offered_column ? std::optional(repeated->mean) : std::nullopt;
    }
    const SaturationBracket& bracket = row.curve->saturation;
    if (plot_.x == accepted_column) {
      return bracket.saturated ? row.curve->largest_accepted : std::nullopt;
    }
    return bracket.closed() ? std::optional((*bracket.stable + *bracket.saturated) / 2) : std::nullopt;
  }

  const PlotRequest& plot_;
  const LoadTable& loads_;
  Measure x_;
  Measure y_;
  double highest_ = 0;
  double begin_ = 0; ///< the largest latency at the beginning of a curve
  std::map<Key, Points> points_;
};

bool has_points(const RunTable& table, const PlotRequest& plot)
{
  const Measure x(table, plot.x);
  const Measure y(table, plot.y);
  return std::ranges::any_of(table.rows, [&](const RunTable::Row& row) {
    return row.state == PointState::done && y.value(row) && !x.text(row).empty();
  });
}

void label_axes(Figure& figure, const PlotRequest& plot, bool seeds)
{
  figure.x.label = axis_label(plot.x);
  const bool intervals = std::ranges::any_of(figure.panels, [](const PlotPanel& panel) {
    return std::ranges::any_of(panel.series, [](const PlotSeries& series) {
      return std::ranges::any_of(series.points, [](const PlotPoint& point) { return !point.low.empty(); });
    });
  });
  std::string label = axis_label(plot.y);
  if (seeds) {
    const std::string unit = " (us)";
    const bool has_unit = label.ends_with(unit);
    label = label.substr(0, label.size() - (has_unit ? unit.size() : 0)) + " over the seeds" + (has_unit ? unit : "");
  }
  figure.y.label = label + (intervals ? ", 95 % interval" : "");
}

/// Whether there are sections of classes, or cases that could have them.
bool may_have_classes(const RawConfig& config)
{
  const auto is_of_class = [](std::string_view key) { return key.starts_with(traffic_classes_table); };
  return std::ranges::any_of(config.entries, [&](const auto& entry) { return is_of_class(entry.first); }) ||
         std::ranges::any_of(config.sweep,
                             [&](const SweepAxis& axis) { return !axis.sets.empty() || is_of_class(axis.key); });
}

/// Refuses columns of a plot by class that its rows do not have.
void check_classes(const PlotRequest& plot, const std::vector<std::string>& axes)
{
  std::vector<std::string> columns = axes;
  columns.emplace_back(offered_column);
  for (const auto& [column, key] : columns_of_classes) {
    columns.emplace_back(column);
  }
  for (const auto& [key, expression] : {std::pair("x", plot.x), {"y", plot.y}}) {
    for (const std::string& column : columns_of(expression)) {
      if (std::ranges::find(columns, column) == columns.end()) {
        fail_plot(plot, key,
                  fmt::format("found \"{}\", expected what classes of traffic have: {}", printable(column),
                              fmt::join(columns, ", ")));
      }
    }
  }
}

void check_plots(const std::vector<PlotRequest>& plots, const std::vector<std::string>& axes, bool has_classes)
{
  const std::vector<std::string> known = load_plot_columns(axes, has_classes);
  for (const PlotRequest& plot : plots) {
    check_plot(plot, known);
    if (is_by_class(plot)) {
      check_classes(plot, axes);
    }
  }
  check_plot_names(plots, RunTable());
}

} // namespace

std::string load_title(const RawConfig& config, const SweepPlan& plan)
{
  const auto valid = std::ranges::find(plan.points, std::string(), &SweepPoint::error);
  if (valid == plan.points.end()) {
    return {};
  }
  const LoadExperiment experiment = make_load_experiment(config, valid->values);
  const VariesInFigure varies = varied_keys(config);
  std::vector<std::string> parts = network_title(*experiment.topology, experiment.network, varies);
  for (std::string& part : traffic_title(experiment.traffic, varies)) {
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

PlotRequest load_plot(PlotRequest plot)
{
  const bool is_default = plot.x.empty() && !plot.given.contains("y");
  if (plot.x.empty()) {
    plot.x = offered_column;
  }
  if (!plot.given.contains("y")) {
    plot.y = drawn_latency;
  }
  if (plot.scale == PlotScale::automatic) {
    plot.scale = PlotScale::linear;
  }
  if (plot.name.empty()) {
    std::string name = is_default ? "latency_load" : plot.y + "-" + plot.x;
    std::ranges::replace(name, '.', '_');
    plot.name = as_output_name(std::move(name));
  }
  return plot;
}

std::vector<PlotRequest> load_plots(const RawConfig& config, const std::vector<PlotRequest>& more)
{
  std::vector<PlotRequest> plots = config.plots;
  plots.insert(plots.end(), more.begin(), more.end());
  if (plots.empty()) {
    plots.push_back(plot_request({}, config.file.string()));
  }
  std::ranges::transform(plots, plots.begin(), load_plot);
  std::vector<std::string> axes;
  for (const SweepAxis& axis : config.sweep) {
    axes.push_back(axis.key);
  }
  check_plots(plots, axes, may_have_classes(config));
  return plots;
}

void check_load_plots(const std::vector<PlotRequest>& plots, const LoadCurves& curves)
{
  const bool has_classes = std::ranges::any_of(curves.curves, [](const LoadCurve& curve) {
    return std::ranges::any_of(curve.points, [](const LoadPoint& point) { return !point.classes().empty(); });
  });
  check_plots(plots, curves.axes, has_classes);
}

std::optional<Figure> load_figure(const LoadCurves& curves, const PlotRequest& plot, const std::string& title)
{
  const LoadTable loads(curves, plot);
  if (!has_points(loads.table(), plot)) {
    return std::nullopt;
  }
  const LatencyMarks marks(plot, loads);
  const CurveLines lines{.marks = marks.lines()};
  Figure figure = run_figure(plot, loads.table(), lines, title);
  label_axes(figure, plot, has_seeds(curves));
  if (is_latency(plot.y)) {
    figure.y.end = marks.axis_end();
  }
  const bool marked = std::ranges::any_of(figure.panels, [](const PlotPanel& panel) {
    return std::ranges::find(panel.series, PlotSeries::Look::mark, &PlotSeries::look) != panel.series.end();
  });
  if (marked) {
    figure.keys.push_back({.title = "zero load, saturation", .look = PlotSeries::Look::mark});
  }
  return figure;
}

std::vector<NamedFigure> load_figures(const LoadCurves& curves, const std::vector<PlotRequest>& plots,
                                      const std::string& title)
{
  std::vector<NamedFigure> figures;
  for (const PlotRequest& plot : plots) {
    if (std::optional<Figure> figure = load_figure(curves, plot, title)) {
      figures.push_back({plot.name, [figure = *std::move(figure)] { return figure; }});
    }
  }
  return figures;
}

} // namespace wormcast
