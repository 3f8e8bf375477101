#include "wormcast/experiments/config/broadcast_section.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/experiment_reader.hpp"
#include "wormcast/experiments/config/experiment_sections.hpp"
#include "wormcast/experiments/config/machine.hpp"
#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace wormcast {

namespace {

SeriesExperiment series_experiment(const ConfigReader& reader)
{
  refuse_section(
      reader, "load",
      "found the points of a latency-load curve, which \"wormcast load\" measures without [algorithm]; among "
      "traffic give traffic.load, and sweep over it");
  refuse_section(reader, "mpi", "found a program's section, expected [algorithm] with [traffic] or [broadcast] alone");
  refuse_section(reader, "ranks",
                 "found ranks on some nodes; an operation repeated or among traffic runs on all nodes of [topology]");
  SeriesExperiment experiment;
  experiment.single = read_experiment(reader);
  refuse(reader, experiment.single.requests.has_value(), "algorithm.name",
         "found requests, which are a load themselves; expected an operation, to repeat it or to have it among "
         "[traffic]");
  refuse(reader, experiment.single.run.fluid.has_value(), "run.model",
         "messages that meet others are worms, expected \"wormhole\"");
  refuse(reader, experiment.single.run.paired, "run.paired", "only a single operation can be paired, expected false");
  refuse_node_costs(reader, experiment.single, "operations that are repeated or run among traffic do not have it");
  refuse_exact_last_flits(reader, experiment.single.network);
  const ParameterValues series = reader.read_all("broadcast", broadcast_declarations());
  experiment.series = series_parameters(series);
  if (const std::uint32_t nodes = experiment.single.topology->host_count(); experiment.series.count > nodes) {
    throw_at(reader.origin("broadcast.count"), "broadcast.count",
             fmt::format("found {}, but the {} has {} nodes, and sources are different", experiment.series.count,
                         experiment.single.topology->title(), nodes));
  }
  const Schedule* given = experiment.single.given.get();
  if (given != nullptr && (experiment.series.random_sources || experiment.series.count > 1)) {
    const std::string key = experiment.series.count > 1 ? "broadcast.count" : "broadcast.source";
    throw_at(reader.origin(key), key,
             "a schedule from a file has one source, expected source = \"configured\" and count = 1");
  }
  nlohmann::ordered_json& effective = experiment.single.effective;
  effective["broadcast"] = parameters_json(broadcast_declarations(), series);
  if (!reader.has_section("traffic")) {
    return experiment;
  }
  refuse_unequal_lengths(reader, experiment.single);
  for (const char* key : {"traffic.measure", "traffic.precision", "traffic.drain", "traffic.figures_of"}) {
    refuse(reader, reader.has(key), key,
           "found with [algorithm], where the broadcasts are measured, "
           "as many as broadcast.repeat says; expected no such key");
  }
  const Experiment& single = experiment.single;
  ReadTraffic traffic = read_traffic(reader, *single.topology, single.network, single.run.seed);
  experiment.traffic = std::move(traffic.parameters);
  if (!experiment.traffic->load) {
    throw_at(reader.section_or_file("traffic"), "traffic.load", "missing: [algorithm] among [traffic] needs the load");
  }
  check_load(reader, "traffic.load", *experiment.traffic->load, largest_load(single.network, *experiment.traffic));
  effective["traffic"] = std::move(traffic.effective);
  for (const char* key : {"measure", "precision"}) {
    effective["traffic"].erase(key);
  }
  return experiment;
}

} // namespace

bool is_series(const RawConfig& config, Replaced replaced)
{
  const auto has = [&](std::string_view prefix) { // no reader, which copies all entries: sweeps ask for each point
    const auto first = config.entries.lower_bound(prefix);
    return (first != config.entries.end() && first->first.starts_with(prefix)) ||
           std::ranges::any_of(replaced, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  };
  return has("algorithm.") && (has("broadcast.") || has("traffic."));
}

SeriesExperiment make_series_experiment(const RawConfig& config, Replaced replaced)
{
  return series_experiment(ConfigReader(config, replaced));
}

SeriesExperiment make_series_experiment(const RawConfig& config, Replaced replaced, MadeTopologies& made)
{
  return series_experiment(ConfigReader(config, replaced, &made));
}

SeriesSetting series_setting(const SeriesExperiment& experiment)
{
  const Experiment& single = experiment.single;
  return {.topology = *single.topology,
          .source = single.request.source,
          .schedule_of =
              [&single](NodeId source) {
                Experiment from_source = single;
                from_source.request.source = source;
                return shared_schedule(from_source);
              },
          .network = single.network,
          .run = single.run,
          .series = experiment.series,
          .traffic = experiment.traffic};
}

} // namespace wormcast
