#include "wormcast/experiments/config/overrides.hpp"

#include "wormcast/experiments/config/axis_values.hpp"
#include "wormcast/experiments/config/file_tables.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

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
         type == ParameterType::node || type == ParameterType::nodes;
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

} // namespace

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

} // namespace wormcast
