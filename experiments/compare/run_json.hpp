#pragma once

#include "wormcast/experiments/compare/compare.hpp"

#include <nlohmann/json.hpp>

namespace wormcast {

/// The runs of a candidate as an object: what its task has as its result.
nlohmann::ordered_json run_json(const ComparedRun& run, const SeedLatencies& latencies);

/// Reads run_json(). Throws InputError where an enumerator has another name, and as nlohmann::json where `json` has
/// another form; `run` and `latencies` are in any state then.
void read_run_json(const nlohmann::ordered_json& json, ComparedRun& run, SeedLatencies& latencies);

} // namespace wormcast
