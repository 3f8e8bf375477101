#include "algorithms/registry.hpp"
#include "experiments/command_line.hpp"
#include "experiments/commands/commands.hpp"
#include "experiments/json_text.hpp"
#include "experiments/output_file.hpp"
#include "experiments/parameter_json.hpp"
#include "experiments/reproduction/claim.hpp"
#include "simulator/simulation.hpp"
#include "topologies/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

struct ListArguments {
  std::string what;
  bool json = false;
};

/// One thing of a list: what it is called, and facts with their headings.
struct ListItem {
  std::string name;
  std::string summary;
  std::vector<std::pair<std::string, std::string>> facts; ///< empty facts are left out
  std::span<const Parameter> parameters;
};

std::vector<ListItem> topology_items()
{
  std::vector<ListItem> items;
  for (const TopologyKind& kind : topology_kinds()) {
    items.push_back({kind.name,
                     kind.summary,
                     {{"routing", fmt::format("{}", fmt::join(kind.routings, ", "))}, {"source", kind.source}},
                     kind.parameters});
  }
  return items;
}

/// The operation, or all of them where a parameter chooses.
std::string operation_text(const Algorithm& algorithm)
{
  const auto choice = std::ranges::find(algorithm.parameters, "operation", &Parameter::name);
  return choice == algorithm.parameters.end() ? std::string(operation_name(algorithm.operation))
                                              : fmt::format("{}", fmt::join(choice->choices, ", "));
}

std::vector<ListItem> algorithm_items()
{
  std::vector<ListItem> items;
  for (const Algorithm& algorithm : algorithms()) {
    items.push_back({algorithm.name,
                     algorithm.summary,
                     {{"operation", operation_text(algorithm)},
                      {"ports", algorithm.ports},
                      {"topologies", algorithm.topologies},
                      {"tie", algorithm.tie},
                      {"costs", algorithm.costs},
                      {"source", algorithm.source}},
                     algorithm.parameters});
  }
  return items;
}

std::vector<ListItem> reproduction_items()
{
  std::vector<ListItem> items;
  for (const Claim& claim : all_claims()) {
    items.push_back({claim.name,
                     claim.statement,
                     {{"claimed", claim.claimed},
                      {"verdict", std::string(verdict_name(claim.recorded))},
                      {"reading", claim.reading},
                      {"source", fmt::format("{}, {}", paper_of(claim).source, claim.place)}},
                     {}});
  }
  return items;
}

std::vector<ListItem> section_items(const std::string& section)
{
  if (section == "network") {
    return {{section, "keys of a configuration's [network] section", {}, network_declarations()}};
  }
  return {{section, "keys of a configuration's [run] section", {}, run_declarations()}};
}

std::vector<ListItem> items_of(const std::string& what)
{
  if (what == "topologies") {
    return topology_items();
  }
  if (what == "algorithms") {
    return algorithm_items();
  }
  return what == "reproductions" ? reproduction_items() : section_items(what);
}

std::string default_text(const Parameter& parameter)
{
  if (parameter.fallback) {
    return fmt::format("default {}", json_text(parameter_json(parameter, *parameter.fallback), JsonLayout::one_line));
  }
  return parameter.optional ? "optional" : "required";
}

std::string list_text(std::span<const ListItem> items)
{
  std::size_t width = 0;
  for (const ListItem& item : items) {
    width = std::max(width, item.name.size());
  }
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const ListItem& item : items) {
    fmt::format_to(out, "{:<{}}  {}\n", item.name, width, item.summary);
  }
  for (const ListItem& item : items) {
    fmt::format_to(out, "\n{}\n", item.name);
    for (const auto& [heading, fact] : item.facts) {
      if (!fact.empty()) {
        fmt::format_to(out, "  {:<12}{}\n", heading, fact);
      }
    }
    for (const Parameter& parameter : item.parameters) {
      fmt::format_to(out, "  parameter   {}: {} ({}; {})\n", parameter.name, parameter.text, expectation(parameter),
                     default_text(parameter));
    }
  }
  return fmt::to_string(text);
}

Json list_json(const std::string& what, std::span<const ListItem> items)
{
  Json list = Json::array();
  for (const ListItem& item : items) {
    Json entry = {{"name", item.name}, {"summary", item.summary}};
    for (const auto& [heading, fact] : item.facts) {
      entry[heading] = fact;
    }
    entry["parameters"] = Json::array();
    for (const Parameter& parameter : item.parameters) {
      entry["parameters"].push_back(
          {{"name", parameter.name},
           {"text", parameter.text},
           {"expected", expectation(parameter)},
           {"required", !parameter.fallback && !parameter.optional},
           {"default", parameter.fallback ? parameter_json(parameter, *parameter.fallback) : Json(nullptr)}});
    }
    list.push_back(std::move(entry));
  }
  return {{what, list}};
}

int list(const ListArguments& arguments)
{
  const std::vector<ListItem> items = items_of(arguments.what);
  write_standard_output(arguments.json ? json_text(list_json(arguments.what, items), JsonLayout::indented) + "\n"
                                       : list_text(items));
  return exit_code::done;
}

} // namespace

void add_list_command(CLI::App& app, CommandContext& context)
{
  auto arguments = std::make_shared<ListArguments>();
  CLI::App* command = app.add_subcommand("list", "what there is, with parameters and source");
  command->add_option("WHAT", arguments->what, "what to list")
      ->required()
      ->check(one_of({"topologies", "algorithms", "reproductions", "network", "run"}));
  command->add_flag("--json", arguments->json, "as JSON");
  command->callback([arguments, &context] { context.action = [arguments] { return list(*arguments); }; });
}

} // namespace wormcast
