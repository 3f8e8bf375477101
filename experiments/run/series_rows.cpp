#include "wormcast/experiments/run/series_rows.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

namespace wormcast {

namespace {

using Row = TableRow<SeriesOutcome>;

bool has_traffic(const SeriesOutcome& series)
{
  return series.experiment.traffic.has_value();
}

bool is_saturated(const SeriesOutcome& series)
{
  return has_traffic(series) && series.result.saturated;
}

bool has_jitter(const SeriesOutcome& series)
{
  return series.experiment.single.run.start_jitter != Time{};
}

std::optional<std::string> half_of_interval(double half, const char* format)
{
  return std::isfinite(half) ? std::optional(fmt::format(fmt::runtime(format), half)) : std::nullopt;
}

std::optional<std::string> half_of_interval(double picoseconds)
{
  return half_of_interval(picoseconds / 1e6, "{:.7g} us");
}

std::vector<ShownValue<SeriesOutcome>> declare_other_series_values()
{
  return {
      {"topology", [](const SeriesOutcome& series) { return series.experiment.single.topology->title(); }},
      {"algorithm", [](const SeriesOutcome& series) { return series.experiment.single.algorithm; }},
      {"number of broadcasts",
       [](const SeriesOutcome& series) {
         return has_latency(series.result) ? std::optional(fmt::to_string(series.result.broadcasts.size()))
                                           : std::nullopt;
       }},
      {"number at a time", [](const SeriesOutcome& series) { return fmt::to_string(series.experiment.series.count); }},
      {"half interval of the latency",
       [](const SeriesOutcome& series) { return half_of_interval(series.result.latency.half_interval); }},
      {"half interval of the slowdown",
       [](const SeriesOutcome& series) { return half_of_interval(series.result.slowdown_interval, "{:.2g}"); }},
      {"half interval of the difference",
       [](const SeriesOutcome& series) {
         const std::optional<LoadEffect>& load = series.result.load;
         return load ? half_of_interval(load->half_interval) : std::nullopt;
       }},
  };
}

/// A row for each kind of waits that there are.
void append_waits(const std::string& whose, const std::string& object, ContentionTotals SeriesResult::* totals,
                  std::vector<Row>& rows)
{
  for (const ContentionKind kind : all_contention_kinds) {
    const std::string_view name = contention_kind_names.text(kind);
    rows.push_back({fmt::format("{}, {}", whose, name),
                    fmt::format("{{{0}.{1}}} waits, {{{0}.{1}_wait_us}}", object, name),
                    [totals, kind](const SeriesOutcome& series) {
                      return !series.result.saturated && (series.result.*totals)[kind].count > 0;
                    }});
  }
}

std::vector<Row> declare_series_rows()
{
  std::vector<Row> rows = {
      {"topology", "{topology}"},
      {"algorithm", "{algorithm}"},
      {"INCOMPLETE", "{undone}"},
      {"engine", "{engine}"},
      {"load", "{load.offered}, more than the network carries: latencies would grow with the time watched",
       is_saturated},
      {"load", "{load.offered}, warmed up for {load.warm_up_us}", has_traffic},
      {"broadcasts", "{number of broadcasts}, {number at a time} at a time"},
      {"latency", "{latency_us} +- {half interval of the latency}"},
      {"latency", "{latency_us}"},
      {"latency from source", "{latency_from_source_us}", has_jitter},
      {"median", "{latency_p50_us}"},
      {"95 %", "{latency_p95_us}"},
      {"smallest, largest", "{latency_min_us}, {latency_max_us}"},
      {"on an empty network", "{alone_us}"},
      {"slowdown", "{slowdown.mean} +- {half interval of the slowdown}"},
      {"slowdown", "{slowdown.mean}"},
  };
  append_waits("broadcast waits", "contention", &SeriesResult::waits, rows);
  rows.insert(rows.end(),
              {{"load's latency", "{load.latency_us} during broadcasts, {load.latency_without_us} without them"},
               {"what they cost it", "{load.difference_us.mean} +- {half interval of the difference}"},
               {"what they cost it", "{load.difference_us.mean}"}});
  append_waits("load waits", "load.contention", &SeriesResult::load_waits, rows);
  return rows;
}

} // namespace

std::span<const Row> series_row_texts()
{
  static const std::vector<Row> all = declare_series_rows();
  return all;
}

std::span<const ShownValue<SeriesOutcome>> other_values_of_series()
{
  static const std::vector<ShownValue<SeriesOutcome>> all = declare_other_series_values();
  return all;
}

} // namespace wormcast
