#include "wormcast/experiments/config/toml_file.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace wormcast {

namespace {

constexpr std::size_t largest_text_file = std::size_t{1} << 26;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::optional<std::vector<std::int64_t>> whole_numbers(const toml::array& array)
{
  std::vector<std::int64_t> numbers;
  for (const toml::node& element : array) {
    const auto* number = element.as_integer();
    if (number == nullptr) {
      return std::nullopt;
    }
    numbers.push_back(number->get());
  }
  return numbers;
}

} // namespace

std::string read_text_file(const std::filesystem::path& file)
{
  const auto fail = [&](int error) {
    throw FileError(fmt::format("cannot read {}: {}", file.string(), std::generic_category().message(error)));
  };
  const std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(file.c_str(), "rbe"));
  if (!stream) {
    fail(errno);
  }
  std::string text;
  std::array<char, 1 << 16> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), stream.get())) {
    text.append(part.data(), count);
    if (text.size() > largest_text_file) {
      throw FileError(fmt::format("cannot read {}: more than {}", file.string(), format_bytes(largest_text_file)));
    }
  }
  if (std::ferror(stream.get()) != 0) {
    fail(errno);
  }
  return text;
}

toml::table parse_toml_file(const std::filesystem::path& file)
{
  const std::string text = read_text_file(file);
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw InputError(
        fmt::format("{}: not valid TOML: {}", toml_origin(file, error.source()).text(), error.description()));
  }
}

Origin toml_origin(const std::filesystem::path& file, const toml::source_region& source)
{
  return {file.string(), static_cast<std::uint32_t>(source.begin.line),
          static_cast<std::uint32_t>(source.begin.column)};
}

std::optional<RawValue> raw_value(const toml::node& node)
{
  switch (node.type()) {
  case toml::node_type::boolean:
    return node.as_boolean()->get();
  case toml::node_type::integer:
    return node.as_integer()->get();
  case toml::node_type::floating_point:
    return node.as_floating_point()->get();
  case toml::node_type::string:
    return node.as_string()->get();
  case toml::node_type::array:
    if (auto numbers = whole_numbers(*node.as_array())) {
      return std::move(*numbers);
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

const toml::node& offending_node(const toml::node& node)
{
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& element : *array) {
      if (!element.is_integer()) {
        return element;
      }
    }
  }
  return node;
}

std::string describe(const toml::node& node)
{
  switch (node.type()) {
  case toml::node_type::table:
    return "a table";
  case toml::node_type::array:
    return "a list";
  case toml::node_type::date:
    return "a date";
  case toml::node_type::time:
    return "a time of day";
  case toml::node_type::date_time:
    return "a date and time";
  case toml::node_type::string:
    return fmt::format("\"{}\"", node.as_string()->get());
  case toml::node_type::integer:
    return fmt::format("{}", node.as_integer()->get());
  case toml::node_type::floating_point:
    return fmt::format("{}", node.as_floating_point()->get());
  case toml::node_type::boolean:
    return node.as_boolean()->get() ? "true" : "false";
  default:
    return "nothing";
  }
}

RawValue parse_override_value(std::string_view text)
{
  try {
    const toml::table table = toml::parse(fmt::format("value = {}", text));
    if (table.size() == 1) {
      if (auto value = raw_value(*table.get("value"))) {
        return std::move(*value);
      }
    }
  } catch (const toml::parse_error&) { // not TOML: a bare text
  }
  return std::string(text);
}

} // namespace wormcast
