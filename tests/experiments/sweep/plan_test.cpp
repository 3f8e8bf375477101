#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/values/work_watch.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

RawConfig config_with(const std::string& sweep)
{
  const testing::TemporaryDirectory directory;
  return read_config(directory.write("c.toml", testing::small_config + "[sweep]\n" + sweep + "\n"));
}

TEST(SweepPlan, EndsWhereSomebodyWatches)
{
  struct Enough {};
  const RawConfig config = config_with("\"run.seed\" = { from = 1, to = 1000, step = 1 }");
  std::size_t looks = 0;
  const WorkWatch watch([&] {
    if (++looks == 10) {
      throw Enough{};
    }
  });
  EXPECT_THROW(plan_sweep(config), Enough);
}

// Points share a topology as long as its keys do not change, and have its facts.
TEST(SweepPlan, HasTheFactsOfEachTopology)
{
  const SweepPlan plan = plan_sweep(config_with("\"run.seed\" = [1, 2]\n\"topology.dims\" = [[2, 2], [4, 4]]"));
  std::vector<std::string> nodes;
  for (const SweepPoint& point : plan.points) {
    EXPECT_EQ(point.error, "");
    nodes.push_back(point.facts.front().second);
  }
  EXPECT_EQ(nodes, (std::vector<std::string>{"4", "16", "4", "16"}));
}

} // namespace
} // namespace wormcast
