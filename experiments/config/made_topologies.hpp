#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// Topologies that were made for points of a sweep, so that further points share them instead of making them again.
/// What they hold together is bounded: where a topology would exceed 2^21 nodes and channels, the others are dropped.
class MadeTopologies {
public:
  /// make_topology() of these, or what it returned for the same before. Throws as it does.
  std::shared_ptr<const Topology> of(const TopologyDescription& description, const RoutingChoice& routing);

private:
  struct Made {
    TopologyDescription description;
    RoutingChoice routing;
    std::shared_ptr<const Topology> topology;
  };
  std::vector<Made> made_;
  std::uint64_t size_ = 0; ///< nodes and channels of all
};

// Points of a sweep, as config.hpp has them, which share the topologies of `made`.

/// The experiment of a point, with a topology that is shared with other points where it is the same.
Experiment make_experiment(const RawConfig& config, std::span<const std::pair<std::string, RawValue>> replaced,
                           MadeTopologies& made);
/// The same for a series of broadcasts.
SeriesExperiment make_series_experiment(const RawConfig& config,
                                        std::span<const std::pair<std::string, RawValue>> replaced,
                                        MadeTopologies& made);
/// The same for a network under load.
LoadExperiment make_load_experiment(const RawConfig& config, std::span<const std::pair<std::string, RawValue>> replaced,
                                    MadeTopologies& made);

} // namespace wormcast
