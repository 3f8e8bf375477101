// Router "input_queued" against BookSim2's own runs (tests/golden/booksim.json) and against a slow program that follows
// docs/routers.md word for word (slow_router.hpp).

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/engines/slow_router.hpp"
#include "wormcast/simulator/online_network.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <fstream>
#include <numeric>
#include <string>

namespace wormcast {
namespace {

using testing::SlowMessage;
using testing::SlowNetwork;
using testing::SlowTimes;

constexpr std::int64_t cycle = 7; // picoseconds

NetworkParameters network_of(const SlowNetwork& slow)
{
  NetworkParameters network;
  network.router = Router::input_queued;
  network.startup = Time{slow.startup * cycle};
  network.per_byte = Time{cycle};
  network.virtual_channels = static_cast<std::uint32_t>(slow.virtual_channels);
  network.buffer_flits = static_cast<std::uint64_t>(slow.buffer_flits);
  network.routing.tie = slow.ties_go_up ? "positive" : "no_wrap";
  const auto kind = [](const std::string& name) {
    return name == "separable_input_first"    ? AllocatorKind::separable_input_first
           : name == "separable_output_first" ? AllocatorKind::separable_output_first
                                              : AllocatorKind::islip;
  };
  PipelineParameters& pipeline = network.pipeline;
  pipeline.speculative = slow.speculative;
  pipeline.piggyback = slow.vc_allocator == "piggyback";
  pipeline.virtual_channel_allocator = kind(slow.vc_allocator);
  pipeline.switch_allocator = kind(slow.allocator);
  pipeline.islip_iterations = static_cast<std::uint32_t>(slow.iterations);
  pipeline.priority = slow.priority == "none"        ? FlitPriority::none
                      : slow.priority == "local_age" ? FlitPriority::local_age
                                                     : FlitPriority::age;
  pipeline.releases_at_credit = slow.tail_credit;
  pipeline.routing_delay = static_cast<std::uint32_t>(slow.routing_delay);
  pipeline.switch_delay = static_cast<std::uint32_t>(slow.switch_delay);
  pipeline.credit_delay = static_cast<std::uint32_t>(slow.credit_delay);
  pipeline.link_delay = static_cast<std::uint32_t>(slow.link_delay);
  return network;
}

TopologyDescription topology_of(const SlowNetwork& slow)
{
  return testing::grid(slow.torus ? "torus" : "mesh", {slow.dims.begin(), slow.dims.end()});
}

Schedule schedule_of(const SlowNetwork& slow, const std::vector<SlowMessage>& messages)
{
  std::vector<testing::Send> sends;
  for (const SlowMessage& message : messages) {
    sends.push_back({.source = static_cast<std::uint32_t>(message.source),
                     .destination = static_cast<std::uint32_t>(message.destination),
                     .bytes = static_cast<std::uint64_t>(message.flits),
                     .start = message.earliest * cycle,
                     .after = {message.after.begin(), message.after.end()}});
  }
  return testing::plain_schedule(topology_of(slow), sends);
}

std::vector<SlowTimes> times_of(const SimulationResult& result)
{
  std::vector<SlowTimes> times(result.delivered.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (result.delivered[i]) {
      times[i] = {result.flits[i].head_injected.picoseconds / cycle, result.flits[i].tail_injected.picoseconds / cycle,
                  result.flits[i].head_ejected.picoseconds / cycle, result.delivered[i]->picoseconds / cycle};
    }
  }
  return times;
}

SimulationResult run_engine(const SlowNetwork& slow, const std::vector<SlowMessage>& messages,
                            EngineChoice choice = EngineChoice::cycle)
{
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  return simulate_core(*topology, schedule_of(slow, messages), network, {.engine = choice});
}

// Of messages that have not arrived no times are known.
void leave_out_undelivered(std::vector<SlowTimes>& times)
{
  for (SlowTimes& time : times) {
    time = time.tail_ejected < 0 ? SlowTimes{} : time;
  }
}

void show(const SlowTimes& time, std::ostream& out)
{
  out << time.head_injected << ' ' << time.tail_injected << ' ' << time.head_ejected << ' ' << time.tail_ejected;
}

std::string difference(const std::vector<SlowTimes>& found, const std::vector<SlowTimes>& expected)
{
  std::ostringstream text;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] != expected[i]) {
      text << "message " << i << ": found ";
      show(found[i], text);
      text << ", expected ";
      show(expected[i], text);
      text << '\n';
    }
  }
  return text.str();
}

struct GoldenRun {
  std::string name;
  SlowNetwork network;
  std::vector<SlowMessage> messages;
  std::vector<SlowTimes> times;
};

std::vector<GoldenRun> booksim_runs()
{
  const nlohmann::json golden = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/booksim.json"));
  std::vector<GoldenRun> runs;
  for (const auto& list : golden["lists"]) {
    GoldenRun run;
    for (const auto& message : list["messages"]) {
      run.messages.push_back({message[0], message[1], message[2], message[3], message[4].get<std::vector<int>>()});
    }
    for (const auto& made : list["runs"]) {
      const auto& setting = made["setting"];
      run.name = list["name"].get<std::string>() + " " + setting.dump();
      run.network = {.dims = list["dims"].get<std::vector<int>>(), .buffer_flits = setting[1]};
      run.network.speculative = setting[0] == 1;
      run.network.vc_allocator = setting[0] == 1 ? "piggyback" : setting[3] == 1 ? "separable_input_first" : "islip";
      run.network.allocator = setting[3] == 1 ? "separable_input_first" : "islip";
      run.network.priority = setting[3] == 1 ? "local_age" : "none";
      run.network.tail_credit = setting[2] == 1;
      run.times.clear();
      const auto& times = made["results"];
      for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const long head = times[4 * i];
        const long at_node = head + times[4 * i + 2].get<long>();
        run.times.push_back(
            {head, head + times[4 * i + 1].get<long>(), at_node, at_node + times[4 * i + 3].get<long>()});
      }
      runs.push_back(run);
    }
  }
  return runs;
}

TEST(InputQueuedRouter, IsBookSim2sInEveryRecordedTime)
{
  const std::vector<GoldenRun> runs = booksim_runs();
  EXPECT_EQ(runs.size(), 320U);
  for (const GoldenRun& run : runs) {
    EXPECT_EQ(difference(times_of(run_engine(run.network, run.messages)), run.times), "") << run.name;
  }
}

TEST(InputQueuedRouter, IsBookSim2sInTheSlowProgramToo)
{
  for (const GoldenRun& run : booksim_runs()) {
    EXPECT_EQ(difference(testing::run_slowly(run.network, run.messages), run.times), "") << run.name;
  }
}

SlowNetwork random_network()
{
  SlowNetwork network;
  network.torus = *rc::gen::arbitrary<bool>();
  network.dims = *rc::gen::container<std::vector<int>>(*rc::gen::inRange(1, 4), rc::gen::inRange(1, 6));
  if (std::accumulate(network.dims.begin(), network.dims.end(), 1, std::multiplies<>()) == 1) {
    network.dims[0] = 3;
  }
  network.ties_go_up = *rc::gen::arbitrary<bool>();
  network.virtual_channels = *rc::gen::element(1, 1, 2, 3, 4, 5, 16);
  network.buffer_flits = *rc::gen::element(1, 2, 3, 5, 8, 12);
  network.speculative = *rc::gen::arbitrary<bool>();
  network.vc_allocator = *rc::gen::element<std::string>("islip", "separable_input_first", "separable_output_first");
  if (network.speculative && *rc::gen::arbitrary<bool>()) {
    network.vc_allocator = "piggyback";
  }
  network.allocator = *rc::gen::element<std::string>("islip", "separable_input_first", "separable_output_first");
  network.iterations = *rc::gen::element(1, 1, 2, 3);
  network.priority = *rc::gen::element<std::string>("none", "local_age", "age");
  network.tail_credit = *rc::gen::arbitrary<bool>();
  network.routing_delay = *rc::gen::element(0, 0, 1, 2, 4);
  network.switch_delay = *rc::gen::element(1, 1, 1, 2, 3);
  network.credit_delay = *rc::gen::element(0, 0, 1, 3);
  network.link_delay = *rc::gen::element(1, 1, 2, 5);
  network.startup = *rc::gen::element(0, 0, 10);
  return network;
}

std::vector<SlowMessage> random_messages(const SlowNetwork& network)
{
  const int nodes = std::accumulate(network.dims.begin(), network.dims.end(), 1, std::multiplies<>());
  const auto count = *rc::gen::inRange(1, 80);
  const auto longest = *rc::gen::element(1, 4, 30);
  const auto spread = *rc::gen::element(1, 30, 300);
  std::vector<SlowMessage> messages;
  for (int i = 0; i < count; ++i) {
    SlowMessage message;
    message.earliest = *rc::gen::inRange(0, spread);
    message.source = *rc::gen::inRange(0, nodes);
    message.destination = (message.source + *rc::gen::inRange(1, nodes)) % nodes;
    message.flits = *rc::gen::inRange(1, longest + 1);
    if (i > 0 && *rc::gen::inRange(0, 5) == 0) {
      message.after.push_back(*rc::gen::inRange(0, i));
    }
    messages.push_back(message);
  }
  return messages;
}

RC_GTEST_PROP(InputQueuedRouter, MovesFlitsAsTheSlowProgramDoes, ())
{
  const SlowNetwork network = random_network();
  const std::vector<SlowMessage> messages = random_messages(network);
  const SimulationResult result = run_engine(network, messages);
  std::vector<SlowTimes> expected = testing::run_slowly(network, messages);
  leave_out_undelivered(expected);
  const std::string found = difference(times_of(result), expected);
  RC_LOG() << found;
  RC_ASSERT(found.empty());
  const bool all = std::ranges::all_of(expected, [](const SlowTimes& time) { return time.tail_ejected >= 0; });
  RC_CLASSIFY(!all, "deadlock");
  RC_ASSERT(all == !result.deadlock.has_value());
  if (result.deadlock) {
    // A circle, or messages that wait for others that do.
    const std::vector<WaitingLink>& circle = result.deadlock->cycle;
    RC_ASSERT(!circle.empty());
    for (std::size_t i = 0; i < circle.size(); ++i) {
      RC_ASSERT(circle[i].holding == circle[(i + 1) % circle.size()].waiting);
      RC_ASSERT(!result.delivered[index(circle[i].waiting)].has_value());
    }
  }
}

} // namespace
} // namespace wormcast
