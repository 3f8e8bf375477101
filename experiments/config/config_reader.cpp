#include "wormcast/experiments/config/config_reader.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace wormcast {

namespace {

ParameterValue check(const ConfigEntry& entry, std::string_view key, const Parameter& parameter)
{
  try {
    return read_parameter(parameter, entry.value);
  } catch (const InputError& error) {
    throw_at(entry.origin, key, error.what());
  }
}

} // namespace

ConfigReader::ConfigReader(const RawConfig& config, Replaced replaced, MadeTopologies* made)
    : config_(config), made_(made), entries_(config.entries)
{
  for (const auto& [key, value] : replaced) {
    entries_.insert_or_assign(key, ConfigEntry{value, origin_in_sweep(key, value)});
  }
}

std::shared_ptr<const Topology> ConfigReader::topology(const TopologyDescription& description,
                                                       const RoutingChoice& routing) const
{
  return made_ != nullptr ? made_->of(description, routing) : make_topology(description, routing);
}

std::optional<Origin> ConfigReader::section_origin(std::string_view section) const
{
  const std::string prefix = fmt::format("{}.", section);
  const auto first = entries_.lower_bound(prefix);
  return first != entries_.end() && first->first.starts_with(prefix) ? std::optional(first->second.origin)
                                                                     : std::nullopt;
}

std::vector<std::string> ConfigReader::tables_of(std::string_view table) const
{
  const std::string prefix = fmt::format("{}.", table);
  std::vector<std::string> names;
  for (auto entry = entries_.lower_bound(prefix); entry != entries_.end() && entry->first.starts_with(prefix);
       ++entry) {
    std::string name = entry->first.substr(prefix.size());
    name.resize(std::min(name.find('.'), name.size()));
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

Origin ConfigReader::origin(std::string_view key) const
{
  const auto entry = entries_.find(key);
  return entry == entries_.end() ? whole_file() : entry->second.origin;
}

ParameterValue ConfigReader::read(std::string_view section, const Parameter& parameter) const
{
  const std::string key = fmt::format("{}.{}", section, parameter.name);
  const auto entry = entries_.find(key);
  if (entry == entries_.end()) {
    if (!parameter.fallback) {
      throw_at(whole_file(), key, fmt::format("missing, expected {}", expectation(parameter)));
    }
    return *parameter.fallback;
  }
  return check(entry->second, key, parameter);
}

std::string ConfigReader::read_text(std::string_view section, const Parameter& parameter) const
{
  return std::get<std::string>(read(section, parameter));
}

ParameterValues ConfigReader::read_selected(std::string_view section, std::string_view selector,
                                            const std::string& selected) const
{
  const auto parameters = selected_parameters(selector, selected);
  reject_others(section, selector, selected, parameters);
  return read_all(section, parameters);
}

ParameterValues ConfigReader::read_all(std::string_view section, std::span<const Parameter> parameters) const
{
  return read_section(section, parameters, true);
}

ParameterValues ConfigReader::read_given(std::string_view section, std::span<const Parameter> parameters) const
{
  return read_section(section, parameters, false);
}

std::filesystem::path ConfigReader::resolve(const std::filesystem::path& path) const
{
  return path.is_absolute() ? path : config_.file.parent_path() / path;
}

const RouterModel& ConfigReader::read_router() const
{
  return find_router(read_text("network", router_declaration()));
}

ParameterValues ConfigReader::read_network(const RouterModel& router) const
{
  reject_keys_of_other_routers(router);
  return read_all("network", network_declarations(router));
}

ParameterValues ConfigReader::read_given_network(const RouterModel& router) const
{
  reject_keys_of_other_routers(router);
  return read_given("network", network_declarations(router));
}

// Where the sweep gives this value to a key.
Origin ConfigReader::origin_in_sweep(const std::string& key, const RawValue& value) const
{
  for (const SweepAxis& axis : config_.sweep) {
    if (axis.key == key) {
      return axis.origin;
    }
    for (const KeySet& keys : axis.sets) {
      for (const auto& [set_key, entry] : keys) {
        if (set_key == key && entry.value == value) {
          return entry.origin;
        }
      }
    }
  }
  return whole_file();
}

ParameterValues ConfigReader::read_section(std::string_view section, std::span<const Parameter> parameters,
                                           bool whole) const
{
  ParameterValues values;
  for (const Parameter& parameter : parameters) {
    const bool required = whole && !parameter.optional;
    if (parameter.fallback || required || has(fmt::format("{}.{}", section, parameter.name))) {
      values.set(parameter.name, read(section, parameter));
    }
  }
  return values;
}

// Keys that belong to another algorithm are errors, unless the sweep goes through several and another one of them
// has the key.
void ConfigReader::reject_others(std::string_view section, std::string_view selector, const std::string& selected,
                                 std::span<const Parameter> parameters) const
{
  const auto fixed = fixed_parameters(section);
  const std::string prefix = fmt::format("{}.", section);
  for (auto entry = entries_.lower_bound(prefix); entry != entries_.end() && entry->first.starts_with(prefix);
       ++entry) {
    const std::string name = entry->first.substr(prefix.size());
    const auto is_this = [&](const Parameter& parameter) { return parameter.name == name; };
    if (std::any_of(fixed.begin(), fixed.end(), is_this) ||
        std::any_of(parameters.begin(), parameters.end(), is_this) || swept_has(selector, name)) {
      continue;
    }
    std::vector<std::string> known;
    for (const Parameter& parameter : parameters) {
      known.push_back(parameter.name);
    }
    const bool chosen_by_option = origin(selector).line == 0 && entry->second.origin.line != 0;
    const std::string help =
        chosen_by_option ? fmt::format("; --unset {} takes it out", entry->first) : suggestion(name, known);
    throw_at(entry->second.origin, entry->first,
             (known.empty()
                  ? fmt::format("{} has no parameters of its own", selected)
                  : fmt::format("not a parameter of {}, expected one of {}", selected, fmt::join(known, ", "))) +
                 (known.empty() && !chosen_by_option ? std::string() : help));
  }
}

void ConfigReader::reject_keys_of_other_routers(const RouterModel& router) const
{
  const std::string prefix = "network.";
  for (auto entry = entries_.lower_bound(prefix); entry != entries_.end() && entry->first.starts_with(prefix);
       ++entry) {
    const std::string name = entry->first.substr(prefix.size());
    const auto is_this = [&](const Parameter& parameter) { return parameter.name == name; };
    const auto has_key = [&](const RouterModel& which) {
      return std::ranges::any_of(network_declarations(which), is_this);
    };
    const auto has_value = [&](const RouterModel& which) {
      const auto* value = std::get_if<std::string>(&entry->second.value);
      const auto key = std::ranges::find_if(network_declarations(which), is_this);
      return value != nullptr && key != network_declarations(which).end() &&
             std::ranges::find(key->choices, *value) != key->choices.end();
    };
    const auto with_value = std::ranges::find_if(routers(), has_value);
    if (name != router_declaration().name && has_key(router) && !has_value(router) && with_value != routers().end()) {
      throw_at(entry->second.origin, entry->first,
               fmt::format("only router \"{}\" has this value, but the configuration has router \"{}\"",
                           with_value->name, router.name));
    }
    if (name != router_declaration().name && !has_key(router) && !swept_has("network.router", name)) {
      const auto with_key = std::ranges::find_if(routers(), has_key);
      const auto absent = std::ranges::find(router.absent_keys, name, &AbsentKey::name);
      const std::string why = absent == router.absent_keys.end() ? std::string() : absent->why;
      throw_at(entry->second.origin, entry->first,
               fmt::format("only router \"{}\" has this key, but the configuration has router \"{}\"{}",
                           with_key == routers().end() ? router.name : with_key->name, router.name,
                           why.empty() ? why : ", where " + why));
    }
  }
}

// Whether a kind (an algorithm) that the sweep or one of its cases chooses, or the file itself where they choose
// another, has this parameter.
bool ConfigReader::swept_has(std::string_view selector, std::string_view name) const
{
  bool swept = false;
  bool found = false;
  const auto look_at = [&](const RawValue& value) {
    const auto* chosen = std::get_if<std::string>(&value);
    const auto parameters = chosen == nullptr ? std::span<const Parameter>() : selected_parameters(selector, *chosen);
    found = found || std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
  };
  for (const SweepAxis& axis : config_.sweep) {
    if (axis.key == selector) {
      swept = true;
      std::ranges::for_each(axis.values, look_at);
    }
    for (const KeySet& keys : axis.sets) {
      for (const auto& [key, entry] : keys) {
        if (key == selector) {
          swept = true;
          look_at(entry.value);
        }
      }
    }
  }
  if (const auto own = config_.entries.find(selector); swept && own != config_.entries.end()) {
    look_at(own->second.value);
  }
  return found;
}

} // namespace wormcast
