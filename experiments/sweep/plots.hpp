#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What it takes to draw the plots of a sweep.
struct SweepPicture {
  SweepPlan plan; ///< as it was kept without the values of its points
  std::vector<PlotRequest> plots;
  std::string title;                             ///< what all runs have in common
  std::vector<std::optional<CostLine>> formulas; ///< by point; empty where they are not known
};

/// What the points of a sweep have in common, for the top of a figure: "mesh 32 x 32, startup 150us, 0.5us per byte".
std::string sweep_title(const RawConfig& config, const SweepPlan& plan);

/// Keeps it in the store, and makes the view `runs` of what the points have by now.
void keep_picture(ResultStore& store, const SweepPicture& picture, const RunTable& table);

/// What stands in the place of a sweep's document where latency-load curves are kept: they are drawn by `wormcast
/// load`.
std::string_view load_document();

/// The same read back, without what was asked to be drawn where `with_plots` is false. Throws InputError where the
/// store has none, one that is damaged, or load_document.
SweepPicture kept_picture(const ResultStore& store, bool with_plots = true);

/// The points of a plan as the store has them; one that it has not is marked as died, without a result.
std::vector<StoredPoint> kept_points(const ResultStore& store, const SweepPlan& plan);

/// Throws InputError where two plots would be files of the same name, or one of a name that check_output_name refuses.
/// The table needs axes alone.
void check_plot_names(const std::vector<PlotRequest>& plots, const RunTable& table);

/// What came of drawing.
struct DrawnPlots {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> errors; ///< one for each plot that could not be drawn
  bool bad_input = false;          ///< one of them was asked for something that there is not
};

/// Draws the plots, of different names, into `folder`. One that cannot be drawn does not keep the others from it.
DrawnPlots draw_plots(const SweepPicture& picture, const RunTable& table, const std::filesystem::path& folder);

} // namespace wormcast
