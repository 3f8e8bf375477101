#include "wormcast/experiments/load/load_point.hpp"

#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json summary_json(const LatencySummary& summary)
{
  Json json;
  json["mean"] = measured_microseconds(summary.mean);
  const auto end = [&](double sign) {
    return summary.half_interval ? measured_microseconds(summary.mean + sign * *summary.half_interval) : Json(nullptr);
  };
  json["low"] = end(-1);
  json["high"] = end(1);
  json["p50"] = measured_microseconds(summary.median);
  json["p95"] = measured_microseconds(summary.percentile_95);
  json["p99"] = measured_microseconds(summary.percentile_99);
  json["max"] = measured_microseconds(static_cast<double>(summary.largest));
  json["histogram"] = Json::array();
  for (const LogHistogram::Bucket& bucket : summary.histogram.buckets()) {
    json["histogram"].push_back(Json::array({measured_microseconds(static_cast<double>(bucket.low)),
                                             measured_microseconds(static_cast<double>(bucket.high)), bucket.count}));
  }
  return json;
}

} // namespace

Json load_point_json(const LoadExperiment& experiment, const LoadResult& result)
{
  const Topology& topology = *experiment.topology;
  const ResourceNames names(topology, experiment.network.ports);
  Json json;
  json["offered"] = result.offered;
  json["created"] = measured_number(result.created);
  json["delivered"] = measured_number(result.delivered);
  json["accepted"] = measured_number(result.accepted);
  json["verdict"] = load_verdict_names.text(result.verdict);
  const bool undecided = result.verdict == LoadVerdict::undecided;
  json["undecided_by"] = undecided ? Json(undecided_names.text(result.undecided_by)) : Json(nullptr);
  json["stable"] = undecided ? Json(nullptr) : Json(result.stable());
  const bool has_latency = result.stable() || result.undecided_by == UndecidedBy::correlation;
  json["latency_us"] = has_latency ? summary_json(result.latency) : Json(nullptr);
  json["network_latency_us"] = has_latency ? summary_json(result.network_latency) : Json(nullptr);
  json["hops"] = measured_number(result.hops);
  json["busy"] = measured_number(result.busy_mean);
  if (topology.channel_count() > 0) {
    const Resource busiest{
        .kind = Resource::Kind::external, .channel = result.busiest, .node = topology.channel_source(result.busiest)};
    json["busiest_channel"] = {{"channel", names.name(busiest)}, {"busy", measured_number(result.busy_most)}};
  } else {
    json["busiest_channel"] = nullptr;
  }
  json["smallest_share"] = {{"node", index(result.smallest_sender)}, {"share", measured_number(result.smallest_share)}};
  json["contention"] = contention_json(result.waits);
  json["silent_nodes"] = result.idle_nodes;
  json["warm_up_us"] = measured_microseconds(static_cast<double>(result.warm_up.picoseconds));
  json["measured_us"] = measured_microseconds(static_cast<double>(result.measured.picoseconds));
  json["messages"] = result.messages;
  json["unfinished"] = result.unfinished;
  json["batches"] = result.batches;
  json["engine"] = result.engine;
  return json;
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
            Json{{"offered", load}, {"stable", false}}};
  }
  return {PointState::done, {}, load_point_json(experiment, result)};
}

} // namespace wormcast
