#include "wormcast/experiments/run/series_rows.hpp"

#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace wormcast {

namespace {

using Row = TableRow<SeriesOutcome>;

constexpr const char* broadcast_waits = "broadcast waits";
constexpr const char* load_waits = "load waits";

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

/// A mean in picoseconds with half the width of its interval, to the second digit of that half; of a mean without an
/// interval nothing else.
std::string with_interval(double mean, double half)
{
  if (!std::isfinite(half) || half <= 0) {
    return fmt::format("{:.7g} us", mean / 1e6);
  }
  const int decimals = std::max(0, 1 - static_cast<int>(std::floor(std::log10(half / 1e6))));
  return fmt::format("{:.{}f} us +- {:.{}f} us", mean / 1e6, decimals, half / 1e6, decimals);
}

std::string name_of_waits(std::string_view whose, ContentionKind kind)
{
  return fmt::format("{}, {}", whose, contention_kind_names.text(kind));
}

std::vector<ShownValue<SeriesOutcome>> declare_other_series_values()
{
  std::vector<ShownValue<SeriesOutcome>> values = {
      {"topology", [](const SeriesOutcome& series) { return series.experiment.single.topology->title(); }},
      {"algorithm", [](const SeriesOutcome& series) { return series.experiment.single.algorithm; }},
      {"number of broadcasts",
       [](const SeriesOutcome& series) {
         return has_latency(series.result) ? std::optional(fmt::to_string(series.result.broadcasts.size()))
                                           : std::nullopt;
       }},
      {"number at a time", [](const SeriesOutcome& series) { return fmt::to_string(series.experiment.series.count); }},
      {"latency with its interval",
       [](const SeriesOutcome& series) {
         const SeriesLatency& latency = series.result.latency;
         return has_latency(series.result) ? std::optional(with_interval(latency.mean, latency.half_interval))
                                           : std::nullopt;
       }},
      {"half interval of the slowdown",
       [](const SeriesOutcome& series) {
         const double half = series.result.slowdown_interval;
         return std::isfinite(half) ? std::optional(fmt::format("{:.2g}", half)) : std::nullopt;
       }},
      {"difference with its interval",
       [](const SeriesOutcome& series) {
         const std::optional<LoadEffect>& load = series.result.load;
         return load ? std::optional(with_interval(load->with - load->without, load->half_interval)) : std::nullopt;
       }},
  };
  for (const ContentionKind kind : all_contention_kinds) {
    values.push_back({name_of_waits(broadcast_waits, kind), [kind](const SeriesOutcome& series) {
                        return counted(series.result.waits[kind].count, "wait");
                      }});
    values.push_back({name_of_waits(load_waits, kind), [kind](const SeriesOutcome& series) {
                        return counted(series.result.load_waits[kind].count, "wait");
                      }});
  }
  return values;
}

/// A row for each kind of waits that there are.
void append_waits(const std::string& whose, const std::string& object, ContentionTotals SeriesResult::* totals,
                  std::vector<Row>& rows)
{
  for (const ContentionKind kind : all_contention_kinds) {
    const std::string_view name = contention_kind_names.text(kind);
    rows.push_back({name_of_waits(whose, kind),
                    fmt::format("{{{}}}, {{{}.{}_wait_us}}", name_of_waits(whose, kind), object, name),
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
      {"latency", "{latency with its interval}"},
      {"latency from source", "{latency_from_source_us}", has_jitter},
      {"median", "{latency_p50_us}"},
      {"95th percentile", "{latency_p95_us}"},
      {"smallest, largest", "{latency_min_us}, {latency_max_us}"},
      {"on an empty network", "{alone_us}"},
      {"slowdown", "{slowdown.mean} +- {half interval of the slowdown}"},
      {"slowdown", "{slowdown.mean}"},
  };
  append_waits(broadcast_waits, "contention", &SeriesResult::waits, rows);
  rows.insert(rows.end(),
              {{"load's latency", "{load.latency_us} during broadcasts, {load.latency_without_us} without them"},
               {"what they cost it", "{difference with its interval}"}});
  append_waits(load_waits, "load.contention", &SeriesResult::load_waits, rows);
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
