#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/broadcast_section.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/load_section.hpp"
#include "wormcast/experiments/config/mpi_section.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/plot_section.hpp"
#include "wormcast/experiments/config/program_section.hpp"
#include "wormcast/experiments/config/ranks_section.hpp"
#include "wormcast/experiments/config/sweep_section.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/claim_list.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/traffic/patterns.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
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

/// All that it serves, its own first.
std::string operation_text(const Algorithm& algorithm)
{
  std::vector<std::string_view> names;
  std::ranges::transform(served_operations(algorithm), std::back_inserter(names),
                         [](Operation operation) { return operation_names.text(operation); });
  return fmt::format("{}", fmt::join(names, ", "));
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

std::vector<ListItem> pattern_items()
{
  std::vector<ListItem> items;
  for (const TrafficPattern& pattern : traffic_patterns()) {
    items.push_back({pattern.name,
                     pattern.summary,
                     {{"topologies", pattern.topologies}, {"source", pattern.source}},
                     pattern.parameters});
  }
  return items;
}

std::vector<ListItem> reproduction_items()
{
  std::vector<ListItem> items;
  for (const ListedClaim& claim : installed_claims().claims) {
    items.push_back(
        {claim.name,
         claim.statement,
         {{"claimed", claim.claimed}, {"verdict", claim.verdict}, {"reading", claim.reading}, {"source", claim.source}},
         {}});
  }
  return items;
}

std::vector<ListItem> network_items()
{
  std::vector<ListItem> items = {
      {"network", "what a configuration's [network] section says first", {}, std::span(&router_declaration(), 1)}};
  for (const RouterModel& router : routers()) {
    const std::string& usual = default_router().name;
    const bool adds_keys = router.name != usual && router.changed_keys.empty() && router.absent_keys.empty();
    const std::string page = router.page.empty() ? router.page : fmt::format(" ({})", router.page);
    using Facts = std::vector<std::pair<std::string, std::string>>;
    items.push_back({fmt::format("router \"{}\"", router.name),
                     adds_keys ? fmt::format("{}; the keys of router \"{}\", and:", router.summary, usual)
                               : fmt::format("the other keys of [network] with it{}", page),
                     adds_keys || !router.source.empty() ? Facts{{"source", router.source}} : Facts(),
                     adds_keys ? std::span<const Parameter>(router.parameters) : network_declarations(router)});
  }
  return items;
}

std::vector<ListItem> run_items()
{
  return {{"run", "keys of a configuration's [run] section", {}, run_declarations()}};
}

std::vector<ListItem> broadcast_items()
{
  return {{"broadcast", "keys of a configuration's [broadcast] section (docs/load.md)", {}, broadcast_declarations()}};
}

std::vector<ListItem> mpi_items()
{
  return {{"mpi", "keys of a configuration's [mpi] section", {}, mpi_declarations()}};
}

std::vector<ListItem> ranks_items()
{
  return {{"ranks", "keys of a configuration's [ranks] section, beside those of ranks.kind", {}, rank_declarations()}};
}

std::vector<ListItem> program_items()
{
  return {{"program", "keys of a configuration's [program] section", {}, program_declarations()}};
}

std::vector<ListItem> traffic_items()
{
  return {{"traffic", "keys of a configuration's [traffic] section (docs/load.md)", {}, traffic_declarations()}};
}

std::vector<ListItem> load_items()
{
  return {{"load", "keys of a configuration's [load] section: the points of a curve", {}, load_declarations()}};
}

std::vector<ListItem> topology_section_items()
{
  std::vector<ListItem> items = {
      {"topology", "keys of a configuration's [topology] section", {}, fixed_parameters("topology")}};
  for (const TopologyKind& kind : topology_kinds()) {
    items.push_back({kind.name, "keys of topology.kind = \"" + kind.name + "\"", {}, kind.parameters});
  }
  return items;
}

std::vector<ListItem> algorithm_section_items()
{
  std::vector<ListItem> items = {
      {"algorithm", "keys of a configuration's [algorithm] section", {}, fixed_parameters("algorithm")}};
  const auto add = [&](std::string_view name, std::span<const Parameter> parameters) {
    items.push_back({std::string(name), fmt::format("keys of algorithm.name = \"{}\"", name), {}, parameters});
  };
  for (const UnregisteredAlgorithm& algorithm : unregistered_algorithms()) {
    add(algorithm.name, algorithm.parameters);
  }
  for (const Algorithm& algorithm : algorithms()) {
    add(algorithm.name, algorithm.parameters);
  }
  return items;
}

std::vector<ListItem> message_items()
{
  return {{"message", "keys of a configuration's [message] section", {}, fixed_parameters("message")}};
}

std::vector<ListItem> sweep_items()
{
  ListItem item{"sweep", "entries of a configuration's [sweep] section; every combination is run", {}, {}};
  for (const SweepSyntax& syntax : sweep_syntax()) {
    item.facts.emplace_back(syntax.key + " = " + syntax.value + " ", syntax.text);
  }
  return {item};
}

std::vector<ListItem> plot_items()
{
  return {{"plot", "keys of [plot], and of --plot 'x=nodes, y=latency_us, ...'", {}, plot_declarations()}};
}

/// What can be listed.
struct ListKind {
  std::string name;
  std::vector<ListItem> (*items)();
};

std::vector<ListKind> list_kinds()
{
  return {
      {"topologies", topology_items},
      {"algorithms", algorithm_items},
      {"patterns", pattern_items},
      {"reproductions", reproduction_items},
      {"topology", topology_section_items},
      {"network", network_items},
      {"ranks", ranks_items},
      {"algorithm", algorithm_section_items},
      {"message", message_items},
      {"program", program_items},
      {"run", run_items},
      {"broadcast", broadcast_items},
      {"mpi", mpi_items},
      {"traffic", traffic_items},
      {"load", load_items},
      {"sweep", sweep_items},
      {"plot", plot_items},
  };
}

std::vector<std::string> list_names()
{
  std::vector<std::string> names;
  for (const ListKind& kind : list_kinds()) {
    names.push_back(kind.name);
  }
  return names;
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
      entry["parameters"].push_back(declaration_json(parameter));
    }
    list.push_back(std::move(entry));
  }
  return {{what, list}};
}

int list(const ListArguments& arguments)
{
  const std::vector<ListKind> known = list_kinds();
  const std::vector<ListItem> items = std::ranges::find(known, arguments.what, &ListKind::name)->items();
  write_standard_output(arguments.json ? json_text(list_json(arguments.what, items), JsonLayout::indented) + "\n"
                                       : list_text(items));
  return exit_code::done;
}

} // namespace

Command list_command()
{
  auto arguments = std::make_shared<ListArguments>();
  return {.name = "list",
          .summary = "topologies, algorithms, keys and claims, with their parameters",
          .options = {{.name = "WHAT",
                       .target = &arguments->what,
                       .text = "what to list",
                       .choices = list_names(),
                       .required = true},
                      {.name = "--json", .target = &arguments->json, .text = "as JSON"}},
          .action = [arguments](Verbosity) { return list(*arguments); }};
}

} // namespace wormcast
