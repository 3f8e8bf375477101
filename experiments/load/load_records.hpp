#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Files with the messages of the only point of a curve.
struct LoadRecordFiles {
  std::string messages;            ///< for the list of the messages; empty: not wanted
  std::vector<std::string> traces; ///< for traces of a run of that list

  bool any() const { return !messages.empty() || !traces.empty(); }
};

/// The experiment of which files are wanted; none: no files are. Throws InputError unless `config`, the curves of which
/// are `plan`, asks for a single point.
std::optional<LoadExperiment> recorded_experiment(const LoadRecordFiles& wanted, const RawConfig& config,
                                                  const SweepPlan& plan);

/// Writes the messages that are generated until the measurement of the point ends, and traces of a run of them. Returns
/// the files; none where the network came to a stop. Throws InputError as traffic_messages() does, and where traces are
/// too large (claim_output).
std::vector<std::filesystem::path> write_records(const LoadRecordFiles& wanted, const LoadExperiment& experiment,
                                                 const LoadPoint& point);

} // namespace wormcast
