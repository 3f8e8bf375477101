#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <nlohmann/json_fwd.hpp>

#include <memory>

namespace wormcast {

/// Reads all of a schedule's file but the elements of `messages`, which are left out of `header`. Gives the topology,
/// which the messages are checked against. Throws InputError with the key.
std::unique_ptr<Topology> read_schedule_header(const nlohmann::json& header, Schedule& schedule);

} // namespace wormcast
