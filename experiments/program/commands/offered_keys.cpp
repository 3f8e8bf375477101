#include "wormcast/experiments/program/commands/offered_keys.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// The key whose value decides which other keys a section has; empty: none.
std::string_view selector_of(std::string_view section)
{
  return section == "topology"    ? "topology.kind"
         : section == "ranks"     ? "ranks.kind"
         : section == "algorithm" ? "algorithm.name"
         : section == "network"   ? "network.router"
                                  : "";
}

void add_text(std::vector<std::string>& texts, const RawValue& value)
{
  if (const auto* text = std::get_if<std::string>(&value)) {
    texts.push_back(*text);
  }
}

/// All values that a configuration gives a key: its own, and those of its sweep.
std::vector<std::string> values_of(const RawConfig& config, std::string_view key)
{
  std::vector<std::string> values;
  if (const auto entry = config.entries.find(key); entry != config.entries.end()) {
    add_text(values, entry->second.value);
  }
  for (const SweepAxis& axis : config.sweep) {
    if (axis.key == key) {
      std::ranges::for_each(axis.values, [&](const RawValue& value) { add_text(values, value); });
    }
    for (const KeySet& keys : axis.sets) {
      for (const auto& [name, entry] : keys) {
        if (name == key) {
          add_text(values, entry.value);
        }
      }
    }
  }
  return values;
}

/// The declarations of a section that the configuration's topologies, algorithms or routers have.
std::vector<Parameter> selected_declarations(const RawConfig& config, const std::string& section)
{
  const std::string_view selector = selector_of(section);
  std::vector<std::string> names = values_of(config, selector);
  std::vector<Parameter> all;
  if (section == "network") { // its fixed parameters are those of all routers
    all.push_back(router_declaration());
    if (names.empty()) {
      names.push_back(std::get<std::string>(router_declaration().fallback.value()));
    }
  } else {
    all.assign(fixed_parameters(section).begin(), fixed_parameters(section).end());
  }
  for (const std::string& name : names) {
    for (const Parameter& parameter : selected_parameters(selector, name)) {
      add_declaration(all, parameter);
    }
  }
  return names.empty() && !selector.empty() ? std::vector<Parameter>() : all;
}

std::vector<Parameter> all_declarations(const std::string& section)
{
  std::vector<Parameter> all;
  for (const std::string& name : key_names(section)) {
    for (const Parameter* parameter : declarations(fmt::format("{}.{}", section, name))) {
      add_declaration(all, *parameter);
    }
  }
  return all;
}

std::vector<Parameter> declarations_for(const std::optional<RawConfig>& config, const std::string& section)
{
  if (config) {
    try {
      if (auto selected = selected_declarations(*config, section); !selected.empty()) {
        return selected;
      }
    } catch (const InputError&) { // a name that does not exist, such as one of a plug-in that is not loaded
    }
  }
  return all_declarations(section);
}

std::vector<std::string> countable_values(const Parameter& parameter)
{
  if (parameter.type == ParameterType::boolean) {
    return {"true", "false"};
  }
  return parameter.type == ParameterType::ports ? std::vector<std::string>{"all"} : parameter.choices;
}

Offers offered_values_of_key(const std::optional<RawConfig>& config, std::string_view key, std::string_view typed)
{
  Offers offers;
  const std::string section(section_of(key));
  for (const Parameter& parameter : declarations_for(config, section)) {
    if (fmt::format("{}.{}", section, parameter.name) == key) {
      offers.files = parameter.type == ParameterType::file;
      for (const std::string& value : countable_values(parameter)) {
        add_offer(offers, typed, fmt::format("{}={}", key, value), "");
      }
    }
  }
  return offers;
}

Offers offered_keys(const std::optional<RawConfig>& config, std::string_view typed, std::string_view end)
{
  Offers offers;
  std::vector<std::string> sections(config_sections().begin(), config_sections().end());
  if (config) {
    for (const auto& [key, entry] : config->entries) {
      if (const std::string section(section_of(key)); std::ranges::find(sections, section) == sections.end()) {
        sections.push_back(section); // of a class of traffic
      }
    }
  }
  for (const std::string& section : sections) {
    for (const Parameter& parameter : declarations_for(config, section)) {
      add_offer(offers, typed, fmt::format("{}.{}{}", section, parameter.name, end), parameter.text);
    }
  }
  return offers;
}

} // namespace

std::optional<RawConfig> configuration_so_far(const ConfigSource& source)
{
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(source.file, ignored)) { // a pipe would have to be waited for
    return std::nullopt;
  }
  for (const ConfigSource& tried : {source, ConfigSource{.file = source.file}}) {
    try {
      return read_config(tried);
    } catch (const InputError&) { // whoever runs the line is told
    }
  }
  return std::nullopt;
}

Offers offered_settings(const std::optional<RawConfig>& config, std::string_view typed)
{
  const std::size_t equals = typed.find('=');
  return equals == std::string_view::npos ? offered_keys(config, typed, "=")
                                          : offered_values_of_key(config, typed.substr(0, equals), typed);
}

Offers offered_removals(const std::optional<RawConfig>& config, std::string_view typed)
{
  if (!config) {
    return offered_keys(config, typed, "");
  }
  std::map<std::string, std::string> names; // by name: what it is
  const auto add = [&](const std::string& key) {
    names.emplace(key.substr(0, key.find('.')), "the section");
    const auto found = declarations(key);
    names.emplace(key, found.empty() ? "" : found.front()->text);
  };
  for (const auto& [key, entry] : config->entries) {
    add(key);
  }
  for (const SweepAxis& axis : config->sweep) {
    names.emplace(axis.key == case_axis ? case_axis : "sweep", "the sweep");
    if (axis.sets.empty()) {
      add(axis.key);
    }
  }
  if (!config->plots.empty()) {
    names.emplace("plot", "the plots");
  }
  Offers offers;
  for (const auto& [name, text] : names) {
    add_offer(offers, typed, name, text);
  }
  return offers;
}

} // namespace wormcast
