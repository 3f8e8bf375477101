#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"

#include <optional>

namespace wormcast {

/// All of a single operation, be it alone or repeated among traffic. Its schedule is `in_memory` where there is one;
/// else [topology], [algorithm] and [message] say what it is.
Experiment read_experiment(const ConfigReader& reader, std::optional<Schedule> in_memory = std::nullopt);

} // namespace wormcast
