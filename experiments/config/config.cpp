#include "wormcast/experiments/config/config.hpp"

#include "wormcast/experiments/config/axis_values.hpp"
#include "wormcast/experiments/config/config_table.hpp"
#include "wormcast/experiments/config/file_tables.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/overrides.hpp"
#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace wormcast {

namespace {

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

} // namespace

RawConfig read_config_table(const std::filesystem::path& file, const toml::table& table,
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
  return read_config_table(file, parse_toml_file(file), overrides, removals);
}

RawConfig read_config(const ConfigSource& source, std::optional<std::int64_t> repeat)
{
  const toml::table table = source.text ? parse_toml(*source.text, source.file) : parse_toml_file(source.file);
  std::vector<std::string> overrides = source.overrides;
  if (source.unchecked) {
    overrides.emplace_back("run.unchecked=true");
  }
  RawConfig config = read_config_table(source.file, table, overrides, source.removals);
  if (repeat) {
    set_repetitions(config, *repeat);
  }
  return config;
}

} // namespace wormcast
