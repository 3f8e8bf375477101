#pragma once

#include "wormcast/experiments/reproduction/frame/evidence.hpp"
#include "wormcast/experiments/study/cluster_bootstrap.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wormcast::cang_wu {

/// What broadcasts of different total communication distance (TCD) from the same source do among others: series of
/// broadcasts in lockstep under uniform traffic, or several at once. All schedules send N-1 whole messages in log2 N
/// steps without contention within a step; sources and seeds are the same for all of them.

/// One setting of the study.
struct TcdSetting {
  std::vector<std::int64_t> dims;
  std::int64_t startup_ns = 0; ///< T_s
  double saturation = 0;       ///< largest stable load of uniform traffic, as `wormcast load` finds it
  int tenths = 0;              ///< of it that are offered; 0: no traffic
  std::uint32_t at_once = 1;   ///< broadcasts that start together; all but the first from sources that are drawn
  std::uint32_t rounds = 1;    ///< of each source
};

/// "16 x 16, T_s = 0.1 us, 0.3 of the largest stable load".
std::string title(const TcdSetting& setting);

/// Means of the broadcasts of one schedule from one source; times in microseconds.
struct TcdMeasured {
  double tcd = 0;
  double latency = 0;
  double slowdown = 0;         ///< latency over that on the empty network
  double own_waits = 0;        ///< of the broadcast's headers for channels that any message held
  double waits_behind = 0;     ///< of the load's headers for channels that a broadcast held
  double loss = 0;             ///< how much longer the load's messages that came meanwhile took for it, in all
  double loss_per_message = 0; ///< the same as a mean over these messages

  double contention() const { return own_waits + waits_behind; }
};

/// A setting with what was measured in it, by source, then by schedule.
struct TcdCell {
  TcdSetting setting;
  std::vector<std::vector<TcdMeasured>> measured;
};

/// Names of the schedules, in the order of TcdCell::measured.
const std::vector<std::string>& tcd_schedule_names();

/// Kendall's rank correlation of a quantity with the TCD: of all pairs with different TCD the share in which the larger
/// one has more of it, less the share in which it has less. 0 without such pairs.
double rank_correlation(std::span<const double> tcds, std::span<const double> values);

/// By how much a quantity grows with each doubling of the TCD, as a share of its mean: least squares against log2 TCD.
/// 0 where the mean or the spread of the TCDs is 0.
double growth_per_doubling(std::span<const double> tcds, std::span<const double> values);

/// What is found of "it depends on the TCD" from rank correlations: confirmed where all intervals lie above 0, refuted
/// where none reaches above 0, else ambiguous. The intervals are those of all settings together.
Verdict dependence(std::span<const ClusteredMean> correlations);

/// The measurements on the study's meshes with d axes, each an independent piece that returns a cell for tcd_cells().
std::vector<std::function<nlohmann::ordered_json()>> tcd_study_parts(std::size_t d);
std::vector<TcdCell> tcd_cells(std::size_t d, std::span<const nlohmann::ordered_json> parts);

/// Sources of each setting.
std::uint32_t tcd_study_sources();

/// One setting measured. Throws std::logic_error where a schedule is no broadcast in log2 N steps without contention.
TcdCell measured_cell(const TcdSetting& setting);

} // namespace wormcast::cang_wu
