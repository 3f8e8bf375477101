#include "wormcast/experiments/load/load_quantities.hpp"

#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

using enum QuantityType;

/// A statistic of latencies.
struct LatencyStatistic {
  std::string name;
  std::string text; ///< behind the name of the latencies
  QuantityValue (*value)(const LatencySummary& summary);
  LoadColumn column; ///< of `latency_us`; others are not shown
};

QuantityValue end_of_interval(const LatencySummary& summary, double sign)
{
  return summary.half_interval ? QuantityValue(summary.mean + sign * *summary.half_interval) : QuantityValue();
}

const std::vector<LatencyStatistic>& latency_statistics()
{
  static const std::vector<LatencyStatistic> all = {
      {"mean",
       "mean",
       [](const LatencySummary& summary) { return QuantityValue(summary.mean); },
       {.heading = "latency us", .format = "{:.5g}", .repeated_as = "latency_us", .repeated_digits = 5}},
      {"low",
       "lower end of the 95 % interval of the mean; none: the window is too short for one",
       [](const LatencySummary& summary) { return end_of_interval(summary, -1); },
       {}},
      {"high",
       "upper end of that interval",
       [](const LatencySummary& summary) { return end_of_interval(summary, 1); },
       {.heading = "+-", .format = "{:.2g}", .above = std::string(load_quantity::mean_latency)}},
      {"p50",
       "median",
       [](const LatencySummary& summary) { return QuantityValue(summary.median); },
       {.heading = "p50", .format = "{:.5g}"}},
      {"p95",
       "what 95 % of the messages do not exceed",
       [](const LatencySummary& summary) { return QuantityValue(summary.percentile_95); },
       {.heading = "p95", .format = "{:.5g}", .repeated_as = "p95_us", .repeated_digits = 5}},
      {"p99",
       "what 99 % of the messages do not exceed",
       [](const LatencySummary& summary) { return QuantityValue(summary.percentile_99); },
       {.heading = "p99", .format = "{:.5g}", .repeated_as = "p99_us", .repeated_digits = 5}},
      {"max",
       "the largest",
       [](const LatencySummary& summary) { return QuantityValue(static_cast<double>(summary.largest)); },
       {.heading = "largest", .format = "{:.5g}"}},
  };
  return all;
}

class Declarations {
public:
  std::vector<LoadQuantity> take() { return std::move(all_); }

  /// A quantity that every result has.
  template <typename Of> void add(Quantity quantity, Of of, LoadColumn column = {})
  {
    all_.push_back(
        {{std::move(quantity), [of](const LoadOutcome& outcome) { return quantity_value(of(outcome.result)); }},
         true,
         std::move(column)});
  }

  void add_latencies(std::string_view object, const std::string& whose, LatencySummary LoadResult::* summary)
  {
    const bool shown = object == load_quantity::latency;
    for (const LatencyStatistic& statistic : latency_statistics()) {
      all_.push_back({{{.name = fmt::format("{}.{}", object, statistic.name),
                        .type = mean_time,
                        .unit = "us",
                        .text = fmt::format("{}: {}", whose, statistic.text)},
                       [summary, value = statistic.value](const LoadOutcome& outcome) {
                         return has_latency(outcome.result) ? value(outcome.result.*summary) : QuantityValue();
                       }},
                      true,
                      shown ? statistic.column : LoadColumn{}});
    }
  }

  void add_busiest_channel()
  {
    const auto where_channels_are = [](auto of) {
      return [of](const LoadOutcome& outcome) {
        return outcome.experiment.topology->channel_count() > 0 ? QuantityValue(of(outcome)) : QuantityValue();
      };
    };
    all_.push_back(
        {{{.name = "busiest_channel.channel",
           .type = text,
           .text = "the external channel in which flits cross for the largest share of time; none: the "
                   "network has no external channels"},
          where_channels_are([](const LoadOutcome& outcome) {
            const Topology& topology = *outcome.experiment.topology;
            const ChannelId busiest = outcome.result.busiest;
            return ResourceNames(topology, outcome.experiment.network.ports)
                .name({.kind = Resource::Kind::external, .channel = busiest, .node = topology.channel_source(busiest)});
          })}});
    all_.push_back({{{.name = "busiest_channel.busy", .type = number, .text = "that share"},
                     where_channels_are([](const LoadOutcome& outcome) { return outcome.result.busy_most; })},
                    true,
                    {.heading = "busiest", .format = "{:.3f}"}});
  }

  /// All messages have the same step: none waits for one of another step.
  void add_waits()
  {
    const std::string depth(contention_kind_names.text(ContentionKind::depth));
    for (auto& declared : quantities_within<LoadOutcome, ContentionTotals>(
             "contention", contention_quantities(own_contention_kinds),
             [](const LoadOutcome& outcome) -> const ContentionTotals& { return outcome.result.waits; })) {
      const bool in_csv = declared.quantity.name.find("." + depth) == std::string::npos;
      declared.quantity.text += " (those that ended in the window)";
      all_.push_back({std::move(declared), in_csv});
    }
  }

private:
  std::vector<LoadQuantity> all_;
};

void add_loads_and_verdict(Declarations& all)
{
  all.add({.name = std::string(load_quantity::offered),
           .type = setting,
           .text = "offered load, as a fraction of a channel's rate 1/T_c"},
          [](const LoadResult& result) { return result.offered; });
  all.add({.name = "created", .type = number, .text = "load that was generated in the window"},
          [](const LoadResult& result) { return result.created; });
  all.add({.name = "delivered", .type = number, .text = "load that was delivered in the window"},
          [](const LoadResult& result) { return result.delivered; });
  all.add({.name = std::string(load_quantity::accepted),
           .type = number,
           .text = "the part of the offered load that the network carries ([accepted "
                   "load](../load.md#accepted-load))"},
          [](const LoadResult& result) { return result.accepted; },
          {.heading = "accepted", .format = "{:.4f}", .repeated_as = "accepted", .repeated_digits = 4});
  all.add({.name = std::string(load_quantity::verdict),
           .type = text,
           .text = "`stable`, `saturated` or `undecided` ([verdicts](../load.md#verdicts))"},
          [](const LoadResult& result) { return std::string(load_verdict_names.text(result.verdict)); });
  all.add({.name = std::string(load_quantity::undecided_by),
           .type = text,
           .text = "why it is undecided: `messages`, `growth`, `drain` or `correlation`; none: it is decided"},
          [](const LoadResult& result) {
            return result.verdict == LoadVerdict::undecided
                       ? std::optional(std::string(undecided_names.text(result.undecided_by)))
                       : std::nullopt;
          });
  all.add({.name = std::string(load_quantity::stable),
           .type = truth,
           .text = "whether it is stable; none: it is undecided"},
          [](const LoadResult& result) {
            return result.verdict == LoadVerdict::undecided ? std::nullopt : std::optional(result.stable());
          });
}

void add_network(Declarations& all)
{
  all.add({.name = "hops", .type = number, .text = "mean number of external channels of the delivered messages"},
          [](const LoadResult& result) { return result.hops; }, {.heading = "hops", .format = "{:.4g}"});
  all.add({.name = "busy",
           .type = number,
           .text = "share of time in which flits cross an external channel, mean of all channels"},
          [](const LoadResult& result) { return result.busy_mean; });
  all.add_busiest_channel();
  all.add({.name = "smallest_share.node",
           .type = count,
           .text = "the sender of which the network accepts the smallest load"},
          [](const LoadResult& result) { return index(result.smallest_sender); });
  all.add(
      {.name = "smallest_share.share",
       .type = number,
       .text = "that load, as a share of the mean of all senders (fairness); with classes relative to what each sends"},
      [](const LoadResult& result) { return result.smallest_share; });
  all.add_waits();
}

void add_measurement(Declarations& all)
{
  all.add({.name = "silent_nodes", .type = count, .unit = "nodes", .text = "nodes that send nothing under the pattern"},
          [](const LoadResult& result) { return result.idle_nodes; });
  all.add({.name = "warm_up_us", .type = mean_time, .unit = "us", .text = "when the window began"},
          [](const LoadResult& result) { return static_cast<double>(result.warm_up.picoseconds); });
  all.add({.name = "measured_us", .type = mean_time, .unit = "us", .text = "the length of the window"},
          [](const LoadResult& result) { return static_cast<double>(result.measured.picoseconds); });
  all.add({.name = "messages", .type = count, .unit = "messages", .text = "messages that were generated in the window"},
          [](const LoadResult& result) { return result.messages; });
  all.add({.name = "unfinished",
           .type = count,
           .unit = "messages",
           .text = "of these the ones that had not arrived when the run ended"},
          [](const LoadResult& result) { return result.unfinished; });
  all.add({.name = "batches",
           .type = count,
           .text = "batch means of which the interval of the mean latency is computed; 0: there is no interval"},
          [](const LoadResult& result) { return result.batches; });
  all.add({.name = "engine", .type = text, .text = "the engine that ran"},
          [](const LoadResult& result) { return result.engine; });
}

std::vector<LoadQuantity> declare_load_quantities()
{
  Declarations all;
  add_loads_and_verdict(all);
  all.add_latencies(load_quantity::latency, "latency from generation to delivery", &LoadResult::latency);
  all.add_latencies(load_quantity::network_latency, "latency from the grant of the port to delivery",
                    &LoadResult::network_latency);
  add_network(all);
  add_measurement(all);
  return all.take();
}

} // namespace

std::span<const LoadQuantity> load_quantities()
{
  static const std::vector<LoadQuantity> all = declare_load_quantities();
  return all;
}

std::span<const std::string_view> load_columns()
{
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> columns;
    for (const LoadQuantity& quantity : load_quantities()) {
      if (quantity.in_csv && quantity.name() != load_quantity::offered) {
        columns.emplace_back(quantity.name());
      }
    }
    return columns;
  }();
  return all;
}

nlohmann::ordered_json load_quantities_json(const LoadOutcome& outcome)
{
  nlohmann::ordered_json json;
  for (const LoadQuantity& quantity : load_quantities()) {
    put_quantity(json, quantity.declared.quantity, quantity.declared.value(outcome));
  }
  for (nlohmann::ordered_json& member : json) {
    if (member.is_object() && std::ranges::all_of(member, [](const auto& value) { return value.is_null(); })) {
      member = nullptr;
    }
  }
  return json;
}

bool has_latency(const LoadResult& result)
{
  return result.stable() || result.undecided_by == UndecidedBy::correlation;
}

} // namespace wormcast
