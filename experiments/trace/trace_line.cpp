#include "wormcast/experiments/trace/trace_line.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

std::uint64_t read_whole(const JsonField& field, std::uint64_t maximum)
{
  const auto number = number_of_text<std::uint64_t>(field.text);
  if (!number || *number > maximum) {
    throw InputError(
        fmt::format("\"{}\": found {}, expected a whole number from 0 to {}", field.name, field.text, maximum));
  }
  return *number;
}

template <typename Number> Number read_signed(const JsonField& field)
{
  const auto number = number_of_text<Number>(field.text);
  if (!number) {
    throw InputError(fmt::format("\"{}\": found {}, expected a whole number of {} bits", field.name, field.text,
                                 8 * sizeof(Number)));
  }
  return *number;
}

} // namespace

const JsonField* TraceLine::find(std::string_view name) const
{
  const auto field = std::ranges::find(fields_, name, &JsonField::name);
  return field == fields_.end() ? nullptr : &*field;
}

const JsonField& TraceLine::get(std::string_view name, JsonField::Kind kind, std::string_view expected) const
{
  const JsonField* field = find(name);
  if (field == nullptr) {
    throw InputError(fmt::format("\"{}\" is missing, expected {}", name, expected));
  }
  if (field->kind != kind) {
    throw InputError(fmt::format("\"{}\": expected {}", name, expected));
  }
  return *field;
}

const std::string& TraceLine::text(std::string_view name) const
{
  return get(name, JsonField::Kind::text, "a text").text;
}

std::uint64_t TraceLine::whole(std::string_view name, std::uint64_t maximum) const
{
  return read_whole(get(name, JsonField::Kind::number, "a whole number"), maximum);
}

std::int32_t TraceLine::signed_32(std::string_view name) const
{
  return read_signed<std::int32_t>(get(name, JsonField::Kind::number, "a whole number"));
}

std::int64_t TraceLine::signed_64(std::string_view name) const
{
  return read_signed<std::int64_t>(get(name, JsonField::Kind::number, "a whole number"));
}

double TraceLine::share(std::string_view name, double maximum) const
{
  const JsonField& field = get(name, JsonField::Kind::number, "a number");
  const auto number = number_of_text<double>(field.text);
  if (!number || !(*number > 0) || !(*number <= maximum)) {
    throw InputError(
        fmt::format("\"{}\": found {}, expected a number above 0 up to {}", name, printable(field.text), maximum));
  }
  return *number;
}

std::uint32_t TraceLine::below(std::string_view name, std::uint64_t count) const
{
  if (count == 0) {
    throw InputError(fmt::format("\"{}\": found a value, but the trace's header says that there is none", name));
  }
  return static_cast<std::uint32_t>(whole(name, count - 1));
}

Time TraceLine::microseconds(std::string_view name) const
{
  const JsonField& field = get(name, JsonField::Kind::number, "a time in microseconds");
  try {
    return parse_time(field.text + "us");
  } catch (const InputError& error) {
    throw InputError(fmt::format("\"{}\": {}", name, error.what()));
  }
}

std::optional<std::uint64_t> TraceLine::whole_or_null(std::string_view name) const
{
  const JsonField* field = find(name);
  return field != nullptr && field->kind == JsonField::Kind::null ? std::nullopt : std::optional(whole(name));
}

std::optional<std::uint32_t> TraceLine::below_or_null(std::string_view name, std::uint64_t count) const
{
  return whole_or_null(name) ? std::optional(below(name, count)) : std::nullopt;
}

std::optional<Time> TraceLine::microseconds_or_null(std::string_view name) const
{
  const JsonField* field = find(name);
  return field == nullptr || field->kind == JsonField::Kind::null ? std::nullopt : std::optional(microseconds(name));
}

bool TraceLine::is_true(std::string_view name) const
{
  return find(name) != nullptr && get(name, JsonField::Kind::boolean, "true or false").text == "true";
}

std::vector<std::int64_t> TraceLine::list(std::string_view name) const
{
  std::vector<std::int64_t> numbers;
  for (const JsonField& field : fields_) {
    if (field.name == name && field.kind == JsonField::Kind::number) {
      numbers.push_back(static_cast<std::int64_t>(read_whole(field, std::numeric_limits<std::int64_t>::max())));
    }
  }
  return numbers;
}

std::vector<std::string> TraceLine::texts(std::string_view name) const
{
  std::vector<std::string> texts;
  for (const JsonField& field : fields_) {
    if (field.name == name && field.kind == JsonField::Kind::text) {
      texts.push_back(field.text);
    }
  }
  return texts;
}

std::vector<std::int64_t> TraceLine::flags(std::string_view name) const
{
  std::vector<std::int64_t> values;
  for (const JsonField& field : fields_) {
    if (field.name == name && field.kind == JsonField::Kind::boolean) {
      values.push_back(field.text == "true" ? 1 : 0);
    }
  }
  return values;
}

} // namespace wormcast
