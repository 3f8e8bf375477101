#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/given_schedule.hpp"
#include "wormcast/experiments/config/given_trace.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/machine.hpp"
#include "wormcast/experiments/config/mpi_section.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/simulator/model/network_fields.hpp"
#include "wormcast/simulator/model/routers.hpp"

#include <string>

namespace wormcast {

ProgramMachine program_machine(const RawConfig& config)
{
  const ConfigReader reader(config, {});
  ProgramMachine machine;
  read_machine(reader, machine);
  refuse(reader, machine.run.tie_break != TieBreak::id, "run.tie_break",
         "messages of a program are numbered as they come, expected \"id\"");
  refuse(reader, machine.run.start_jitter != Time{}, "run.start_jitter",
         "a program decides itself when it starts to send, expected 0");
  refuse(reader, machine.run.noise.has_value(), "run.noise.distribution",
         "the start-ups of a program's messages all take network.startup");
  refuse(reader, machine.run.threads > 1, "run.threads", "the network of a program has one thread, expected 1");
  refuse(reader, machine.run.paired, "run.paired", "a program is run once, expected false");
  refuse_node_costs(reader, machine, "a program's own calls say what its ranks compute and wait for");
  refuse(reader, reader.has("run.mode") && machine.run.mode == Mode::lockstep, "run.mode",
         "a program's ranks send when they come to it and not in steps, expected \"self_timed\" or no such key");
  refuse(reader, machine.run.fluid.has_value(), "run.model", "messages of a program are worms, expected \"wormhole\"");
  ParameterValues mpi = reader.read_all("mpi", mpi_declarations());
  set_polling_times(mpi, machine.network.startup);
  machine.mpi = mpi_parameters(mpi);
  machine.effective["mpi"] = parameters_json(mpi_declarations(), mpi);
  return machine;
}

ConfiguredTopology configured_topology(const RawConfig& config)
{
  const ConfigReader reader(config, {});
  const RouterModel& router = reader.read_router();
  const ParameterValues network = reader.read_given_network(router);
  ConfiguredTopology configured;
  configured.router = &router;
  configured.virtual_channels = static_cast<std::uint32_t>(network.integer("virtual_channels"));
  if (network.has("per_byte")) {
    configured.per_byte = byte_time_of(network.value("per_byte"));
  }
  RoutingChoice routing{.routing = network.has("routing") ? network.text("routing") : "", .tie = network.text("tie")};
  configured.routing = take_grid_routing(router, routing);
  TopologyDescription description;
  if (!reader.has_section("topology") && reader.has("algorithm.file")) {
    const std::string file = reader.read_text("algorithm", schedule_parameters().front());
    const Schedule schedule = read_given_schedule(reader, reader.resolve(file)).schedule;
    routing = merged_routing(reader, routing, schedule.routing);
    description = schedule.topology;
  } else if (!reader.has_section("topology") && reader.has("algorithm.text")) {
    const Schedule schedule =
        read_schedule_text(reader, reader.read_text("algorithm", schedule_parameters().back())).schedule;
    routing = merged_routing(reader, routing, schedule.routing);
    description = schedule.topology;
  } else {
    description = read_topology(reader);
  }
  configured.topology = build_topology(reader, description, routing);
  const NetworkParameters given = given_network(reader, router, network, *configured.topology);
  configured.per_hop = given.per_hop;
  configured.link_per_hop = given.link_per_hop;
  configured.link_per_byte = given.link_per_byte;
  return configured;
}

} // namespace wormcast
