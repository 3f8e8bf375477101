#include "wormcast/experiments/sweep/figure.hpp"

#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/curve_choice.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/experiments/sweep/measure.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace wormcast {

namespace {

/// Values that grow by factors rather than by steps: positive, spread over more than a factor of 8, and the middle one
/// nearer to the geometric than to the arithmetic mean of the ends.
bool spread_like_powers(const std::vector<double>& ascending)
{
  if (ascending.size() < 3 || ascending.front() <= 0) {
    return false;
  }
  const double low = ascending.front();
  const double high = ascending.back();
  return high > 8 * low && ascending[ascending.size() / 2] < (low + high) / 4;
}

/// The rows of one curve that have x and y.
struct Curve {
  std::vector<std::string> cells; ///< of the columns that tell curves apart
  std::vector<std::size_t> rows;
};

/// A value on the x axis with the runs there.
struct Place {
  std::string x;
  std::vector<std::size_t> rows;
};

/// What a value of an axis is called in a figure: "scatter_collect", "1 KiB", "ports = 2".
std::string value_title(const std::string& axis, const std::string& cell)
{
  if (axis_title(axis, cell) == cell) {
    return cell;
  }
  const std::optional<double> number = cell_value(cell);
  if (axis == length_axis && number && *number >= 0) {
    return format_bytes(static_cast<std::uint64_t>(*number));
  }
  const bool has_names = cell.find('=') != std::string::npos; // a table of a section
  return has_names ? cell : fmt::format("{} = {}", axis.substr(axis.rfind('.') + 1), cell);
}

/// One figure made step by step.
class FigureMaker {
public:
  FigureMaker(const PlotRequest& plot, const RunTable& table, const CurveLines& lines)
      : plot_(plot), table_(table), lines_(lines), x_name_(plot_x(plot, table)), x_(table, x_name_), y_(table, plot.y),
        seed_(table.find(seed_axis))
  {
    constexpr std::string_view mean = ".mean";
    if (plot.y.ends_with(mean)) { // of a run that has measured many messages, with its own interval
      const std::string of = plot.y.substr(0, plot.y.size() - mean.size());
      low_ = table.find(of + ".low");
      high_ = table.find(of + ".high");
    }
  }

  Figure figure(const std::string& title)
  {
    find_rows();
    find_categories();
    choose_columns();
    find_curves();
    figure_.title = plot_.title.empty() ? title : plot_.title;
    figure_.x = {.label = measure_label(table_, x_name_), .unit = measure_unit(x_name_)};
    figure_.y = {.label = measure_label(table_, plot_.y), .unit = measure_unit(plot_.y)};
    choose_scale();
    add_tics();
    add_panels();
    if (averaged_) {
      figure_.y.label += plot_.spread == PlotSpread::none ? ", mean" : ", mean and 95 % interval";
    } else if (has_intervals_) {
      figure_.y.label += ", 95 % interval";
    }
    add_keys();
    return std::move(figure_);
  }

private:
  /// The rows that are done and have a y; each experiment once.
  void find_rows()
  {
    std::set<std::string> known;
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const RunTable::Row& row = table_.rows[i];
      if (row.state == PointState::done && y_.value(row) && !x_.text(row).empty() &&
          known.insert(identity(row)).second) {
        rows_.push_back(i);
      }
    }
    if (rows_.empty()) {
      fail_plot(plot_, "y", fmt::format("no run that is done has a number for {} over {}", plot_.y, x_name_));
    }
  }

  /// Equal runs can stand at several points of the plan, where algorithms do not have a swept parameter.
  std::string identity(const RunTable::Row& row) const
  {
    std::string text = row.key;
    for (const std::string& column : plot_.group) {
      text += "\n" + Measure(table_, column).text(row);
    }
    return text + "\n" + x_.text(row);
  }

  void find_categories()
  {
    if (std::ranges::all_of(rows_, [&](std::size_t row) { return x_.value(table_.rows[row]).has_value(); })) {
      return;
    }
    for (const std::size_t row : rows_) {
      const std::string text = x_.text(table_.rows[row]);
      if (std::ranges::find(categories_, text) == categories_.end()) {
        categories_.push_back(text);
      }
    }
  }

  std::string x_of(const RunTable::Row& row) const
  {
    if (categories_.empty()) {
      return x_.value(row).value();
    }
    return fmt::format("{}", std::ranges::find(categories_, x_.text(row)) - categories_.begin());
  }

  /// The columns that tell curves apart, and the panels'.
  void choose_columns()
  {
    group_ = plot_.group;
    if (group_.empty()) {
      const bool sizes_on_x = x_name_ == "nodes" || x_name_ == "channels";
      for (const std::string& axis : table_axes(table_)) {
        const bool is_size = axis == "topology.dims" || axis == "topology.dimension";
        if (axis == x_name_ || axis == seed_axis || axis == plot_.facet || (sizes_on_x && is_size)) {
          continue;
        }
        const bool is_kind = sizes_on_x && axis == "topology" && table_.find("topology.kind");
        group_.push_back(is_kind ? "topology.kind" : axis);
      }
    }
    std::erase(group_, plot_.facet);
    facet_ = plot_.facet;
    if (facet_.empty()) {
      facet_ = needed_facet();
      std::erase(group_, facet_);
    }
  }

  std::string cell(std::size_t row, const std::string& column) const
  {
    const auto position = table_.find(column);
    return position ? table_.rows[row].cells[*position] : std::string();
  }

  /// Where there are too many curves for one panel: of the columns that tell them apart the one that makes the fewest
  /// panels of few enough curves.
  std::string needed_facet() const
  {
    std::set<std::vector<std::string>> all;
    std::map<std::string, std::map<std::string, std::set<std::vector<std::string>>>> by_column;
    for (const std::size_t row : rows_) {
      std::vector<std::string> cells;
      for (const std::string& column : group_) {
        cells.push_back(cell(row, column));
      }
      all.insert(cells);
      for (std::size_t i = 0; i < group_.size(); ++i) {
        by_column[group_[i]][cells[i]].insert(cells);
      }
    }
    std::string best;
    std::size_t fewest = 0;
    if (all.size() <= most_curves_in_a_panel || group_.size() < 2) {
      return best;
    }
    for (const std::string& column : group_) {
      const auto& panels = by_column[column];
      const bool fits =
          std::ranges::all_of(panels, [](const auto& panel) { return panel.second.size() <= most_curves_in_a_panel; });
      if (fits && (fewest == 0 || panels.size() < fewest)) {
        best = column;
        fewest = panels.size();
      }
    }
    return best;
  }

  void find_curves()
  {
    std::map<std::vector<std::string>, std::size_t> positions;
    for (const std::size_t row : rows_) {
      std::vector<std::string> cells;
      for (const std::string& column : group_) {
        cells.push_back(cell(row, column));
      }
      std::vector<std::string> key = cells;
      key.push_back(facet_.empty() ? "" : cell(row, facet_));
      if (std::ranges::find(panels_, key.back()) == panels_.end()) {
        panels_.push_back(key.back());
      }
      const auto [entry, is_new] = positions.emplace(key, curves_.size());
      if (is_new) {
        curves_.push_back({std::move(key), {}});
      }
      curves_[entry->second].rows.push_back(row);
    }
  }

  void choose_scale()
  {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const std::size_t row : rows_) {
      xs.push_back(decimal_value(x_of(table_.rows[row])));
      ys.push_back(decimal_value(y_.value(table_.rows[row]).value()));
    }
    std::ranges::sort(xs);
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    x_values_ = xs;
    const double lowest = *std::ranges::min_element(ys);
    const double highest = *std::ranges::max_element(ys);
    switch (plot_.scale) {
    case PlotScale::automatic:
      figure_.x.log = categories_.empty() && ((x_name_ == length_axis && xs.front() > 0) || spread_like_powers(xs));
      figure_.y.log = figure_.x.log && lowest > 0 && highest > 4 * lowest;
      return;
    case PlotScale::linear:
      return;
    case PlotScale::log_x:
    case PlotScale::log_y:
    case PlotScale::log:
      figure_.x.log = plot_.scale != PlotScale::log_y;
      figure_.y.log = plot_.scale != PlotScale::log_x;
    }
    if (figure_.x.log && (!categories_.empty() || xs.front() <= 0)) {
      fail_plot(plot_, "scale",
                fmt::format("a logarithmic x axis needs numbers above 0, which {} is not always", x_name_));
    }
    if (figure_.y.log && lowest <= 0) {
      fail_plot(plot_, "scale",
                fmt::format("a logarithmic y axis needs numbers above 0, which {} is not always", plot_.y));
    }
  }

  void add_tics()
  {
    figure_.x.names = !categories_.empty();
    for (std::size_t i = 0; i < categories_.size(); ++i) {
      figure_.x.tics.push_back({fmt::format("{}", i), categories_[i]});
    }
    constexpr double largest_whole = 1e15;
    const bool whole =
        std::ranges::all_of(x_values_, [](double x) { return x == std::floor(x) && std::fabs(x) < largest_whole; });
    if (!categories_.empty() || x_values_.size() > 24 || !whole) {
      return;
    }
    const double room = (x_values_.back() - x_values_.front()) / 30;
    const bool crowded = std::ranges::adjacent_find(x_values_, [&](double a, double b) {
                           return figure_.x.log ? b < 1.1 * a : b - a < room;
                         }) != x_values_.end();
    if (crowded) {
      return;
    }
    for (const double x : x_values_) {
      const std::string text = fmt::format("{:.0f}", x);
      const bool bytes = figure_.x.unit == AxisUnit::bytes && x >= 0;
      figure_.x.tics.push_back({text, bytes ? format_bytes(static_cast<std::uint64_t>(x)) : text});
    }
  }

  std::string curve_title(const std::vector<std::string>& cells) const
  {
    std::string title;
    for (std::size_t i = 0; i < group_.size(); ++i) {
      title += (title.empty() ? "" : ", ") + value_title(group_[i], cells[i]);
    }
    if (!title.empty()) {
      return title;
    }
    const std::string algorithm = "algorithm.name";
    const bool same = std::ranges::all_of(
        rows_, [&](std::size_t row) { return cell(row, algorithm) == cell(rows_.front(), algorithm); });
    const std::string only = cell(rows_.front(), algorithm);
    return same && !only.empty() ? only : "runs";
  }

  /// The runs of a curve at each x, ascending.
  std::vector<Place> places(const Curve& curve) const
  {
    std::map<double, Place> by_x;
    for (const std::size_t row : curve.rows) {
      const std::string x = x_of(table_.rows[row]);
      Place& place = by_x[decimal_value(x)];
      place.x = x;
      place.rows.push_back(row);
    }
    std::vector<Place> places;
    for (auto& [x, place] : by_x) {
      places.push_back(std::move(place));
    }
    return places;
  }

  /// Whether these runs differ in their seeds alone: no two of them have the same.
  bool are_repetitions(const Place& place) const
  {
    std::set<std::string> seeds;
    return place.rows.size() == 1 || (seed_ && std::ranges::all_of(place.rows, [&](std::size_t row) {
                                        return seeds.insert(table_.rows[row].cells[*seed_]).second;
                                      }));
  }

  /// The point of one run, with the interval that it has by itself.
  PlotPoint measured_point(const std::string& x, const RunTable::Row& row)
  {
    PlotPoint point{x, y_.value(row).value()};
    if (low_ && high_ && plot_.spread != PlotSpread::none) {
      const std::optional<std::string> low = cell_number(row.cells[*low_]);
      const std::optional<std::string> high = cell_number(row.cells[*high_]);
      if (low && high && (!figure_.y.log || decimal_value(*low) > 0)) {
        point.low = *low;
        point.high = *high;
        has_intervals_ = true;
      }
    }
    return point;
  }

  PlotPoint averaged(const Place& place)
  {
    if (place.rows.size() == 1) {
      return measured_point(place.x, table_.rows[place.rows.front()]);
    }
    std::vector<double> values;
    for (const std::size_t row : place.rows) {
      values.push_back(decimal_value(y_.value(table_.rows[row]).value()));
    }
    averaged_ = true;
    const Statistics statistics = statistics_of(std::move(values), skew_of(plot_.y));
    PlotPoint point{place.x, number_text(statistics.mean)};
    if (plot_.spread != PlotSpread::none && statistics.interval) {
      point.low = number_text(statistics.interval->low);
      point.high = number_text(statistics.interval->high);
      if (figure_.y.log && statistics.interval->low <= 0) {
        point.low = number_text(statistics.smallest); // a logarithmic axis has no place for the interval's end
      }
    }
    return point;
  }

  /// The formula of a curve, where all of its rows have the same.
  std::optional<CostLine> formula(const Curve& curve) const
  {
    if (!plot_.predicted || x_name_ != length_axis || !is_latency_column(plot_.y) || lines_.formulas.empty()) {
      return std::nullopt;
    }
    const std::optional<CostLine>& first = lines_.formulas[curve.rows.front()];
    const bool same = first && std::ranges::all_of(curve.rows, [&](std::size_t row) {
                        const std::optional<CostLine>& other = lines_.formulas[row];
                        return other && other->fixed == first->fixed && other->per_byte == first->per_byte;
                      });
    return same ? first : std::nullopt;
  }

  void add_curve(PlotPanel& panel, const Curve& curve)
  {
    std::vector<std::string> cells = curve.cells;
    cells.pop_back();
    const std::vector<Place> all = places(curve);
    const auto style = styles_.emplace(cells, static_cast<unsigned>(styles_.size())).first->second;
    PlotSeries series{.title = curve_title(cells), .style = style};
    PlotSeries line{.look = PlotSeries::Look::line, .style = series.style};
    if (const std::optional<CostLine> cost = formula(curve)) {
      line.points = formula_points(*cost, x_values_.front(), x_values_.back(), figure_.x.log);
      predicted_ = predicted_ || !line.points.empty();
    }
    const bool repeated = std::ranges::all_of(all, [&](const Place& place) { return are_repetitions(place); });
    for (const Place& place : all) {
      if (repeated) {
        series.points.push_back(averaged(place));
        continue;
      }
      for (const std::size_t row : place.rows) {
        series.points.push_back(measured_point(place.x, table_.rows[row]));
      }
    }
    const bool joined = repeated && line.points.empty() && categories_.empty();
    joined_ = joined_ || joined;
    if (joined) {
      series.look = plot_.spread == PlotSpread::band ? PlotSeries::Look::band : PlotSeries::Look::points_and_line;
    }
    panel.series.push_back(std::move(series));
    if (!line.points.empty()) {
      panel.series.push_back(std::move(line));
    }
    if (!lines_.marks.empty()) {
      for (const std::vector<PlotPoint>& mark : lines_.marks[curve.rows.front()]) {
        panel.series.push_back({.look = PlotSeries::Look::mark, .style = style, .points = mark});
      }
    }
  }

  /// The lower bounds of a panel's runs, each line once.
  void add_bounds(PlotPanel& panel, const std::vector<const Curve*>& curves) const
  {
    const Measure bound(table_, bound_column(plot_));
    std::set<std::vector<std::pair<std::string, std::string>>> known;
    for (const Curve* curve : curves) {
      std::vector<std::pair<std::string, std::string>> points;
      for (const Place& place : places(*curve)) {
        if (const auto value = bound.value(table_.rows[place.rows.front()])) {
          points.emplace_back(place.x, *value);
        }
      }
      if (points.empty() || !known.insert(points).second) {
        continue;
      }
      PlotSeries series{.title = "lower bound", .look = PlotSeries::Look::bound};
      for (auto& [x, y] : points) {
        series.points.push_back({std::move(x), std::move(y)});
      }
      panel.series.push_back(std::move(series));
    }
  }

  CurveValues values_of_curve(const Curve& curve) const
  {
    CurveValues values;
    for (const Place& place : places(curve)) {
      double sum = 0;
      for (const std::size_t row : place.rows) {
        sum += decimal_value(y_.value(table_.rows[row]).value());
      }
      values[decimal_value(place.x)] = sum / static_cast<double>(place.rows.size());
    }
    return values;
  }

  /// The curves that a panel has room for; a note names the others.
  std::vector<const Curve*> drawn_curves(const std::string& title, const std::vector<const Curve*>& curves)
  {
    if (curves.size() <= most_curves_in_a_panel) {
      return curves;
    }
    std::vector<CurveValues> values;
    for (const Curve* curve : curves) {
      values.push_back(values_of_curve(*curve));
    }
    const std::vector<std::size_t> chosen = curves_near_envelope(values, most_curves_in_a_panel);
    std::vector<const Curve*> drawn;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      if (std::ranges::binary_search(chosen, i)) {
        drawn.push_back(curves[i]);
      } else {
        others.push_back(curve_title({curves[i]->cells.begin(), curves[i]->cells.end() - 1}));
      }
    }
    figure_.notes.push_back(fmt::format("Not drawn{}, farther from the lowest curves: {}.",
                                        title.empty() ? "" : " (" + title + ")", fmt::join(others, "; ")));
    return drawn;
  }

  void add_panels()
  {
    for (const std::string& value : panels_) {
      std::vector<const Curve*> curves;
      for (const Curve& curve : curves_) {
        if (curve.cells.back() == value) {
          curves.push_back(&curve);
        }
      }
      PlotPanel panel{.title = facet_.empty() ? std::string() : value_title(facet_, value)};
      const std::vector<const Curve*> drawn = drawn_curves(panel.title, curves);
      for (const Curve* curve : drawn) {
        add_curve(panel, *curve);
      }
      if (plot_.bounds) {
        add_bounds(panel, drawn);
      }
      figure_.panels.push_back(std::move(panel));
    }
  }

  void add_keys()
  {
    if (predicted_) {
      figure_.keys.push_back(
          {.title = joined_ ? "thin lines: predicted" : "lines: predicted", .look = PlotSeries::Look::line});
    }
  }

  const PlotRequest& plot_;
  const RunTable& table_;
  const CurveLines& lines_;
  std::string x_name_;
  Measure x_;
  Measure y_;
  std::optional<std::size_t> seed_;
  std::optional<std::size_t> low_; ///< columns with the interval around y
  std::optional<std::size_t> high_;
  std::vector<std::size_t> rows_;
  std::vector<std::string> categories_;
  std::vector<double> x_values_; ///< ascending, each once
  std::vector<std::string> group_;
  std::string facet_;
  std::vector<Curve> curves_; ///< the last cell is that of the facet
  std::vector<std::string> panels_;
  std::map<std::vector<std::string>, unsigned> styles_;
  bool averaged_ = false;
  bool has_intervals_ = false;
  bool predicted_ = false;
  bool joined_ = false; ///< some curve has a line between its points
  Figure figure_;
};

} // namespace

Figure run_figure(const PlotRequest& plot, const RunTable& table, const CurveLines& lines, const std::string& title)
{
  return FigureMaker(plot, table, lines).figure(title);
}

} // namespace wormcast
