#include "wormcast/experiments/config/keys.hpp"

#include "wormcast/experiments/config/broadcast_section.hpp"
#include "wormcast/experiments/config/load_section.hpp"
#include "wormcast/experiments/config/mpi_section.hpp"
#include "wormcast/experiments/config/program_section.hpp"
#include "wormcast/experiments/config/ranks_section.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/traffic/requests.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/renamed_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace wormcast {

namespace {

std::vector<Parameter> topology_section()
{
  std::vector<std::string> kinds;
  for (const TopologyKind& kind : topology_kinds()) {
    kinds.push_back(kind.name);
  }
  return {{.name = "kind",
           .type = ParameterType::choice,
           .text = "kind of topology (wormcast list topologies)",
           .choices = kinds}};
}

std::vector<Parameter> algorithm_section()
{
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    names.push_back(algorithm.name);
  }
  for (const UnregisteredAlgorithm& algorithm : unregistered_algorithms()) {
    names.emplace_back(algorithm.name);
  }
  return {{.name = "name",
           .type = ParameterType::choice,
           .text = "name of an algorithm (wormcast list algorithms), \"schedule\" or \"requests\"",
           .choices = names},
          {.name = "source",
           .type = ParameterType::node,
           .text = "node that has the message",
           .fallback = std::int64_t{0}}};
}

std::vector<Parameter> message_section()
{
  return {{.name = "bytes", .type = ParameterType::bytes, .text = "length of the message", .minimum = 1}};
}

// The router, and the keys of all routers with the values of all.
std::vector<Parameter> network_section()
{
  std::vector<Parameter> all = {router_declaration()};
  for (const RouterModel& router : routers()) {
    for (const Parameter& key : network_declarations(router)) {
      add_declaration(all, key);
    }
  }
  return all;
}

bool is_class_section(std::string_view section)
{
  return section.starts_with(traffic_classes_table) && section.size() > traffic_classes_table.size() + 1 &&
         section[traffic_classes_table.size()] == '.';
}

bool is_class_name(std::string_view name)
{
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

/// "section.name" of a section that has this name; empty if none has.
std::string same_name_elsewhere(std::string_view name)
{
  for (const std::string& section : config_sections()) {
    const auto names = key_names(section);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return fmt::format("{}.{}", section, name);
    }
  }
  return {};
}

} // namespace

std::string_view section_of(std::string_view key)
{
  if (is_class_section(key)) {
    return key.substr(0, key.find('.', traffic_classes_table.size() + 1));
  }
  return key.substr(0, key.find('.'));
}

bool takes_decimals(std::string_view key)
{
  return declarations(key).front()->type == ParameterType::numbers;
}

void add_declaration(std::vector<Parameter>& all, const Parameter& added)
{
  const auto known = std::ranges::find(all, added.name, &Parameter::name);
  if (known == all.end()) {
    all.push_back(added);
    return;
  }
  for (const std::string& choice : added.choices) {
    if (std::ranges::find(known->choices, choice) == known->choices.end()) {
      known->choices.push_back(choice);
    }
  }
}

std::span<const std::string> config_sections()
{
  static const std::vector<std::string> sections = {"topology", "network",   "ranks", "algorithm", "message", "program",
                                                    "run",      "broadcast", "mpi",   "traffic",   "load"};
  return sections;
}

std::span<const Parameter> fixed_parameters(std::string_view section)
{
  static const std::vector<Parameter> topology = topology_section();
  static const std::vector<Parameter> algorithm = algorithm_section();
  static const std::vector<Parameter> message = message_section();
  static const std::vector<Parameter> network = network_section();
  if (section == "topology") {
    return topology;
  }
  if (section == "network") {
    return network;
  }
  if (section == "algorithm") {
    return algorithm;
  }
  if (section == "message") {
    return message;
  }
  if (section == "run") {
    return run_declarations();
  }
  if (section == "ranks") {
    return rank_declarations();
  }
  if (section == "broadcast") {
    return broadcast_declarations();
  }
  if (section == "mpi") {
    return mpi_declarations();
  }
  if (section == "program") {
    return program_declarations();
  }
  if (section == "traffic") {
    return traffic_declarations();
  }
  if (section == "load") {
    return load_declarations();
  }
  if (is_class_section(section)) {
    return class_declarations();
  }
  return {};
}

std::span<const Parameter> schedule_parameters()
{
  static const std::vector<Parameter> parameters = {
      {.name = "file",
       .type = ParameterType::file,
       .text =
           "schedule to run (format wormcast-schedule/1), a program in GOAL or MSCCL XML, trees of ForestColl, a schedule of "
           "TE-CCL, or a trace of netrace or Chakra",
       .optional = true},
      {.name = "map",
       .type = ParameterType::choice,
       .text = "of a program or trace: the same as ranks.map",
       .optional = true,
       .choices = rank_map_choices.texts()},
      {.name = "nodes",
       .type = ParameterType::nodes,
       .text = "of a program or trace: the same as ranks.nodes",
       .optional = true},
      {.name = "operation",
       .type = ParameterType::choice,
       .text = "of trees of ForestColl: what they do, \"reduce_scatter\" backwards, \"all_reduce\" backwards and then "
               "forwards; without it \"all_gather\"",
       .optional = true,
       .choices = {"all_gather", "reduce_scatter", "all_reduce"}},
      {.name = "text",
       .type = ParameterType::text,
       .text = "the schedule itself (format wormcast-schedule/1), instead of `file`",
       .optional = true}};
  return parameters;
}

std::span<const UnregisteredAlgorithm> unregistered_algorithms()
{
  static const std::vector<UnregisteredAlgorithm> all = {
      {schedule_algorithm,
       "A schedule from a file, or a program in GOAL ([file formats](../formats.md)); it takes no `source`",
       schedule_parameters()},
      {requests_algorithm,
       "Requests of all nodes by a traffic pattern, in a closed loop, and their replies "
       "([networks under load](../load.md#requests-and-replies)); it takes no `source`, and `message.bytes` is the "
       "length of a request",
       request_declarations()}};
  return all;
}

std::span<const Parameter> selected_parameters(std::string_view selector, std::string_view name)
{
  if (selector == "topology.kind" || selector == "ranks.kind") {
    return find_topology_kind(name).parameters;
  }
  if (selector == "network.router") {
    const RouterModel* router = known_router(name);
    return network_declarations(router == nullptr ? default_router() : *router);
  }
  const auto unregistered = std::ranges::find(unregistered_algorithms(), name, &UnregisteredAlgorithm::name);
  return unregistered != unregistered_algorithms().end() ? unregistered->parameters : find_algorithm(name).parameters;
}

namespace {

/// All declarations of a section, whichever kind of topology or algorithm they belong to.
void for_each_declaration(std::string_view section, const std::function<void(const Parameter&)>& visit)
{
  std::ranges::for_each(fixed_parameters(section), visit);
  if (section == "topology" || section == "ranks") {
    for (const TopologyKind& kind : topology_kinds()) {
      std::ranges::for_each(kind.parameters, visit);
    }
  } else if (section == "algorithm") {
    for (const Algorithm& algorithm : algorithms()) {
      std::ranges::for_each(algorithm.parameters, visit);
    }
    for (const UnregisteredAlgorithm& algorithm : unregistered_algorithms()) {
      std::ranges::for_each(algorithm.parameters, visit);
    }
  }
}

} // namespace

std::vector<std::string> key_names(std::string_view section)
{
  std::vector<std::string> names;
  for_each_declaration(section, [&](const Parameter& parameter) {
    if (std::ranges::find(names, parameter.name) == names.end()) {
      names.push_back(parameter.name);
    }
  });
  return names;
}

std::vector<const Parameter*> declarations(std::string_view key)
{
  const std::string_view section = section_of(key);
  if (section.size() == key.size()) {
    return {};
  }
  const std::string_view name = key.substr(section.size() + 1);
  std::vector<const Parameter*> found;
  for_each_declaration(section, [&](const Parameter& parameter) {
    if (parameter.name == name) {
      found.push_back(&parameter);
    }
  });
  return found;
}

std::string suggestion(std::string_view found, std::span<const std::string> known)
{
  const std::string nearest = nearest_name(found, known);
  return nearest.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", nearest);
}

void check_key(const Origin& origin, std::string_view key)
{
  const auto sections = config_sections();
  const std::string_view section = section_of(key);
  if (key == traffic_classes_table || (is_class_section(section) && section.size() == key.size())) {
    throw_at(origin, key,
             fmt::format("expected keys of classes, such as {}.NAME.{}", traffic_classes_table,
                         class_declarations().front().name));
  }
  if (is_class_section(section) && !is_class_name(section.substr(traffic_classes_table.size() + 1))) {
    throw_at(origin, key,
             fmt::format("found a class named \"{}\", expected letters, digits, _ and -",
                         section.substr(traffic_classes_table.size() + 1)));
  }
  if (section.size() == key.size() ||
      (!is_class_section(section) && std::find(sections.begin(), sections.end(), section) == sections.end())) {
    if (std::find(sections.begin(), sections.end(), key) != sections.end()) {
      throw_at(origin, key,
               fmt::format("found a section without a key, expected one of its keys, such as {}.{}", key,
                           key_names(key).front()));
    }
    std::string known;
    if (section.size() == key.size()) {
      known = same_name_elsewhere(key);
      known = known.empty() ? known : fmt::format("; did you mean \"{}\"?", known);
    }
    if (known.empty()) {
      known = suggestion(section, sections);
    }
    throw_at(origin, key,
             fmt::format("unknown key, expected a key of one of the sections {}{}", fmt::join(sections, ", "), known));
  }
  if (!declarations(key).empty()) {
    return;
  }
  const std::string_view name = key.substr(section.size() + 1);
  const auto names = key_names(section);
  const std::string nearest = meant_key(name, names);
  const std::string meant = nearest.empty() ? same_name_elsewhere(name) : fmt::format("{}.{}", section, nearest);
  throw_at(origin, key,
           fmt::format("unknown key, expected one of {}{}", fmt::join(names, ", "),
                       meant.empty() ? meant : fmt::format("; did you mean \"{}\"?", meant)));
}

} // namespace wormcast
