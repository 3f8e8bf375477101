// Operations that are repeated, together, or among traffic; noise and pairs: as a user runs them.

#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/series_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

using series_config::machine;
using series_config::operation;
using series_config::traffic;

const std::string five_rounds = R"(
[broadcast]
repeat = 5
pause = "3us"
)";

ProgramRun program(const std::string& config, const std::vector<std::string>& words)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config);
  return run_program(words, directory.path());
}

Json result_of(const std::string& config, std::vector<std::string> options = {})
{
  options.insert(options.begin(), {"run", "c.toml", "--json", "-"});
  const ProgramRun run = program(config, options);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(run.out);
}

std::string series_refusal(const std::string& config, const std::vector<std::string>& words = {"run", "c.toml"})
{
  const ProgramRun run = program(config, words);
  EXPECT_EQ(run.exit_code, 2) << run.out;
  EXPECT_EQ(run.out, "");
  return run.err;
}

TEST(Series, SaysWhatTheLoadDoesToABroadcastAndTheOtherWayRound)
{
  const Json result = result_of(machine + operation + traffic + five_rounds);
  EXPECT_EQ(result.at("format"), "wormcast-series/1");
  EXPECT_EQ(result.at("broadcasts").size(), 5U);
  EXPECT_GT(result.at("slowdown").at("mean"), 1);
  EXPECT_GT(result.at("contention").at("other"), 0);
  EXPECT_GT(result.at("load").at("contention").at("other"), 0);
  EXPECT_EQ(result.at("load").at("offered"), 0.1);
  EXPECT_FALSE(result.at("load").at("saturated"));
  EXPECT_GT(result.at("load").at("difference_us").at("mean"), 0);
  EXPECT_EQ(result.at("config").at("broadcast").at("repeat"), 5);
  EXPECT_FALSE(result.at("config").at("traffic").contains("measure"));
  const ProgramRun table = program(machine + operation + traffic + five_rounds, {"run", "c.toml"});
  EXPECT_THAT(table.out, HasSubstr("slowdown"));
  EXPECT_THAT(table.out, HasSubstr("broadcast waits, other"));
  EXPECT_THAT(table.out, HasSubstr("load waits, other"));
}

TEST(Series, IsTheSingleRunWithoutTraffic)
{
  const Json single = result_of(machine + operation);
  const Json series = result_of(machine + operation + five_rounds);
  EXPECT_EQ(series.at("latency_us"), single.at("latency_us"));
  EXPECT_EQ(series.at("slowdown").at("mean"), 1);
  EXPECT_TRUE(series.at("load").is_null());
  EXPECT_FALSE(single.at("contention").contains("other"));
}

struct Line : std::string {
  friend std::istream& operator>>(std::istream& in, Line& line)
  {
    return std::getline(in, static_cast<std::string&>(line));
  }
};

TEST(Series, IsSweptOver)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", machine + operation + traffic + five_rounds + R"(
[sweep]
"traffic.load" = [0.02, 0.1, 5]
"algorithm.name" = ["recursive_doubling", "binomial_tree"]

[plot]
x = "traffic.load"
y = "slowdown.mean"
)");
  const ProgramRun first = run_program({"sweep", "c.toml", "--out", "one", "--jobs", "1"}, directory.path());
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const ProgramRun second = run_program({"sweep", "c.toml", "--out", "two", "--jobs", "2"}, directory.path());
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const std::string csv = read_file(directory.path() / "one" / "results.csv");
  EXPECT_EQ(csv, read_file(directory.path() / "two" / "results.csv"));
  EXPECT_THAT(csv, HasSubstr("slowdown.mean"));
  EXPECT_THAT(csv, HasSubstr("load.contention.other"));
  EXPECT_THAT(csv, Not(HasSubstr("broadcasts")));
  // The load that the network does not carry is a row, and an answer.
  EXPECT_THAT(first.out, ::testing::ContainsRegex("\n5.0 +saturated +saturated\n"));
  EXPECT_THAT(first.out, Not(HasSubstr("failed")));
  EXPECT_THAT(csv, HasSubstr("\n5.0,recursive_doubling,"));
  const auto lines_ending = [&](const std::string& end) {
    std::istringstream lines(csv);
    return std::count_if(std::istream_iterator<Line>(lines), {}, [&](const Line& line) { return line.ends_with(end); });
  };
  EXPECT_EQ(lines_ending(",saturated,"), 2);
  EXPECT_EQ(lines_ending(",done,"), 4);
  const ProgramRun again = run_program({"sweep", "c.toml", "--out", "one", "--resume", "--verbose"}, directory.path());
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("0 points computed, 6 kept from before"));
}

TEST(Series, RefusesWhatSaysNothing)
{
  EXPECT_THAT(series_refusal(machine + operation + traffic + "measure = \"1ms\"\n"),
              HasSubstr("traffic.measure: found with"));
  EXPECT_THAT(series_refusal(machine + operation + traffic + "[load]\npoints = [0.1]\n"), HasSubstr("wormcast load"));
  EXPECT_THAT(series_refusal(machine + operation + "[traffic]\nbytes = 32\n"), HasSubstr("traffic.load: missing"));
  EXPECT_THAT(series_refusal(machine + operation + traffic + "[run]\npaired = true\n"), HasSubstr("run.paired"));
  EXPECT_THAT(series_refusal(machine + operation + traffic + "[run]\nmodel = \"fluid\"\n"), HasSubstr("run.model"));
  EXPECT_THAT(series_refusal(machine + operation + traffic + "[mpi]\neager = 1024\n"), HasSubstr("[mpi]"));
  EXPECT_THAT(series_refusal(machine + operation + "[broadcast]\ncount = 17\n"),
              HasSubstr("broadcast.count: found 17"));
  EXPECT_THAT(series_refusal(machine + operation + traffic, {"load", "c.toml"}), HasSubstr("\"wormcast run\""));
  EXPECT_THAT(series_refusal(machine + operation + traffic, {"check", "c.toml"}), HasSubstr("--unset traffic"));
  EXPECT_THAT(series_refusal(machine + traffic), HasSubstr("wormcast load"));
}

TEST(Noise, TakesPartInRunsAndPairs)
{
  const std::string noisy = machine + operation + R"([run]
paired = true
noise = { distribution = "exponential", mean = 0.5 }
)";
  const Json result = result_of(noisy);
  EXPECT_GT(result.at("latency_us"), result.at("predicted_us"));
  EXPECT_TRUE(result.at("paired").contains("contention_cost_us"));
  EXPECT_NE(result.at("latency_us"), result_of(noisy, {"--set", "run.seed=2"}).at("latency_us"));
  EXPECT_EQ(result, result_of(noisy));
}

TEST(Noise, IsReadFromAFile)
{
  const TemporaryDirectory directory;
  directory.write("delays.txt", "0.5 # each start-up takes half as long again\n");
  directory.write("c.toml",
                  machine + operation + "[run]\nnoise = { distribution = \"file\", file = \"delays.txt\" }\n");
  directory.write("plain.toml", machine + operation);
  const ProgramRun noisy = run_program({"run", "c.toml", "--json", "-"}, directory.path());
  ASSERT_EQ(noisy.exit_code, 0) << noisy.err;
  const ProgramRun longer =
      run_program({"run", "plain.toml", "--set", "network.startup=1.5us", "--json", "-"}, directory.path());
  ASSERT_EQ(longer.exit_code, 0) << longer.err;
  EXPECT_EQ(Json::parse(noisy.out).at("latency_us"), Json::parse(longer.out).at("latency_us"));
  directory.write("delays.txt", "0.1\nmuch\n");
  const ProgramRun bad = run_program({"run", "c.toml"}, directory.path());
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("delays.txt:2: found \"much\""));
}

TEST(Noise, RefusesKeysThatDoNotFit)
{
  const auto with = [](const std::string& run) { return series_refusal(machine + operation + "[run]\n" + run); };
  EXPECT_THAT(with("noise = { mean = 0.5 }\n"), HasSubstr("noise.mean: found without noise.distribution"));
  EXPECT_THAT(with("noise = { distribution = \"uniform\" }\n"), HasSubstr("noise.to: missing"));
  EXPECT_THAT(with("noise = { distribution = \"uniform\", to = 1, mean = 1 }\n"), HasSubstr("noise.mean: found with"));
  EXPECT_THAT(with("noise = { distribution = \"pareto\", mean = 1, shape = 1 }\n"), HasSubstr("noise.shape: found 1"));
  EXPECT_THAT(with("noise = { distribution = \"file\", file = \"none\" }\n"), HasSubstr("cannot read"));
  EXPECT_THAT(with("noise = { distribution = \"uniform\", to = 1 }\nmodel = \"fluid\"\n"),
              HasSubstr("run.noise.distribution: found with a fluid model"));
  // Each with its place; the machine and the operation come before [run].
  const std::ptrdiff_t line = std::ranges::count(machine + operation, '\n') + 2;
  EXPECT_THAT(with("noise = { distribution = \"pareto\", mean = 1, shape = 1 }\n"),
              HasSubstr("c.toml:" + std::to_string(line) + ":54: run.noise.shape: found 1"));
  EXPECT_THAT(with("paired = true\nmodel = \"fluid\"\n"),
              HasSubstr("c.toml:" + std::to_string(line) + ":10: run.paired: found with a fluid model"));
  EXPECT_THAT(with("noise.distribution = \"uniform\"\n"),
              HasSubstr("c.toml:" + std::to_string(line) + ":22: run.noise.to: missing"));
}

TEST(Series, RefusesMoreSourcesThanNodes)
{
  const std::ptrdiff_t line = std::ranges::count(machine + operation, '\n') + 2;
  EXPECT_THAT(series_refusal(machine + operation + "[broadcast]\ncount = 1000\n"),
              HasSubstr("c.toml:" + std::to_string(line) + ":9: broadcast.count: found 1000, but the"));
}

TEST(Pairs, AreColumnsOfASweep)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", machine + operation + R"([run]
mode = "self_timed"
start_jitter = "5us"
paired = true

[sweep]
"run.seed" = [1, 2, 3, 4]
)");
  const ProgramRun run = run_program({"sweep", "c.toml", "--out", "out"}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(read_file(directory.path() / "out" / "results.csv"), HasSubstr("paired.contention_cost_us"));
  EXPECT_THAT(read_file(directory.path() / "out" / "statistics.csv"), HasSubstr("paired.contention_cost_us,4,0"));
}

} // namespace
} // namespace wormcast::testing
