#include "wormcast/experiments/run/rows.hpp"

#include <fmt/format.h>

#include <iterator>
#include <type_traits>

namespace wormcast {

std::optional<std::string> quantity_text(const Quantity& quantity, const QuantityValue& value)
{
  return std::visit(
      [&](const auto& found) -> std::optional<std::string> {
        using Value = std::remove_cvref_t<decltype(found)>;
        if constexpr (std::same_as<Value, std::monostate>) {
          return std::nullopt;
        } else if constexpr (std::same_as<Value, Fraction>) {
          return format_fraction(found);
        } else if constexpr (std::same_as<Value, Time> || std::same_as<Value, TotalTime>) {
          return format_microseconds(found) + " us";
        } else if constexpr (std::same_as<Value, double>) {
          return quantity.type == QuantityType::mean_time ? fmt::format("{:.7g} us", found / 1e6)
                 : quantity.type == QuantityType::number  ? fmt::format("{:.4g}", found)
                                                          : fmt::format("{}", found);
        } else if constexpr (std::same_as<Value, std::uint64_t>) {
          return quantity.unit == "bytes" ? format_bytes(found) : fmt::to_string(found);
        } else {
          return fmt::format("{}", found);
        }
      },
      value);
}

std::vector<std::string> names_in(std::string_view text)
{
  std::vector<std::string> names;
  filled_in(text, [&](std::string_view name) {
    names.emplace_back(name);
    return std::string();
  });
  return names;
}

std::optional<std::string> filled_in(std::string_view text,
                                     const std::function<std::optional<std::string>(std::string_view)>& value_of)
{
  std::string filled;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    const std::optional<std::string> value = value_of(text.substr(open + 1, close - open - 1));
    if (!value) {
      return std::nullopt;
    }
    filled += std::string(text.substr(0, open)) + *value;
    text.remove_prefix(close + 1);
  }
  return filled + std::string(text);
}

std::string aligned_rows(const TableRows& rows, std::size_t width)
{
  fmt::memory_buffer text;
  for (const auto& [name, value] : rows) {
    fmt::format_to(std::back_inserter(text), "{:<{}}{}\n", name, width, value);
  }
  return fmt::to_string(text);
}

} // namespace wormcast
