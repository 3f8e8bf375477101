#pragma once

#include "wormcast/experiments/config/plot_section.hpp"
#include "wormcast/experiments/output/axis_tics.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A column of runs, or the quotient of two ("a/b"), as numbers.
class Measure {
public:
  /// A column that the table does not have gives no numbers.
  Measure(const RunTable& table, const std::string& expression);

  /// Decimal; none where the row has no number there. Of a single column it is exact.
  std::optional<std::string> value(const RunTable::Row& row) const;

  /// The text of the cell, a number or not; of a quotient of its first column.
  std::string text(const RunTable::Row& row) const;

private:
  std::vector<std::optional<std::size_t>> positions_;
};

/// What is written at an axis: "latency from the source's start (us)", "message length", "max_channel_load".
std::string measure_label(const RunTable& table, const std::string& expression);

/// Bytes where all of its numbers are.
AxisUnit measure_unit(const std::string& expression);

/// The axes of a sweep's runs.
std::vector<std::string> table_axes(const RunTable& table);

/// Whether its numbers are latencies in microseconds.
bool is_latency_column(const std::string& column);

/// The column that holds a lower bound of the plot's y. Throws InputError where none is known.
std::string bound_column(const PlotRequest& plot);

/// Throws InputError "c.toml:12:1: plot.y: TEXT".
[[noreturn]] void fail_plot(const PlotRequest& plot, std::string_view key, const std::string& text);

} // namespace wormcast
