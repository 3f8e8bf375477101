#include "wormcast/experiments/compare/compare_report.hpp"
#include "wormcast/experiments/compare/comparison_values.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/formats/csv.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

/// Its two ends in microseconds, or two empty cells.
void append_interval(const std::optional<Interval>& interval, std::vector<std::string>& cells)
{
  cells.push_back(interval ? rounded_microseconds(interval->low) : "");
  cells.push_back(interval ? rounded_microseconds(interval->high) : "");
}

std::string known(const std::optional<std::uint64_t>& number)
{
  return number ? fmt::to_string(*number) : std::string();
}

} // namespace

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
                                                      "latency_without_faults_us",
                                                      "error"});
  for (std::size_t position = 0; position < comparison.algorithms.size(); ++position) {
    const ComparedAlgorithm& algorithm = comparison.algorithms[position];
    const ComparedRun& run = algorithm.run;
    std::vector<std::string> cells = {algorithm.name, algorithm.parameters,
                                      std::string(comparison_state_names.text(algorithm.state))};
    const bool deadlock = algorithm.state == ComparisonState::deadlock;
    if (has_run(algorithm)) {
      cells.insert(cells.end(),
                   {port_model_text(run.ports_needed), run.fits_ports ? "true" : "false", run.valid ? "true" : "false",
                    run.contention_free ? "true" : "false", fmt::to_string(run.alpha), beta_text(run),
                    run.predicted ? format_microseconds(*run.predicted) : "",
                    run.predicted ? std::string(prediction_kind_names.text(run.predicted_is)) : "",
                    deadlock ? "" : format_microseconds(run.measured),
                    deadlock ? format_microseconds(run.deadlock) : "",
                    deadlock ? "" : format_microseconds(run.from_source), fmt::to_string(run.runs)});
      append_interval(algorithm.latencies.size() > 1 ? latencies_by_seed(algorithm).interval : std::nullopt, cells);
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
      cells.insert(cells.end(), {fmt::to_string(run.messages), fmt::to_string(run.bytes_sent), known(run.tcd),
                                 known(run.max_channel_load), run.fair_beta, run.deficiency,
                                 fewest_channels_cell(run.deadlock_proof()),
                                 run.without_faults ? latency_text(*run.without_faults, run.runs) : std::string()});
    } else {
      cells.resize(cells.size() + 36);
    }
    cells.push_back(algorithm.error);
    csv += csv_line(cells);
  }
  return csv;
}

} // namespace wormcast
