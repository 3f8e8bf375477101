// Both engines give the same deliveries, contention records and occupancies on everything that both can run.

#include "plain_schedule.hpp"
#include "simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace wormcast {
namespace {

struct Outcome {
  SimulationResult result;
  std::vector<ContentionRecord> contention;
  std::vector<OccupancyRecord> occupancy;
};

Outcome observe(const Topology& topology, const Schedule& schedule, const NetworkParameters& network, RunParameters run,
                EngineChoice engine)
{
  Outcome outcome;
  run.engine = engine;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { outcome.contention.push_back(record); };
  sinks.occupancy = [&](const OccupancyRecord& record) { outcome.occupancy.push_back(record); };
  outcome.result = simulate_core(topology, schedule, network, run, sinks);
  std::ranges::sort(outcome.occupancy, {}, [](const OccupancyRecord& record) {
    return std::tuple(record.message, record.from, record.to, record.resource.kind, record.resource.channel);
  });
  return outcome;
}

TopologyDescription random_grid()
{
  const auto kind = *rc::gen::element<std::string>("mesh", "torus");
  auto dims =
      *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(1, 4), rc::gen::inRange<std::int64_t>(1, 7));
  if (std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()) == 1) {
    dims[0] = 2;
  }
  return testing::grid(kind, dims);
}

NetworkParameters random_network()
{
  NetworkParameters network;
  network.startup = Time{*rc::gen::inRange(0, 40)};
  network.per_byte = Time{*rc::gen::inRange(1, 6)};
  network.flit_bytes = *rc::gen::inRange<std::uint64_t>(1, 5);
  network.buffer_flits = *rc::gen::inRange<std::uint64_t>(1, 7);
  const std::int64_t covered = static_cast<std::int64_t>(network.buffer_flits) * network.flit_time().picoseconds;
  network.per_hop =
      Time{*rc::gen::oneOf(rc::gen::just<std::int64_t>(0), rc::gen::inRange<std::int64_t>(0, covered + 1))};
  network.ports.count = *rc::gen::element<std::uint32_t>(1, 1, 2, 3, PortModel::all);
  network.duplex = *rc::gen::element(Duplex::full, Duplex::full, Duplex::half);
  network.hold = *rc::gen::element(Hold::tail, Hold::tail, Hold::path);
  network.switching =
      *rc::gen::element(Switching::wormhole, Switching::wormhole, Switching::cut_through, Switching::store_and_forward);
  network.routing.tie = *rc::gen::element<std::string>("no_wrap", "positive");
  return network;
}

std::vector<testing::Send> random_sends(std::uint32_t nodes)
{
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 60);
  const auto longest = *rc::gen::element<std::uint64_t>(1, 8, 60);
  const auto spread = *rc::gen::element<std::int64_t>(1, 100, 1000);
  std::vector<testing::Send> sends;
  for (std::uint32_t i = 0; i < count; ++i) {
    testing::Send send;
    send.source = *rc::gen::inRange<std::uint32_t>(0, nodes);
    send.destination = (send.source + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes;
    send.bytes = *rc::gen::inRange<std::uint64_t>(1, longest + 1);
    send.start = *rc::gen::inRange<std::int64_t>(0, spread);
    if (i > 0 && *rc::gen::inRange(0, 4) == 0) {
      send.after.push_back(*rc::gen::inRange<std::uint32_t>(0, i));
    }
    sends.push_back(send);
  }
  return sends;
}

RC_GTEST_PROP(Engines, AgreeOnRandomTraffic, ())
{
  const TopologyDescription description = random_grid();
  const NetworkParameters network = random_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::plain_schedule(description, random_sends(topology->node_count()));
  const RunParameters run{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                          .start_jitter = Time{*rc::gen::element(0, 0, 50)}};
  RC_ASSERT(closed_form_holds(network));
  const Outcome worm = observe(*topology, schedule, network, run, EngineChoice::worm);
  const Outcome flit = observe(*topology, schedule, network, run, EngineChoice::flit);
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

} // namespace
} // namespace wormcast
