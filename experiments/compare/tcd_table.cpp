#include "wormcast/experiments/compare/tcd_table.hpp"

#include "wormcast/algorithms/tcd/matrix.hpp"
#include "wormcast/algorithms/tcd/minimum_tcd.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::string_view paper_algorithm = "minimum_tcd";
constexpr std::string_view halving_algorithm = "recursive_halving_tcd";

/// The order that the configuration gives minimum_tcd, else the declared default.
AxisOrder paper_order(const Experiment& experiment)
{
  if (experiment.algorithm == paper_algorithm) {
    return axis_order_names.read(experiment.request.parameters.text("order"));
  }
  const auto defaults = read_parameters(find_algorithm(paper_algorithm).parameters, {});
  return axis_order_names.read(defaults.text("order"));
}

TcdVariant paper_variant(AxisOrder order)
{
  switch (order) {
  case AxisOrder::paper:
    return TcdVariant::paper;
  case AxisOrder::best:
    return TcdVariant::best;
  case AxisOrder::naive:
    return TcdVariant::naive;
  }
  throw std::logic_error("an order of the axes that does not exist");
}

std::vector<std::int64_t> signed_values(const std::vector<std::uint64_t>& values)
{
  return {values.begin(), values.end()};
}

std::vector<std::int64_t> minus(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
  std::vector<std::int64_t> differences(a.size());
  std::ranges::transform(a, b, differences.begin(), std::minus{});
  return differences;
}

/// Computes columns of one configuration, each once.
class TcdColumns {
public:
  TcdColumns(const Experiment& experiment, const Grid& grid, const TcdProgress& progress)
      : experiment_(experiment), grid_(grid), progress_(progress), order_(paper_order(experiment))
  {}

  bool exists(TcdValue value) const
  {
    switch (value) {
    case TcdValue::algorithm:
      return true;
    case TcdValue::paper:
      return has_tcd_matrix(grid_, paper_variant(order_));
    case TcdValue::halving:
    case TcdValue::bound:
    case TcdValue::gap:
      return has_tcd_matrix(grid_, TcdVariant::halving);
    case TcdValue::difference:
      return exists(TcdValue::halving) && exists(compared());
    }
    throw std::logic_error("a TCD value that does not exist");
  }

  /// Whether it is shown when nothing is asked for.
  bool is_shown(TcdValue value) const { return exists(value) && (value != TcdValue::algorithm || !in_closed_form()); }

  TcdColumn column(TcdValue value) { return {value, title(value), tcds(value)}; }

private:
  /// Whether `paper` or `halving` is the configured algorithm's TCD.
  bool in_closed_form() const
  {
    return experiment_.algorithm == paper_algorithm || experiment_.algorithm == halving_algorithm;
  }

  /// What `difference` compares with `halving`.
  TcdValue compared() const { return in_closed_form() ? TcdValue::paper : TcdValue::algorithm; }

  std::string title(TcdValue value) const
  {
    switch (value) {
    case TcdValue::algorithm:
      return experiment_.algorithm;
    case TcdValue::paper:
      return fmt::format("{}, order {}", paper_algorithm, axis_order_names.text(order_));
    case TcdValue::halving:
      return "recursive halving, minimum";
    case TcdValue::bound:
      return "lower bound";
    case TcdValue::difference:
      return fmt::format("{} - recursive halving", in_closed_form() ? paper_algorithm : experiment_.algorithm);
    case TcdValue::gap:
      return "recursive halving - lower bound";
    }
    throw std::logic_error("a TCD value that does not exist");
  }

  const std::vector<std::int64_t>& tcds(TcdValue value)
  {
    std::optional<std::vector<std::int64_t>>& known = known_[static_cast<std::size_t>(value)];
    if (!known) {
      known = compute(value);
    }
    return *known;
  }

  std::vector<std::int64_t> compute(TcdValue value)
  {
    switch (value) {
    case TcdValue::algorithm:
      return count_schedules();
    case TcdValue::paper:
      return signed_values(tcd_matrix(grid_, paper_variant(order_)).tcd);
    case TcdValue::halving:
      return signed_values(tcd_matrix(grid_, TcdVariant::halving).tcd);
    case TcdValue::bound:
      return signed_values(tcd_matrix(grid_, TcdVariant::lower_bound).tcd);
    case TcdValue::difference:
      return minus(tcds(compared()), tcds(TcdValue::halving));
    case TcdValue::gap:
      return minus(tcds(TcdValue::halving), tcds(TcdValue::bound));
    }
    throw std::logic_error("a TCD value that does not exist");
  }

  std::vector<std::int64_t> count_schedules() const
  {
    Experiment experiment = experiment_;
    const std::uint64_t sources = grid_.node_count();
    std::vector<std::int64_t> tcds;
    tcds.reserve(sources);
    for (std::uint32_t source = 0; source < sources; ++source) {
      experiment.request.source = NodeId{source};
      const ScheduleCosts costs = schedule_costs(grid_, experiment_schedule(experiment));
      if (source == 0 && costs.messages > most_tcd_messages / sources) {
        throw InputError(fmt::format("the schedules of {} from all {} sources have about {} messages, more than {}: "
                                     "expected a smaller {}, or --values without algorithm and difference",
                                     experiment.algorithm, sources, costs.messages * sources, most_tcd_messages,
                                     grid_.description().kind));
      }
      tcds.push_back(static_cast<std::int64_t>(costs.tcd));
      if (progress_) {
        progress_(source + 1, sources);
      }
    }
    return tcds;
  }

  const Experiment& experiment_;
  const Grid& grid_;
  const TcdProgress& progress_;
  AxisOrder order_;
  std::array<std::optional<std::vector<std::int64_t>>, 6> known_;
};

[[noreturn]] void throw_missing(TcdValue value, const Grid& grid)
{
  throw InputError(fmt::format(
      "value \"{}\" is defined where all sizes are powers of two{}; found a {}", tcd_value_names.text(value),
      value == TcdValue::paper || value == TcdValue::difference ? " and equal" : "", grid.title()));
}

std::vector<bool> eyes_of(const Grid& grid)
{
  if (grid.wraps() || !has_tcd_matrix(grid, TcdVariant::best)) {
    return std::vector<bool>(grid.node_count(), false);
  }
  return tcd_matrix(grid, TcdVariant::best).eyes;
}

} // namespace

TcdValue tcd_value(std::string_view name)
{
  if (const std::optional<TcdValue> value = tcd_value_names.find(name)) {
    return *value;
  }
  const std::vector<std::string> known = tcd_value_names.texts();
  throw InputError(
      fmt::format("found \"{}\", expected one of {}{}", name, fmt::join(known, ", "), suggestion(name, known)));
}

TcdTable tcd_table(const Experiment& experiment, std::span<const TcdValue> asked, const TcdProgress& progress)
{
  if (experiment.given != nullptr) {
    throw InputError("tcd goes through all sources: found a schedule from a file, expected an algorithm");
  }
  if (experiment.placement != nullptr) {
    throw InputError("[ranks]: found ranks on some nodes, expected no such section: tcd is of all nodes of [topology]");
  }
  TcdTable table;
  table.topology = experiment.topology;
  const Grid& grid = require_grid(*experiment.topology, "tcd");
  table.grid = &grid;
  table.eyes = eyes_of(grid);
  TcdColumns columns(experiment, grid, progress);
  for (const TcdValue value : asked) {
    if (!columns.exists(value)) {
      throw_missing(value, grid);
    }
    table.columns.push_back(columns.column(value));
  }
  for (const TcdValue value : tcd_value_names.all()) {
    if (asked.empty() && columns.is_shown(value)) {
      table.columns.push_back(columns.column(value));
    }
  }
  if (table.columns.empty()) {
    throw_missing(TcdValue::halving, grid);
  }
  return table;
}

} // namespace wormcast
