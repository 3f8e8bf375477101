#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>

namespace wormcast {

/// Reads a schedule's file except the elements of `messages`, which are left out of `header`. Makes the topology,
/// against which the messages are checked. Throws InputError with the key.
std::unique_ptr<Topology> read_schedule_header(const nlohmann::json& header, Schedule& schedule);

} // namespace wormcast
