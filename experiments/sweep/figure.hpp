#pragma once

#include "wormcast/experiments/config/plot_section.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Throws InputError where a plot names a column that is not among the known ones, with the nearest one.
void check_plot(const PlotRequest& plot, const std::vector<std::string>& known);
/// The same for the columns that runs of the plan can have.
void check_plot(const PlotRequest& plot, const SweepPlan& plan);

/// The column on the x axis: what the plot says, else message.bytes where it is an axis, else the first axis with
/// numbers, else the number of nodes where the first axis is about topologies that differ in it, else the first axis.
std::string plot_x(const PlotRequest& plot, const RunTable& table);

/// The name of a plot's files: what it says, else made of y and x: "latency_from_source" for what is drawn unless
/// something else is asked for.
std::string plot_name(const PlotRequest& plot, const RunTable& table);

/// Lines that go with curves, by row of the table: a curve has what all of its rows have, or the first. Empty: none.
struct CurveLines {
  std::vector<std::optional<CostLine>> formulas = {};          ///< for latencies over message.bytes
  std::vector<std::vector<std::vector<PlotPoint>>> marks = {}; ///< thin lines in the curve's colour
};

/// A plot of the runs that are done. Of runs that differ in nothing but their seed the mean with its 95 % interval is
/// drawn, of a single run's mean the run's own interval; a curve with other runs at one x has each of them as a
/// point. A panel has at most most_curves_in_a_panel curves, the ones nearest to the lowest (curves_near_envelope); a
/// note names the others. `title` is the title unless the plot has one. Throws InputError where nothing can be
/// drawn: no run has x and y, a logarithmic axis has values up to 0.
Figure run_figure(const PlotRequest& plot, const RunTable& table, const CurveLines& lines, const std::string& title);

} // namespace wormcast
