// Router "input_queued" against BookSim2's own runs (tests/golden/booksim.json).

#include "tests/simulator/engines/input_queued/slow_runs.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace wormcast {
namespace {

using testing::difference;
using testing::run_engine;
using testing::SlowMessage;
using testing::SlowNetwork;
using testing::SlowTimes;
using testing::times_of;

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
  std::size_t by_worms = 0;
  for (const GoldenRun& run : runs) {
    EXPECT_EQ(difference(times_of(run_engine(run.network, run.messages)), run.times), "") << run.name;
    const SimulationResult chosen = run_engine(run.network, run.messages, EngineChoice::automatic);
    EXPECT_EQ(difference(times_of(chosen), run.times), "") << run.name;
    by_worms += chosen.engine == "worm" ? 1 : 0;
  }
  EXPECT_EQ(by_worms, 40U); // eight flits in a buffer, and tail_credit
}

TEST(InputQueuedRouter, IsBookSim2sInTheSlowProgramToo)
{
  const std::vector<GoldenRun> runs = booksim_runs();
  for (std::size_t i = 0; i < runs.size(); i += 7) { // all settings, each with some lists: the others take their time
    const GoldenRun& run = runs[i];
    EXPECT_EQ(difference(testing::run_slowly(run.network, run.messages), run.times), "") << run.name;
  }
}

} // namespace
} // namespace wormcast
