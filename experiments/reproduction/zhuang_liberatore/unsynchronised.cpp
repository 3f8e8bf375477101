#include "wormcast/experiments/reproduction/latency_curve.hpp"
#include "wormcast/experiments/reproduction/mutation.hpp"
#include "wormcast/experiments/reproduction/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/claims.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/own_channels.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/subjects.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>

namespace wormcast::zhuang_liberatore {

namespace {

constexpr int study_exponent = 4; ///< 16 x 16
constexpr std::uint32_t study_sources = 16;
constexpr std::array<int, 3> study_jitters = {3, 10, 30}; ///< in mean steps of RB
constexpr std::array<std::uint64_t, 3> study_lengths = {1024, 4096, 16384};

const std::array<Routers, 3> study_routers = {{{.hop = Time{0}, .hold = Hold::tail},
                                               {.hop = Time{5'000'000}, .hold = Hold::tail},
                                               {.hop = Time{5'000'000}, .hold = Hold::path}}};

/// How many broadcasts stand for an algorithm: most for the one that the claim is about, few where a run is long (SC)
/// or where there is nothing to wait for (RD).
struct Broadcasts {
  std::uint32_t sources = study_sources;
  int of_each = 1; ///< with other start delays
};

Broadcasts broadcasts_of(const Subject& subject)
{
  static const std::map<std::string, Broadcasts> numbers = {{"RD", {.of_each = 1}},
                                                            {"NP-RD(2)", {.of_each = 2}},
                                                            {"RB", {.of_each = 6}},
                                                            {"NP-SC(2)", {.of_each = 2}},
                                                            {"SC", {.sources = study_sources / 2, .of_each = 1}}};
  return numbers.at(subject.title);
}

/// alpha T_s + beta L T_c of RB on the study's mesh, over alpha.
Time mean_step(const NetworkParameters& network, std::uint64_t bytes)
{
  constexpr int alpha = 3 * study_exponent;
  const Fraction beta = Fraction(5, 2) - 2 * one_over_power(study_exponent);
  const std::int64_t transfer = static_cast<std::int64_t>(bytes) * network.per_byte.picoseconds;
  return network.startup + Time{transfer * beta.numerator() / (beta.denominator() * alpha)};
}

/// One broadcast of the study: latency from the start of its source on, and what became of it where no two pairs of
/// nodes share a channel.
struct Run {
  double latency = 0;               ///< us
  double control = 0;               ///< us
  std::array<double, 3> waits = {}; ///< of headers, by ContentionKind
  double port_share = 0;            ///< % of the latency: waits for ports on the critical path
};

Run run_once(const Topology& topology, const Topology& own, const Schedule& schedule, const NetworkParameters& network,
             const RunParameters& parameters)
{
  PathRecorder recorder(schedule, network);
  const RecordSinks sinks{.contention = [&](const ContentionRecord& record) { recorder.contention(record); },
                          .occupancy = [&](const OccupancyRecord& record) { recorder.occupancy(record); }};
  const SimulationResult result = simulate_core(topology, schedule, network, parameters, sinks);
  const std::optional<CriticalPath> path =
      critical_path(topology, schedule, network, parameters, result, recorder.take());
  const auto since_start = [](const SimulationResult& finished) {
    return static_cast<double>(finished.latency_from_source().value().picoseconds) / 1e6;
  };
  Run run;
  run.latency = since_start(result);
  const bool shares =
      result.contention[ContentionKind::step].count + result.contention[ContentionKind::depth].count > 0;
  run.control = shares ? since_start(simulated(own, schedule, network, parameters)) : run.latency;
  for (std::size_t kind = 0; kind < run.waits.size(); ++kind) {
    run.waits[kind] = static_cast<double>(result.contention.by_kind[kind].count);
  }
  run.port_share = 100 * static_cast<double>((*path)[PathCause::port_wait].picoseconds) / 1e6 / run.latency;
  return run;
}

double mean_of(const std::vector<double>& values)
{
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Mean with its 95 % interval by resampling: counts of waits are too skewed for Student's t.
nlohmann::ordered_json resampled(const std::vector<double>& values)
{
  constexpr int resamples = 1000;
  std::mt19937_64 random(1);
  std::vector<double> means(resamples);
  for (double& mean : means) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      mean += values[random() % values.size()];
    }
    mean /= static_cast<double>(values.size());
  }
  std::ranges::sort(means);
  return {mean_of(values), means[resamples / 40], means[resamples - 1 - resamples / 40]};
}

template <typename Value> std::vector<double> values_of(const std::vector<Run>& runs, Value value)
{
  std::vector<double> values;
  std::ranges::transform(runs, std::back_inserter(values), value);
  return values;
}

/// Above it a cost is a problem.
constexpr double problem_percent = 5;

nlohmann::ordered_json cell_json(const std::vector<Run>& runs)
{
  const std::vector<double> costs = values_of(runs, [](const Run& run) {
    const double cost = 100 * (run.latency - run.control) / run.control;
    return as_measured(cost, 10 * cost);
  });
  nlohmann::ordered_json cell = {
      {"broadcasts", runs.size()},
      {"latency", mean_of(values_of(runs, [](const Run& run) { return run.latency; }))},
      {"control", mean_of(values_of(runs, [](const Run& run) { return run.control; }))},
      {"cost", resampled(costs)},
      {"largest", *std::ranges::max_element(costs)},
      {"beyond_bound", std::ranges::count_if(costs, [](double cost) { return cost > problem_percent; })},
      {"port_share", resampled(values_of(runs, [](const Run& run) { return run.port_share; }))}};
  for (const ContentionKind kind : {ContentionKind::step, ContentionKind::depth, ContentionKind::port}) {
    cell[std::string(contention_kind_name(kind))] =
        resampled(values_of(runs, [kind](const Run& run) { return run.waits[static_cast<std::size_t>(kind)]; }));
  }
  return cell;
}

/// What one algorithm does from all sources, by the study's other parameters.
nlohmann::ordered_json study(const Subject& subject, const Routers& routers)
{
  struct Place {
    Schedule schedule;
    std::unique_ptr<Topology> own;
  };
  const auto topology = topology_of(subject.broadcast);
  std::vector<Place> places;
  for (const BroadcastCase& one : from_some_sources(subject.broadcast, broadcasts_of(subject).sources)) {
    Place& place = places.emplace_back();
    place.schedule = schedule_of(one, *topology);
    place.own = with_own_channels(*topology, place.schedule);
  }
  const NetworkParameters network = network_with(subject.broadcast, routers);
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (const std::uint64_t bytes : study_lengths) {
    for (const int jitter : study_jitters) {
      std::vector<Run> runs;
      std::uint64_t seed = 0;
      for (Place& place : places) {
        place.schedule.message_bytes = bytes;
        for (int i = 0; i < broadcasts_of(subject).of_each; ++i) {
          runs.push_back(run_once(*topology, *place.own, place.schedule, network,
                                  {.mode = Mode::self_timed,
                                   .seed = ++seed,
                                   .start_jitter = static_cast<std::int64_t>(jitter) * mean_step(network, bytes)}));
        }
      }
      nlohmann::ordered_json cell = cell_json(runs);
      cell["title"] = subject.title;
      cell["routers"] = title(routers);
      cell["jitter"] = jitter;
      cell["bytes"] = bytes;
      cells.push_back(std::move(cell));
    }
  }
  return cells;
}

std::vector<std::function<nlohmann::ordered_json()>> study_parts()
{
  std::vector<std::function<nlohmann::ordered_json()>> parts;
  for (const Subject& subject : subjects(study_exponent)) {
    for (const Routers& routers : study_routers) {
      parts.emplace_back([=] { return study(subject, routers); });
    }
  }
  return parts;
}

std::string percent(const nlohmann::ordered_json& interval)
{
  return fmt::format("{} % ({} to {} %)", decimal(interval[0], 2), decimal(interval[1], 2), decimal(interval[2], 2));
}

ExhibitTable study_table(const std::vector<nlohmann::ordered_json>& cells)
{
  ExhibitTable table{.title = fmt::format("16 x 16 mesh, self-timed, {}, SC {}; means with 95 % intervals",
                                          of_some_sources(study_sources), study_sources / 2),
                     .header = {"algorithm", "routers", "start delays up to (mean steps of RB)", "bytes", "broadcasts",
                                "latency (us)", "without shared channels (us)", "cost of shared channels (%)", "from",
                                "to", "largest", "broadcasts above 5 %", "waits for channels, other step", "same step",
                                "waits for ports", "waits for ports on the critical path (% of the latency)", "from",
                                "to"},
                     .rows = {}};
  for (const nlohmann::ordered_json& cell : cells) {
    const auto number = [&](const char* key, std::size_t i) { return decimal(cell[key][i], 3); };
    table.rows.push_back({cell["title"], cell["routers"], cell["jitter"].dump(), cell["bytes"].dump(),
                          cell["broadcasts"].dump(), decimal(cell["latency"], 1), decimal(cell["control"], 1),
                          number("cost", 0), number("cost", 1), number("cost", 2), decimal(cell["largest"], 1),
                          cell["beyond_bound"].dump(), number("depth", 0), number("step", 0), number("port", 0),
                          number("port_share", 0), number("port_share", 1), number("port_share", 2)});
  }
  return table;
}

ExhibitFigure study_figure(const std::vector<nlohmann::ordered_json>& cells, const Routers& routers,
                           const std::string& key, const std::string& what)
{
  const int jitter = study_jitters[1];
  ExhibitFigure figure{.title =
                           fmt::format("{}, {}, start delays up to {} mean steps of RB", what, title(routers), jitter),
                       .x_label = "message length (bytes)",
                       .y_label = what,
                       .log_x = true,
                       .series = {},
                       .marks = {}};
  for (const Subject& subject : subjects(study_exponent)) {
    ExhibitSeries series{.title = subject.title, .kind = ExhibitSeries::Kind::measured, .points = {}};
    for (const nlohmann::ordered_json& cell : cells) {
      if (cell["title"] == subject.title && cell["routers"] == title(routers) && cell["jitter"] == jitter) {
        series.points.push_back({.x = cell["bytes"].dump(),
                                 .y = decimal(cell[key][0]),
                                 .low = decimal(cell[key][1]),
                                 .high = decimal(cell[key][2])});
      }
    }
    figure.series.push_back(std::move(series));
  }
  return figure;
}

std::string setting(const nlohmann::ordered_json& cell)
{
  return fmt::format("{} bytes, {}, start delays up to {} mean steps of RB", cell["bytes"].dump(),
                     cell["routers"].get<std::string>(), cell["jitter"].dump());
}

/// The cell of an algorithm in which `key` is the largest in the mean.
const nlohmann::ordered_json& worst(const std::vector<nlohmann::ordered_json>& cells, const std::string& title,
                                    const std::string& key)
{
  const nlohmann::ordered_json* found = nullptr;
  for (const nlohmann::ordered_json& cell : cells) {
    if (cell["title"] == title && (found == nullptr || cell[key][0] > (*found)[key][0])) {
      found = &cell;
    }
  }
  return *found;
}

/// A problem: the whole interval lies above the bound in some setting. None: it lies below in every setting.
Verdict weighed(const std::vector<nlohmann::ordered_json>& cells)
{
  const double bound = problem_percent;
  bool none = true;
  for (const nlohmann::ordered_json& cell : cells) {
    if (cell["title"] != "RB") {
      continue;
    }
    if (cell["cost"][1] > bound) {
      return Verdict::confirmed;
    }
    none = none && cell["cost"][2] < bound;
  }
  if (!none) {
    throw std::runtime_error("too few broadcasts to say whether waiting for channels costs more than the bound");
  }
  return Verdict::refuted;
}

std::string study_text(const std::vector<nlohmann::ordered_json>& cells)
{
  const nlohmann::ordered_json& cost = worst(cells, "RB", "cost");
  const nlohmann::ordered_json& waits = worst(cells, "RB", "depth");
  const nlohmann::ordered_json& port = worst(cells, "RB", "port_share");
  std::string others;
  for (const std::string other : {"RD", "NP-RD(2)", "NP-SC(2)", "SC"}) {
    others += fmt::format("{}{} {}", others.empty() ? "" : ", ", other, percent(worst(cells, other, "cost")["cost"]));
  }
  return fmt::format(
      "from {}: sharing channels costs RB at most {} of its latency ({}; of {} broadcasts there {} lost more than 5 %, "
      "one {} "
      "%); at most {} "
      "waits for channels of other steps in a broadcast in the mean, none of the same step; at most {} of the latency "
      "is spent waiting for receiving ports ({}); the others' largest cost: {}",
      of_some_sources(study_sources), percent(cost["cost"]), setting(cost), cost["broadcasts"].dump(),
      cost["beyond_bound"].dump(), decimal(cost["largest"], 1), decimal(waits["depth"][0], 1),
      percent(port["port_share"]), setting(port), others);
}

Evidence without_synchronisation(std::span<const nlohmann::ordered_json> parts)
{
  std::vector<nlohmann::ordered_json> cells;
  for (const nlohmann::ordered_json& part : parts) {
    cells.insert(cells.end(), part.begin(), part.end());
  }
  Evidence evidence;
  evidence.verdict = weighed(cells);
  evidence.measured = study_text(cells);
  evidence.correction = "messages of different steps do wait for each other, but rarely; waits for the receiving "
                        "ports are more frequent, and cost more, than waits for channels";
  evidence.tables.push_back(study_table(cells));
  for (const Routers& routers : study_routers) {
    evidence.figures.push_back(study_figure(cells, routers, "cost", "cost of shared channels (% of the latency)"));
    evidence.figures.push_back(study_figure(cells, routers, "depth", "waits for channels, messages of other steps"));
    evidence.figures.push_back(study_figure(cells, routers, "step", "waits for channels, messages of the same step"));
    evidence.figures.push_back(study_figure(cells, routers, "port", "waits for ports"));
    evidence.figures.push_back(
        study_figure(cells, routers, "port_share", "waits for ports on the critical path (% of the latency)"));
  }
  return evidence;
}

} // namespace

std::vector<Claim> unsynchronised_claims()
{
  const BroadcastCase recursion{.dims = square(study_exponent), .algorithm = "recursion_based"};
  const std::string self_timed = "[run]\nmode = \"self_timed\"\nstart_jitter = \"17.7ms\"\nseed = 4\n";
  Claim depth{.name = "zhuang_liberatore.depth_contention",
              .place = "section 10",
              .statement = "Its assumption of contention-free and synchronised transfer is a deficiency of the "
                           "algorithm: depth contention is a problem",
              .claimed = "no value; left for further study",
              .kind = StatementKind::remark,
              .recorded = Verdict::refuted,
              .turned_by = Mutation::data_changed,
              .changed_data = "broadcasts that lose ten times as much by sharing channels",
              .reading =
                  "a problem: on a 16 x 16 mesh whose nodes start at random times, sharing channels costs RB more "
                  "than 5 % of its latency in the mean (the whole 95 % interval); counted from the start of the "
                  "source, against the same start times where no two pairs of nodes share a channel; nothing but "
                  "the start is random",
              .slow = true,
              .demonstration = {config_text(recursion, 16384, self_timed), "wormcast run CONFIG --explain"},
              .measurement = {.parts = study_parts(), .conclude = without_synchronisation}};
  return {std::move(depth), self_timed_claim()};
}

} // namespace wormcast::zhuang_liberatore
