#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/view/viewed_run.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace wormcast {

/// What is shown of a configuration, and who sees it.
struct ViewRequest {
  std::optional<std::int64_t> round = {}; ///< of a series; none: the one with the slowest broadcast
  /// Called when the configuration is known to be right and small enough, before it is simulated.
  std::function<void(const Experiment&)> begin = {};
  std::function<void(const ViewedRun&)> show;
};

/// Simulates a configuration, one operation or a series, and shows the run or the round. Returns the text of the
/// deadlock in which it ended; empty: it did not. Throws InputError as make_experiment and make_series_experiment do,
/// for a network that no page shows, and for a round that there is not.
std::string view_configuration(const RawConfig& config, const ViewRequest& request);

} // namespace wormcast
