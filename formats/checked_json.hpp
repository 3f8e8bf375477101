#pragma once

#include "wormcast/values/quantity.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// Limits of the format wormcast-schedule/1.
namespace schedule_limit {
inline constexpr std::uint64_t ids = ~std::uint32_t{0}; ///< message ids and nodes are below
inline constexpr std::uint64_t steps = std::uint64_t{1} << 24;
inline constexpr std::uint64_t blocks = std::uint64_t{1} << 32;
inline constexpr std::uint64_t bytes = std::uint64_t{1} << 62; ///< may be reached
} // namespace schedule_limit

/// Returns a value of JsonReader as it is written in the file, shortened to 60 characters.
std::string show(const nlohmann::json& value);

/// Throws InputError "KEY: found VALUE, expected EXPECTED".
[[noreturn]] void throw_wrong(std::string_view key, const nlohmann::json& found, std::string_view expected);

/// Throws InputError with the known key that is nearest, or with all.
[[noreturn]] void throw_unknown_key(const std::string& key, std::span<const std::string> known);

/// A whole number from minimum to maximum. Throws InputError on anything else.
std::uint64_t read_number(std::string_view key, const nlohmann::json& value, std::uint64_t minimum,
                          std::uint64_t maximum);

/// Reads microseconds as an exact decimal. Throws InputError for anything else.
Time read_microseconds(std::string_view key, const nlohmann::json& value);

} // namespace wormcast
