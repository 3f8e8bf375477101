#pragma once

#include "wormcast/values/quantity.hpp"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// One collective operation on a machine: what a measured time and a prediction have in common.
struct MeasuredCase {
  std::string collective; ///< "allreduce"; any text, as are the next two
  std::string shape;      ///< "4x4x4": of the nodes asked for
  std::string algorithm;
  std::uint64_t bytes = 0; ///< of the vector, as the measurement counts them

  friend auto operator<=>(const MeasuredCase&, const MeasuredCase&) = default;
};

/// "allreduce on 4x4x4 by ring, 1 MiB".
std::string case_text(const MeasuredCase& of);

/// A time that was measured on a machine, many times over.
struct MeasuredRow {
  MeasuredCase of;
  std::optional<std::uint32_t> ports; ///< of a node; none: not known
  Time median;                        ///< above 0
  Time low;                           ///< 10th percentile
  Time high;                          ///< 90th percentile
};

/// The range between the percentiles as a share of the median.
double relative_range(const MeasuredRow& row);

/// Reads measured times from CSV: columns collective, shape, algorithm, bytes, median_ns, p10_ns and p90_ns, times in
/// nanoseconds with up to three decimals, and, where it is there, ports, which may be empty. Other columns are ignored.
/// Throws FileError where the file cannot be read, InputError with the file and the line where a column is missing, a
/// value is none, percentiles are not in their order, or a case occurs twice.
std::vector<MeasuredRow> read_measured_rows(const std::filesystem::path& file);

/// A time that a model predicts for a case.
struct PredictedTime {
  MeasuredCase of;
  std::string model;        ///< any text
  std::optional<Time> time; ///< above 0; none: the model has no prediction
};

/// Reads predictions from CSV: columns collective, shape, algorithm, bytes, model, and predicted_ns, which may be
/// empty. Other columns are ignored. Throws as read_measured_rows does; a model may have a case once.
std::vector<PredictedTime> read_predicted_times(const std::filesystem::path& file);

/// The text that read_predicted_times reads.
std::string predicted_times_csv(std::span<const PredictedTime> predictions);

} // namespace wormcast
