#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormcast::testing {

/// A mesh or torus.
inline TopologyDescription grid(const std::string& kind, std::vector<std::int64_t> dims)
{
  TopologyDescription description;
  description.kind = kind;
  description.parameters.set("dims", std::move(dims));
  return description;
}

/// A schedule of `name` with its default parameters but for those in `raw`.
inline Schedule schedule_of(const std::string& name, const Topology& topology, NodeId source, std::uint64_t bytes,
                            const std::map<std::string, RawValue, std::less<>>& raw = {})
{
  ScheduleRequest request;
  request.source = source;
  request.message_bytes = bytes;
  request.parameters = read_parameters(find_algorithm(name).parameters, raw);
  return make_schedule(find_algorithm(name), topology, request);
}

} // namespace wormcast::testing
