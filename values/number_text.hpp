#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace wormcast {

/// The number that the whole of `text` is, in decimal digits without a leading '+' or blank; none where it is anything
/// else, or does not fit into a Number. Floating-point numbers can be "inf" and "nan".
template <typename Number> std::optional<Number> number_of_text(std::string_view text)
{
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [read_to, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && read_to == end ? std::optional(number) : std::nullopt;
}

/// Returns "1 wait", "2 waits".
inline std::string counted(std::uint64_t number, std::string_view what)
{
  return std::to_string(number) + " " + std::string(what) + (number == 1 ? "" : "s");
}

} // namespace wormcast
