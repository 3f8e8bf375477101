#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/sweep/plots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// What the curves have in common: network, pattern and message length, but for what the sweep varies.
std::string load_title(const RawConfig& config, const SweepPlan& plan);

/// A plot as it is drawn of latency-load curves: unless it says otherwise, the mean latency over the offered load, in
/// files named latency_load.
PlotRequest load_plot(PlotRequest plot);

/// The plots of a configuration, or the one that is drawn where it has none, and those of --plot. Throws InputError
/// where one names a column that results.csv does not have, or two have one name. With classes of traffic there is a
/// column `class` for `group` and `facet`, which draws each class instead of all messages.
std::vector<PlotRequest> load_plots(const RawConfig& config, const std::vector<PlotRequest>& more);

/// Throws InputError as load_plots does.
void check_load_plots(const std::vector<PlotRequest>& plots, const LoadCurves& curves);

/// Columns of results.csv over one another, by the machinery of sweeps: of latencies those of stable points alone, and
/// of several seeds the means at the offered loads that are stable with all of them. Mean latencies over a load have
/// dotted lines in the colours of their curves: from the zero-load latency to the first point, and upwards at the
/// saturation, half way between the two loads that bracket it, over the accepted load at the largest accepted one. A
/// linear axis of latencies ends at eight times the largest latency of the curves' beginnings. None where no curve has
/// a point.
std::optional<Figure> load_figure(const LoadCurves& curves, const PlotRequest& plot, const std::string& title);

/// Those of the plots that have points, with their names.
std::vector<NamedFigure> load_figures(const LoadCurves& curves, const std::vector<PlotRequest>& plots,
                                      const std::string& title);

} // namespace wormcast
