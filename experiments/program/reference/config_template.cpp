#include "wormcast/experiments/program/reference/config_template.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/config/sweep_section.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace wormcast {

namespace {

/// What a template says of a kind of topology.
struct KindExample {
  std::string_view kind;
  std::string_view parameters; ///< the values of its required keys in order, with | between them
  std::string_view algorithm;  ///< a broadcast that runs there
};

constexpr std::array examples = {
    KindExample{"mesh", "[8, 8]", "recursion_based"},
    KindExample{"torus", "[8, 8]", "scatter_collect"},
    KindExample{"hypercube", "6", "single_node_broadcast"},
    KindExample{"petersen", "", "petersen_broadcast"},
    KindExample{"petersen_torus", "[4, 4, 4]", "petersen_torus_broadcast"},
    KindExample{"lattice", "[\"4 0 4\", \"0 4 4\", \"0 0 8\"]", "binomial_tree"},
    KindExample{"fat_tree", "2|[4, 4]|[1, 2]", "binomial_tree"},
    KindExample{"dragonfly", "3|2|4|3", "binomial_tree"},
    KindExample{"graph", "\"network.dot\"", "bfs_tree"},
    KindExample{"simgrid", "\"network.xml\"", "binomial_tree"},
};

constexpr std::size_t widest_line = 110;

/// A line, or several, of a comment.
std::string comment(std::string text, std::string_view indent = "# ")
{
  std::string lines;
  while (text.size() + indent.size() > widest_line) {
    const std::size_t blank = text.rfind(' ', widest_line - indent.size());
    if (blank == std::string::npos || blank == 0) {
      break;
    }
    lines += fmt::format("{}{}\n", indent, text.substr(0, blank));
    text.erase(0, blank + 1);
  }
  return lines + fmt::format("{}{}\n", indent, text);
}

/// A key with what it means: as it is, or, with a default or none, in a comment.
std::string entry(const Parameter& parameter, std::string_view value)
{
  std::string text = "\n" + comment(fmt::format("{}: {}", parameter.text, expectation(parameter)));
  if (!value.empty()) {
    return text + fmt::format("{} = {}\n", parameter.name, value);
  }
  if (parameter.fallback) {
    return text + fmt::format("# {} = {}\n", parameter.name,
                              json_text(parameter_json(parameter, *parameter.fallback), JsonLayout::one_line));
  }
  return text + fmt::format("# {} =\n", parameter.name);
}

/// For a required key of which nothing is known but its declaration; empty: no value can be made up.
std::string smallest_value(const Parameter& parameter)
{
  switch (parameter.type) {
  case ParameterType::boolean:
    return "false";
  case ParameterType::integer:
  case ParameterType::bytes:
    return fmt::format("{}", parameter.minimum);
  case ParameterType::integers:
  case ParameterType::nodes:
    return fmt::format("[{}]", parameter.minimum);
  case ParameterType::choice:
    return fmt::format("\"{}\"", parameter.choices.front());
  default:
    return "";
  }
}

/// Values that keys have in a template.
using Values = std::vector<std::pair<std::string, std::string>>;

Values only(std::string key, std::string value)
{
  Values values;
  values.emplace_back(std::move(key), std::move(value));
  return values;
}

std::string section(std::string_view name, std::span<const Parameter> parameters, const Values& values)
{
  std::string text = fmt::format("\n[{}]\n", name);
  for (const Parameter& parameter : parameters) {
    const auto value = std::ranges::find_if(values, [&](const auto& known) { return known.first == parameter.name; });
    text += entry(parameter, value == values.end() ? std::string_view() : std::string_view(value->second));
  }
  return text;
}

std::string in_quotes(std::string_view text)
{
  return fmt::format("\"{}\"", text);
}

/// What `wormcast load` runs: uniform traffic on a mesh.
std::string load_template()
{
  std::string text =
      comment("Latency over load on a mesh: wormcast load FILE. Keys in comments have these values anyway.") +
      "# Units: s ms us ns ps; B kB MB GB KiB MiB GiB.\n";
  text += section("topology", fixed_parameters("topology"), only("kind", in_quotes("mesh")));
  for (const Parameter& parameter : find_topology_kind("mesh").parameters) {
    text += entry(parameter, parameter.name == "dims" ? "[8, 8]" : "");
  }
  std::vector<Parameter> network = {router_declaration()};
  std::ranges::copy(network_declarations(), std::back_inserter(network));
  text += section("network", network,
                  Values{{"startup", in_quotes("0us")}, {"per_byte", in_quotes("1ns")}, {"flit_bytes", "8"}});
  text += section("run", run_declarations(), {});
  text += section("traffic", fixed_parameters("traffic"), only("bytes", "64"));
  text += section("load", fixed_parameters("load"), {});
  return text +
         "\n# Several curves:\n#\n# [sweep]\n# \"network.virtual_channels\" = [1, 2, 4]\n#\n"
         "# Adaptive routing needs the router with input queues (its keys: wormcast list network):\n#\n"
         "# [[case]]\n# name = \"dimension order\"\n# network = { router = \"input_queued\", virtual_channels = 4 }\n"
         "#\n# [[case]]\n# name = \"adaptive\"\n# network = { router = \"input_queued\", virtual_channels = 4, "
         "routing = \"minimal_adaptive\" }\n";
}

} // namespace

std::string config_template(std::string_view name)
{
  if (name == load_template_name) {
    return load_template();
  }
  const TopologyKind& kind = find_topology_kind(name);
  const auto example = std::ranges::find(examples, std::string_view(kind.name), &KindExample::kind);
  const bool is_own = example != examples.end(); // and not a plug-in's
  const Algorithm& algorithm = find_algorithm(is_own ? example->algorithm : "bfs_tree");
  std::string text = comment(fmt::format("A broadcast on a {}: wormcast run FILE. "
                                         "Keys in comments have these values anyway.",
                                         kind.name)) +
                     "# Units: s ms us ns ps; B kB MB GB KiB MiB GiB.\n";
  text += section("topology", fixed_parameters("topology"), only("kind", in_quotes(kind.name)));
  std::string_view values = is_own ? example->parameters : std::string_view();
  for (const Parameter& parameter : kind.parameters) {
    const bool required = !parameter.fallback && !parameter.optional;
    const std::string value = is_own ? std::string(values.substr(0, values.find('|'))) : smallest_value(parameter);
    text += entry(parameter, required ? value : std::string());
    if (required) {
      values.remove_prefix(std::min(values.size(), value.size() + 1));
    }
  }
  text += section("network", network_declarations(),
                  Values{{"startup", in_quotes("10us")}, {"per_byte", in_quotes("1ns")}});
  text += section("algorithm", fixed_parameters("algorithm"), only("name", in_quotes(algorithm.name)));
  for (const Parameter& parameter : algorithm.parameters) {
    text += entry(parameter, {});
  }
  text += section("message", fixed_parameters("message"), only("bytes", in_quotes("4KiB")));
  text += section("run", run_declarations(), {});
  text += "\n# What `wormcast sweep` runs:\n#\n# [sweep]\n";
  for (const SweepSyntax& syntax : sweep_syntax()) {
    text += comment(fmt::format("{} = {}  {}", syntax.key, syntax.value, syntax.text), "#   ");
  }
  text += "#\n# [sweep]\n# \"message.bytes\" = { from = \"64B\", to = \"64KiB\", factor = 4 }\n# repeat = 10\n"
          "#\n# [plot]\n# y = \"latency_us\"\n# scale = \"log\"\n";
  return text;
}

} // namespace wormcast
