#include "wormcast/experiments/output/output_name.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

/// Without a look at the locale.
bool is_letter_or_digit(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool can_stand_in_name(char c)
{
  return is_letter_or_digit(c) || std::string_view("_-+.").find(c) != std::string_view::npos;
}

bool can_begin_name(char c)
{
  return can_stand_in_name(c) && c != '-' && c != '.';
}

} // namespace

void check_output_name(std::string_view name, std::string_view where)
{
  if (name.empty() || !can_begin_name(name.front()) || !std::ranges::all_of(name, can_stand_in_name)) {
    throw InputError(fmt::format("{}: found \"{}\", expected a file's name without its ending, of letters, digits, "
                                 "\"_\", \"-\", \"+\" and \".\", with neither \"-\" nor \".\" at its beginning",
                                 where, printable(name)));
  }
}

std::string as_output_name(std::string text)
{
  std::ranges::replace_if(text, [](char c) { return !can_stand_in_name(c); }, '_');
  if (!text.empty() && !can_begin_name(text.front())) {
    text.front() = '_';
  }
  return text;
}

} // namespace wormcast
