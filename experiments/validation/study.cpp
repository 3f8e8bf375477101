#include "wormcast/experiments/validation/study.hpp"

#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/experiments/validation/pattern.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view placeholders = "{bytes}, {ports}, {nodes}, {dims}, {reversed_dims}";

/// A table of the study, whose keys are read by their names.
class StudyTable {
public:
  StudyTable(const std::filesystem::path& file, const toml::table& table, std::string name)
      : file_(file), table_(table), name_(std::move(name))
  {}

  [[noreturn]] void fail(const toml::node& node, std::string_view key, std::string_view text) const
  {
    throw_at(toml_origin(file_, node.source()), full(key), text);
  }

  void check_keys(std::initializer_list<std::string_view> known) const
  {
    for (const auto& [key, node] : table_) {
      if (std::ranges::find(known, key.str()) == known.end()) {
        throw_at(toml_origin(file_, key.source()), full(key.str()),
                 fmt::format("unknown key, expected one of {}", fmt::join(known, ", ")));
      }
    }
  }

  std::optional<std::string> text(std::string_view key) const
  {
    const toml::node* node = table_.get(key);
    if (node == nullptr) {
      return std::nullopt;
    }
    if (!node->is_string() || node->as_string()->get().empty()) {
      fail(*node, key, fmt::format("found {}, expected a text", describe(*node)));
    }
    return node->as_string()->get();
  }

  std::string required_text(std::string_view key) const
  {
    std::optional<std::string> found = text(key);
    if (!found) {
      fail(table_, key, "missing, expected a text");
    }
    return *std::move(found);
  }

  bool flag(std::string_view key) const
  {
    const toml::node* node = table_.get(key);
    if (node != nullptr && !node->is_boolean()) {
      fail(*node, key, fmt::format("found {}, expected true or false", describe(*node)));
    }
    return node != nullptr && node->as_boolean()->get();
  }

  std::vector<std::string> changes(std::string_view key) const
  {
    std::vector<std::string> texts;
    const toml::node* node = table_.get(key);
    if (node == nullptr) {
      return texts;
    }
    if (!node->is_array()) {
      fail(*node, key, fmt::format("found {}, expected a list of texts KEY=VALUE", describe(*node)));
    }
    for (const toml::node& element : *node->as_array()) {
      if (!element.is_string() || element.as_string()->get().find('=') == std::string::npos) {
        fail(element, key, fmt::format("found {}, expected a text KEY=VALUE", describe(element)));
      }
      texts.push_back(element.as_string()->get());
    }
    return texts;
  }

  RowPattern pattern() const
  {
    return {.collective = text("collective").value_or("*"),
            .shape = text("shape").value_or("*"),
            .algorithm = text("algorithm").value_or("*")};
  }

  /// The tables [[key]], of which there is at least one.
  std::vector<StudyTable> tables(std::string_view key) const
  {
    const toml::node* node = table_.get(key);
    if (node == nullptr) {
      fail(table_, key, fmt::format("missing, expected at least one table [[{}]]", key));
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty() || !array->is_homogeneous(toml::node_type::table)) {
      fail(*node, key, fmt::format("found {}, expected tables [[{}]]", describe(*node), key));
    }
    std::vector<StudyTable> found;
    for (const toml::node& element : *array) {
      found.emplace_back(file_, *element.as_table(), std::string(key));
    }
    return found;
  }

private:
  std::string full(std::string_view key) const
  {
    return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
  }

  const std::filesystem::path& file_;
  const toml::table& table_;
  std::string name_;
};

/// The sizes of "4x4x8".
std::vector<std::uint64_t> sizes_of(const std::string& shape)
{
  std::vector<std::uint64_t> sizes;
  const char* at = shape.data();
  const char* const end = at + shape.size();
  while (true) {
    std::uint64_t size = 0;
    const auto [behind, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size == 0 || (behind != end && *behind != 'x')) {
      throw InputError(fmt::format("shape: found \"{}\", expected sizes such as 4x4x8", printable(shape)));
    }
    sizes.push_back(size);
    if (behind == end) {
      return sizes;
    }
    at = behind + 1;
  }
}

std::uint64_t node_count(const std::string& shape)
{
  std::uint64_t nodes = 1;
  for (const std::uint64_t size : sizes_of(shape)) {
    if (nodes > std::numeric_limits<std::uint32_t>::max() / size) {
      throw InputError(fmt::format("shape: found \"{}\", expected fewer than 2^32 nodes", printable(shape)));
    }
    nodes *= size;
  }
  return nodes;
}

std::string list_text(const std::vector<std::uint64_t>& numbers)
{
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

/// The number that a name stands for, or a number itself; none: neither.
std::optional<std::uint64_t> number_of(std::string_view name, const MeasuredRow& row)
{
  if (name == "bytes") {
    return row.of.bytes;
  }
  if (name == "ports") {
    if (!row.ports) {
      throw InputError("ports: not known of this row");
    }
    return *row.ports;
  }
  if (name == "nodes") {
    return node_count(row.of.shape);
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

/// "bytes", "bytes/ports/64": what is behind each slash divides what is before, rounded up. None: it is no such text.
std::optional<std::uint64_t> quotient(std::string_view text, const MeasuredRow& row)
{
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) {
    return number_of(text, row);
  }
  const std::optional<std::uint64_t> dividend = quotient(text.substr(0, slash), row);
  const std::optional<std::uint64_t> divisor = number_of(text.substr(slash + 1), row);
  if (!dividend || !divisor || *divisor == 0) {
    return std::nullopt;
  }
  return *dividend / *divisor + (*dividend % *divisor == 0 ? 0 : 1);
}

std::string placeholder_value(std::string_view name, const MeasuredRow& row)
{
  if (name == "dims" || name == "reversed_dims") {
    std::vector<std::uint64_t> sizes = sizes_of(row.of.shape);
    if (name == "reversed_dims") {
      std::ranges::reverse(sizes);
    }
    return list_text(sizes);
  }
  const std::optional<std::uint64_t> number = quotient(name, row);
  if (!number) {
    throw InputError(
        fmt::format("found {{{}}}, expected one of {}, or a number that others divide ({{bytes/ports/64}})",
                    printable(name), placeholders));
  }
  return fmt::to_string(*number);
}

/// Whether it is a name, or several with slashes between them.
bool is_placeholder(std::string_view text)
{
  return std::ranges::all_of(text, [](char c) { return c == '/' || is_plain_name(std::string_view(&c, 1)); }) &&
         !text.empty();
}

/// The text with values in the place of {names}. Braces around something else, as of TOML's tables, stay.
std::string with_values(const std::string& text, const MeasuredRow& row)
{
  std::string replaced;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close = open == std::string::npos ? open : text.find('}', open);
    replaced += text.substr(at, open - at);
    if (close == std::string::npos) {
      return open == std::string::npos ? replaced : replaced + text.substr(open);
    }
    const std::string name = text.substr(open + 1, close - open - 1);
    replaced += is_placeholder(name) ? placeholder_value(name, row) : "{" + name + "}";
    at = close + 1;
  }
  return replaced;
}

} // namespace

bool matches(const RowPattern& pattern, const MeasuredCase& of)
{
  return matches_pattern(pattern.collective, of.collective) && matches_pattern(pattern.shape, of.shape) &&
         matches_pattern(pattern.algorithm, of.algorithm);
}

ValidationStudy read_study(const std::filesystem::path& file)
{
  const toml::table toml = parse_toml_file(file);
  const StudyTable all(file, toml, "");
  all.check_keys({"measured", "configuration", "model", "algorithm"});
  const std::filesystem::path folder = file.parent_path();
  ValidationStudy study{.file = file,
                        .measured = folder / all.required_text("measured"),
                        .configuration = folder / all.required_text("configuration"),
                        .models = {},
                        .algorithms = {}};
  for (const StudyTable& table : all.tables("model")) {
    table.check_keys({"name", "collective", "shape", "algorithm", "set", "without_contention"});
    study.models.push_back({.name = table.required_text("name"),
                            .rows = table.pattern(),
                            .set = table.changes("set"),
                            .without_contention = table.flag("without_contention")});
  }
  for (const StudyTable& table : all.tables("algorithm")) {
    table.check_keys({"collective", "shape", "algorithm", "set"});
    study.algorithms.push_back({.rows = table.pattern(), .set = table.changes("set")});
  }
  return study;
}

std::vector<std::string> model_names(const ValidationStudy& study)
{
  std::vector<std::string> names;
  for (const StudiedModel& model : study.models) {
    if (std::ranges::find(names, model.name) == names.end()) {
      names.push_back(model.name);
    }
  }
  return names;
}

std::optional<StudiedRow> configuration_changes(const ValidationStudy& study, const std::string& model,
                                                const MeasuredRow& row)
{
  const auto algorithm =
      std::ranges::find_if(study.algorithms, [&](const StudiedAlgorithm& one) { return matches(one.rows, row.of); });
  const auto entry = std::ranges::find_if(
      study.models, [&](const StudiedModel& one) { return one.name == model && matches(one.rows, row.of); });
  if (algorithm == study.algorithms.end() || entry == study.models.end()) {
    return std::nullopt;
  }
  StudiedRow studied{.set = {}, .without_contention = entry->without_contention};
  for (const std::vector<std::string>* changes : {&algorithm->set, &entry->set}) {
    for (const std::string& change : *changes) {
      studied.set.push_back(with_values(change, row));
    }
  }
  return studied;
}

} // namespace wormcast
