#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/tcd_study.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/study_reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

namespace wormcast {

namespace web {
extern const std::string_view contention_by_distance_runs;
extern const std::string_view slowdown_of_random_trees_runs;
} // namespace web

namespace cang_wu {

namespace {

/// What may depend on the TCD.
struct Quantity {
  std::string title; ///< "waits for channels"
  std::string name;
  double (*of)(const TcdMeasured& measured) = nullptr;
  bool is_of_load = false; ///< there is none without traffic
};

const std::array<Quantity, 4> quantities = {
    {{"waits for channels",
      "contention: time in which headers wait for channels, the broadcast's own and those of the load behind it",
      [](const TcdMeasured& one) { return one.contention(); }},
     {"the load's loss", "contention: what the load's messages lose by a broadcast, in all",
      [](const TcdMeasured& one) { return one.loss; }, true},
     {"latency", "delay: latency of a broadcast", [](const TcdMeasured& one) { return one.latency; }},
     {"slowdown", "delay: slowdown against the empty network", [](const TcdMeasured& one) { return one.slowdown; }}}};

/// A quantity in the settings in which there is one.
struct QuantityFound {
  std::vector<const TcdCell*> cells;
  std::vector<ClusteredMean> correlations; ///< by cell
  std::vector<ClusteredMean> growths;
};

/// A measure of dependence by source, as means over the sources of each setting.
std::vector<ClusteredMean> over_sources(const std::vector<const TcdCell*>& cells, const Quantity& quantity,
                                        double (*measure)(std::span<const double>, std::span<const double>))
{
  std::vector<std::vector<double>> by_source;
  for (const TcdCell* cell : cells) {
    by_source.emplace_back();
    for (const std::vector<TcdMeasured>& schedules : cell->measured) {
      std::vector<double> tcds;
      std::vector<double> values;
      std::ranges::transform(schedules, std::back_inserter(tcds), &TcdMeasured::tcd);
      std::ranges::transform(schedules, std::back_inserter(values), quantity.of);
      by_source.back().push_back(measure(tcds, values));
    }
  }
  return clustered_means(by_source);
}

QuantityFound found_of(const std::vector<TcdCell>& cells, const Quantity& quantity)
{
  QuantityFound found;
  for (const TcdCell& cell : cells) {
    if (cell.setting.tenths > 0 || !quantity.is_of_load) {
      found.cells.push_back(&cell);
    }
  }
  found.correlations = over_sources(found.cells, quantity, rank_correlation);
  found.growths = over_sources(found.cells, quantity, growth_per_doubling);
  return found;
}

std::string among_text(int tenths)
{
  return tenths > 0 ? fmt::format("at {} of the largest stable load", decimal(tenths / 10.0))
                    : std::string("several at once without load");
}

/// "0.53 to 0.75", or the one number.
std::string range_text(const std::vector<double>& values, int digits)
{
  const auto [least, most] = std::ranges::minmax(values);
  const std::string from = decimal(least, digits);
  const std::string to = decimal(most, digits);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

/// What settings with the same load have in common: "at 0.3 of the largest stable load 0.53 to 0.75, above 0 in 5 of 5,
/// 18.2 to 31 % per doubling".
std::string by_load_text(const QuantityFound& found)
{
  std::string text;
  for (const int tenths : {1, 3, 5, 0}) {
    std::vector<double> correlations;
    std::vector<double> growths;
    std::size_t above = 0;
    for (std::size_t i = 0; i < found.cells.size(); ++i) {
      if (found.cells[i]->setting.tenths == tenths) {
        correlations.push_back(found.correlations[i].mean);
        growths.push_back(100 * found.growths[i].mean);
        above += found.correlations[i].low_of_all > 0 ? 1 : 0;
      }
    }
    if (!correlations.empty()) {
      text +=
          fmt::format("{}{} {}, above 0 in {} of {}, {} % per doubling", text.empty() ? "" : "; ", among_text(tenths),
                      range_text(correlations, 2), above, correlations.size(), range_text(growths, 0));
    }
  }
  return text;
}

std::string interval_text(const ClusteredMean& mean, double factor, int digits)
{
  return fmt::format("{} ({} to {})", decimal(factor * mean.mean, digits), decimal(factor * mean.low, digits),
                     decimal(factor * mean.high, digits));
}

ExhibitTable dependence_table(const Quantity& quantity, const QuantityFound& found)
{
  ExhibitTable table{.title = quantity.name,
                     .header = {"setting", "rank correlation with the TCD", "from, all settings together", "to",
                                "growth per doubling of the TCD (%)"},
                     .rows = {}};
  for (std::size_t i = 0; i < found.cells.size(); ++i) {
    table.rows.push_back({title(found.cells[i]->setting), interval_text(found.correlations[i], 1, 2),
                          decimal(found.correlations[i].low_of_all, 2), decimal(found.correlations[i].high_of_all, 2),
                          interval_text(found.growths[i], 100, 1)});
  }
  return table;
}

ExhibitTable means_table(const std::vector<TcdCell>& cells)
{
  ExhibitTable table{.title = fmt::format("means over {}; times in us", of_some_sources(tcd_study_sources())),
                     .header = {"setting", "schedule", "TCD", "latency", "slowdown", "own waits for channels",
                                "the load's waits for channels behind it", "what the load's messages lose in all",
                                "a message"},
                     .rows = {}};
  for (const TcdCell& cell : cells) {
    for (std::size_t schedule = 0; schedule < tcd_schedule_names().size(); ++schedule) {
      const auto mean = [&](double TcdMeasured::* value) {
        double sum = 0;
        for (const std::vector<TcdMeasured>& of_source : cell.measured) {
          sum += of_source[schedule].*value;
        }
        return decimal(sum / static_cast<double>(cell.measured.size()));
      };
      table.rows.push_back({title(cell.setting), tcd_schedule_names()[schedule], mean(&TcdMeasured::tcd),
                            mean(&TcdMeasured::latency), mean(&TcdMeasured::slowdown), mean(&TcdMeasured::own_waits),
                            mean(&TcdMeasured::waits_behind), mean(&TcdMeasured::loss),
                            mean(&TcdMeasured::loss_per_message)});
    }
  }
  return table;
}

/// On meshes of two axes with the TCD varied on its own, all else of the trees being the same: by the studies.
std::vector<std::pair<std::string, Evidence>> random_trees()
{
  StudyReading alone{
      .study = "contention_by_distance", .runs = web::contention_by_distance_runs, .question = "contention_cost"};
  if (is_mutated_by(Mutation::data_changed)) {
    alone.changed = [](StudyObservations& runs) { mirror_column(runs, "tcd", "topology.dims"); };
  }
  return {answered_reading(alone), answered_reading({.study = "slowdown_of_random_trees",
                                                     .runs = web::slowdown_of_random_trees_runs,
                                                     .question = "under_load"})};
}

Evidence dependence_on_tcd(std::size_t d, std::span<const nlohmann::ordered_json> parts)
{
  const std::vector<TcdCell> cells = tcd_cells(d, parts);
  std::vector<std::pair<std::string, Evidence>> readings;
  std::vector<ExhibitTable> tables = {means_table(cells)};
  std::string grown;
  for (const Quantity& quantity : quantities) {
    const QuantityFound found = found_of(cells, quantity);
    tables.push_back(dependence_table(quantity, found));
    const auto above =
        std::ranges::count_if(found.correlations, [](const ClusteredMean& one) { return one.low_of_all > 0; });
    grown += fmt::format("{}{} in {} of {}", grown.empty() ? "" : ", ", quantity.title, above, found.cells.size());
    readings.emplace_back(quantity.name, Evidence{.measured = "rank correlation with the TCD " + by_load_text(found),
                                                  .verdict = dependence(found.correlations)});
  }
  if (d == 2) {
    std::ranges::move(random_trees(), std::back_inserter(readings));
  }
  Evidence evidence = by_reading(std::move(readings));
  evidence.measured = fmt::format("{}, {} schedules from each in {} settings: {}", of_some_sources(tcd_study_sources()),
                                  tcd_schedule_names().size(), cells.size(), evidence.measured);
  if (evidence.verdict == Verdict::ambiguous) {
    evidence.correction =
        fmt::format("it depends on what is meant, and on the load: settings in which it is shown to grow "
                    "with the TCD: {}",
                    grown);
  }
  evidence.tables = std::move(tables);
  return evidence;
}

/// Two of the schedules under load, for `wormcast sweep`.
std::string under_load_config(std::size_t d)
{
  const BroadcastCase shown{.dims = square(d == 2 ? 4 : 3, d), .algorithm = "recursive_halving_tcd"};
  std::string config = config_text(shown, 256,
                                   "[broadcast]\nrepeat = 3\npause = \"20us\"\n\n"
                                   "[traffic]\nbytes = 64\nload = 0.0288\nwarm_up = \"50us\"\n\n"
                                   "[sweep]\n\"algorithm.name\" = [\"recursive_halving_tcd\", "
                                   "\"recursive_doubling\"]\nrepeat = 16\n");
  const std::string figures = "startup = \"150us\"\nper_byte = \"0.5us\"\n";
  config.replace(config.find(figures), figures.size(),
                 "startup = \"0.1us\"\nper_byte = \"10ns\"\nper_hop = \"20ns\"\nbuffer_flits = 4\n");
  return config;
}

} // namespace

std::vector<Check> dependence_checks(const Part& part)
{
  const std::size_t d = part.d;
  return {{.name = "contention_and_delay",
           .demonstration = {.config = under_load_config(d), .command = "wormcast sweep CONFIG"},
           .measurement = {.parts = tcd_study_parts(d), .conclude = [=](std::span<const nlohmann::ordered_json> parts) {
                             return dependence_on_tcd(d, parts);
                           }}}};
}

} // namespace cang_wu

} // namespace wormcast
