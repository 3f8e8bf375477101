#pragma once

#include "wormcast/experiments/reproduction/frame/evidence.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/subjects.hpp"
#include "wormcast/experiments/study/cluster_bootstrap.hpp"
#include "wormcast/values/names.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wormcast::zhuang_liberatore {

/// What sharing channels costs broadcasts whose steps nothing synchronises: self-timed runs, each beside the same one
/// in which no message waits for a channel (simulate_contention_free).

/// What keeps the nodes apart.
enum class Disturbance {
  start_delays, ///< each node starts after a random time up to 10 mean steps of RB
  message_noise ///< all start at once; each start-up takes T_s (1 + X), X exponential with mean 1
};

/// "start delays", "noise per message".
inline constexpr auto disturbance_names = names<Disturbance>(
    {{Disturbance::start_delays, "start delays"}, {Disturbance::message_noise, "noise per message"}});

/// One cell of the study.
struct DepthSetting {
  std::string algorithm; ///< as in subjects(): "RB", "NP-RD(2)"
  int exponent = 4;      ///< 2^n x 2^n mesh
  Routers routers;
  Disturbance disturbance = Disturbance::start_delays;
  std::uint64_t bytes = 0;
};

/// What was measured in it. Costs are latency with shared channels over latency without, less 1, in %, both from the
/// source's own start.
struct DepthCell {
  DepthSetting setting;
  std::vector<std::vector<double>> costs; ///< by source, then by broadcast from it, as many from each
  double latency = 0;                     ///< us, in the mean
  double latency_without = 0;
  double depth_waits = 0; ///< of headers for channels that messages of other steps held, a broadcast in the mean
  double step_waits = 0;  ///< of the same step
  double port_waits = 0;
};

/// A share of latencies from which on a cost is a problem, and what is found of it.
struct CostThreshold {
  double percent = 0;
  Verdict verdict = Verdict::ambiguous;
  std::size_t above = 0; ///< cells that have their interval above it, and below it
  std::size_t below = 0;
};

/// Whether a cost above `percent` in the mean occurs in some cell: confirmed where a whole interval lies above, refuted
/// where all lie below, else ambiguous. The intervals are those of all cells together.
CostThreshold weighed(std::span<const ClusteredMean> costs, double percent);

/// The mean step of RB, alpha T_s + beta L T_c over alpha, on the 2^n x 2^n mesh of the figures' network.
Time mean_step(int exponent, std::uint64_t bytes);

/// The study's measurements, of RB and NP-RD(2), in independent pieces; each returns cells for depth_cells().
std::vector<std::function<nlohmann::ordered_json()>> depth_study_parts();
std::vector<DepthCell> depth_cells(std::span<const nlohmann::ordered_json> parts);

/// "64 sources (corners, ...), 2 broadcasts from each"
std::string depth_study_sample();

} // namespace wormcast::zhuang_liberatore
