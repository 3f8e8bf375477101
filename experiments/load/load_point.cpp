#include "wormcast/experiments/load/load_point.hpp"

#include "wormcast/experiments/load/load_nodes.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json histogram_json(const LogHistogram& histogram)
{
  Json json = Json::array();
  for (const LogHistogram::Bucket& bucket : histogram.buckets()) {
    json.push_back(Json::array({measured_microseconds(static_cast<double>(bucket.low)),
                                measured_microseconds(static_cast<double>(bucket.high)), bucket.count}));
  }
  return json;
}

} // namespace

Json load_point_json(const LoadExperiment& experiment, const LoadResult& result)
{
  Json json = load_quantities_json({experiment, result});
  if (has_latency(result)) {
    json[load_quantity::latency]["histogram"] = histogram_json(result.latency.histogram);
    json[load_quantity::network_latency]["histogram"] = histogram_json(result.network_latency.histogram);
  }
  add_counted_figures(experiment, result, json);
  return json;
}

Json saturated_point_json(double load)
{
  return {{load_quantity::offered, load}, {load_quantity::stable, false}};
}

Json load_point_config(Json curve, double load)
{
  curve.erase("load");
  curve["traffic"]["load"] = load;
  return curve;
}

ComputedPoint compute_load_point(const LoadExperiment& experiment, double load)
{
  LoadResult result;
  try {
    result = simulate_load(*experiment.topology, experiment.network, experiment.traffic, load, experiment.run);
  } catch (const InputError& error) {
    throw InputError(fmt::format("[traffic]: {}", error.what()));
  }
  if (result.deadlock) {
    return {PointState::deadlock,
            explain_deadlock(ResourceNames(*experiment.topology, experiment.network.ports), *result.deadlock),
            saturated_point_json(load)};
  }
  return {PointState::done, {}, load_point_json(experiment, result)};
}

} // namespace wormcast
