#include "wormcast/experiments/config/machine.hpp"

#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/network_fields.hpp"
#include "wormcast/simulator/model/routers.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace wormcast {

namespace {

/// The sections topology and network of an effective configuration.
nlohmann::ordered_json effective_network(const TopologyDescription& description, const NetworkParameters& network,
                                         ParameterValues values)
{
  nlohmann::ordered_json all;
  all["topology"]["kind"] = description.kind;
  all["topology"].update(
      parameters_json(selected_parameters("topology.kind", description.kind), description.parameters));

  values = network_in_effect(network, std::move(values));
  if (!values.has("routing")) {
    values.set("routing", find_topology_kind(description.kind).routings.front());
  }
  if (network.router != &default_router()) {
    all["network"]["router"] = network.router->name;
  }
  all["network"].update(parameters_json(network_declarations(*network.router), values));
  return all;
}

} // namespace

void read_machine(const ConfigReader& reader, Machine& machine,
                  const std::function<TopologyDescription()>& take_topology)
{
  const RouterModel& router = reader.read_router();
  const ParameterValues network = reader.read_network(router);
  machine.network = read_network(reader, router, network);
  const TopologyDescription description = take_topology();
  suit_network(reader, machine.network, *machine.topology);
  const ParameterValues run = reader.read_all("run", run_declarations());
  machine.run = read_run(reader, run);
  const bool in_steps = machine.run.mode == Mode::lockstep && machine.run.start_jitter == Time{} &&
                        !reader.has_section("traffic") && !reader.has_section("broadcast");
  const std::string why_fewer = why_fewer_threads(*machine.network.router, machine.run.threads, in_steps);
  refuse(reader, !why_fewer.empty(), "run.threads", why_fewer.c_str());
  machine.network.routing_seed = machine.run.seed;
  machine.effective = effective_network(description, machine.network, network);
  machine.effective["run"] = parameters_json(run_declarations(), run);
}

void require_topology(const ConfigReader& reader)
{
  if (!reader.has_section("topology")) {
    reader.read_text("topology", fixed_parameters("topology").front());
  }
}

void read_machine(const ConfigReader& reader, Machine& machine)
{
  require_topology(reader);
  refuse_section(reader, "ranks", "found ranks without an operation of [algorithm], whose ranks they are");
  read_machine(reader, machine, [&] {
    TopologyDescription description = read_topology(reader);
    machine.topology = build_topology(reader, description, machine.network.routing);
    return description;
  });
}

void refuse_node_costs(const ConfigReader& reader, const Machine& machine, std::string_view why)
{
  const std::string expected = fmt::format("{}, expected no such key", why);
  refuse(reader, !machine.run.computation.reduce.empty(), "run.reduce", expected.c_str());
  refuse(reader, !machine.run.computation.copy.empty(), "run.copy", expected.c_str());
  refuse(reader, machine.run.computation.call != Time{}, "run.call", expected.c_str());
  refuse(reader, machine.run.ready_above.has_value(), "run.ready_above", expected.c_str());
  refuse(reader, machine.run.barriers != Barriers::none, "run.barriers", expected.c_str());
  refuse(reader, machine.run.segment_bytes.has_value(), "run.segment_bytes", expected.c_str());
  refuse(reader, machine.run.packet_bytes.has_value(), "run.packet_bytes", expected.c_str());
  refuse(reader, machine.network.port_choice == PortChoice::of_message, "network.port_choice",
         "messages are bound to ports by an algorithm with several shares or by a list, expected no such key");
  refuse(reader, machine.network.startup_latency != Time{}, "network.startup_latency", expected.c_str());
}

void refuse_exact_last_flits(const ConfigReader& reader, const NetworkParameters& network)
{
  refuse(reader, network.last_flit == LastFlit::exact, "network.last_flit",
         "loads are counted in whole flits, expected \"padded\"");
}

void refuse_unequal_lengths(const ConfigReader& reader, const Machine& machine)
{
  // On an empty network headers that choose take the shortest routes.
  if (machine.topology->lengths_differ() && !machine.topology->headers_choose() &&
      !has_equal_channels(machine.network)) {
    throw_at(reader.origin("network.routing"), "network.routing",
             fmt::format("found \"{}\", whose routes between two nodes differ in length, and {}: the time without load "
                         "is not known; expected another routing, or channels that are alike",
                         machine.network.routing.routing, unequal_channels));
  }
}

} // namespace wormcast
