#include "wormcast/experiments/reproduction/frame/latency_curve.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/depth_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>

namespace wormcast::zhuang_liberatore {

namespace {

/// The paper names no loss from which on it is a problem.
constexpr std::array<double, 4> thresholds_in_percent = {1, 2, 5, 10};
constexpr double heavy_loss_percent = 5;

/// A cell with what its costs come to.
struct WeighedCell {
  DepthCell cell;
  ClusteredMean cost;
  std::vector<double> sorted; ///< costs of all broadcasts

  /// The smallest that this share of the broadcasts do not exceed.
  double quantile(std::size_t percent) const { return sorted[(sorted.size() * percent + 99) / 100 - 1]; }
  std::int64_t heavy() const
  {
    return std::ranges::count_if(sorted, [](double loss) { return loss > heavy_loss_percent; });
  }
};

/// Cells of one algorithm; intervals of all cells together are of these.
std::vector<WeighedCell> weighed_cells(const std::vector<DepthCell>& cells, const std::string& algorithm)
{
  std::vector<WeighedCell> found;
  std::vector<std::vector<double>> means_by_source;
  for (const DepthCell& cell : cells) {
    if (cell.setting.algorithm != algorithm) {
      continue;
    }
    WeighedCell& one = found.emplace_back();
    one.cell = cell;
    means_by_source.emplace_back();
    for (const std::vector<double>& costs : cell.costs) {
      one.sorted.insert(one.sorted.end(), costs.begin(), costs.end());
      means_by_source.back().push_back(std::accumulate(costs.begin(), costs.end(), 0.0) /
                                       static_cast<double>(costs.size()));
    }
    std::ranges::sort(one.sorted);
  }
  const std::vector<ClusteredMean> costs = clustered_means(means_by_source);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i].cost = costs[i];
  }
  return found;
}

std::string mesh_text(int exponent)
{
  return fmt::format("{0} x {0}", 1 << exponent);
}

std::string hold_text(Hold hold)
{
  return fmt::format("{} hold", hold_names.text(hold));
}

std::string hop_text(const Routers& routers)
{
  return fmt::format("T_f = {} us", decimal(static_cast<double>(routers.hop.picoseconds) / 1e6));
}

std::string percent_text(const ClusteredMean& cost)
{
  return fmt::format("{} % ({} to {} %)", decimal(cost.mean, 2), decimal(cost.low, 2), decimal(cost.high, 2));
}

/// All that a cell shares with those that are compared with it.
using CellGroup = std::function<bool(const DepthSetting&)>;

/// The cell of a group with the largest mean cost.
const WeighedCell& worst(const std::vector<WeighedCell>& cells, const CellGroup& group)
{
  const WeighedCell* found = nullptr;
  for (const WeighedCell& one : cells) {
    if (group(one.cell.setting) && (found == nullptr || one.cost.mean > found->cost.mean)) {
      found = &one;
    }
  }
  return *found;
}

const WeighedCell& worst(const std::vector<WeighedCell>& cells)
{
  return worst(cells, [](const DepthSetting&) { return true; });
}

/// The largest mean cost by mesh, hold and disturbance.
std::string groups_text(const std::vector<WeighedCell>& cells)
{
  std::string text;
  for (const Disturbance disturbance : {Disturbance::start_delays, Disturbance::message_noise}) {
    for (const int exponent : {4, 5}) {
      for (const Hold hold : {Hold::tail, Hold::path}) {
        const WeighedCell& one = worst(cells, [=](const DepthSetting& setting) {
          return setting.disturbance == disturbance && setting.exponent == exponent && setting.routers.hold == hold;
        });
        text += fmt::format("{}{}, {}, {} {} ({} bytes, {}; {} of {} broadcasts lose more than {} %, the worst {} %)",
                            text.empty() ? "" : "; ", mesh_text(exponent), hold_text(hold),
                            disturbance_names.text(disturbance), percent_text(one.cost), one.cell.setting.bytes,
                            hop_text(one.cell.setting.routers), one.heavy(), one.sorted.size(),
                            decimal(heavy_loss_percent), decimal(one.sorted.back(), 1));
      }
    }
  }
  return text;
}

/// How the largest cost of all changes with T_f alone.
std::string hops_text(const std::vector<WeighedCell>& cells)
{
  const DepthSetting& largest = worst(cells).cell.setting;
  std::string text = fmt::format("{}, {}, {}, {} bytes:", mesh_text(largest.exponent), hold_text(largest.routers.hold),
                                 disturbance_names.text(largest.disturbance), largest.bytes);
  for (const WeighedCell& one : cells) {
    const DepthSetting& setting = one.cell.setting;
    if (setting.exponent == largest.exponent && setting.routers.hold == largest.routers.hold &&
        setting.disturbance == largest.disturbance && setting.bytes == largest.bytes) {
      const std::int64_t hop = setting.routers.hop.picoseconds;
      const std::string ratio =
          hop == 0 ? "" : fmt::format(" (T_s/T_f = {})", figure_network({}).startup.picoseconds / hop);
      text += fmt::format(" {}{}, {};", hop_text(setting.routers), ratio, percent_text(one.cost));
    }
  }
  text.pop_back();
  return text;
}

std::string study_text(const std::vector<WeighedCell>& recursion, const std::vector<WeighedCell>& rival)
{
  const WeighedCell& largest = worst(recursion);
  const WeighedCell& of_rival = worst(rival);
  return fmt::format("{}; what sharing channels costs RB, largest mean of {} cells, 95 % intervals by source: {}. "
                     "{}. In the cell with the largest mean half of the broadcasts lose at most {} %, "
                     "95 % of them at most {} %; {} waits for channels of other steps in a broadcast, "
                     "{} of the same step, {} for ports. NP-RD(2) loses at most {} in the mean",
                     depth_study_sample(), recursion.size(), groups_text(recursion), hops_text(recursion),
                     decimal(largest.quantile(50), 2), decimal(largest.quantile(95), 1),
                     decimal(largest.cell.depth_waits, 1), decimal(largest.cell.step_waits, 1),
                     decimal(largest.cell.port_waits, 1), percent_text(of_rival.cost));
}

ExhibitTable study_table(const std::vector<WeighedCell>& recursion, const std::vector<WeighedCell>& rival)
{
  ExhibitTable table{.title = "cost of shared channels, self-timed; " + depth_study_sample(),
                     .header = {"algorithm",
                                "mesh",
                                "routers",
                                "disturbed by",
                                "bytes",
                                "broadcasts",
                                "latency (us)",
                                "without waits for channels (us)",
                                "cost, mean (%)",
                                "from",
                                "to",
                                "all cells together: from",
                                "to",
                                "median",
                                "95 % lose at most",
                                "largest",
                                "broadcasts that lose more than 5 %",
                                "waits for channels, other step",
                                "same step",
                                "waits for ports"},
                     .rows = {}};
  for (const std::vector<WeighedCell>* cells : {&recursion, &rival}) {
    for (const WeighedCell& one : *cells) {
      const DepthSetting& setting = one.cell.setting;
      table.rows.push_back({setting.algorithm,
                            mesh_text(setting.exponent),
                            title(setting.routers),
                            std::string(disturbance_names.text(setting.disturbance)),
                            fmt::to_string(setting.bytes),
                            fmt::to_string(one.sorted.size()),
                            decimal(one.cell.latency, 1),
                            decimal(one.cell.latency_without, 1),
                            decimal(one.cost.mean),
                            decimal(one.cost.low),
                            decimal(one.cost.high),
                            decimal(one.cost.low_of_all),
                            decimal(one.cost.high_of_all),
                            decimal(one.quantile(50)),
                            decimal(one.quantile(95)),
                            decimal(one.sorted.back(), 1),
                            fmt::to_string(one.heavy()),
                            decimal(one.cell.depth_waits),
                            decimal(one.cell.step_waits),
                            decimal(one.cell.port_waits)});
    }
  }
  return table;
}

/// Cost over the length, a series for each T_f.
ExhibitFigure study_figure(const std::vector<WeighedCell>& cells, int exponent, Hold hold, Disturbance disturbance)
{
  ExhibitFigure figure{.title = fmt::format("cost of shared channels to RB, {} mesh, {}, {}", mesh_text(exponent),
                                            hold_text(hold), disturbance_names.text(disturbance)),
                       .x_label = "message length (bytes)",
                       .y_label = "cost of shared channels (% of the latency)",
                       .log_x = true,
                       .series = {},
                       .marks = {}};
  for (const WeighedCell& one : cells) {
    const DepthSetting& setting = one.cell.setting;
    if (setting.exponent != exponent || setting.routers.hold != hold || setting.disturbance != disturbance) {
      continue;
    }
    const std::string name = hop_text(setting.routers);
    if (figure.series.empty() || figure.series.back().title != name) {
      figure.series.push_back({.title = name, .kind = ExhibitSeries::Kind::measured, .points = {}});
    }
    figure.series.back().points.push_back({.x = fmt::to_string(setting.bytes),
                                           .y = decimal(one.cost.mean),
                                           .low = decimal(one.cost.low),
                                           .high = decimal(one.cost.high)});
  }
  return figure;
}

Evidence by_threshold(const std::vector<ClusteredMean>& costs)
{
  std::vector<std::pair<std::string, Evidence>> readings;
  for (const double percent : thresholds_in_percent) {
    const CostThreshold found = weighed(costs, percent);
    readings.emplace_back(
        fmt::format("a problem is more than {} %", decimal(percent)),
        Evidence{.measured = fmt::format("{} of {} cells lie above, {} below", found.above, costs.size(), found.below),
                 .verdict = found.verdict});
  }
  return by_reading(std::move(readings));
}

Evidence without_synchronisation(std::span<const nlohmann::ordered_json> parts)
{
  const std::vector<DepthCell> cells = depth_cells(parts);
  const std::vector<WeighedCell> recursion = weighed_cells(cells, "RB");
  const std::vector<WeighedCell> rival = weighed_cells(cells, "NP-RD(2)");
  std::vector<ClusteredMean> costs;
  std::ranges::transform(recursion, std::back_inserter(costs), &WeighedCell::cost);
  Evidence evidence = by_threshold(costs);
  evidence.measured =
      fmt::format("{}. With intervals of all cells together: {}", study_text(recursion, rival), evidence.measured);
  if (evidence.verdict == Verdict::ambiguous) {
    evidence.correction = fmt::format("a threshold that the paper does not name decides: sharing channels costs RB "
                                      "more than {} % in the mean in some "
                                      "cell, and more than {} % in none (95 % for all cells together)",
                                      decimal(std::ranges::max(costs, {}, &ClusteredMean::low_of_all).low_of_all, 1),
                                      decimal(std::ranges::max(costs, {}, &ClusteredMean::high_of_all).high_of_all, 1));
  }
  evidence.tables.push_back(study_table(recursion, rival));
  for (const Disturbance disturbance : {Disturbance::start_delays, Disturbance::message_noise}) {
    for (const int exponent : {4, 5}) {
      for (const Hold hold : {Hold::tail, Hold::path}) {
        evidence.figures.push_back(study_figure(recursion, exponent, hold, disturbance));
      }
    }
  }
  return evidence;
}

/// One of the runs that lose much, with its control, for `wormcast run`.
std::string paired_run_config()
{
  constexpr int exponent = 5;
  constexpr std::uint64_t bytes = 16384;
  const BroadcastCase recursion{.dims = square(exponent), .algorithm = "recursion_based", .source = {0, 16}};
  std::string config =
      config_text(recursion, bytes,
                  fmt::format("[run]\nmode = \"self_timed\"\nstart_jitter = \"{}us\"\nseed = 6\npaired = true\n",
                              10 * mean_step(exponent, bytes).picoseconds / 1'000'000));
  config.replace(config.find("per_byte"), 0, "per_hop = \"15us\"\nbuffer_flits = 32\n");
  return config;
}

} // namespace

std::vector<Check> unsynchronised_checks()
{
  Check depth{.name = "depth_contention",
              .demonstration = {paired_run_config(), "wormcast run CONFIG --explain"},
              .measurement = {.parts = depth_study_parts(), .conclude = without_synchronisation}};
  return {std::move(depth), self_timed_check()};
}

} // namespace wormcast::zhuang_liberatore
