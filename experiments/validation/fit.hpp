#pragma once

#include "wormcast/experiments/validation/study.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A constant of a machine, or an entry of a table of times, and what it was found from.
struct FittedConstant {
  std::string name;                   ///< "startup"
  std::optional<std::uint64_t> bytes; ///< of an entry of a table
  Time value;
  std::vector<MeasuredCase> rows;
  bool is_clamped = false; ///< the row is predicted to take longer even without it: the value is 0
};

/// All constants of a study.
struct FittedConstants {
  FittedValues values;
  std::vector<FittedConstant> found; ///< in the order of the study, entries by bytes
};

/// The constants of [fit] by three formulas and nothing else. With S = `messages` and the time p of a message without
/// bytes over a channel:
///
///     p = (t(ready) - t(last of short) - S (ready - last of short) T_c) / S;    startup = p - T_f
///     call = mean t(short) - S p
///     addition(b) = (t(b) - call)/S - 2p - b T_c for each measured b from additions_from on;  addition(ready) = 0
///
/// rounded to picoseconds. Throws InputError where a row is missing or a constant would be negative.
FittedConstants fit_constants(const FitRule& rule, std::span<const MeasuredRow> rows);

/// Returns the predicted time of a row whose configuration has these changes.
using PredictRow = std::function<Time(const StudiedRow& studied)>;

/// Those of [fit], then each [[constant]]: the least time with which the row is predicted to take what was measured,
/// found by a search between bounds. Throws InputError where rows are missing, several rows are to give one time, or a
/// row is not predicted or does not depend on the constant.
FittedConstants fit_study(const ValidationStudy& study, std::span<const MeasuredRow> rows, const PredictRow& predict);

/// For people: a line for each constant. Empty where there are none.
std::string fitted_table(const FittedConstants& constants);

/// The same as JSON, times as exact numbers.
nlohmann::ordered_json fitted_json(const FittedConstants& constants);

} // namespace wormcast
