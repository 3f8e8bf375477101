#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::small_config;
using testing::TemporaryDirectory;

RawConfig config_with(const std::string& sweep, const std::vector<std::string>& overrides = {})
{
  const TemporaryDirectory directory;
  return read_config(directory.write("c.toml", small_config + "[sweep]\n" + sweep + "\n"), overrides);
}

std::vector<RawValue> values(const std::string& axis)
{
  const RawConfig config = config_with(axis);
  return config.sweep.size() == 1 ? config.sweep.front().values : std::vector<RawValue>();
}

/// The error without the name of the file; [sweep] stands in line 15.
std::string sweep_error(const std::string& sweep)
{
  try {
    config_with(sweep);
  } catch (const InputError& error) {
    const std::string message = error.what();
    return testing::elide_names(message.substr(message.find("c.toml")));
  }
  return "no error";
}

std::vector<RawValue> numbers(std::initializer_list<std::int64_t> list)
{
  return {list.begin(), list.end()};
}

/// Names of all algorithms, each in quotes with a comma behind.
std::string algorithm_names()
{
  std::string names;
  for (const Algorithm& algorithm : algorithms()) {
    names += "\"" + algorithm.name + "\", ";
  }
  return names;
}

TEST(AxisValues, Lists)
{
  EXPECT_EQ(values("\"message.bytes\" = [64, 4096]"), numbers({64, 4096}));
  EXPECT_EQ(values("\"algorithm.name\" = [\"scatter_collect\"]"),
            std::vector<RawValue>{std::string("scatter_collect")});
  const std::vector<RawValue> dims = {std::vector<std::int64_t>{8, 8}, std::vector<std::int64_t>{16, 16}};
  EXPECT_EQ(values("\"topology.dims\" = [[8, 8], [16, 16]]"), dims);
}

TEST(AxisValues, Ranges)
{
  EXPECT_EQ(values("\"message.bytes\" = { from = 64, to = 512, factor = 2 }"), numbers({64, 128, 256, 512}));
  EXPECT_EQ(values("\"message.bytes\" = { from = \"1KiB\", to = \"4KiB\", factor = 2 }"), numbers({1024, 2048, 4096}));
  EXPECT_EQ(values("\"message.bytes\" = { from = 64, to = 144, factor = 1.5 }"), numbers({64, 96, 144}));
  EXPECT_EQ(values("\"message.bytes\" = { from = 10, to = 11, factor = 1.1 }"), numbers({10, 11}));
  EXPECT_EQ(values("\"message.bytes\" = { from = 5, to = 5, factor = 2 }"), numbers({5}));
  EXPECT_EQ(values("\"run.seed\" = { from = 1, to = 7, step = 3 }"), numbers({1, 4, 7}));
  EXPECT_EQ(values("\"run.seed\" = { from = 7, to = 1, step = -3 }"), numbers({7, 4, 1}));
  const std::vector<RawValue> times = {std::string("1us"), std::string("10us"), std::string("100us")};
  EXPECT_EQ(values("\"network.startup\" = { from = \"1us\", to = \"0.1ms\", factor = 10 }"), times);
}

TEST(AxisValues, KeysMayBeDotted)
{
  EXPECT_EQ(values("message.bytes = { from = 1, to = 2, step = 1 }"), numbers({1, 2}));
}

TEST(AxisValues, AxesKeepTheOrderOfTheFile)
{
  const RawConfig config = config_with("\"run.seed\" = [1, 2]\n\"message.bytes\" = [1]\n\"algorithm.source\" = [0, 5]");
  ASSERT_EQ(config.sweep.size(), 3u);
  EXPECT_EQ(config.sweep[0].key, "run.seed");
  EXPECT_EQ(config.sweep[1].key, "message.bytes");
  EXPECT_EQ(config.sweep[2].key, "algorithm.source");
}

TEST(AxisValues, Errors)
{
  EXPECT_EQ(sweep_error("\"message.bytes\" = []"),
            "c.toml:16:19: sweep.message.bytes: found an empty list, expected at least one value");
  EXPECT_EQ(sweep_error("\"message.bytes\" = 5"), "c.toml:16:19: sweep.message.bytes: found 5, expected a list of "
                                                  "values or a range {from, to, factor} or {from, to, step}");
  EXPECT_EQ(sweep_error("\"message.bytes\" = [1, 1]"),
            "c.toml:16:23: sweep.message.bytes: found 1 a second time, expected different values");
  EXPECT_EQ(sweep_error("\"message.bytes\" = [1, 0]"), "c.toml:16:23: sweep.message.bytes: found 0, expected a whole "
                                                       "number of bytes, such as 4096 or \"4KiB\", of at least 1");
  EXPECT_EQ(sweep_error("\"message.byte\" = [1, 2]"),
            "c.toml:16:1: message.byte: unknown key, expected one of bytes; did you mean \"message.bytes\"?");
  EXPECT_EQ(
      sweep_error("\"bytes\" = [1, 2]"),
      "c.toml:16:1: bytes: unknown key, expected a key of one of the sections topology, network, ranks, algorithm, "
      "message, program, run, broadcast, mpi, traffic, load; did you mean \"message.bytes\"?");
  EXPECT_EQ(sweep_error("\"algorithm.name\" = [\"recursion_base\"]"),
            "c.toml:16:21: sweep.algorithm.name: found \"recursion_base\", expected one of ...; did you mean "
            "\"recursion_based\"?");
  EXPECT_EQ(sweep_error("\"algorithm.name\" = {from = 1, to = 2, step = 1}"),
            "c.toml:16:20: sweep.algorithm.name: found a range, expected a list of values, each one of " +
                algorithm_names() + "\"schedule\", \"requests\"");
  EXPECT_EQ(sweep_error("\"network.startup\" = [1]"),
            "c.toml:16:22: sweep.network.startup: found 1 without a unit, expected a time with a unit, such as "
            "\"150us\", from 0s to 2305843s (2^61 ps)");
  EXPECT_EQ(sweep_error("\"network.startup\" = {from = 1, to = 2, step = 1}"),
            "c.toml:16:29: sweep.network.startup: from: found 1, expected a time with a unit such as \"150us\"");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2}"),
            "c.toml:16:19: sweep.message.bytes: found a range with both or neither of \"factor\" and \"step\", "
            "expected exactly one of them");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, step = 1, factor = 2}"),
            "c.toml:16:19: sweep.message.bytes: found a range with both or neither of \"factor\" and \"step\", "
            "expected exactly one of them");
  EXPECT_EQ(
      sweep_error("\"message.bytes\" = {from = 1, step = 1}"),
      "c.toml:16:19: sweep.message.bytes: \"to\" is missing, expected a range {from, to, factor} or {from, to, step}");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, stop = 1}"),
            "c.toml:16:45: sweep.message.bytes: found key \"stop\" in a range, expected from, to, and factor or step; "
            "did you mean \"step\"?");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, step = 0}"),
            "c.toml:16:45: sweep.message.bytes: step: found 0, expected a step that leads from \"from\" to \"to\"");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, step = -1}"),
            "c.toml:16:45: sweep.message.bytes: step: found -1, which never leads from 1 to 2");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 6, step = 2}"),
            "c.toml:16:45: sweep.message.bytes: the range does not meet its end 6: it goes from 5 to 7");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, factor = 1}"),
            "c.toml:16:47: sweep.message.bytes: factor: found 1, expected a number above 1");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, factor = inf}"),
            "c.toml:16:47: sweep.message.bytes: factor: found inf, expected a number above 1");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 0, to = 2, factor = 2}"),
            "c.toml:16:47: sweep.message.bytes: factor: found a range from 0, expected one from a number above 0");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 4, to = 2, factor = 2}"),
            "c.toml:16:47: sweep.message.bytes: factor: found 2, which never leads from 4 to 2");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 6, factor = 2}"),
            "c.toml:16:47: sweep.message.bytes: the range does not meet its end 6: it goes from 4 to 8");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 3, to = 9, factor = 1.5}"),
            "c.toml:16:47: sweep.message.bytes: factor: 1.5 times 3 is not a whole number");
  EXPECT_EQ(sweep_error("\"run.seed\" = {from = 1, to = 2000000, step = 1}"),
            "c.toml:16:46: sweep.run.seed: the range has more than 1000000 values");
  EXPECT_EQ(sweep_error(
                "\"run.seed\" = {from = 1, to = 2000, step = 1}\n\"message.bytes\" = {from = 1, to = 2000, step = 1}"),
            "c.toml:17:19: sweep.message.bytes: the sweep has more than 1000000 points, expected fewer");
  EXPECT_EQ(sweep_error("\"run.seed\" = [1]\nrun.seed = [2]"),
            "c.toml:17:5: sweep.run.seed: found a second time, expected each key once");
}

TEST(AxisValues, ParametersOfOtherSweptAlgorithmsAreLeftOut)
{
  const TemporaryDirectory directory;
  directory.write("s.json",
                  R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [4, 4]}, "ports": 1,
    "duplex": "full", "operation": "none", "messages": [{"id": 0, "src": 0, "dst": 1, "bytes": 1}]})");
  std::string text = testing::with(small_config, "source = [0, 0]", "file = \"s.json\"");
  EXPECT_THROW(make_experiment(read_config(directory.write("c.toml", text))), InputError);
  text += "[sweep]\n\"algorithm.name\" = [\"recursion_based\", \"scatter_collect\"]\n";
  EXPECT_THROW(make_experiment(read_config(directory.write("c.toml", text))), InputError);

  text = testing::with(text, "[\"recursion_based\", ", "[\"schedule\", ");
  const RawConfig config = read_config(directory.write("c.toml", text));
  const std::vector<std::pair<std::string, RawValue>> point = {{"algorithm.name", std::string("scatter_collect")}};
  EXPECT_EQ(make_experiment(config, point).algorithm, "scatter_collect");
}

} // namespace
} // namespace wormcast
