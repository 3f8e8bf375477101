#include "wormcast/formats/checked_json.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace wormcast {

namespace {

std::string text_of(const nlohmann::json& value)
{
  if (value.is_binary()) { // a number with a fraction or an exponent, see JsonReader
    return std::string(value.get_binary().begin(), value.get_binary().end());
  }
  if (!value.is_structured()) {
    return value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }
  std::vector<std::string> parts;
  for (const auto& [key, item] : value.items()) {
    parts.push_back(value.is_array() ? text_of(item) : text_of(nlohmann::json(key)) + ":" + text_of(item));
  }
  return value.is_array() ? fmt::format("[{}]", fmt::join(parts, ",")) : fmt::format("{{{}}}", fmt::join(parts, ","));
}

} // namespace

std::string show(const nlohmann::json& value)
{
  constexpr std::size_t most = 60;
  std::string text = text_of(value);
  if (text.size() > most) {
    text.resize(most - 3);
    text += "...";
  }
  return text;
}

void throw_wrong(std::string_view key, const nlohmann::json& found, std::string_view expected)
{
  throw InputError(fmt::format("{}: found {}, expected {}", key, show(found), expected));
}

void throw_unknown_key(const std::string& key, std::span<const std::string> known)
{
  const std::string nearest = nearest_name(key, known);
  throw InputError(fmt::format("unknown key \"{}\"{}", key,
                               nearest.empty() ? fmt::format(", expected one of {}", fmt::join(known, ", "))
                                               : fmt::format(", did you mean \"{}\"?", nearest)));
}

std::uint64_t read_number(std::string_view key, const nlohmann::json& value, std::uint64_t minimum,
                          std::uint64_t maximum)
{
  const bool fits =
      value.is_number_unsigned() && value.get<std::uint64_t>() >= minimum && value.get<std::uint64_t>() <= maximum;
  if (!fits) {
    throw_wrong(key, value, fmt::format("a whole number from {} to {}", minimum, maximum));
  }
  return value.get<std::uint64_t>();
}

Time read_microseconds(std::string_view key, const nlohmann::json& value)
{
  constexpr std::string_view expected = "microseconds of at least 0 with at most six decimals";
  std::string text;
  if (value.is_binary()) {
    text.assign(value.get_binary().begin(), value.get_binary().end());
  } else if (value.is_number_unsigned()) {
    text = value.dump();
  } else {
    throw_wrong(key, value, expected);
  }
  try {
    return parse_time(text + "us");
  } catch (const InputError&) {
    throw_wrong(key, value, expected);
  }
}

} // namespace wormcast
