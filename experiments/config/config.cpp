#include "wormcast/experiments/config/config.hpp"

#include "wormcast/experiments/config/axis_values.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace wormcast {

namespace {

bool is_section(std::string_view name)
{
  const auto sections = config_sections();
  return std::find(sections.begin(), sections.end(), name) != sections.end();
}

bool takes_decimals(std::string_view key)
{
  return declarations(key).front()->type == ParameterType::numbers;
}

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
  const std::size_t dot = key.find('.');
  const std::string prefix = key.substr(dot + 1) + ".";
  return std::ranges::any_of(key_names(key.substr(0, dot)),
                             [&](const std::string& name) { return name.starts_with(prefix); });
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

/// The keys of one section: each must be known and have a value that some parameter can have. What a table gives for
/// the parts of a key is the same as dotted keys.
KeySet read_keys(const std::filesystem::path& file, const std::string& section, const toml::table& table)
{
  KeySet keys;
  for (const auto& [name, node] : table) {
    const std::string key = fmt::format("{}.{}", section, name.str());
    const toml::array* array = node.as_array();
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

/// `[[case]]`: an axis whose values are named and set keys of several sections.
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

/// A section in [sweep]: an axis whose values set keys of that section.
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

/// `[plot]`, or several `[[plot]]`.
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

struct AxisNode {
  std::string key;
  toml::source_region place;
  const toml::node* node = nullptr;
  bool repeats = false; ///< `repeat`: a number of seeds
  bool tables = false;  ///< a section: a list of tables
};

constexpr std::string_view repeat_key = "repeat";

/// The axis that `count` repetitions are; `name` is what asks for them.
SweepAxis repetitions(const RawConfig& config, const Origin& origin, std::string_view name, std::int64_t count)
{
  constexpr std::string_view seed_key = "run.seed";
  std::uint64_t first = RunParameters().seed;
  if (const auto entry = config.entries.find(seed_key); entry != config.entries.end()) {
    if (const auto* seed = std::get_if<std::int64_t>(&entry->second.value); seed != nullptr && *seed >= 0) {
      first = static_cast<std::uint64_t>(*seed);
    }
  }
  SweepAxis axis{.key = std::string(seed_key), .values = {}, .origin = origin};
  for (const std::uint64_t seed : repetition_seeds(name, count, first)) {
    axis.values.emplace_back(static_cast<std::int64_t>(seed));
  }
  return axis;
}

/// The keys of [sweep] in the order of the file. A key may be quoted ("message.bytes" = ...) or dotted.
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

void check_sweep_size(const RawConfig& config)
{
  std::uint64_t points = 1;
  for (const SweepAxis& axis : config.sweep) {
    points *= axis.values.size();
    if (points > largest_sweep) {
      throw_at(axis.origin, "sweep." + axis.key,
               fmt::format("the sweep has more than {} points, expected fewer", largest_sweep));
    }
  }
}

/// A key that two axes set would have the value of the last one alone.
void check_set_once(const RawConfig& config)
{
  std::map<std::string, const SweepAxis*> setter;
  const auto sets = [&](const std::string& key, const Origin& origin, const SweepAxis& axis) {
    const auto [entry, is_new] = setter.emplace(key, &axis);
    if (!is_new && entry->second != &axis) {
      throw_at(origin, key,
               fmt::format("set by the axis \"{}\" and by the axis \"{}\", expected one of them", entry->second->key,
                           axis.key));
    }
  };
  for (const SweepAxis& axis : config.sweep) {
    if (axis.sets.empty()) {
      sets(axis.key, axis.origin, axis);
    }
    for (const KeySet& keys : axis.sets) {
      for (const auto& [key, entry] : keys) {
        sets(key, entry.origin, axis);
      }
    }
  }
}

/// Takes out a key, a section, "sweep", "case" or "plot", which must be there.
void apply_removal(RawConfig& config, const std::string& name)
{
  const auto sets = [&](const std::string& key) { return key == name || key.starts_with(name + "."); };
  bool found = std::erase_if(config.entries, [&](const auto& entry) { return sets(entry.first); }) > 0;
  for (SweepAxis& axis : config.sweep) {
    for (KeySet& keys : axis.sets) {
      found = std::erase_if(keys, [&](const auto& entry) { return sets(entry.first); }) > 0 || found;
    }
  }
  const bool whole_sweep = name == "sweep";
  found = std::erase_if(config.sweep,
                        [&](const SweepAxis& axis) {
                          return axis.key == name || (whole_sweep && axis.key != case_axis) ||
                                 (axis.sets.empty() && sets(axis.key));
                        }) > 0 ||
          found;
  if (name == "plot") {
    found = found || !config.plots.empty();
    config.plots.clear();
  }
  if (found) {
    return;
  }
  std::vector<std::string> there;
  for (const auto& [key, entry] : config.entries) {
    there.push_back(key);
  }
  throw InputError(fmt::format("--unset: found \"{}\", which {} does not set; expected a key or a section of it{}",
                               name, config.file.string(), suggestion(name, there)));
}

/// Takes a key out of the axes, which --set gives another value.
void remove_from_axes(RawConfig& config, const std::string& key)
{
  std::erase_if(config.sweep, [&](const SweepAxis& axis) { return axis.key == key; });
  for (SweepAxis& axis : config.sweep) {
    for (KeySet& keys : axis.sets) {
      std::erase_if(keys, [&](const auto& entry) { return entry.first == key; });
    }
  }
}

bool is_list_type(ParameterType type)
{
  return type == ParameterType::integers || type == ParameterType::numbers || type == ParameterType::texts ||
         type == ParameterType::node;
}

/// A list for a key that has a single value would be an axis.
void refuse_list(const Origin& origin, const std::string& key, const std::string& text, const RawValue& value)
{
  const bool is_list = std::holds_alternative<std::vector<std::int64_t>>(value) ||
                       std::holds_alternative<std::vector<double>>(value) ||
                       std::holds_alternative<std::vector<std::string>>(value);
  const auto takes_list = [&](const Parameter* one) {
    try {
      return is_list_type(one->type) || (read_parameter(*one, value), true);
    } catch (const InputError&) {
      return false;
    }
  };
  if (is_list && std::ranges::none_of(declarations(key), takes_list)) {
    throw_at(origin, key,
             fmt::format("found a list, expected one value; the values of an axis of a sweep are set by --set "
                         "sweep.{}={}",
                         key, text.substr(1, text.size() - 2)));
  }
}

/// The elements of a list as TOML has it, from texts that commas separate: those that are no values of TOML in quotes.
std::string toml_list(std::string_view text)
{
  std::string list = "[";
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string element(text.substr(0, comma));
    const RawValue value = parse_override_value(element, true);
    list += std::holds_alternative<std::string>(value) && !element.starts_with('"') && !element.starts_with('\'')
                ? nlohmann::json(element).dump()
                : element;
    if (comma == text.size()) {
      return list + "]";
    }
    list += ", ";
    text.remove_prefix(comma + 1);
  }
}

/// "sweep.message.bytes" with "64,4KiB", or with a list or a range as in a file: the last axis, instead of another one
/// of this key.
void apply_axis(RawConfig& config, const Origin& origin, const std::string& name, const std::string& values)
{
  const std::string key = name.substr(std::string_view("sweep.").size());
  if (key == repeat_key) {
    const auto count = number_of_text<std::int64_t>(values);
    if (!count) {
      throw_at(origin, name, fmt::format("found \"{}\", expected with how many seeds everything is run", values));
    }
    SweepAxis seeds = repetitions(config, origin, "--set: sweep.repeat", *count);
    remove_from_axes(config, seeds.key);
    config.sweep.push_back(std::move(seeds));
    return;
  }
  check_key(origin, key);
  const bool is_toml = values.starts_with('[') || values.starts_with('{');
  const toml::table table = parse_toml("values = " + (is_toml ? values : toml_list(values)), origin.file);
  SweepAxis axis = read_axis(origin.file, key, *table.get("values"));
  axis.origin = origin;
  remove_from_axes(config, key);
  config.sweep.push_back(std::move(axis));
}

/// "plot.title=Figure 3": of every plot of the configuration, or of the one that is drawn where it has none.
void override_plots(RawConfig& config, const std::string& key, const std::string& value)
{
  if (config.plots.empty()) {
    config.plots.emplace_back();
  }
  for (PlotRequest& plot : config.plots) {
    plot = changed_plot(plot, key, value, "--set");
  }
}

/// "network.startup=10us". Texts are taken as they are where the parameter is a text. "sweep.KEY=VALUES" is an axis,
/// "plot.KEY=VALUE" a key of plots.
void apply_override(RawConfig& config, const std::string& text)
{
  const Origin origin{.file = "--set"};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("--set: found \"{}\", expected key=value, such as message.bytes=4KiB", text));
  }
  const std::string key = text.substr(0, equals);
  const std::string value_text = text.substr(equals + 1);
  if (key.starts_with("sweep.")) {
    apply_axis(config, origin, key, value_text);
    return;
  }
  if (constexpr std::string_view plots = "plot."; key.starts_with(plots)) {
    override_plots(config, key.substr(plots.size()), value_text);
    return;
  }
  check_key(origin, key);
  RawValue value = parse_override_value(value_text, takes_decimals(key));
  refuse_list(origin, key, value_text, value);
  const auto known = declarations(key);
  const bool wants_text = std::all_of(known.begin(), known.end(), [](const Parameter* parameter) {
    return parameter->type == ParameterType::text || parameter->type == ParameterType::file ||
           parameter->type == ParameterType::choice;
  });
  if (wants_text && !std::holds_alternative<std::string>(value)) {
    value = value_text;
  }
  if (!wants_text && (value_text.starts_with('{') || value_text.starts_with("[{"))) {
    throw_at(
        origin, key,
        fmt::format("found a table, which only a file can have; expected its keys one by one, such as {}.NAME=VALUE",
                    key));
  }
  const bool is_file = known.front()->type == ParameterType::file;
  if (auto* path = std::get_if<std::string>(&value); is_file && path != nullptr && !path->empty()) {
    value = std::filesystem::absolute(*path).string(); // what is typed in a shell is relative to where it is typed
  }
  config.entries.insert_or_assign(key, ConfigEntry{std::move(value), origin});
  remove_from_axes(config, key);
}

/// Whoever gives a command needs not say that it is the algorithm: in a file, in a case, or in a table of [sweep].
void name_command(RawConfig& config)
{
  constexpr std::string_view name_key = "algorithm.name";
  constexpr std::string_view command_key = "algorithm.command";
  const ConfigEntry* name = nullptr;
  if (const auto entry = config.entries.find(name_key); entry != config.entries.end()) {
    name = &entry->second;
  }
  const bool is_chosen = name != nullptr && name->origin.line == 0; // --set algorithm.name holds for all cases
  for (SweepAxis& axis : config.sweep) {
    for (KeySet& keys : axis.sets) {
      const auto find = [&](std::string_view key) {
        return std::ranges::find_if(keys, [&](const auto& entry) { return entry.first == key; });
      };
      const auto command = find(command_key);
      if (command != keys.end() && find(name_key) == keys.end() && !is_chosen) {
        const Origin origin = command->second.origin;
        keys.emplace_back(name_key, ConfigEntry{std::string("command"), origin});
      }
    }
  }
  const bool is_axis = std::ranges::any_of(config.sweep, [&](const SweepAxis& axis) { return axis.key == name_key; });
  if (const auto command = config.entries.find(command_key);
      command != config.entries.end() && name == nullptr && !is_axis) {
    config.entries.emplace(name_key, ConfigEntry{std::string("command"), command->second.origin});
  }
}

/// read_config of what a file holds.
RawConfig read_table(const std::filesystem::path& file, const toml::table& table,
                     std::span<const std::string> overrides, std::span<const std::string> removals)
{
  RawConfig config;
  config.file = file;
  std::vector<AxisNode> axes;
  for (const auto& [name, node] : table) {
    const std::string section(name.str());
    const toml::table* content = node.as_table();
    const Origin origin = toml_origin(file, name.source());
    if (section == case_axis) {
      config.sweep.insert(config.sweep.begin(), read_cases(file, node));
      continue;
    }
    if (section == "plot") {
      config.plots = read_plots(file, node);
      continue;
    }
    if (section != "sweep" && !is_section(section)) {
      if (content == nullptr) {
        check_key(origin, section);
      }
      std::vector<std::string> known(config_sections().begin(), config_sections().end());
      known.insert(known.end(), {"sweep", "case", "plot"});
      throw_at(
          origin, fmt::format("[{}]", section),
          fmt::format("unknown section, expected one of {}{}", fmt::join(known, ", "), suggestion(section, known)));
    }
    if (content == nullptr) {
      throw_at(toml_origin(file, node.source()), section,
               fmt::format("found {}, expected a section [{}]", describe(node), section));
    }
    if (section == "sweep") {
      axes = axis_nodes(file, *content);
    } else {
      for (auto& [key, entry] : read_keys(file, section, *content)) {
        config.entries.insert_or_assign(key, std::move(entry));
      }
    }
  }
  for (const AxisNode& axis : axes) {
    if (axis.repeats) {
      const Origin origin = toml_origin(file, axis.node->source());
      const auto* count = axis.node->as_integer();
      if (count == nullptr) {
        throw_at(origin, "sweep.repeat",
                 fmt::format("found {}, expected with how many seeds everything is run", describe(*axis.node)));
      }
      config.sweep.push_back(repetitions(config, origin, origin.text() + ": sweep.repeat", count->get()));
    } else if (axis.tables) {
      config.sweep.push_back(read_section_axis(file, axis.key, *axis.node));
    } else {
      config.sweep.push_back(read_axis(file, axis.key, *axis.node));
    }
  }
  for (const std::string& name : removals) {
    apply_removal(config, name);
  }
  for (const std::string& text : overrides) {
    apply_override(config, text);
  }
  name_command(config);
  check_set_once(config);
  check_sweep_size(config);
  return config;
}

} // namespace

std::string raw_value_text(const RawValue& value)
{
  struct Text {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::int64_t>& numbers) const
    {
      return fmt::format("[{}]", fmt::join(numbers, ","));
    }
    std::string operator()(const std::vector<double>& numbers) const
    {
      return fmt::format("[{}]", fmt::join(numbers, ","));
    }
    std::string operator()(const std::vector<std::string>& texts) const { return nlohmann::json(texts).dump(); }
  };
  return std::visit(Text(), value);
}

std::string Origin::text() const
{
  return line == 0 ? file : fmt::format("{}:{}:{}", file, line, column);
}

void throw_at(const Origin& origin, std::string_view key, std::string_view text)
{
  throw InputError(fmt::format("{}: {}: {}", origin.text(), key, text));
}

std::vector<std::uint64_t> repetition_seeds(std::string_view name, std::int64_t count, std::uint64_t first)
{
  constexpr std::int64_t most = 10'000;
  constexpr auto largest_seed = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (count < 1 || count > most) {
    throw InputError(fmt::format("{}: found {}, expected a number of seeds from 1 to {}", name, count, most));
  }
  std::vector<std::uint64_t> seeds(static_cast<std::size_t>(count));
  if (first > largest_seed - (seeds.size() - 1)) {
    throw InputError(fmt::format("{}: found run.seed = {}, from which on there are no {} seeds; expected a smaller one",
                                 name, first, count));
  }
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

void set_repetitions(RawConfig& config, std::int64_t count)
{
  SweepAxis seeds = repetitions(config, {.file = "--repeat"}, "--repeat", count);
  std::erase_if(config.sweep, [](const SweepAxis& axis) { return axis.key == "run.seed"; });
  config.sweep.push_back(std::move(seeds));
  check_sweep_size(config);
}

RawConfig read_config(const std::filesystem::path& file, std::span<const std::string> overrides,
                      std::span<const std::string> removals)
{
  return read_table(file, parse_toml_file(file), overrides, removals);
}

RawConfig read_config(const ConfigSource& source, std::optional<std::int64_t> repeat)
{
  const toml::table table = source.text ? parse_toml(*source.text, source.file) : parse_toml_file(source.file);
  std::vector<std::string> overrides = source.overrides;
  if (source.unchecked) {
    overrides.emplace_back("run.unchecked=true");
  }
  RawConfig config = read_table(source.file, table, overrides, source.removals);
  if (repeat) {
    set_repetitions(config, *repeat);
  }
  return config;
}

} // namespace wormcast
