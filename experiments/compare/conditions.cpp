#include "wormcast/experiments/compare/conditions.hpp"

#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

namespace {

/// Stand in the first line, or in that of the repeats.
constexpr std::array<std::string_view, 5> said_elsewhere = {"startup", "per_byte", "ports", "seed", "paired"};
/// Stand there whatever they are.
constexpr std::array<std::string_view, 4> always_said = {"per_hop", "flit_bytes", "buffer_flits", "mode"};

std::string value_text(const nlohmann::ordered_json& value)
{
  return value.is_string() ? value.get<std::string>() : json_text(value, JsonLayout::one_line);
}

void append_keys(const nlohmann::ordered_json& section, std::span<const Parameter> declarations,
                 const std::string& usual_routing, std::vector<std::string>& texts)
{
  for (const Parameter& parameter : declarations) {
    const auto found = section.find(parameter.name);
    if (found == section.end() || std::ranges::find(said_elsewhere, parameter.name) != said_elsewhere.end()) {
      continue;
    }
    const bool is_default = (parameter.fallback && *found == parameter_json(parameter, *parameter.fallback)) ||
                            (parameter.name == "routing" && *found == usual_routing);
    if (!is_default || std::ranges::find(always_said, parameter.name) != always_said.end()) {
      texts.push_back(fmt::format("{} = {}", parameter.name, value_text(*found)));
    }
  }
}

} // namespace

std::string conditions_text(const Experiment& experiment, const Repeats& repeats)
{
  const NetworkParameters& network = experiment.network;
  const std::uint32_t count = experiment.request.ports.count;
  const std::string ports = count == 1                ? std::string("one port")
                            : count == PortModel::all ? std::string("all ports")
                                                      : fmt::format("{} ports", count);
  std::vector<std::string> keys;
  if (network.router != &default_router()) {
    keys.push_back(fmt::format("router = {}", network.router->name));
  }
  const std::string& routing = find_topology_kind(experiment.topology->description().kind).routings.front();
  append_keys(experiment.effective["network"], network_declarations(*network.router), routing, keys);
  append_keys(experiment.effective["run"], run_declarations(), routing, keys);
  const std::string random = repeats_text(repeats);
  return fmt::format("{}, startup {}, {} per byte\n{}\n{}", ports, format_time(network.startup),
                     short_byte_time(network.per_byte), fmt::join(keys, ", "), random.empty() ? random : random + "\n");
}

} // namespace wormcast
