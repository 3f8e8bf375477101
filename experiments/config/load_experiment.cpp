#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/load_section.hpp"
#include "wormcast/experiments/config/machine.hpp"
#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"

#include <utility>

namespace wormcast {

namespace {

LoadExperiment load_experiment(const ConfigReader& reader)
{
  for (const char* section : {"algorithm", "message", "program", "broadcast"}) {
    refuse_section(reader, section,
                   "found a section of a collective operation, but \"wormcast load\" runs [traffic] alone; \"wormcast "
                   "run\" and \"wormcast sweep\" run an operation among [traffic]");
  }
  LoadExperiment experiment;
  read_machine(reader, experiment);
  refuse(reader, experiment.run.start_jitter != Time{}, "run.start_jitter",
         "traffic begins with random gaps, expected 0");
  refuse(reader, experiment.run.paired, "run.paired", "only a run of [algorithm] alone can be paired, expected false");
  refuse_node_costs(reader, experiment, "nodes compute nothing with messages of [traffic]");
  refuse_exact_last_flits(reader, experiment.network);
  refuse_unequal_lengths(reader, experiment);
  refuse(reader, reader.has("run.mode") && experiment.run.mode == Mode::lockstep, "run.mode",
         "[traffic] has no steps, expected \"self_timed\" or no such key");
  refuse(reader, experiment.run.fluid.has_value(), "run.model",
         "messages of [traffic] are worms, expected \"wormhole\"");
  ReadTraffic traffic = read_traffic(reader, *experiment.topology, experiment.network, experiment.run.seed);
  experiment.traffic = std::move(traffic.parameters);
  refuse(reader, reader.has("traffic.load") && reader.has("load.points"), "traffic.load",
         "found a load beside load.points, expected one of them");
  const ParameterValues load = reader.read_all("load", load_declarations());
  experiment.load = load_parameters(load);
  const double largest = largest_load(experiment.network, experiment.traffic);
  for (const double point : experiment.load.points) {
    check_load(reader, "load.points", point, largest);
  }
  if (experiment.load.points.empty() && experiment.traffic.load) {
    check_load(reader, "traffic.load", *experiment.traffic.load, largest);
    experiment.load.points = {*experiment.traffic.load};
    experiment.load.saturation = experiment.load.saturation && reader.has("load.saturation");
  }
  experiment.effective["traffic"] = std::move(traffic.effective);
  experiment.effective["load"] = parameters_json(load_declarations(), load);
  return experiment;
}

} // namespace

LoadExperiment make_load_experiment(const RawConfig& config, Replaced replaced)
{
  return load_experiment(ConfigReader(config, replaced));
}

LoadExperiment make_load_experiment(const RawConfig& config, Replaced replaced, MadeTopologies& made)
{
  return load_experiment(ConfigReader(config, replaced, &made));
}

} // namespace wormcast
