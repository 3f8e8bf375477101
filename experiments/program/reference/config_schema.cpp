#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/plot_section.hpp"
#include "wormcast/experiments/config/sweep_section.hpp"
#include "wormcast/experiments/program/reference/reference.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/flag_list.hpp"

#include <fmt/format.h>

#include <map>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t unlimited = std::int64_t{1} << 62;

Json whole_number(const Parameter& parameter)
{
  Json type = {{"type", "integer"}, {"minimum", parameter.minimum}};
  if (parameter.maximum < unlimited) {
    type["maximum"] = parameter.maximum;
  }
  return type;
}

constexpr const char* time_pattern = "^[0-9.eE+-]+ *(s|ms|us|\u00b5s|\u03bcs|ns|ps)$";

Json decimal_number(const Parameter& parameter)
{
  Json type = {{"type", "number"}, {"exclusiveMinimum", 0}};
  if (parameter.maximum < unlimited) {
    type["maximum"] = parameter.maximum;
  }
  return type;
}

/// What a value of the parameter looks like in TOML.
Json value_schema(const Parameter& parameter)
{
  Json integers = {{"type", "array"}, {"items", {{"type", "integer"}}}, {"minItems", 1}};
  switch (parameter.type) {
  case ParameterType::boolean:
    return {{"type", "boolean"}};
  case ParameterType::integer:
    return parameter.choices.empty() ? whole_number(parameter)
                                     : Json{{"anyOf", {whole_number(parameter), {{"enum", parameter.choices}}}}};
  case ParameterType::choice:
    return {{"enum", parameter.choices}};
  case ParameterType::text:
  case ParameterType::file:
    return {{"type", "string"}};
  case ParameterType::integers:
    return is_flag_list(parameter) ? Json{{"type", "array"}, {"items", {{"type", "boolean"}}}, {"minItems", 1}}
                                   : integers;
  case ParameterType::texts:
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
  case ParameterType::time:
  case ParameterType::byte_time:
    return {{"type", "string"}, {"pattern", time_pattern}};
  case ParameterType::bytes:
    return {{"anyOf",
             {{{"type", "integer"}, {"minimum", parameter.minimum}},
              {{"type", "string"}, {"pattern", "^[0-9.eE+-]+ *(B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)?$"}}}}};
  case ParameterType::node:
    return {{"anyOf", {{{"type", "integer"}, {"minimum", 0}}, integers, {{"type", "string"}, {"minLength", 1}}}}};
  case ParameterType::nodes:
    return {
        {"anyOf", {integers, {{"type", "array"}, {"items", {{"type", "string"}, {"minLength", 1}}}, {"minItems", 1}}}}};
  case ParameterType::ports:
    return {{"anyOf", {{{"type", "integer"}, {"minimum", 1}}, {{"const", "all"}}}}};
  case ParameterType::number:
    return decimal_number(parameter);
  case ParameterType::numbers: {
    const Json list = {{"type", "array"}, {"items", decimal_number(parameter)}, {"minItems", 1}};
    return {{"anyOf", {list, decimal_number(parameter), {{"enum", parameter.choices}}}}};
  }
  case ParameterType::extent:
    return {
        {"anyOf",
         {whole_number(parameter), {{"type", "string"}, {"pattern", time_pattern}}, {{"enum", parameter.choices}}}}};
  }
  return Json::object();
}

Json parameter_schema(const Parameter& parameter)
{
  Json schema = value_schema(parameter);
  schema["description"] = parameter.text;
  if (parameter.fallback) {
    schema["default"] = parameter_json(parameter, *parameter.fallback);
  }
  return schema;
}

/// All declarations of a section's keys, by key: several algorithms can have one of the same name.
std::map<std::string, std::vector<const Parameter*>> section_keys(const std::string& section)
{
  std::map<std::string, std::vector<const Parameter*>> keys;
  for (const std::string& name : key_names(section)) {
    keys[name] = declarations(section + "." + name);
  }
  return keys;
}

/// What one key may be, whatever the algorithm.
Json key_schema(const std::vector<const Parameter*>& declared)
{
  Json different = Json::array();
  for (const Parameter* parameter : declared) {
    Json schema = parameter_schema(*parameter);
    if (std::ranges::find(different, schema) == different.end()) {
      different.push_back(std::move(schema));
    }
  }
  return different.size() == 1 ? different.front() : Json{{"anyOf", different}};
}

Json tables(const Json& table)
{
  return {{"type", "array"}, {"items", table}, {"minItems", 1}};
}

/// A table of one whole number for each part of a key that is a list.
Json columns_table(const Json& parts)
{
  Json properties = Json::object();
  for (const auto& [name, schema] : parts.items()) {
    if (schema.contains("items")) {
      properties[name] = {{"type", "integer"}, {"minimum", 1}};
    }
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json section_schema(const std::string& section)
{
  Json properties = Json::object();
  std::map<std::string, Json> parts; // of keys with dots, which can be in a table
  for (const auto& [name, declared] : section_keys(section)) {
    properties[name] = key_schema(declared);
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
      parts[name.substr(0, dot)][name.substr(dot + 1)] = properties[name];
    }
  }
  for (const auto& [key, part] : parts) {
    const Json table = {{"type", "object"}, {"properties", part}, {"additionalProperties", false}};
    Json one_of = Json::array({table});
    if (properties.contains(key)) {
      one_of.push_back(properties[key]);
      one_of.push_back(tables(columns_table(part)));
    }
    properties[key] = {{"anyOf", one_of}};
  }
  if (section == section_of(traffic_classes_table)) {
    properties[std::string(traffic_classes_table.substr(section.size() + 1))] = {
        {"type", "object"}, {"additionalProperties", section_schema(fmt::format("{}.NAME", traffic_classes_table))}};
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json axis_schema()
{
  const Json number = {{"type", {"integer", "number", "string"}}};
  return {{"anyOf",
           {{{"type", "array"}, {"minItems", 1}},
            {{"type", "object"},
             {"properties", {{"from", number}, {"to", number}, {"factor", number}, {"step", number}}},
             {"required", {"from", "to"}},
             {"additionalProperties", false}}}}};
}

Json sweep_schema()
{
  Json properties = {{"repeat", {{"type", "integer"}, {"minimum", 1}}}};
  for (const std::string& section : config_sections()) {
    Json keys = Json::object();
    for (const auto& [name, declared] : section_keys(section)) {
      properties[section + "." + name] = axis_schema();
      keys[name] = axis_schema();
    }
    properties[section] = {{"anyOf",
                            {tables({{"$ref", "#/$defs/" + section}}),
                             {{"type", "object"}, {"properties", keys}, {"additionalProperties", false}}}}};
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

Json plot_schema()
{
  Json properties = Json::object();
  for (const Parameter& parameter : plot_declarations()) {
    properties[parameter.name] = parameter_schema(parameter);
  }
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

} // namespace

std::string config_schema()
{
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                 {"title", "Configuration of Wormcast"},
                 {"type", "object"},
                 {"properties", Json::object()},
                 {"additionalProperties", false},
                 {"$defs", Json::object()}};
  Json sections = {{"name", {{"type", "string"}}}};
  for (const std::string& section : config_sections()) {
    schema["$defs"][section] = section_schema(section);
    const Json reference = {{"$ref", "#/$defs/" + section}};
    schema["properties"][section] = reference;
    sections[section] = reference;
  }
  schema["$defs"]["plot"] = plot_schema();
  const Json plot = {{"$ref", "#/$defs/plot"}};
  schema["properties"]["sweep"] = sweep_schema();
  schema["properties"]["case"] =
      tables({{"type", "object"}, {"properties", sections}, {"additionalProperties", false}});
  schema["properties"]["plot"] = {{"anyOf", {plot, tables(plot)}}};
  return json_text(schema, JsonLayout::indented) + "\n";
}

} // namespace wormcast
