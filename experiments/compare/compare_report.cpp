#include "wormcast/experiments/compare/compare_report.hpp"

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/simulator/fluid_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned decimals = 3;

bool has_run(const ComparedAlgorithm& algorithm)
{
  return algorithm.state == ComparisonState::done || algorithm.state == ComparisonState::deadlock;
}

std::string title(const ComparedAlgorithm& algorithm)
{
  return algorithm.name + (algorithm.parameters.empty() ? "" : " " + algorithm.parameters);
}

std::string ports_text(PortModel ports)
{
  return ports.count == PortModel::all ? "all" : fmt::to_string(ports.count);
}

std::string beta_text(const ComparedRun& run)
{
  return format_fraction({run.beta_numerator, run.beta_denominator});
}

/// What keeps an algorithm from being one of the fastest, as marks behind its name.
std::string marks(const ComparedAlgorithm& algorithm)
{
  return std::string(algorithm.run.fits_ports ? "" : " *") + (algorithm.run.valid ? "" : " !") +
         (algorithm.run.contention_free ? "" : " ~");
}

std::vector<std::string> table_line(const ComparedAlgorithm& algorithm)
{
  const ComparedRun& run = algorithm.run;
  std::vector<std::string> cells = {
      title(algorithm) + marks(algorithm),
      ports_text(run.ports_needed),
      fmt::to_string(run.alpha),
      beta_text(run),
      algorithm.has_formula() ? format_microseconds(*run.predicted) : "-",
      algorithm.state == ComparisonState::deadlock ? "deadlock" : format_microseconds(run.from_source)};
  for (const ContentionKind kind : own_contention_kinds) {
    cells.push_back(fmt::to_string(run.contention[kind].count));
  }
  cells.push_back(fmt::to_string(run.tcd));
  cells.push_back(fmt::to_string(run.max_channel_load));
  return cells;
}

std::string table(const Experiment& experiment, const Comparison& comparison)
{
  std::vector<std::vector<std::string>> lines = {
      {"algorithm", "ports", "alpha", "beta", "predicted us",
       experiment.run.start_jitter == Time{} ? "measured us" : "us from the source's start", "step", "depth", "port",
       "sharing", "TCD", "max load"}};
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (has_run(algorithm)) {
      lines.push_back(table_line(algorithm));
    }
  }
  return aligned(lines);
}

std::string legend(const Comparison& comparison)
{
  const auto any = [&](bool ComparedRun::* property) {
    return std::ranges::any_of(comparison.algorithms, [&](const ComparedAlgorithm& algorithm) {
      return has_run(algorithm) && !(algorithm.run.*property);
    });
  };
  std::string text;
  if (any(&ComparedRun::fits_ports)) {
    text += "* made for more ports than there are: its messages queue for them\n";
  }
  if (any(&ComparedRun::valid)) {
    text += "! does not bring everything to every node (wormcast check says what is missing)\n";
  }
  if (any(&ComparedRun::contention_free)) {
    text += "~ contends within its steps: alpha and beta do not say how long it takes\n";
  }
  return text;
}

/// Whose latency another order of messages that ask at the same instant would change.
std::string ties_text(const Experiment& experiment, const Comparison& comparison)
{
  std::vector<std::vector<std::string>> lines;
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (algorithm.depends_on_ties()) {
      lines.push_back(
          {"  " + title(algorithm), fmt::format("{} .. {} us{}", format_microseconds(algorithm.run.least_by_ties),
                                                format_microseconds(algorithm.run.most_by_ties),
                                                algorithm.run.ties_deadlock ? ", or a deadlock" : "")});
    }
  }
  const std::string order = experiment.effective["run"].value("tie_break", "id");
  return lines.empty() ? std::string()
                       : fmt::format("\ndepend on who comes first of those that ask at the same instant (here by {}; "
                                     "run.tie_break = id, source, seeded)\n",
                                     order) +
                             aligned(lines);
}

std::string fastest_text(const Experiment& experiment, const Comparison& comparison)
{
  if (comparison.fastest.empty()) {
    return {};
  }
  const ExactNumber length = experiment.request.message_bytes;
  std::vector<std::vector<std::string>> lines = {
      {experiment.network.per_hop == Time{} ? "fastest by prediction" : "fastest by prediction, hops left out",
       "from bytes", ""}};
  for (std::size_t i = 0; i < comparison.fastest.size(); ++i) {
    const EnvelopePiece& piece = comparison.fastest[i];
    const bool here =
        piece.from <= length && (i + 1 == comparison.fastest.size() || length < comparison.fastest[i + 1].from);
    lines.push_back({title(comparison.algorithms[piece.line]) + (here ? " <" : ""), format_exact(piece.from),
                     format_rounded(piece.from, decimals)});
  }
  return "\n" + aligned(lines) +
         fmt::format("< at the {} of this comparison\n", format_bytes(experiment.request.message_bytes));
}

/// Which one is the fastest at which length by simulation.
std::string measured_text(const Experiment& experiment, const Comparison& comparison)
{
  if (comparison.fastest_measured.empty()) {
    return {};
  }
  const std::uint64_t length = experiment.request.message_bytes;
  std::vector<std::vector<std::string>> lines = {{"fastest by simulation", "from bytes", "to"}};
  for (const MeasuredPiece& piece : comparison.fastest_measured) {
    const bool here = piece.from <= length && length <= piece.to;
    lines.push_back({title(comparison.algorithms[piece.line]) + (here ? " <" : ""), fmt::to_string(piece.from),
                     fmt::to_string(piece.to)});
  }
  return "\n" + aligned(lines);
}

/// The fastest one of those that bring everything to every node, or null.
const ComparedAlgorithm* fastest_run(const Comparison& comparison)
{
  const ComparedAlgorithm* fastest = nullptr;
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (algorithm.state == ComparisonState::done && algorithm.run.valid &&
        (fastest == nullptr || algorithm.run.measured < fastest->run.measured)) {
      fastest = &algorithm;
    }
  }
  return fastest;
}

/// Of the least latency to the bound, rounded.
std::string bound_ratio(const ComparedAlgorithm& fastest, const BroadcastTimeBound& bound)
{
  return format_rounded(ExactNumber(fastest.run.measured.picoseconds) / bound.latency.picoseconds, decimals);
}

std::string fastest_measured(const Comparison& comparison)
{
  const ComparedAlgorithm* fastest = fastest_run(comparison);
  return fastest == nullptr ? std::string()
                            : fmt::format("fastest as measured: {}, {} us\n", title(*fastest),
                                          format_microseconds(fastest->run.measured));
}

std::string bound_text(const Comparison& comparison)
{
  if (!comparison.bound) {
    return {};
  }
  const BroadcastTimeBound& bound = *comparison.bound;
  const ComparedAlgorithm* fastest = fastest_run(comparison);
  const bool has_ratio = fastest != nullptr && bound.latency != Time{};
  return fmt::format("lower bound: {} us, with alpha {} and beta {} (without contention within steps){}\n",
                     format_microseconds(bound.latency), bound.steps, format_fraction(bound.bytes),
                     has_ratio ? fmt::format("; the fastest takes {} times as long", bound_ratio(*fastest, bound))
                               : std::string());
}

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

/// One line for each reason that an algorithm is not compared.
std::string left_out_text(const Comparison& comparison)
{
  std::string text;
  std::set<std::pair<std::string, std::string>> said;
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (!has_run(algorithm) && said.emplace(algorithm.name, algorithm.error).second) {
      const std::string who = algorithm.state == ComparisonState::left_out ? algorithm.name : title(algorithm);
      text += algorithm.error.starts_with(who) ? fmt::format("  {}\n", algorithm.error)
                                               : fmt::format("  {}: {}\n", who, algorithm.error);
    }
  }
  return text.empty() ? text : "\nnot compared\n" + text;
}

std::string heading(const Experiment& experiment, const Comparison& comparison)
{
  const NetworkParameters& network = experiment.network;
  const PortModel ports = experiment.request.ports;
  const std::string root =
      combines(comparison.operation) && !has_source(comparison.operation)
          ? ""
          : fmt::format(" {} {}",
                        comparison.operation == Operation::reduce || comparison.operation == Operation::gather ? "to"
                                                                                                               : "from",
                        experiment.topology->node_name(experiment.request.source));
  return fmt::format("{}: {} of {}{}, {}, startup {}, {} per byte\n\n", experiment.topology->title(),
                     operation_name(comparison.operation), format_bytes(experiment.request.message_bytes), root,
                     ports.count == 1 ? "one port" : ports_text(ports) + " ports", format_time(network.startup),
                     short_time(network.per_byte));
}

Json algorithm_json(const ComparedAlgorithm& algorithm)
{
  const ComparedRun& run = algorithm.run;
  Json json = {{"algorithm", algorithm.name},
               {"parameters", algorithm.values},
               {"configured", algorithm.configured},
               {"state", comparison_state_name(algorithm.state)}};
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
  const bool deadlock = algorithm.state == ComparisonState::deadlock;
  json["latency_us"] = deadlock ? Json(nullptr) : exact_microseconds(run.measured);
  json["deadlock_us"] = deadlock ? exact_microseconds(run.deadlock) : Json(nullptr);
  json["latency_from_source_us"] = deadlock ? Json(nullptr) : exact_microseconds(run.from_source);
  json["least_by_ties_us"] = deadlock ? Json(nullptr) : exact_microseconds(run.least_by_ties);
  json["most_by_ties_us"] = deadlock ? Json(nullptr) : exact_microseconds(run.most_by_ties);
  json["deadlock_by_ties"] = run.ties_deadlock;
  json["contention"] = contention_json(run.contention);
  json["messages"] = run.messages;
  json["bytes_sent"] = run.bytes_sent;
  json["tcd"] = run.tcd;
  json["max_channel_load"] = run.max_channel_load;
  for (std::size_t model = 0; model < algorithm.fluid.size(); ++model) {
    const std::optional<Time>& latency = algorithm.fluid[model];
    json["fluid"][std::string(fluid_model_name(all_fluid_models[model]))] =
        latency ? exact_microseconds(*latency) : Json(nullptr);
  }
  if (!algorithm.no_fluid.empty()) {
    json["no_fluid"] = algorithm.no_fluid;
  }
  return json;
}

/// Worms beside SimGrid's own models; nothing where these were not asked for.
std::string fluid_text(const Comparison& comparison)
{
  std::vector<std::vector<std::string>> lines = {{"algorithm", "worms us"}};
  for (const FluidModel model : all_fluid_models) {
    lines.front().push_back(fmt::format("{} us", fluid_model_name(model)));
  }
  std::vector<std::string> reasons;
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (algorithm.fluid.empty()) {
      continue;
    }
    if (!algorithm.no_fluid.empty() && std::ranges::find(reasons, algorithm.no_fluid) == reasons.end()) {
      reasons.push_back(algorithm.no_fluid);
    }
    const bool done = algorithm.state == ComparisonState::done;
    lines.push_back({title(algorithm), done ? format_microseconds(algorithm.run.measured) : "deadlock"});
    for (const std::optional<Time>& latency : algorithm.fluid) {
      lines.back().push_back(latency ? format_microseconds(*latency) : "-");
    }
  }
  if (lines.size() == 1) {
    return {};
  }
  std::string text = "\non SimGrid's fluid models\n" + aligned(lines);
  for (const std::string& reason : reasons) {
    text += fmt::format("-: {}\n", reason);
  }
  return text;
}

} // namespace

std::string comparison_text(const Experiment& experiment, const Comparison& comparison)
{
  return heading(experiment, comparison) + table(experiment, comparison) + legend(comparison) +
         fastest_measured(comparison) + bound_text(comparison) + ties_text(experiment, comparison) +
         fastest_text(experiment, comparison) + measured_text(experiment, comparison) + fluid_text(comparison) +
         left_out_text(comparison);
}

std::string comparison_csv(const Comparison& comparison)
{
  std::string csv = csv_line(std::vector<std::string>{"algorithm",
                                                      "parameters",
                                                      "state",
                                                      "ports_needed",
                                                      "fits_ports",
                                                      "valid",
                                                      "contention_free",
                                                      "alpha",
                                                      "beta",
                                                      "predicted_us",
                                                      "latency_us",
                                                      "deadlock_us",
                                                      "latency_from_source_us",
                                                      "least_by_ties_us",
                                                      "most_by_ties_us",
                                                      "deadlock_by_ties",
                                                      "step",
                                                      "depth",
                                                      "port",
                                                      "sharing",
                                                      "step_wait_us",
                                                      "depth_wait_us",
                                                      "port_wait_us",
                                                      "sharing_wait_us",
                                                      "messages",
                                                      "bytes_sent",
                                                      "tcd",
                                                      "max_channel_load",
                                                      "error"});
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    const ComparedRun& run = algorithm.run;
    std::vector<std::string> cells = {algorithm.name, algorithm.parameters,
                                      std::string(comparison_state_name(algorithm.state))};
    const bool deadlock = algorithm.state == ComparisonState::deadlock;
    if (has_run(algorithm)) {
      cells.insert(
          cells.end(),
          {ports_text(run.ports_needed), run.fits_ports ? "true" : "false", run.valid ? "true" : "false",
           run.contention_free ? "true" : "false", fmt::to_string(run.alpha), beta_text(run),
           run.predicted ? format_microseconds(*run.predicted) : "", deadlock ? "" : format_microseconds(run.measured),
           deadlock ? format_microseconds(run.deadlock) : "", deadlock ? "" : format_microseconds(run.from_source),
           deadlock ? "" : format_microseconds(run.least_by_ties),
           deadlock ? "" : format_microseconds(run.most_by_ties), run.ties_deadlock ? "true" : "false"});
      for (const ContentionKind kind : own_contention_kinds) {
        cells.push_back(fmt::to_string(run.contention[kind].count));
      }
      for (const ContentionKind kind : own_contention_kinds) {
        cells.push_back(format_microseconds(run.contention[kind].wait));
      }
      cells.insert(cells.end(), {fmt::to_string(run.messages), fmt::to_string(run.bytes_sent), fmt::to_string(run.tcd),
                                 fmt::to_string(run.max_channel_load)});
    } else {
      cells.resize(cells.size() + 25);
    }
    cells.push_back(algorithm.error);
    csv += csv_line(cells);
  }
  return csv;
}

std::string comparison_json_text(const Experiment& experiment, const Comparison& comparison)
{
  Json json;
  json["format"] = "wormcast-compare/1";
  json["config"] = experiment.effective;
  json["operation"] = operation_name(comparison.operation);
  json["algorithms"] = Json::array();
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    json["algorithms"].push_back(algorithm_json(algorithm));
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
    json["fastest_measured"].push_back({{"from_bytes", piece.from},
                                        {"to_bytes", piece.to},
                                        {"position", piece.line},
                                        {"algorithm", comparison.algorithms[piece.line].name},
                                        {"parameters", comparison.algorithms[piece.line].values}});
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
