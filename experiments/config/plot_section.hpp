#pragma once

#include "wormcast/values/parameter.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Axes of a plot.
enum class PlotScale {
  automatic, ///< logarithmic over message lengths and over values that are spread like powers, else linear
  linear,
  log_x,
  log_y,
  log ///< both
};

/// How the 95 % interval of several seeds is drawn.
enum class PlotSpread {
  bars,
  band,
  none ///< the mean alone
};

/// One picture of a sweep or of latency-load curves: `[plot]` of a configuration, or --plot. Columns are those of
/// results.csv, and of sweeps all keys of the configuration.
struct PlotRequest {
  std::string name;               ///< of the files; empty: made of y and x
  std::string x;                  ///< a column, or the quotient of two ("a/b"); empty: chosen from the axes
  std::string y;                  ///< the same; never empty
  std::vector<std::string> group; ///< columns that distinguish curves; empty: all other axes
  std::string facet;              ///< the column that distinguishes panels; empty: panels of at most 12 curves
  PlotScale scale = PlotScale::automatic;
  PlotSpread spread = PlotSpread::bars;
  bool predicted = true; ///< latency over message.bytes: lines of the formulas that hold
  bool bounds = false;   ///< lower bounds as lines
  std::string title;     ///< empty: the properties common to all runs
  std::string where;     ///< its position, for error messages: "c.toml:12:1", "--plot"
  /// The values as they were given, by key.
  std::map<std::string, RawValue, std::less<>> given;
};

/// The default column of plots.
inline constexpr const char* default_plot_quantity = "latency_from_source_us";

/// The declarations of the keys of [plot].
std::span<const Parameter> plot_declarations();

/// A plot from the values of a [plot] section. Throws InputError with `where` and the key at fault.
PlotRequest plot_request(std::map<std::string, RawValue, std::less<>> given, const std::string& where);

/// The plot with one key set to what is typed in a shell: `--set plot.KEY=VALUE`. Throws InputError with `where`.
PlotRequest changed_plot(const PlotRequest& plot, const std::string& key, const std::string& value,
                         const std::string& where);

/// The same from the text of --plot: "x=nodes, y=max_channel_load, group=algorithm.name+network.ports".
PlotRequest parse_plot_request(std::string_view text);

} // namespace wormcast
