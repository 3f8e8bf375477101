#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/run/network_title.hpp"
#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"
#include "wormcast/values/input_error.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What the plots of a sweep are drawn from.
struct SweepPicture {
  SweepPlan plan; ///< as it was stored, without the values of its points
  std::vector<PlotRequest> plots;
  std::string title;                             ///< what all runs have in common
  std::vector<std::optional<CostLine>> formulas; ///< by point; empty where they are not known
};

/// A plot that cannot be drawn by now is none that is damaged: earlier versions took other names.
class StoredPlotError : public InputError {
public:
  using InputError::InputError;
};

/// A plot as documents of stores hold it, and read back. Throws StoredPlotError.
nlohmann::ordered_json plot_json(const PlotRequest& plot);
PlotRequest read_plot(const nlohmann::ordered_json& json);

/// Whether the sweep or the cases of a configuration, which must outlive this, vary a key.
VariesInFigure varied_keys(const RawConfig& config);

/// What the points of a sweep have in common, for the top of a figure: "mesh 32 x 32, one port, T_s = 150 us, ...".
std::string sweep_title(const RawConfig& config, const SweepPlan& plan);

/// Puts it into the store, and makes the view `runs` of the columns that the points have by now.
void keep_picture(ResultStore& store, const SweepPicture& picture, const RunTable& table);

/// The same read back, without what was asked to be drawn where `with_plots` is false. Throws InputError where the
/// store has none, or one that is damaged.
SweepPicture kept_picture(const ResultStore& store, bool with_plots = true);

/// The points of a plan as the store has them; one that it has not is marked as died, without a result.
std::vector<StoredPoint> kept_points(const ResultStore& store, const SweepPlan& plan);

/// Throws InputError where two plots would be files of the same name, or one of a name that check_output_name refuses.
/// The table needs axes alone.
void check_plot_names(const std::vector<PlotRequest>& plots, const RunTable& table);

/// The outcome of drawing.
struct DrawnPlots {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> errors; ///< one for each plot that could not be drawn
  bool bad_input = false;          ///< one of them was asked for something that does not exist
};

/// A figure, made when it is drawn, and the name of its files.
struct NamedFigure {
  std::string name;
  std::function<Figure()> make;
};

/// Draws the figures, of different names, into `folder`. Where one cannot be drawn, the others are.
DrawnPlots draw_figures(const std::vector<NamedFigure>& figures, const std::filesystem::path& folder);

/// Draws the plots, of different names, into `folder`. Where one cannot be drawn, the others are.
DrawnPlots draw_plots(const SweepPicture& picture, const RunTable& table, const std::filesystem::path& folder);

} // namespace wormcast
