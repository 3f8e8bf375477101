#include "wormcast/experiments/program/commands/command.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace wormcast {

namespace {

/// Values, and arguments without a value of their own name, that are paths.
constexpr std::array<std::string_view, 11> paths = {
    "FILE", "FILE|-", "DIR", "FOLDER", "CONFIG", "PROGRAM", "SCHEDULE", "SCHEDULE|CONFIG", "TRACE", "TARGET", "MAP"};

} // namespace

bool is_argument(const CommandOption& option)
{
  return !option.name.starts_with('-');
}

std::string value_text(const CommandOption& option)
{
  if (!option.value.empty()) {
    return option.value;
  }
  if (std::holds_alternative<bool*>(option.target) || std::holds_alternative<FlagChoice>(option.target)) {
    return "";
  }
  if (is_argument(option)) {
    return option.name;
  }
  return std::holds_alternative<std::optional<std::int64_t>*>(option.target) ? "N" : "TEXT";
}

ValueKind value_kind(const CommandOption& option)
{
  const std::string value = value_text(option);
  if (value.empty()) {
    return ValueKind::none;
  }
  if (!option.choices.empty()) {
    return ValueKind::choice;
  }
  if (value.starts_with("KEY")) {
    return ValueKind::key;
  }
  return std::ranges::find(paths, value) != paths.end() ? ValueKind::file : ValueKind::other;
}

} // namespace wormcast
