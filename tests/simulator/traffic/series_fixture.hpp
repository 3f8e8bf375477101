#pragma once

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace wormcast::testing {

/// A series on a 4 x 4 mesh from node 5, as it is configured by the members.
class SeriesTest : public ::testing::Test {
protected:
  SeriesTest()
  {
    network.startup = Time{1'000'000};
    network.per_byte = Time{10'000};
    series.rounds = 3;
  }

  std::shared_ptr<const Schedule> schedule(NodeId source) const
  {
    ScheduleRequest request;
    request.message_bytes = 500;
    request.source = source;
    return std::make_shared<const Schedule>(make_schedule(find_algorithm(algorithm), *mesh, request));
  }

  SeriesSetting setting() const
  {
    return {.topology = *mesh,
            .source = NodeId{5},
            .schedule_of = [this](NodeId source) { return schedule(source); },
            .network = network,
            .run = run,
            .series = series,
            .traffic = traffic};
  }

  SeriesResult simulated() const { return simulate_series(setting()); }

  /// From node 5, on the empty network, without any series.
  SimulationResult alone() const { return simulate_core(*mesh, *schedule(NodeId{5}), network, run); }

  void set_load(double load)
  {
    traffic = traffic_of("uniform", 100);
    traffic->load = load;
    traffic->warm_up = Time{1'000'000'000};
  }

  std::string algorithm = "recursive_doubling";
  std::unique_ptr<const Topology> mesh = grid_of("mesh", {4, 4});
  NetworkParameters network;
  RunParameters run = seeded(1);
  SeriesParameters series;
  std::optional<TrafficParameters> traffic;
};

} // namespace wormcast::testing
