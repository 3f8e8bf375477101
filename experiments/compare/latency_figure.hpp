#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace wormcast {

/// The figure of latency against message length that is still without curves: one panel, with axes and a title, which
/// names operation and network where `title` is empty.
Figure figure_over_lengths(const Experiment& experiment, Operation operation, const std::string& title);

/// The title of the configuration's first plot; empty where it has none.
std::string given_title(const RawConfig& config);

/// Whether broadcast_time_bound() bounds the latencies of an operation that is done as the experiment says.
bool has_time_bound(const Experiment& experiment, Operation operation);

/// The curve of that bound over message lengths.
PlotSeries bound_curve(const Experiment& experiment, std::span<const std::uint64_t> lengths);

/// The note of a figure that has room for `drawn` of `all` curves (curves_near_envelope).
std::string fewer_curves_note(std::size_t drawn, std::size_t all);

} // namespace wormcast
