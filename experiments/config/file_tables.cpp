#include "wormcast/experiments/config/file_tables.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/toml_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace wormcast {

namespace {

/// One key, which is known: its value must be one that some parameter can have.
ConfigEntry read_key(const std::filesystem::path& file, const std::string& key, const toml::node& node)
{
  auto value = raw_value(node, takes_decimals(key));
  if (!value) {
    const toml::node& wrong = offending_node(node);
    throw_at(toml_origin(file, wrong.source()), key,
             fmt::format("found {}{}, expected {}", describe(wrong), &wrong == &node ? "" : " in a list",
                         expectation(*declarations(key).front())));
  }
  return {std::move(*value), toml_origin(file, node.source())};
}

/// Whether there are keys "KEY.PART", which a table gives.
bool has_parts(const std::string& key)
{
  const std::string_view section = section_of(key);
  if (section.size() == key.size()) {
    return false;
  }
  const std::string prefix = key.substr(section.size() + 1) + ".";
  return std::ranges::any_of(key_names(section), [&](const std::string& name) { return name.starts_with(prefix); });
}

/// A list of tables with the same whole numbers in each, { bytes, weight }: for each of them a key with a list.
void read_columns(const std::filesystem::path& file, const std::string& key, const toml::array& array, KeySet& keys)
{
  std::map<std::string, std::vector<std::int64_t>> columns;
  for (const toml::node& element : array) {
    for (const auto& [name, node] : *element.as_table()) {
      const std::string part = fmt::format("{}.{}", key, name.str());
      check_key(toml_origin(file, name.source()), part);
      if (!node.is_integer()) {
        throw_at(toml_origin(file, node.source()), part,
                 fmt::format("found {}, expected a whole number", describe(node)));
      }
      columns[part].push_back(node.as_integer()->get());
    }
  }
  for (auto& [part, numbers] : columns) {
    keys.emplace_back(part, ConfigEntry{std::move(numbers), toml_origin(file, array.source())});
  }
}

/// [traffic.classes.NAME], a section for each name.
void read_classes(const std::filesystem::path& file, const toml::node& node, KeySet& keys)
{
  const toml::table* classes = node.as_table();
  if (classes == nullptr) {
    throw_at(
        toml_origin(file, node.source()), traffic_classes_table,
        fmt::format("found {}, expected a table for each class, [{}.NAME]", describe(node), traffic_classes_table));
  }
  for (const auto& [name, content] : *classes) {
    const std::string section = fmt::format("{}.{}", traffic_classes_table, name.str());
    if (content.as_table() == nullptr) {
      throw_at(toml_origin(file, content.source()), section,
               fmt::format("found {}, expected a table with the keys of a class", describe(content)));
    }
    std::ranges::move(read_keys(file, section, *content.as_table()), std::back_inserter(keys));
  }
}

/// The elements of a list of tables. Throws InputError where one is no table, or there is none.
std::vector<const toml::table*> tables_of(const std::filesystem::path& file, const std::string& key,
                                          const toml::node& node)
{
  std::vector<const toml::table*> tables;
  const toml::array* array = node.as_array();
  if (array == nullptr || array->empty()) {
    throw_at(toml_origin(file, node.source()), key,
             fmt::format("found {}, expected a list of tables", array == nullptr ? describe(node) : "an empty list"));
  }
  for (const toml::node& element : *array) {
    if (element.as_table() == nullptr) {
      throw_at(toml_origin(file, element.source()), key,
               fmt::format("found {} in the list, expected tables alone", describe(element)));
    }
    tables.push_back(element.as_table());
  }
  return tables;
}

/// Gives the axis a further value that sets `keys`; names must differ.
void add_table(SweepAxis& axis, const Origin& origin, const std::string& shown_key, std::string name, KeySet keys)
{
  if (std::ranges::find(axis.values, RawValue(name)) != axis.values.end()) {
    throw_at(origin, shown_key, fmt::format("found \"{}\" a second time, expected different ones", name));
  }
  axis.values.emplace_back(std::move(name));
  axis.sets.push_back(std::move(keys));
}

/// The keys of a table as one text: "mesh dims=[8,8]"; of an algorithm with a label the label.
std::string table_name(const std::string& section, const KeySet& keys)
{
  std::string name;
  std::string others;
  for (const auto& [key, entry] : keys) {
    const std::string value = raw_value_text(entry.value);
    if (key == "algorithm.label") {
      return value;
    }
    if (key == "topology.kind" || key == "algorithm.name") {
      name = value;
    } else {
      others += fmt::format(" {}={}", key.substr(section.size() + 1), value);
    }
  }
  return name.empty() && !others.empty() ? others.substr(1) : name + others;
}

} // namespace

bool is_section(std::string_view name)
{
  const auto sections = config_sections();
  return std::find(sections.begin(), sections.end(), name) != sections.end();
}

KeySet read_keys(const std::filesystem::path& file, const std::string& section, const toml::table& table)
{
  KeySet keys;
  for (const auto& [name, node] : table) {
    const std::string key = fmt::format("{}.{}", section, name.str());
    const toml::array* array = node.as_array();
    if (key == traffic_classes_table) {
      read_classes(file, node, keys);
      continue;
    }
    if (node.is_table() && has_parts(key)) {
      for (const auto& [part_name, part_node] : *node.as_table()) {
        const std::string part = fmt::format("{}.{}", key, part_name.str());
        check_key(toml_origin(file, part_name.source()), part);
        keys.emplace_back(part, read_key(file, part, part_node));
      }
      continue;
    }
    if (array != nullptr && !array->empty() && array->is_homogeneous(toml::node_type::table) && has_parts(key)) {
      read_columns(file, key, *array, keys);
      continue;
    }
    check_key(toml_origin(file, name.source()), key);
    keys.emplace_back(key, read_key(file, key, node));
  }
  return keys;
}

SweepAxis read_cases(const std::filesystem::path& file, const toml::node& node)
{
  SweepAxis axis{.key = std::string(case_axis), .values = {}, .origin = toml_origin(file, node.source())};
  for (const toml::table* table : tables_of(file, axis.key, node)) {
    const Origin origin = toml_origin(file, table->source());
    std::string name = fmt::format("case {}", axis.values.size() + 1);
    KeySet keys;
    for (const auto& [section, content] : *table) {
      const Origin place = toml_origin(file, content.source());
      if (section.str() == "name") {
        if (content.as_string() == nullptr || content.as_string()->get().empty()) {
          throw_at(place, "case.name", fmt::format("found {}, expected a text", describe(content)));
        }
        name = content.as_string()->get();
      } else if (!is_section(section.str()) || content.as_table() == nullptr) {
        std::vector<std::string> known(config_sections().begin(), config_sections().end());
        throw_at(toml_origin(file, section.source()), fmt::format("case.{}", section.str()),
                 fmt::format("found {}, expected a name and tables of the sections {}{}", describe(content),
                             fmt::join(known, ", "), suggestion(section.str(), known)));
      } else {
        std::ranges::move(read_keys(file, std::string(section.str()), *content.as_table()), std::back_inserter(keys));
      }
    }
    add_table(axis, origin, "case", std::move(name), std::move(keys));
  }
  return axis;
}

SweepAxis read_section_axis(const std::filesystem::path& file, const std::string& section, const toml::node& node)
{
  SweepAxis axis{.key = section, .values = {}, .origin = toml_origin(file, node.source())};
  for (const toml::table* table : tables_of(file, "sweep." + section, node)) {
    KeySet keys = read_keys(file, section, *table);
    std::string name = table_name(section, keys);
    add_table(axis, toml_origin(file, table->source()), "sweep." + section, std::move(name), std::move(keys));
  }
  return axis;
}

std::vector<PlotRequest> read_plots(const std::filesystem::path& file, const toml::node& node)
{
  std::vector<const toml::table*> tables;
  if (node.as_table() != nullptr) {
    tables.push_back(node.as_table());
  } else {
    tables = tables_of(file, "plot", node);
  }
  std::vector<PlotRequest> plots;
  for (const toml::table* table : tables) {
    std::map<std::string, RawValue, std::less<>> given;
    for (const auto& [name, value] : *table) {
      auto raw = raw_value(value);
      if (!raw) {
        throw_at(toml_origin(file, value.source()), fmt::format("plot.{}", name.str()),
                 fmt::format("found {}, expected a text, such as \"algorithm.name+network.ports\"", describe(value)));
      }
      given.emplace(name.str(), std::move(*raw));
    }
    plots.push_back(plot_request(std::move(given), toml_origin(file, table->source()).text()));
  }
  return plots;
}

std::vector<AxisNode> axis_nodes(const std::filesystem::path& file, const toml::table& sweep)
{
  std::vector<AxisNode> axes;
  for (const auto& [name, node] : sweep) {
    const std::string key(name.str());
    if (const toml::table* section = node.as_table(); section != nullptr && is_section(key)) {
      for (const auto& [inner_name, inner_node] : *section) {
        axes.push_back(
            {.key = fmt::format("{}.{}", key, inner_name.str()), .place = inner_name.source(), .node = &inner_node});
      }
    } else {
      axes.push_back({.key = key, .place = name.source(), .node = &node, .tables = is_section(key)});
    }
  }
  std::sort(axes.begin(), axes.end(), [](const AxisNode& a, const AxisNode& b) {
    return std::pair(a.place.begin.line, a.place.begin.column) < std::pair(b.place.begin.line, b.place.begin.column);
  });
  std::vector<std::string> seen;
  for (AxisNode& axis : axes) {
    if (axis.key == repeat_key) {
      axis.repeats = true;
      axis.key = "run.seed";
    } else if (!axis.tables) {
      check_key(toml_origin(file, axis.place), axis.key);
    }
    if (std::find(seen.begin(), seen.end(), axis.key) != seen.end()) {
      throw_at(toml_origin(file, axis.place), "sweep." + axis.key, "found a second time, expected each key once");
    }
    seen.push_back(axis.key);
  }
  return axes;
}

} // namespace wormcast
