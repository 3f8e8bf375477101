#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace wormcast {

/// Reads any JSON text into a document of which json_text makes the same values again, digit for digit. A number that a
/// binary fraction would not write as it stands there is kept as exact_number does; all others are numbers. Throws
/// InputError that says at which column the text is malformed.
nlohmann::ordered_json read_json(std::string_view text);

/// Throws InputError: `text` is malformed at this column, which is one behind its end where something is missing.
[[noreturn]] void throw_malformed_json(std::size_t column, std::string_view text);

} // namespace wormcast
