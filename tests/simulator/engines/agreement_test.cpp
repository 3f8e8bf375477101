// Both engines give the same deliveries, contention records and occupancies on everything that both can run.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <tuple>

namespace wormcast {
namespace {

struct Outcome {
  SimulationResult result;
  std::vector<ContentionRecord> contention;
  std::vector<OccupancyRecord> occupancy;
};

Outcome observe(const Topology& topology, const Schedule& schedule, const NetworkParameters& network, RunParameters run,
                EngineChoice engine, const std::function<decltype(simulate_core)>& simulated = simulate_core)
{
  Outcome outcome;
  run.engine = engine;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { outcome.contention.push_back(record); };
  sinks.occupancy = [&](const OccupancyRecord& record) { outcome.occupancy.push_back(record); };
  outcome.result = simulated(topology, schedule, network, run, sinks);
  std::ranges::sort(outcome.occupancy, {}, [](const OccupancyRecord& record) {
    return std::tuple(record.message, record.from, record.to, record.resource.kind, record.resource.channel,
                      record.resource.node);
  });
  return outcome;
}

void expect_agreement(const Outcome& worm, const Outcome& flit)
{
  RC_CLASSIFY(worm.result.deadlock.has_value(), "deadlock");
  RC_CLASSIFY(!worm.contention.empty(), "contention");
  RC_ASSERT(worm.result.delivered == flit.result.delivered);
  RC_ASSERT(worm.result.latency == flit.result.latency);
  RC_ASSERT(worm.result.deadlock.has_value() == flit.result.deadlock.has_value());
  RC_ASSERT(worm.contention == flit.contention);
  if (!worm.result.deadlock) { // channels held in a deadlock have no release to record
    RC_ASSERT(worm.occupancy == flit.occupancy);
  }
}

RC_GTEST_PROP(Engines, AgreeOnRandomTraffic, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = testing::random_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::plain_schedule(description, testing::random_sends(topology->node_count()));
  const RunParameters run{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                          .tie_break = *rc::gen::element(TieBreak::id, TieBreak::source, TieBreak::seeded),
                          .start_jitter = Time{*rc::gen::element(0, 0, 50)}};
  RC_ASSERT(closed_form_holds(network));
  const Outcome worm = observe(*topology, schedule, network, run, EngineChoice::worm);
  const Outcome flit = observe(*topology, schedule, network, run, EngineChoice::flit);
  expect_agreement(worm, flit);
}

// The flits of a worm fall behind its header, by the rest of a hop for each full buffer.
RC_GTEST_PROP(Engines, AgreeWhereBuffersDoNotCoverTheHop, ())
{
  const TopologyDescription description = testing::random_grid();
  NetworkParameters network = testing::random_network();
  network.switching = Switching::wormhole;
  const std::int64_t covered = static_cast<std::int64_t>(network.buffer_flits) * network.flit_time().picoseconds;
  network.per_hop = Time{covered + *rc::gen::inRange(1, 60)};
  network.virtual_channels = *rc::gen::element<std::uint32_t>(1, 1, 1, 2);
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::plain_schedule(description, testing::random_sends(topology->node_count()));
  const RunParameters run{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                          .tie_break = *rc::gen::element(TieBreak::id, TieBreak::source, TieBreak::seeded),
                          .start_jitter = Time{*rc::gen::element(0, 0, 50)}};
  const Outcome fastest = observe(*topology, schedule, network, run, EngineChoice::automatic, simulate_fastest);
  RC_ASSERT(network.virtual_channels > 1 || fastest.result.engine == "worm");
  RC_CLASSIFY(fastest.result.engine == "worm", "worm");
  const Outcome flit = observe(*topology, schedule, network, run, EngineChoice::flit);
  expect_agreement(fastest, flit);
}

} // namespace
} // namespace wormcast
