#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/simulator/model/network_warnings.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// One combination of the values of a sweep's axes.
struct SweepPoint {
  std::vector<std::pair<std::string, RawValue>> values = {}; ///< key and value, axis by axis; all keys of a case
  /// The values as in results.csv: from the effective configuration where there is one.
  std::vector<std::string> cells = {};
  std::vector<std::pair<std::string, std::string>> facts = {}; ///< topology_quantities()
  std::string config = {};   ///< effective configuration, JSON; empty where it is wrong
  std::string key = {};      ///< point_key, empty where the configuration is wrong
  std::string error = {};    ///< what is wrong with the configuration
  std::uint32_t threads = 1; ///< run.threads
};

/// What network_warnings() finds in some points of a plan.
struct PlannedWarning {
  NetworkWarning first;   ///< of the first point concerned
  std::size_t points = 0; ///< how many are concerned
};

/// topology_quantities() of a topology, by name.
std::vector<std::pair<std::string, std::string>> topology_facts(const Topology& topology);

/// Everything that a sweep computes.
struct SweepPlan {
  std::vector<std::string> axes;             ///< keys, in the order of the file
  std::vector<SweepPoint> points;            ///< the first axis varies slowest
  std::vector<PlannedWarning> warnings = {}; ///< one of each kind
};

/// Returns the largest run.threads of the points of all plans.
std::uint32_t most_threads(std::span<const SweepPlan> plans);

/// What is in the files that the points of a plan read; each is read once.
class FileContents {
public:
  /// For point_key: of the topology's file, of plug-ins and of these others, so that results of a file that has changed
  /// are not taken for its own. Throws FileError where one cannot be read.
  std::string of(const Topology& topology, std::vector<std::filesystem::path> others);

  /// The same of an experiment: also of its schedule's file and of the words of a command that are files.
  std::string of(const Experiment& experiment);

  /// And of the files of a pattern of traffic.
  std::string of(const SeriesExperiment& experiment);
  std::string of(const LoadExperiment& experiment);

private:
  std::string of(const Experiment& experiment, std::vector<std::filesystem::path> files);

  std::map<std::filesystem::path, std::string> digests_;
};

/// The part of a checked configuration that a plan stores.
struct PlannedPoint {
  nlohmann::ordered_json effective;
  std::shared_ptr<const Topology> topology;
  std::string files; ///< FileContents
  std::vector<NetworkWarning> warnings = {};
};

/// Checks a configuration with some entries replaced. Throws InputError.
using PointReader = std::function<PlannedPoint(const RawConfig&, std::span<const std::pair<std::string, RawValue>>)>;

/// Every combination of the axes of `config`, each read by `read`; without axes one point. Throws InputError where an
/// axis has no values, and where no point has a valid configuration (with the first point's error).
SweepPlan plan_points(const RawConfig& config, const PointReader& read);

/// Every combination of the axes of `config`. A point whose configuration is wrong has its error; the others go on.
/// Throws InputError where there is no axis, and where no point has a valid configuration (with the first point's
/// error). Looks for a WorkWatch before each point. Cost: points share topologies (MadeTopologies).
SweepPlan plan_sweep(const RawConfig& config);

/// The unit of the numbers that the values of an axis mean.
CellUnit axis_unit(const SweepPlan& plan, std::size_t axis);

} // namespace wormcast
