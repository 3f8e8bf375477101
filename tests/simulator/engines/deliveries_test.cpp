// What engines tell the source of a delivery, and what they record of it.

#include "tests/simulator/engines/random_traffic.hpp"
#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

/// When messages got their port, in the order of their deliveries.
using Grants = std::vector<std::pair<MessageId, std::int64_t>>;

void expect_recorded_grants(const std::string& engine_name, const TopologyDescription& description,
                            NetworkParameters network, const std::vector<testing::Send>& sends)
{
  const auto topology = make_topology(description, network.routing);
  resolve_for(network, *topology);
  const Schedule list = testing::plain_schedule(description, sends);
  const auto source = make_schedule_source(*topology, list, network, {});
  Grants recorded;
  RecordSinks sinks;
  sinks.delivery = [&](const DeliveryRecord& record) {
    recorded.emplace_back(record.message, record.granted.picoseconds);
  };
  const auto engine = make_engine(engine_name, {*topology, network, sinks, *source});
  Grants told;
  for (auto deliveries = engine->advance(); !deliveries.empty(); deliveries = engine->advance()) {
    for (const Delivery& delivery : deliveries) {
      told.emplace_back(delivery.message, delivery.granted);
    }
  }
  RC_ASSERT(told == recorded);
}

RC_GTEST_PROP(Deliveries, OfWormsSayWhenTheyGotTheirPorts, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = testing::random_network();
  const auto nodes = make_topology(description, network.routing)->node_count();
  const std::vector<testing::Send> sends = testing::random_sends(nodes);
  expect_recorded_grants("worm", description, network, sends);
  expect_recorded_grants("flit", description, network, sends);
}

RC_GTEST_PROP(Deliveries, OfPipelinesSayWhenTheyGotTheirPorts, ())
{
  const TopologyDescription description = testing::grid("mesh", {4, 4});
  const std::vector<testing::Send> sends = testing::random_sends(16);
  expect_recorded_grants("cycle", description, testing::booksim_network(2, true, false), sends);
  NetworkParameters closed_form = testing::booksim_network(1, true, true);
  closed_form.buffer_flits = 64;
  expect_recorded_grants("worm", description, closed_form, sends);
}

} // namespace
} // namespace wormcast
