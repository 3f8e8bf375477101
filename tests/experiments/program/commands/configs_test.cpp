#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast::testing {
namespace {

std::vector<std::filesystem::path> configs()
{
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(WORMCAST_CONFIGS)) {
    if (entry.path().extension() == ".toml") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ExampleConfigs : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(ExampleConfigs, Run)
{
  const TemporaryDirectory directory;
  const std::string file = GetParam().string();
  const std::string text = read_file(file);
  std::vector<std::string> words = {"run", file};
  if (text.find("[sweep]") != std::string::npos) {
    words = {"sweep", file, "--out", "out"};
  } else if (text.find("[traffic]") != std::string::npos && text.find("[algorithm]") == std::string::npos) {
    words = {"load",  file,
             "--out", "out",
             "--set", "load.points=0.05",
             "--set", "load.saturation=false",
             "--set", "traffic.warm_up=500",
             "--set", "traffic.measure=2000"};
  }
  const ProgramRun result = run_program(words, directory.path());
  const bool deadlock = GetParam().stem().string().ends_with("deadlock");
  EXPECT_EQ(result.exit_code, deadlock ? 4 : 0) << result.err;
}

TEST(ExampleConfigsSay, SelfTimedHasDepthContention)
{
  const ProgramRun result = run_program({"run", WORMCAST_CONFIGS "/mesh_self_timed.toml"});
  EXPECT_THAT(result.out, ::testing::ContainsRegex("depth contention +7 waits"));
}

// The study itself takes minutes; its settings and its axis serve a small torus as well.
TEST(Studies, SwingOnWormsRunsOnASmallTorus)
{
  const TemporaryDirectory directory;
  const ProgramRun result =
      run_program({"sweep", WORMCAST_CONFIGS "/studies/swing_on_worms.toml", "--unset", "case", "--set",
                   "topology.dims=[4,4,4]", "--set", "message.bytes=256KiB", "--out", "out"},
                  directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::AllOf(::testing::ContainsRegex("\n2 +1\\.728\n"),
                                           ::testing::ContainsRegex("\n16 +1\\.728\n")));
}

INSTANTIATE_TEST_SUITE_P(All, ExampleConfigs, ::testing::ValuesIn(configs()),
                         [](const auto& example) { return example.param.stem().string(); });

} // namespace
} // namespace wormcast::testing
