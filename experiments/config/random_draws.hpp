#pragma once

#include "wormcast/experiments/config/config.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Returns the keys by which runs of a configuration draw at random from run.seed: keys ("run.start_jitter"), the first
/// part of several ("run.noise"), sections ("traffic"); empty: all seeds give the same results. `effective` is as
/// Experiment::effective.
std::vector<std::string> random_keys(const nlohmann::ordered_json& effective);

/// The same if the network is known: network.tie draws where a node has two shortest paths round a ring.
std::vector<std::string> random_keys(const Experiment& experiment);

/// All that can draw, for people, each in quotes such as "`": "run.start_jitter above 0, run.noise, [traffic], ...".
std::string all_random_keys(std::string_view quote = "");

} // namespace wormcast
