#include "wormcast/experiments/reproduction/cang_wu/tcd_study.hpp"

#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/graded_halvings.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <utility>

namespace wormcast::cang_wu {

namespace {

constexpr std::uint32_t study_sources = 16;
constexpr std::uint64_t broadcast_bytes = 256;
constexpr std::uint64_t load_bytes = 64;
constexpr std::int64_t nanosecond = 1000; // picoseconds

/// A mesh with the largest stable load of uniform traffic, found by `wormcast load` (messages of 64 bytes, T_s = 0.1
/// and 1 us), and how much of it the study can afford.
struct StudyMesh {
  std::vector<std::int64_t> dims;
  double saturation = 0;
  std::uint32_t rounds = 1;
  std::uint32_t at_once = 1;
  bool with_long_startup = false;
};

const std::vector<StudyMesh>& study_meshes()
{
  static const std::vector<StudyMesh> meshes = {{{8, 8}, 0.195, 6, 4, true},
                                                {{16, 16}, 0.096, 3, 8, true},
                                                {{32, 32}, 0.048, 2, 8, false},
                                                {{8, 8, 8}, 0.161, 2, 8, false}};
  return meshes;
}

std::vector<TcdSetting> study_settings(std::size_t d)
{
  std::vector<TcdSetting> settings;
  for (const StudyMesh& mesh : study_meshes()) {
    if (mesh.dims.size() != d) {
      continue;
    }
    for (const std::int64_t startup_ns : {100, 1000}) {
      if (startup_ns == 1000 && !mesh.with_long_startup) {
        continue;
      }
      for (const int tenths : {1, 3, 5}) {
        settings.push_back({.dims = mesh.dims,
                            .startup_ns = startup_ns,
                            .saturation = mesh.saturation,
                            .tenths = tenths,
                            .rounds = mesh.rounds});
      }
      settings.push_back({.dims = mesh.dims,
                          .startup_ns = startup_ns,
                          .saturation = mesh.saturation,
                          .at_once = mesh.at_once,
                          .rounds = mesh.rounds});
    }
  }
  return settings;
}

NetworkParameters study_network(const TcdSetting& setting)
{
  NetworkParameters network;
  network.startup = Time{setting.startup_ns * nanosecond};
  network.per_byte = Time{10 * nanosecond};
  network.per_hop = Time{20 * nanosecond};
  network.buffer_flits = 4;
  return network;
}

/// One of the schedules from a source, by its place in tcd_schedule_names().
Schedule study_schedule(const Grid& grid, std::size_t number, NodeId source)
{
  Schedule schedule;
  if (number <= most_quarters) {
    schedule = graded_halving(grid, source, static_cast<int>(number));
  } else {
    BroadcastCase doubling{
        .dims = {grid.sizes().begin(), grid.sizes().end()}, .algorithm = "recursive_doubling", .source = {}};
    doubling.source = grid.coordinates(source);
    schedule = schedule_of(doubling, grid);
  }
  schedule.message_bytes = broadcast_bytes;
  return schedule;
}

double checked_tcd(const Grid& grid, const Schedule& schedule)
{
  const CheckReport report = check_schedule(grid, schedule, {.max_violations = 1});
  const auto steps = static_cast<std::uint64_t>(std::bit_width(grid.node_count() - 1));
  if (!report.valid() || !report.contention_free || report.costs.alpha != steps ||
      report.costs.messages != grid.node_count() - 1) {
    throw std::logic_error(fmt::format("a schedule from {} is no broadcast in {} steps without contention",
                                       grid.node_name(schedule.source), steps));
  }
  return static_cast<double>(report.costs.tcd);
}

/// Waits for external channels, summed over a series.
struct ChannelWaits {
  double own = 0; ///< picoseconds
  double behind = 0;
};

ChannelWaits channel_waits(const SeriesSetting& series, const SeriesResult& result)
{
  ChannelWaits waits;
  std::vector<bool> is_ours; // by message
  SeriesSinks sinks;
  sinks.message = [&](const SeriesMessage& message) {
    if (index(message.id) >= is_ours.size()) {
      is_ours.resize(std::size_t{index(message.id)} + 1);
    }
    is_ours[index(message.id)] = message.broadcast.has_value();
  };
  sinks.records.contention = [&](const ContentionRecord& record) {
    if (record.resource.kind != Resource::Kind::external) {
      return;
    }
    const auto wait = static_cast<double>(record.wait.picoseconds);
    if (is_ours.at(index(record.waiting))) {
      waits.own += wait;
    } else if (is_ours.at(index(record.holding))) {
      waits.behind += wait;
    }
  };
  replay_series(series, result, sinks);
  return waits;
}

/// The series of one schedule from one source.
TcdMeasured measured_series(const TcdSetting& setting, const Grid& grid, std::size_t schedule, NodeId source,
                            std::uint64_t seed)
{
  const NetworkParameters network = study_network(setting);
  SeriesSetting series{
      .topology = grid,
      .source = source,
      .schedule_of =
          [&](NodeId from) { return std::make_shared<const Schedule>(study_schedule(grid, schedule, from)); },
      .network = network,
      .run = {.seed = seed, .start_jitter = {}},
      .series = {.rounds = setting.rounds, .pause = Time{20'000 * nanosecond}, .count = setting.at_once},
      .traffic = {}};
  if (setting.tenths > 0) {
    TrafficParameters traffic;
    traffic.load = setting.saturation * setting.tenths / 10;
    traffic.lengths = MessageLengths::fixed(load_bytes);
    traffic.warm_up = Time{50'000 * nanosecond};
    series.traffic = traffic;
  }
  const SeriesResult result = simulate_series(series);
  if (result.saturated || result.deadlock) {
    throw std::runtime_error(fmt::format("{}: the network does not carry the load", title(setting)));
  }
  const auto broadcasts = static_cast<double>(result.broadcasts.size());
  constexpr double picoseconds_in_us = 1e6;
  const ChannelWaits waits = channel_waits(series, result);
  TcdMeasured measured{.latency = result.latency.mean / picoseconds_in_us,
                       .slowdown = result.slowdown,
                       .own_waits = waits.own / picoseconds_in_us / broadcasts,
                       .waits_behind = waits.behind / picoseconds_in_us / broadcasts};
  if (result.load) {
    measured.loss_per_message = (result.load->with - result.load->without) / picoseconds_in_us;
    measured.loss = measured.loss_per_message * static_cast<double>(result.load->messages) / broadcasts;
  }
  return measured;
}

nlohmann::ordered_json measured_json(const TcdMeasured& one)
{
  return {one.tcd, one.latency, one.slowdown, one.own_waits, one.waits_behind, one.loss, one.loss_per_message};
}

TcdMeasured measured_from_json(const nlohmann::ordered_json& json)
{
  return {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4), json.at(5), json.at(6)};
}

} // namespace

std::string title(const TcdSetting& setting)
{
  const std::string among = setting.tenths > 0
                                ? fmt::format("{} of the largest stable load", decimal(setting.tenths / 10.0))
                                : fmt::format("{} broadcasts at once without load", setting.at_once);
  return fmt::format("{}, T_s = {} us, {}", fmt::join(setting.dims, " x "),
                     decimal(static_cast<double>(setting.startup_ns) / 1000), among);
}

const std::vector<std::string>& tcd_schedule_names()
{
  static const std::vector<std::string> names = {
      "halving of the least TCD", "a quarter of the way to the farthest nodes",
      "half of the way",          "three quarters of the way",
      "to the farthest nodes",    "recursive_doubling"};
  return names;
}

double rank_correlation(std::span<const double> tcds, std::span<const double> values)
{
  int pairs = 0;
  int balance = 0;
  for (std::size_t i = 0; i < tcds.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (tcds[i] != tcds[j]) {
        ++pairs;
        const double order = (tcds[i] - tcds[j]) * (values[i] - values[j]);
        balance += order > 0 ? 1 : order < 0 ? -1 : 0;
      }
    }
  }
  return pairs == 0 ? 0 : static_cast<double>(balance) / pairs;
}

double growth_per_doubling(std::span<const double> tcds, std::span<const double> values)
{
  const auto count = static_cast<double>(tcds.size());
  double mean_logarithm = 0;
  double mean_value = 0;
  for (std::size_t i = 0; i < tcds.size(); ++i) {
    mean_logarithm += std::log2(tcds[i]) / count;
    mean_value += values[i] / count;
  }
  double spread = 0;
  double joint = 0;
  for (std::size_t i = 0; i < tcds.size(); ++i) {
    const double from_mean = std::log2(tcds[i]) - mean_logarithm;
    spread += from_mean * from_mean;
    joint += from_mean * (values[i] - mean_value);
  }
  return spread == 0 || mean_value == 0 ? 0 : joint / spread / mean_value;
}

Verdict dependence(std::span<const ClusteredMean> correlations)
{
  if (std::ranges::all_of(correlations, [](const ClusteredMean& one) { return one.low_of_all > 0; })) {
    return Verdict::confirmed;
  }
  if (std::ranges::all_of(correlations, [](const ClusteredMean& one) { return one.high_of_all <= 0; })) {
    return Verdict::refuted;
  }
  return Verdict::ambiguous;
}

TcdCell measured_cell(const TcdSetting& setting)
{
  const BroadcastCase on_mesh{.dims = setting.dims, .algorithm = "recursive_doubling"};
  const auto grid = grid_of(on_mesh);
  TcdCell cell{.setting = setting, .measured = {}};
  std::uint64_t seed = 0;
  for (const BroadcastCase& one : from_some_sources(on_mesh, study_sources)) {
    const NodeId source = grid->node_at(one.source);
    ++seed;
    cell.measured.emplace_back();
    for (std::size_t number = 0; number < tcd_schedule_names().size(); ++number) {
      // Where all broadcasts are the same one, none of their TCDs can matter.
      const std::size_t sent = is_mutated_by(Mutation::data_changed) ? 0 : number;
      TcdMeasured measured = measured_series(setting, *grid, sent, source, seed);
      measured.tcd = checked_tcd(*grid, study_schedule(*grid, number, source));
      cell.measured.back().push_back(measured);
    }
  }
  return cell;
}

std::uint32_t tcd_study_sources()
{
  return study_sources;
}

std::vector<std::function<nlohmann::ordered_json()>> tcd_study_parts(std::size_t d)
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const TcdSetting& setting : study_settings(d)) {
    parts.emplace_back([=] {
      nlohmann::ordered_json sources = nlohmann::ordered_json::array();
      for (const std::vector<TcdMeasured>& of_source : measured_cell(setting).measured) {
        nlohmann::ordered_json schedules = nlohmann::ordered_json::array();
        std::ranges::transform(of_source, std::back_inserter(schedules), measured_json);
        sources.push_back(std::move(schedules));
      }
      return sources;
    });
  }
  return parts;
}

std::vector<TcdCell> tcd_cells(std::size_t d, std::span<const nlohmann::ordered_json> parts)
{
  std::vector<TcdCell> cells;
  const std::vector<TcdSetting> settings = study_settings(d);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    TcdCell& cell = cells.emplace_back(TcdCell{.setting = settings.at(i), .measured = {}});
    for (const nlohmann::ordered_json& source : parts[i]) {
      cell.measured.emplace_back();
      std::ranges::transform(source, std::back_inserter(cell.measured.back()), measured_from_json);
    }
  }
  return cells;
}

} // namespace wormcast::cang_wu
