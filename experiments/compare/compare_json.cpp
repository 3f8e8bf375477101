#include "wormcast/experiments/compare/compare_report.hpp"
#include "wormcast/experiments/compare/comparison_values.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"

#include <fmt/format.h>

#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json bound_json(const Comparison& comparison)
{
  if (!comparison.bound) {
    return nullptr;
  }
  const BroadcastTimeBound& bound = *comparison.bound;
  const ComparedAlgorithm* fastest = fastest_run(comparison);
  const bool has_ratio = fastest != nullptr && bound.latency != Time{};
  return {{"latency_us", exact_microseconds(bound.latency)},
          {"alpha", bound.steps},
          {"beta", format_fraction(bound.bytes)},
          {"ratio", has_ratio ? Json(bound_ratio(*fastest, bound)) : Json(nullptr)}};
}

Json interval_json(const std::optional<Interval>& interval)
{
  return interval ? Json{measured_microseconds(interval->low), measured_microseconds(interval->high)} : Json(nullptr);
}

/// Numbers and times of waits; of several runs their means.
Json mean_contention_json(const ComparedRun& run)
{
  if (run.runs == 1) {
    return contention_json(run.contention);
  }
  Json json;
  for (const ContentionKind kind : own_contention_kinds) {
    json[std::string(contention_kind_names.text(kind))] =
        exact_number(format_rounded(ExactNumber(run.contention[kind].count) / run.runs, 6));
  }
  for (const ContentionKind kind : own_contention_kinds) {
    json[fmt::format("{}_wait_us", contention_kind_names.text(kind))] = exact_number(mean_wait(run, kind));
  }
  return json;
}

Json algorithm_json(const Comparison& comparison, std::size_t position, std::uint32_t virtual_channels)
{
  const ComparedAlgorithm& algorithm = comparison.algorithms[position];
  const ComparedRun& run = algorithm.run;
  Json json = {{"algorithm", algorithm.name},
               {"parameters", algorithm.values},
               {"configured", algorithm.configured},
               {"state", comparison_state_names.text(algorithm.state)}};
  if (!has_run(algorithm)) {
    json["error"] = algorithm.error;
    return json;
  }
  json["ports_needed"] = run.ports_needed.count == PortModel::all ? Json("all") : Json(run.ports_needed.count);
  json["fits_ports"] = run.fits_ports;
  json["valid"] = run.valid;
  json["contention_free"] = run.contention_free;
  json["alpha"] = run.alpha;
  json["beta"] = beta_text(run);
  json["predicted_us"] = run.predicted ? exact_microseconds(*run.predicted) : Json(nullptr);
  json["predicted_is"] = run.predicted ? Json(prediction_kind_names.text(run.predicted_is)) : Json(nullptr);
  const bool deadlock = algorithm.state == ComparisonState::deadlock;
  json["latency_us"] = deadlock ? Json(nullptr) : exact_microseconds(run.measured);
  json["deadlock_us"] = deadlock ? exact_microseconds(run.deadlock) : Json(nullptr);
  json["latency_from_source_us"] = deadlock ? Json(nullptr) : exact_microseconds(run.from_source);
  json["runs"] = run.runs;
  json["deadlocks"] = run.deadlocks;
  const bool has_interval = algorithm.latencies.size() > 1;
  json["latency_from_source_interval_us"] =
      has_interval ? interval_json(latencies_by_seed(algorithm).interval) : Json(nullptr);
  const std::optional<PairedMean> difference = difference_of(comparison, position);
  json["difference_us"] = difference ? measured_microseconds(difference->mean) : Json(nullptr);
  json["difference_interval_us"] = difference ? interval_json(difference->interval) : Json(nullptr);
  const std::string verdict = verdict_of(comparison, position);
  json["verdict"] = verdict.empty() ? Json(nullptr) : Json(verdict);
  json["least_by_ties_us"] = run.ties_known ? exact_microseconds(run.least_by_ties) : Json(nullptr);
  json["most_by_ties_us"] = run.ties_known ? exact_microseconds(run.most_by_ties) : Json(nullptr);
  json["deadlock_by_ties"] = run.ties_deadlock;
  json["contention"] = mean_contention_json(run);
  json["messages"] = run.messages;
  json["bytes_sent"] = run.bytes_sent;
  json["tcd"] = run.tcd ? Json(*run.tcd) : Json(nullptr);
  json["max_channel_load"] = run.max_channel_load ? Json(*run.max_channel_load) : Json(nullptr);
  if (!run.fair_beta.empty()) {
    json["fair_beta"] = run.fair_beta;
    json["congestion_deficiency"] = run.deficiency.empty() ? Json(nullptr) : Json(run.deficiency);
  }
  json["deadlock_free_from"] = run.deadlock_free_from == 0 ? Json(nullptr) : Json(run.deadlock_free_from);
  json["deadlock_free"] = deadlock_verdict(run.deadlock_proof(), virtual_channels);
  if (comparison.without_faults) {
    json["latency_without_faults_us"] = run.without_faults ? exact_microseconds(*run.without_faults) : Json(nullptr);
  }
  for (std::size_t model = 0; model < algorithm.fluid.size(); ++model) {
    const std::optional<Time>& latency = algorithm.fluid[model];
    json["fluid"][std::string(fluid_model_names.text(fluid_model_names.all()[model]))] =
        latency ? exact_microseconds(*latency) : Json(nullptr);
  }
  if (!algorithm.no_fluid.empty()) {
    json["no_fluid"] = algorithm.no_fluid;
  }
  return json;
}

} // namespace

std::string comparison_json_text(const Experiment& experiment, const Comparison& comparison)
{
  Json json;
  json["format"] = "wormcast-compare/1";
  json["config"] = experiment.effective;
  json["operation"] = operation_names.text(comparison.operation);
  json["repeats"] = {{"runs", comparison.repeats.count},
                     {"first_seed", comparison.repeats.first_seed},
                     {"random", comparison.repeats.keys},
                     {"intervals", comparison.rivals}};
  if (comparison.without_faults) {
    json["without_faults"] = *comparison.without_faults;
  }
  json["algorithms"] = Json::array();
  for (std::size_t position = 0; position < comparison.algorithms.size(); ++position) {
    json["algorithms"].push_back(algorithm_json(comparison, position, experiment.network.virtual_channels));
  }
  json["bound"] = bound_json(comparison);
  json["fastest"] = Json::array();
  for (std::size_t i = 0; i < comparison.fastest.size(); ++i) {
    const EnvelopePiece& piece = comparison.fastest[i];
    const bool last = i + 1 == comparison.fastest.size();
    json["fastest"].push_back({{"from_bytes", format_exact(piece.from)},
                               {"to_bytes", last ? Json(nullptr) : Json(format_exact(comparison.fastest[i + 1].from))},
                               {"position", piece.line},
                               {"algorithm", comparison.algorithms[piece.line].name},
                               {"parameters", comparison.algorithms[piece.line].values}});
  }
  json["fastest_measured"] = Json::array();
  for (const MeasuredPiece& piece : comparison.fastest_measured) {
    const bool decided = piece.undecided.empty();
    Json entry = {{"from_bytes", piece.from}, {"to_bytes", piece.to}, {"decided", decided}};
    entry["position"] = decided ? Json(piece.line) : Json(nullptr);
    entry["algorithm"] = decided ? Json(comparison.algorithms[piece.line].name) : Json(nullptr);
    entry["parameters"] = decided ? comparison.algorithms[piece.line].values : Json(nullptr);
    if (!decided) {
      entry["between"] = possible_fastest(piece.line, piece.undecided);
    }
    json["fastest_measured"].push_back(std::move(entry));
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
