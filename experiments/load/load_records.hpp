#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// What is wanted of the messages of a curve's only point.
struct LoadRecordsWanted {
  std::string messages;            ///< a file for the list of the messages; empty: not wanted
  std::vector<std::string> traces; ///< files for traces of a run of that list
  bool explain = false;            ///< where the measured messages spent their time

  bool any() const { return !messages.empty() || !traces.empty() || explain; }
};

/// What came of that.
struct LoadRecords {
  std::vector<std::filesystem::path> files;   ///< that were written
  std::string explanation;                    ///< explanation_text(); empty: not wanted
  nlohmann::ordered_json explained = nullptr; ///< explanation_json(); null: not wanted
};

/// The experiment whose messages are wanted; none: nothing is. Throws InputError unless `config`, the curves of which
/// are `plan`, asks for a single point.
std::optional<LoadExperiment> recorded_experiment(const LoadRecordsWanted& wanted, const RawConfig& config,
                                                  const SweepPlan& plan);

/// Measures the point once more, and runs its messages as a list, up to the latest delivery of a measured one. Nothing
/// where the network came to a stop. Throws InputError as traffic_messages() does, where traces are too large
/// (claim_output), and where an explanation is wanted of a point without a latency.
LoadRecords make_records(const LoadRecordsWanted& wanted, const LoadExperiment& experiment, const LoadPoint& point);

} // namespace wormcast
