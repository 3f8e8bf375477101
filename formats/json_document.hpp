#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string_view>

namespace wormcast {

/// Reads any JSON text into a document from which json_text makes the same values again, digit for digit. A number that
/// a double cannot represent as written is stored as by exact_number; all others are numbers. Throws InputError with
/// the column at which the text is malformed.
nlohmann::ordered_json read_json(std::string_view text);

/// Throws InputError: `text` is malformed at this column, which is one after its end if something is missing.
[[noreturn]] void throw_malformed_json(std::size_t column, std::string_view text);

} // namespace wormcast
