#include "wormcast/experiments/compare/compare_report.hpp"

#include "wormcast/experiments/compare/comparison_values.hpp"
#include "wormcast/experiments/compare/comparison_verdicts.hpp"
#include "wormcast/experiments/compare/conditions.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace wormcast {

namespace {

/// What keeps an algorithm from being one of the fastest, as marks behind its name.
std::string marks(const ComparedAlgorithm& algorithm)
{
  return std::string(algorithm.run.fits_ports ? "" : " *") + (algorithm.run.valid ? "" : " !") +
         (algorithm.run.contention_free ? "" : " ~");
}

/// Half of the 95 % interval of the mean.
std::string mean_interval_text(const ComparedAlgorithm& algorithm)
{
  if (algorithm.latencies.empty()) {
    return "-";
  }
  const Statistics statistics = latencies_by_seed(algorithm);
  return statistics.interval ? fmt::format("{:.3g}", (statistics.interval->high - statistics.mean) * 1e-6) : "-";
}

/// Waits of a run, on average.
std::string mean_count(const ComparedRun& run, ContentionKind kind)
{
  return format_rounded(ExactNumber(run.contention[kind].count) / run.runs, 1);
}

std::vector<std::string> table_line(const ComparedAlgorithm& algorithm)
{
  const ComparedRun& run = algorithm.run;
  std::vector<std::string> cells = {compared_title(algorithm) + marks(algorithm),
                                    port_model_text(run.ports_needed),
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
  for (const std::optional<std::uint64_t>& of_paths : {run.tcd, run.max_channel_load}) {
    cells.push_back(of_paths ? fmt::to_string(*of_paths) : "-");
  }
  return cells;
}

/// Whether the operation loads channels so that more than beta is known of it.
bool shows_loads(const Comparison& comparison)
{
  return std::ranges::any_of(comparison.algorithms, [](const ComparedAlgorithm& algorithm) {
    return has_run(algorithm) && !algorithm.run.fair_beta.empty();
  });
}

/// Whether not all are proved to be free of deadlock with any number of virtual channels.
bool shows_virtual_channels(const Comparison& comparison)
{
  return std::ranges::any_of(comparison.algorithms, [](const ComparedAlgorithm& algorithm) {
    return has_run(algorithm) && algorithm.run.deadlock_checked && algorithm.run.deadlock_free_from != 1;
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
    lines.front().insert(lines.front().end(), {"fair beta", "Xi"});
  }
  const bool virtual_channels = loads || shows_virtual_channels(comparison);
  if (virtual_channels) {
    lines.front().emplace_back("V");
  }
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (!has_run(algorithm)) {
      continue;
    }
    lines.push_back(table_line(algorithm));
    if (loads) {
      const ComparedRun& run = algorithm.run;
      const auto or_dash = [](const std::string& text) { return text.empty() ? std::string("-") : text; };
      lines.back().insert(lines.back().end(), {or_dash(run.fair_beta), or_dash(run.deficiency)});
    }
    if (virtual_channels) {
      lines.back().push_back(fewest_channels_text(algorithm.run.deadlock_proof()));
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
  if (!shows_loads(comparison) && shows_virtual_channels(comparison)) {
    text += channels_legend(experiment.network.virtual_channels);
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
      lines.push_back({"  " + compared_title(algorithm),
                       fmt::format("{} .. {} us{}", format_microseconds(algorithm.run.least_by_ties),
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

/// What dead nodes and links cost each algorithm; nothing where there are none.
std::string faults_text(const Comparison& comparison)
{
  if (!comparison.without_faults) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {{"algorithm", "with us", "without us", "times as long"}};
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (!has_run(algorithm)) {
      continue;
    }
    const ComparedRun& run = algorithm.run;
    const bool done = algorithm.state == ComparisonState::done;
    const bool has_both = done && run.without_faults && run.without_faults->picoseconds > 0;
    lines.push_back({compared_title(algorithm), done ? latency_text(run) : "deadlock",
                     run.without_faults ? latency_text(*run.without_faults, run.runs) : "-",
                     has_both ? format_rounded(ExactNumber(run.from_source.picoseconds) /
                                                   ExactNumber(run.without_faults->picoseconds),
                                               shown_decimals)
                              : "-"});
  }
  return fmt::format("\nwith and without faults ({})\n", *comparison.without_faults) + aligned(lines);
}

/// One line for each reason that an algorithm is not compared.
std::string left_out_text(const Comparison& comparison)
{
  std::string text;
  std::set<std::pair<std::string, std::string>> said;
  for (const ComparedAlgorithm& algorithm : comparison.algorithms) {
    if (!has_run(algorithm) && said.emplace(algorithm.name, algorithm.error).second) {
      const std::string who = algorithm.state == ComparisonState::left_out ? algorithm.name : compared_title(algorithm);
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
    lines.push_back({compared_title(algorithm), done ? format_microseconds(algorithm.run.measured) : "deadlock"});
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
  return heading(experiment, comparison) + table(experiment, comparison) + legend(experiment, comparison) +
         fastest_measured(experiment, comparison) + bound_text(comparison) + ties_text(experiment, comparison) +
         faults_text(comparison) + fastest_text(experiment, comparison) + measured_text(experiment, comparison) +
         fluid_text(comparison) + left_out_text(comparison);
}

} // namespace wormcast
