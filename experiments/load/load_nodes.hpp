#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace wormcast {

/// The keys of a point of `wormcast load --json` that classes and traffic.figures_of add, and the names of the tables.
namespace counted_figures {
inline constexpr std::string_view classes = "classes";
inline constexpr std::string_view class_name = "class"; ///< of one of them
inline constexpr std::string_view class_load = "load";  ///< of each node that sends its messages
inline constexpr std::string_view nodes = "nodes";
inline constexpr std::string_view pairs = "pairs";
} // namespace counted_figures

/// Adds `classes`, `nodes` and `pairs` to a point, where the result has them: an object for each class, node, or pair
/// with messages.
void add_counted_figures(const LoadExperiment& experiment, const LoadResult& result, nlohmann::ordered_json& point);

/// Returns the figures of this name of all points as CSV: the axes, `offered`, and the keys of the objects; empty:
/// there are none.
std::string figures_csv(const LoadCurves& curves, std::string_view figures);

} // namespace wormcast
