#pragma once

#include "wormcast/values/quantity.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace wormcast {

/// A JSON number that json_text writes as these digits, without going through a binary fraction. No other writer of
/// nlohmann::json understands it.
nlohmann::ordered_json exact_number(std::string digits);

/// Returns microseconds as an exact number.
nlohmann::ordered_json exact_microseconds(Time time);
nlohmann::ordered_json exact_microseconds(TotalTime time);

/// Returns a number of a result with seven digits: the others are noise. Null if it is not finite.
nlohmann::ordered_json measured_number(double value);

/// Returns picoseconds as microseconds, with seven digits.
nlohmann::ordered_json measured_microseconds(double picoseconds);

/// Returns `text` as a JSON string with its quotes. Bytes that are not UTF-8 are replaced.
std::string json_quoted(std::string_view text);

/// The line breaks of a JSON text.
enum class JsonLayout {
  one_line, ///< for JSON lines: no line breaks
  indented  ///< for people: two spaces a level, lists of plain values on one line
};

/// Returns the JSON text of `value`, with exact numbers as they are, without a line break at its end. Bytes that are
/// not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& value, JsonLayout layout);

} // namespace wormcast
