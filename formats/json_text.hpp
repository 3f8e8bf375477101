#pragma once

#include "wormcast/values/quantity.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace wormcast {

/// A JSON number that json_text writes as these digits, without going through a binary fraction. No other writer of
/// nlohmann::json understands it.
nlohmann::ordered_json exact_number(std::string digits);

/// Microseconds as an exact number.
nlohmann::ordered_json exact_microseconds(Time time);
nlohmann::ordered_json exact_microseconds(TotalTime time);

/// A number of a result with seven digits: what is beyond them is noise. Null where it is not finite.
nlohmann::ordered_json measured_number(double value);

/// Picoseconds as microseconds, with seven digits.
nlohmann::ordered_json measured_microseconds(double picoseconds);

/// `text` as a JSON string with its quotes. Text that is not UTF-8 gets replacement characters.
std::string json_quoted(std::string_view text);

/// Where line breaks are.
enum class JsonLayout {
  one_line, ///< for JSON lines: no line breaks
  indented  ///< for people: two spaces a level, lists of plain values on one line
};

/// The JSON text of `value`, with exact numbers as they are. Ends without a line break. Text that is not UTF-8 gets
/// replacement characters.
std::string json_text(const nlohmann::ordered_json& value, JsonLayout layout);

} // namespace wormcast
