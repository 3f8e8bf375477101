#include "wormcast/experiments/sweep/columns.hpp"

#include "wormcast/simulator/contention.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace wormcast {

namespace {

// Of runs with [broadcast] or [traffic], besides those that they share with others.
void append_series_columns(std::vector<QuantityColumn>& columns)
{
  const std::string other(contention_kind_name(ContentionKind::other));
  const auto add = [&](std::string name, std::string unit, std::string text) {
    columns.push_back({std::move(name), std::move(unit), std::move(text)});
  };
  add("contention." + other, "waits", "of a broadcast's messages, for those of another one or of the load");
  add("contention." + other + "_wait_us", "us", "time in those waits, all added up");
  add("latency_low_us", "us",
      "of a series of broadcasts, whose mean from the start "
      "of the round is `latency_us`: lower end of its 95 % interval");
  add("latency_high_us", "us", "upper end of that interval");
  add("latency_min_us", "us", "the shortest latency of a series");
  add("latency_p50_us", "us", "latency that half of a series' broadcasts are not above");
  add("latency_p95_us", "us", "the same of 95 % of them");
  add("latency_max_us", "us", "the longest latency of a series");
  add("alone_us", "us", "mean of `latency_us` of the same broadcasts on the empty network");
  add("slowdown.mean", "",
      "mean of the quotients of a series' latencies, each over that of the same broadcast on the empty network");
  add("slowdown.low", "", "lower end of its 95 % interval");
  add("slowdown.high", "", "upper end of that interval");
  add("load.offered", "", "load of `[traffic]`, as a fraction of a channel's rate");
  add("load.saturated", "", "`true`: the load is more than the network carries, and there are no latencies");
  add("load.warm_up_us", "us", "when the first broadcast started");
  add("load.all_messages", "messages", "of the load in the whole run");
  add("load.messages", "messages", "of the load that came while a broadcast was under way");
  add("load.latency_us", "us", "mean latency of these");
  add("load.latency_without_us", "us", "mean latency of the same messages without broadcasts");
  add("load.difference_us.mean", "us", "difference of the two: what the broadcasts do to the load");
  add("load.difference_us.low", "us", "lower end of its 95 % interval");
  add("load.difference_us.high", "us", "upper end of that interval");
  for (const ContentionKind kind : all_contention_kinds) {
    const std::string name(contention_kind_name(kind));
    add("load.contention." + name, "waits", fmt::format("the load's waits of the kind `{}` during broadcasts", name));
  }
  for (const ContentionKind kind : all_contention_kinds) {
    add(fmt::format("load.contention.{}_wait_us", contention_kind_name(kind)), "us",
        "time in those waits, all added up");
  }
}

std::vector<QuantityColumn> declare_columns()
{
  std::vector<QuantityColumn> columns = {
      {"nodes", "", "nodes of the topology"},
      {"channels", "", "external channels of the topology, one for each direction of a link"},
      {"unchecked", "", "`true`: schedules are simulated whether they do their operation or not"},
      {"complete", "", "whether the schedule does its operation; empty: it has none, or this is not known"},
      {"undone", "", "what is not done where it does not"},
      {"engine", "", "the engine that ran: `worm`, `flit`, or a fluid model"},
      {"latency_us", "us", "from time 0 to the last delivery; empty after a deadlock"},
      {"deadlock_us", "us", "when the last thing moved before a deadlock; empty: there was none"},
      {"latency_from_source_us", "us",
       "to the last delivery from the source's own start (start jitter); "
       "without one source from the first start of a sender"},
      {"alpha", "steps", "steps that send anything"},
      {"beta", "", "sum over those steps of the largest message, as a fraction of the message length"},
      {"predicted_us", "us",
       "alpha * startup + beta * bytes * per_byte; empty where a step asks a node for more ports than it has"},
      {"predicted_is", "",
       "what that is of `latency_from_source_us`: `exact`, `lower_bound` (what `prediction_leaves_out` names takes "
       "time besides) or `estimate` (the latency can be above or below)"},
      {"not_predicted", "", "why there is no prediction"},
      {"prediction_leaves_out", "", "what a lower bound leaves out; why an estimate is no more than that"},
      {"bounds.alpha", "steps", "no broadcast without contention within its steps has fewer"},
      {"bounds.beta", "", "no such broadcast has a smaller beta"},
      {"bounds.latency_us", "us", "no such broadcast is faster, steps and bytes taken together, hops left out"},
      {"bounds.latency_alpha", "steps", "the steps with which that latency is counted"},
      {"bounds.latency_beta", "", "the beta with which that latency is counted"},
      {"messages", "messages", "messages of the schedule"},
      {"largest_message", "", "the largest message as a fraction of the message length"},
      {"bytes_sent", "bytes", "bytes of all messages"},
      {"tcd", "hops", "total communication distance: the hops of all messages"},
      {"max_channel_load", "messages", "most messages that cross one external channel in the whole run"},
  };
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const QuantityColumn column = columns[i];
    if (column.name.ends_with("beta") || column.name == "largest_message") {
      columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                     {column.name + "_decimal", "", fmt::format("`{}` as a decimal", column.name)});
    }
  }
  for (const ContentionKind kind : own_contention_kinds) {
    const std::string name(contention_kind_name(kind));
    columns.push_back({"contention." + name, "waits", fmt::format("waits of the kind `{}`", name)});
  }
  for (const ContentionKind kind : own_contention_kinds) {
    const std::string name(contention_kind_name(kind));
    columns.push_back({fmt::format("contention.{}_wait_us", name), "us",
                       fmt::format("time that messages waited in waits of the kind `{}`, all added up", name)});
  }
  append_series_columns(columns);
  columns.push_back({"paired.latency_us", "us",
                     "with `run.paired`: `latency_us` of the same run with every external channel free for all"});
  columns.push_back({"paired.contention_cost_us", "us", "`latency_us` minus `paired.latency_us`"});
  columns.push_back({"paired.port", "waits", "waits for ports of that run"});
  columns.push_back({"paired.port_wait_us", "us", "time in those waits, all added up"});
  return columns;
}

std::string trimmed(std::string_view text)
{
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string()
                                         : std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

} // namespace

std::span<const QuantityColumn> quantity_columns()
{
  static const std::vector<QuantityColumn> columns = declare_columns();
  return columns;
}

std::vector<std::string> known_columns(const SweepPlan& plan)
{
  std::vector<std::string> columns = plan.axes;
  for (const std::string& axis : plan.axes) {
    columns.push_back(axis + "_us");
  }
  for (const QuantityColumn& column : quantity_columns()) {
    columns.push_back(column.name);
  }
  std::set<std::string> keys;
  for (const SweepPoint& point : plan.points) {
    if (point.config.empty()) {
      continue;
    }
    const nlohmann::json config = nlohmann::json::parse(point.config);
    for (const auto& [section, content] : config.items()) {
      for (const auto& [name, value] : content.items()) {
        keys.insert(section + "." + name);
        if (value.is_string() && value.get<std::string>().starts_with("best")) {
          keys.insert("chosen." + name);
        }
      }
    }
  }
  columns.insert(columns.end(), keys.begin(), keys.end());
  return columns;
}

Skew skew_of(std::string_view expression)
{
  const auto is_skewed = [](const std::string& column) {
    return column.starts_with("contention.") || column.starts_with("load.contention.") ||
           (column.starts_with("paired.") && column != "paired.latency_us");
  };
  return std::ranges::any_of(columns_of(expression), is_skewed) ? Skew::expected : Skew::by_sample;
}

std::vector<std::string> columns_of(std::string_view expression)
{
  const std::size_t slash = expression.find('/');
  if (slash == std::string_view::npos) {
    return {trimmed(expression)};
  }
  return {trimmed(expression.substr(0, slash)), trimmed(expression.substr(slash + 1))};
}

} // namespace wormcast
