#include "wormcast/experiments/compare/compare_report.hpp"

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/compare/conditions.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <utility>

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

/// Picoseconds from the source's start.
Statistics latency_statistics(const ComparedAlgorithm& algorithm)
{
  return statistics_of({algorithm.latencies.begin(), algorithm.latencies.end()});
}

/// How many could have been the fastest at the configured length.
std::size_t candidate_count(const Comparison& comparison)
{
  return static_cast<std::size_t>(std::ranges::count_if(comparison.algorithms, &ComparedAlgorithm::is_candidate));
}

/// What keeps an algorithm from being one of the fastest, as marks behind its name.
std::string marks(const ComparedAlgorithm& algorithm)
{
  return std::string(algorithm.run.fits_ports ? "" : " *") + (algorithm.run.valid ? "" : " !") +
         (algorithm.run.contention_free ? "" : " ~");
}

/// Microseconds with so many digits that the third one of the uncertainty shows.
std::string rounded_microseconds(double picoseconds)
{
  return fmt::format("{:.7g}", picoseconds * 1e-6);
}

/// Exact of one run; of a mean as many digits as may count.
std::string latency_text(const ComparedRun& run)
{
  return run.runs == 1 ? format_microseconds(run.from_source)
                       : rounded_microseconds(static_cast<double>(run.from_source.picoseconds));
}

/// Half of the 95 % interval of the mean.
std::string mean_interval_text(const ComparedAlgorithm& algorithm)
{
  if (algorithm.latencies.empty()) {
    return "-";
  }
  const Statistics statistics = latency_statistics(algorithm);
  return statistics.interval ? fmt::format("{:.3g}", (statistics.interval->high - statistics.mean) * 1e-6) : "-";
}

/// Microseconds of waits of a run, on average.
std::string mean_wait(const ComparedRun& run, ContentionKind kind)
{
  const auto all = run.contention[kind].wait.picoseconds;
  const ExactNumber sum = ExactNumber(static_cast<std::uint64_t>(all >> 64)) * ExactNumber(4294967296) * 4294967296 +
                          static_cast<std::uint64_t>(all);
  return format_microseconds(sum / run.runs);
}

/// Waits of a run, on average.
std::string mean_count(const ComparedRun& run, ContentionKind kind)
{
  return format_rounded(ExactNumber(run.contention[kind].count) / run.runs, 1);
}

std::vector<std::string> table_line(const ComparedAlgorithm& algorithm)
{
  const ComparedRun& run = algorithm.run;
  std::vector<std::string> cells = {title(algorithm) + marks(algorithm),
                                    ports_text(run.ports_needed),
                                    fmt::to_string(run.alpha),
                                    beta_text(run),
                                    algorithm.has_formula() ? format_microseconds(*run.predicted) : "-",
                                    algorithm.state == ComparisonState::deadlock ? algorithm.error : latency_text(run)};
  if (run.runs > 1) {
    cells.push_back(mean_interval_text(algorithm));
  }
  for (const ContentionKind kind : own_contention_kinds) {
    cells.push_back(mean_count(run, kind));
  }
  cells.push_back(fmt::to_string(run.tcd));
  cells.push_back(fmt::to_string(run.max_channel_load));
  return cells;
}

/// Whether the operation loads channels so that more than beta is known of it.
bool shows_loads(const Comparison& comparison)
{
  return std::ranges::any_of(comparison.algorithms, [](const ComparedAlgorithm& algorithm) {
    return has_run(algorithm) && !algorithm.run.fair_beta.empty();
  });
}

std::string table(const Experiment& experiment, const Comparison& comparison)
{
  const std::string_view measured = experiment.run.start_jitter == Time{} ? "measured us" : "latency_from_source us";
  std::vector<std::vector<std::string>> lines = {
      {"algorithm", "ports", "alpha", "beta", "predicted us",
       comparison.repeats.count > 1 ? fmt::format("{}, mean", measured) : std::string(measured)}};
  if (comparison.repeats.count > 1) {
    lines.front().emplace_back("+-");
  }
  lines.front().insert(lines.front().end(), {"step", "depth", "port", "sharing", "TCD", "max load"});
  const bool loads = shows_loads(comparison);
  if (loads) {
    lines.front().insert(lines.front().end(), {"fair beta", "Xi", "V"});
  }
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (!has_run(algorithm)) {
      continue;
    }
    lines.push_back(table_line(algorithm));
    if (loads) {
      const ComparedRun& run = algorithm.run;
      const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
      lines.back().insert(lines.back().end(),
                          {or_dash(run.fair_beta), or_dash(run.deficiency),
                           run.deadlock_free_from == 0 ? "-" : fmt::to_string(run.deadlock_free_from)});
    }
  }
  return aligned(lines);
}

std::string legend(const Experiment& experiment, const Comparison& comparison)
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
    text +=
        fmt::format("~ contends within its steps{}: alpha and beta do not say how long it takes\n",
                    experiment.topology->drawn_bits() > 0 ? ", or its messages draw their way, so that it may" : "");
  }
  if (shows_loads(comparison)) {
    text +=
        "fair beta: what takes the place of beta where messages that share a channel share it fairly; Xi: by how much "
        "it exceeds the bound for all algorithms; V: virtual channels with which no deadlock can be\n";
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
  const auto with_formula = std::ranges::count_if(comparison.algorithms, &ComparedAlgorithm::has_formula);
  if (with_formula < 2) { // without a rival nothing is the fastest
    return {};
  }
  const ExactNumber length = experiment.request.message_bytes;
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("fastest by formula, of the {} that have one{}", with_formula,
                   experiment.network.per_hop == Time{} ? "" : ", hops left out"),
       "from bytes", ""}};
  for (std::size_t i = 0; i < comparison.fastest.size(); ++i) {
    const EnvelopePiece& piece = comparison.fastest[i];
    const bool here =
        piece.from <= length && (i + 1 == comparison.fastest.size() || length < comparison.fastest[i + 1].from);
    lines.push_back({title(comparison.algorithms[piece.line]) + (here ? " <" : ""), format_exact(piece.from),
                     format_rounded(piece.from, decimals)});
  }
  return "\n" + aligned(lines) +
         fmt::format("< at the {} of this comparison, whose parameters count at all lengths (wormcast choose takes "
                     "those of each length)\n",
                     format_bytes(experiment.request.message_bytes));
}

/// The titles of some algorithms, of more than three the first two and how many more.
std::string titles_text(const Comparison& comparison, const std::vector<std::size_t>& positions)
{
  constexpr std::size_t most = 3;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < positions.size() && (positions.size() <= most || i + 1 < most); ++i) {
    titles.push_back(title(comparison.algorithms[positions[i]]));
  }
  if (titles.size() < positions.size()) {
    titles.push_back(fmt::format("{} more", positions.size() - titles.size()));
  }
  return fmt::format("{}", fmt::join(titles, "; "));
}

/// All that may be the fastest.
std::vector<std::size_t> possible(std::size_t best, const std::vector<std::size_t>& undecided)
{
  std::vector<std::size_t> all = {best};
  all.insert(all.end(), undecided.begin(), undecided.end());
  return all;
}

/// Which one is the fastest at which length by simulation.
std::string measured_text(const Experiment& experiment, const Comparison& comparison)
{
  if (comparison.fastest_measured.empty() || candidate_count(comparison) < 2) {
    return {};
  }
  const std::uint64_t length = experiment.request.message_bytes;
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("fastest by simulation, of {}", comparison.rivals + 1), "from bytes", "to"}};
  for (const MeasuredPiece& piece : comparison.fastest_measured) {
    const bool here = piece.from <= length && length <= piece.to;
    const std::string who = piece.undecided.empty()
                                ? title(comparison.algorithms[piece.line])
                                : "not decided: " + titles_text(comparison, possible(piece.line, piece.undecided));
    lines.push_back({who + (here ? " <" : ""), fmt::to_string(piece.from), fmt::to_string(piece.to)});
  }
  return "\n" + aligned(lines);
}

/// The one with the least latency of those that bring everything to every node, or null.
const ComparedAlgorithm* fastest_run(const Comparison& comparison)
{
  return comparison.ranking ? &comparison.algorithms[comparison.ranking->best] : nullptr;
}

/// "+3.1 (-1.0 .. 7.2)": microseconds.
std::string difference_text(const PairedMean& paired)
{
  return paired.interval
             ? fmt::format("{} ({} .. {})", rounded_microseconds(paired.mean),
                           rounded_microseconds(paired.interval->low), rounded_microseconds(paired.interval->high))
             : rounded_microseconds(paired.mean);
}

/// How much longer the others take than the one with the least mean: those between which it is not decided, and the
/// next ones.
std::string differences_text(const Comparison& comparison)
{
  constexpr std::size_t most = 10;
  const Ranking& ranking = *comparison.ranking;
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t i = 0; i < comparison.algorithms.size(); ++i) {
    const ComparedAlgorithm& other = comparison.algorithms[i];
    if (i != ranking.best && other.is_candidate()) {
      others.emplace_back(paired_mean(comparison.algorithms[ranking.best].latencies, other.latencies, 1).mean, i);
    }
  }
  std::ranges::sort(others);
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("longer than {}", title(comparison.algorithms[ranking.best])), "us (interval)", ""}};
  for (const auto& [mean, position] : others) {
    const bool undecided = std::ranges::find(ranking.undecided, position) != ranking.undecided.end();
    const bool equal = std::ranges::find(ranking.equal, position) != ranking.equal.end();
    if (lines.size() <= most || undecided) {
      lines.push_back({"  " + title(comparison.algorithms[position]),
                       difference_text(paired_mean(comparison.algorithms[ranking.best].latencies,
                                                   comparison.algorithms[position].latencies, comparison.rivals)),
                       undecided ? "not decided"
                       : equal   ? "the same in every run"
                                 : "slower"});
    }
  }
  const std::string together =
      fmt::format("; the {} intervals hold together at 95 % (Student's t, Bonferroni)", comparison.rivals);
  return aligned(lines) + fmt::format("differences of runs with the same seed{}\n",
                                      comparison.rivals == 1 ? ", with 95 % intervals (Student's t)" : together);
}

std::string fastest_measured(const Experiment& experiment, const Comparison& comparison)
{
  const std::size_t count = candidate_count(comparison);
  if (!comparison.ranking || count < 2) {
    return {};
  }
  const Ranking& ranking = *comparison.ranking;
  const ComparedAlgorithm& fastest = comparison.algorithms[ranking.best];
  const std::string length = format_bytes(experiment.request.message_bytes);
  const std::string latency = latency_text(fastest.run);
  const bool drawn = comparison.repeats.kind() == LatencyKind::drawn;
  std::string text;
  if (!ranking.decided()) {
    text = fmt::format("not decided which of the {} simulated is the fastest at {}: {}; the least {} is {} us\n", count,
                       length, titles_text(comparison, possible(ranking.best, ranking.undecided)),
                       comparison.repeats.count > 1 ? "mean" : "latency of one run", latency);
  } else {
    text = fmt::format("fastest of the {} simulated at {}: {}, {}{} us{}\n", count, length, title(fastest),
                       drawn ? "mean " : "", latency,
                       ranking.equal.empty() ? std::string() : "; as fast: " + titles_text(comparison, ranking.equal));
  }
  return drawn && comparison.repeats.count > 1 ? text + differences_text(comparison) : text;
}

/// Of the least latency to the bound, rounded.
std::string bound_ratio(const ComparedAlgorithm& fastest, const BroadcastTimeBound& bound)
{
  return format_rounded(ExactNumber(fastest.run.from_source.picoseconds) / bound.latency.picoseconds, decimals);
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
                     has_ratio
                         ? fmt::format("; the least latency here is {} times as long", bound_ratio(*fastest, bound))
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
  const std::string root =
      combines(comparison.operation) && !has_source(comparison.operation)
          ? ""
          : fmt::format(" {} {}",
                        comparison.operation == Operation::reduce || comparison.operation == Operation::gather ? "to"
                                                                                                               : "from",
                        experiment.topology->node_name(experiment.request.source));
  return fmt::format("{}: {} of {}{}, {}\n", experiment.topology->title(), operation_names.text(comparison.operation),
                     format_bytes(experiment.request.message_bytes), root,
                     conditions_text(experiment, comparison.repeats));
}

/// "fastest", "as_fast", "not_decided", "slower"; empty where it cannot be the fastest.
std::string verdict_of(const Comparison& comparison, std::size_t position)
{
  if (!comparison.ranking || !comparison.algorithms[position].is_candidate() || candidate_count(comparison) < 2) {
    return {};
  }
  const Ranking& ranking = *comparison.ranking;
  const auto has = [&](const std::vector<std::size_t>& positions) {
    return std::ranges::find(positions, position) != positions.end();
  };
  const bool near = position == ranking.best || has(ranking.equal);
  if (has(ranking.undecided) || (near && !ranking.decided())) {
    return "not_decided";
  }
  return position == ranking.best ? "fastest" : near ? "as_fast" : "slower";
}

/// The difference to the one with the least mean; none for itself, and where it cannot be the fastest.
std::optional<PairedMean> difference_of(const Comparison& comparison, std::size_t position)
{
  const ComparedAlgorithm& algorithm = comparison.algorithms[position];
  if (!comparison.ranking || position == comparison.ranking->best || !algorithm.is_candidate()) {
    return std::nullopt;
  }
  return paired_mean(comparison.algorithms[comparison.ranking->best].latencies, algorithm.latencies, comparison.rivals);
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

Json algorithm_json(const Comparison& comparison, std::size_t position)
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
      has_interval ? interval_json(latency_statistics(algorithm).interval) : Json(nullptr);
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
  json["tcd"] = run.tcd;
  json["max_channel_load"] = run.max_channel_load;
  if (!run.fair_beta.empty()) {
    json["fair_beta"] = run.fair_beta;
    json["congestion_deficiency"] = run.deficiency.empty() ? Json(nullptr) : Json(run.deficiency);
    json["deadlock_free_from"] = run.deadlock_free_from == 0 ? Json(nullptr) : Json(run.deadlock_free_from);
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

/// Worms beside SimGrid's own models; nothing where these were not asked for.
std::string fluid_text(const Comparison& comparison)
{
  std::vector<std::vector<std::string>> lines = {{"algorithm", "worms us"}};
  for (const FluidModel model : fluid_model_names.all()) {
    lines.front().push_back(fmt::format("{} us", fluid_model_names.text(model)));
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

/// Its two ends in microseconds, or two empty cells.
void append_interval(const std::optional<Interval>& interval, std::vector<std::string>& cells)
{
  cells.push_back(interval ? rounded_microseconds(interval->low) : "");
  cells.push_back(interval ? rounded_microseconds(interval->high) : "");
}

} // namespace

std::string comparison_text(const Experiment& experiment, const Comparison& comparison)
{
  return heading(experiment, comparison) + table(experiment, comparison) + legend(experiment, comparison) +
         fastest_measured(experiment, comparison) + bound_text(comparison) + ties_text(experiment, comparison) +
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
                                                      "predicted_is",
                                                      "latency_us",
                                                      "deadlock_us",
                                                      "latency_from_source_us",
                                                      "runs",
                                                      "latency_from_source_low_us",
                                                      "latency_from_source_high_us",
                                                      "difference_us",
                                                      "difference_low_us",
                                                      "difference_high_us",
                                                      "verdict",
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
                                                      "fair_beta",
                                                      "congestion_deficiency",
                                                      "deadlock_free_from",
                                                      "error"});
  for (std::size_t position = 0; position < comparison.algorithms.size(); ++position) {
    const ComparedAlgorithm& algorithm = comparison.algorithms[position];
    const ComparedRun& run = algorithm.run;
    std::vector<std::string> cells = {algorithm.name, algorithm.parameters,
                                      std::string(comparison_state_names.text(algorithm.state))};
    const bool deadlock = algorithm.state == ComparisonState::deadlock;
    if (has_run(algorithm)) {
      cells.insert(cells.end(),
                   {ports_text(run.ports_needed), run.fits_ports ? "true" : "false", run.valid ? "true" : "false",
                    run.contention_free ? "true" : "false", fmt::to_string(run.alpha), beta_text(run),
                    run.predicted ? format_microseconds(*run.predicted) : "",
                    run.predicted ? std::string(prediction_kind_names.text(run.predicted_is)) : "",
                    deadlock ? "" : format_microseconds(run.measured),
                    deadlock ? format_microseconds(run.deadlock) : "",
                    deadlock ? "" : format_microseconds(run.from_source), fmt::to_string(run.runs)});
      append_interval(algorithm.latencies.size() > 1 ? latency_statistics(algorithm).interval : std::nullopt, cells);
      const std::optional<PairedMean> difference = difference_of(comparison, position);
      cells.push_back(difference ? rounded_microseconds(difference->mean) : "");
      append_interval(difference ? difference->interval : std::nullopt, cells);
      cells.insert(cells.end(),
                   {verdict_of(comparison, position), run.ties_known ? format_microseconds(run.least_by_ties) : "",
                    run.ties_known ? format_microseconds(run.most_by_ties) : "", run.ties_deadlock ? "true" : "false"});
      for (const ContentionKind kind : own_contention_kinds) {
        cells.push_back(format_rounded(ExactNumber(run.contention[kind].count) / run.runs, 6));
      }
      for (const ContentionKind kind : own_contention_kinds) {
        cells.push_back(mean_wait(run, kind));
      }
      cells.insert(cells.end(), {fmt::to_string(run.messages), fmt::to_string(run.bytes_sent), fmt::to_string(run.tcd),
                                 fmt::to_string(run.max_channel_load), run.fair_beta, run.deficiency,
                                 run.deadlock_free_from == 0 ? "" : fmt::to_string(run.deadlock_free_from)});
    } else {
      cells.resize(cells.size() + 35);
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
  json["operation"] = operation_names.text(comparison.operation);
  json["repeats"] = {{"runs", comparison.repeats.count},
                     {"first_seed", comparison.repeats.first_seed},
                     {"random", comparison.repeats.keys},
                     {"intervals", comparison.rivals}};
  json["algorithms"] = Json::array();
  for (std::size_t position = 0; position < comparison.algorithms.size(); ++position) {
    json["algorithms"].push_back(algorithm_json(comparison, position));
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
      entry["between"] = possible(piece.line, piece.undecided);
    }
    json["fastest_measured"].push_back(std::move(entry));
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
