// Shards and their merges that are killed at any moment: what is there in the end is what one process writes.
#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/shards/written_results.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace wormcast::testing {
namespace {

class KilledShards : public ::testing::Test {
protected:
  /// Runs a command again and again, each time killed a little later, until it comes to its end. Returns how often it
  /// was killed.
  int run_to_its_end(const std::string& arguments)
  {
    for (int kills = 0;; ++kills) {
      const double seconds = (0.005 + static_cast<double>(random_() % 150) / 1000) * (1 + kills / 10);
      const ProgramRun run =
          run_script(fmt::format("timeout -s KILL {:.3f} \"$wormcast\" {}", seconds, arguments), folder_.path());
      if (run.exit_code == 0) {
        return kills;
      }
      EXPECT_EQ(run.exit_code, 137) << run.err; // what timeout says of a process that it has killed
      if (run.exit_code != 137 || kills > 200) {
        ADD_FAILURE() << "no progress from one kill to the next";
        return kills;
      }
    }
  }

  /// What stands in a folder, but for hidden files: one that was being written when its process was killed stays.
  std::map<std::string, std::string> results_in(const std::string& out)
  {
    auto results = written_results(folder_.path() / out);
    std::erase_if(results, [](const auto& file) { return file.first.starts_with('.'); });
    return results;
  }

  TemporaryDirectory folder_;
  std::mt19937 random_{1};
};

TEST_F(KilledShards, AHundredTimesGiveTheSameBytes)
{
  folder_.write("c.toml", small_sweep);
  ASSERT_EQ(run_program({"sweep", "c.toml", "--out", "whole"}, folder_.path()).exit_code, 0);
  const auto expected = results_in("whole");
  int kills = 0;
  for (int sweep = 0; kills < 100; ++sweep) {
    const std::string out = fmt::format("s{}", sweep);
    const int shards = 1 + static_cast<int>(random_() % 4);
    for (int shard = 1; shard <= shards; ++shard) {
      kills += run_to_its_end(
          fmt::format("sweep c.toml --out {} --shard {}/{} --jobs {}", out, shard, shards, 1 + random_() % 3));
    }
    kills += run_to_its_end(fmt::format("sweep c.toml --out {}", out));
    ASSERT_EQ(results_in(out), expected) << out;
  }
}

TEST_F(KilledShards, OfAComparisonGiveTheSameBytes)
{
  folder_.write("c.toml", small_config);
  const std::string arguments = "compare c.toml --lengths 64..1KiB --json {0}/all.json --out {0}";
  ASSERT_EQ(run_script("\"$wormcast\" " + fmt::format(fmt::runtime(arguments), "whole"), folder_.path()).exit_code, 0);
  int kills = 0;
  for (int study = 0; kills < 20; ++study) {
    const std::string out = fmt::format("s{}", study);
    const std::string run = fmt::format(fmt::runtime(arguments), out);
    kills += run_to_its_end(run + " --shard 1/2") + run_to_its_end(run + " --shard 2/2") + run_to_its_end(run);
    ASSERT_EQ(results_in(out), results_in("whole")) << out;
  }
}

} // namespace
} // namespace wormcast::testing
