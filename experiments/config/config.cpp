#include "wormcast/experiments/config/config.hpp"

#include "wormcast/experiments/config/axis_values.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wormcast {

namespace {

bool is_section(std::string_view name)
{
  const auto sections = config_sections();
  return std::find(sections.begin(), sections.end(), name) != sections.end();
}

/// One section: every key must be known and have a value that some parameter can have.
void read_section(RawConfig& config, const std::string& section, const toml::table& table)
{
  for (const auto& [name, node] : table) {
    const std::string key = fmt::format("{}.{}", section, name.str());
    check_key(toml_origin(config.file, name.source()), key);
    const Origin origin = toml_origin(config.file, node.source());
    auto value = raw_value(node);
    if (!value) {
      const toml::node& wrong = offending_node(node);
      throw_at(toml_origin(config.file, wrong.source()), key,
               fmt::format("found {}{}, expected {}", describe(wrong), &wrong == &node ? "" : " in a list",
                           expectation(*declarations(key).front())));
    }
    config.entries.insert_or_assign(key, ConfigEntry{std::move(*value), origin});
  }
}

struct AxisNode {
  std::string key;
  toml::source_region place;
  const toml::node* node = nullptr;
  bool repeats = false; ///< `repeat`: a number of seeds
};

constexpr std::string_view repeat_key = "repeat";

/// The seeds 1 to `count`.
SweepAxis repetitions(const Origin& origin, std::int64_t count)
{
  if (count < 1 || count > static_cast<std::int64_t>(largest_sweep)) {
    throw_at(origin, "sweep.repeat",
             fmt::format("found {}, expected how often everything is run, from 1 to {}", count, largest_sweep));
  }
  SweepAxis axis{.key = "run.seed", .values = {}, .origin = origin};
  for (std::int64_t seed = 1; seed <= count; ++seed) {
    axis.values.emplace_back(seed);
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
        axes.push_back({fmt::format("{}.{}", key, inner_name.str()), inner_name.source(), &inner_node});
      }
    } else {
      axes.push_back({key, name.source(), &node});
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
    } else {
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

/// "network.startup=10us". Texts are taken as they are where the parameter is a text.
void apply_override(RawConfig& config, const std::string& text)
{
  const Origin origin{.file = "--set"};
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(fmt::format("--set: found \"{}\", expected key=value, such as message.bytes=4KiB", text));
  }
  const std::string key = text.substr(0, equals);
  const std::string value_text = text.substr(equals + 1);
  check_key(origin, key);
  RawValue value = parse_override_value(value_text);
  const auto known = declarations(key);
  const bool wants_text = std::all_of(known.begin(), known.end(), [](const Parameter* parameter) {
    return parameter->type == ParameterType::text || parameter->type == ParameterType::file ||
           parameter->type == ParameterType::choice;
  });
  if (wants_text && !std::holds_alternative<std::string>(value)) {
    value = value_text;
  }
  const bool is_file = known.front()->type == ParameterType::file;
  if (auto* path = std::get_if<std::string>(&value); is_file && path != nullptr && !path->empty()) {
    value = std::filesystem::absolute(*path).string(); // what is typed in a shell is relative to where it is typed
  }
  config.entries.insert_or_assign(key, ConfigEntry{std::move(value), origin});
  std::erase_if(config.sweep, [&](const SweepAxis& axis) { return axis.key == key; });
}

} // namespace

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
  SweepAxis seeds = repetitions({.file = "--repeat"}, count);
  std::erase_if(config.sweep, [](const SweepAxis& axis) { return axis.key == "run.seed"; });
  config.sweep.push_back(std::move(seeds));
  check_sweep_size(config);
}

RawConfig read_config(const std::filesystem::path& file, std::span<const std::string> overrides)
{
  const toml::table table = parse_toml_file(file);
  RawConfig config;
  config.file = file;
  std::vector<AxisNode> axes;
  for (const auto& [name, node] : table) {
    const std::string section(name.str());
    const toml::table* content = node.as_table();
    const Origin origin = toml_origin(file, name.source());
    if (section != "sweep" && !is_section(section)) {
      if (content == nullptr) {
        check_key(origin, section);
      }
      std::vector<std::string> known(config_sections().begin(), config_sections().end());
      known.emplace_back("sweep");
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
      read_section(config, section, *content);
    }
  }
  for (const AxisNode& axis : axes) {
    if (axis.repeats) {
      const Origin origin = toml_origin(file, axis.node->source());
      const auto* count = axis.node->as_integer();
      if (count == nullptr) {
        throw_at(origin, "sweep.repeat",
                 fmt::format("found {}, expected how often everything is run, with the seeds 1, 2, ...",
                             describe(*axis.node)));
      }
      config.sweep.push_back(repetitions(origin, count->get()));
    } else {
      config.sweep.push_back(read_axis(file, axis.key, *axis.node));
    }
  }
  for (const std::string& text : overrides) {
    apply_override(config, text);
  }
  check_sweep_size(config);
  return config;
}

} // namespace wormcast
