#pragma once

#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// The axis whose values are repetitions of one experiment.
inline constexpr std::string_view seed_axis = "run.seed";

/// The latency that tables, figures and comparisons of a sweep show: with start jitter the source's own delay is no
/// part of it. `latency_us`, which they do not show unless asked, counts from time 0.
inline constexpr std::string_view shown_latency = "latency_from_source_us";
inline constexpr std::string_view shown_latency_title = "latency from the source's start";

/// The axis over which latencies have a formula.
inline constexpr std::string_view length_axis = "message.bytes";

/// Fields of a result object in its order, "contention.step" for a field of an object in it. Without format, config,
/// version and deadlock; null is an empty cell.
using ResultFields = std::vector<std::pair<std::string, Cell>>;

/// Throws InputError where `result` is not a JSON object.
ResultFields result_fields(std::string_view result);

/// The text of a field, empty where it is not there.
std::string field(const ResultFields& fields, std::string_view name);

/// The runs of a sweep as rows of named cells: everything that a table or a picture can be made of.
struct RunTable {
  /// Where a column comes from.
  enum class Origin {
    axis,     ///< the sweep's own keys, in the order of the plan
    quantity, ///< numbers of the topology and of the result, with decimals beside times and fractions
    key       ///< the other keys of the effective configuration
  };
  struct Column {
    std::string name;
    Origin origin = Origin::axis;
  };
  struct Row {
    PointState state = PointState::done;
    std::string key;         ///< StoredPoint::key
    std::string error;       ///< empty when done
    std::vector<Cell> cells; ///< by column; empty: this run has none
  };

  std::vector<Column> columns; ///< in the order of Origin
  std::vector<Row> rows;       ///< in the order of the plan

  std::optional<std::size_t> find(std::string_view name) const;
  /// The column's names, in their order.
  std::vector<std::string> names() const;
};

/// `stored` has one entry for each point of the plan.
RunTable run_table(const SweepPlan& plan, std::span<const StoredPoint> stored);

/// Whether an axis says which of several rivals ran: a key of [algorithm] but its source, or a case.
bool tells_rival(std::string_view axis);

/// What a value of an axis is called in titles: "scatter_collect", "network.ports=2".
std::string axis_title(const std::string& axis, const std::string& cell);

} // namespace wormcast
