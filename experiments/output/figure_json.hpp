#pragma once

#include "wormcast/experiments/output/plot.hpp"

#include <nlohmann/json.hpp>

namespace wormcast {

/// A figure as JSON, so that it can be drawn again byte for byte.
nlohmann::ordered_json figure_json(const Figure& figure);

/// The figure of figure_json(). Throws InputError, or an exception of nlohmann::json, where it is none; numbers are
/// checked, so that nothing else gets into gnuplot's programs.
Figure read_figure(const nlohmann::ordered_json& json);

} // namespace wormcast
