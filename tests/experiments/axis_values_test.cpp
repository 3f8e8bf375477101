#include "experiments/config.hpp"
#include "program.hpp"
#include "topologies/input_error.hpp"

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
  EXPECT_EQ(sweep_error("\"message.bytes\" = []"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = 5"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = [1, 1]"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = [1, 0]"), "");
  EXPECT_EQ(sweep_error("\"message.byte\" = [1, 2]"), "");
  EXPECT_EQ(sweep_error("\"bytes\" = [1, 2]"), "");
  EXPECT_EQ(sweep_error("\"algorithm.name\" = [\"recursion_base\"]"), "");
  EXPECT_EQ(sweep_error("\"algorithm.name\" = {from = 1, to = 2, step = 1}"), "");
  EXPECT_EQ(sweep_error("\"network.startup\" = [1]"), "");
  EXPECT_EQ(sweep_error("\"network.startup\" = {from = 1, to = 2, step = 1}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, step = 1, factor = 2}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, step = 1}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, stop = 1}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, step = 0}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, step = -1}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 6, step = 2}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, factor = 1}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 2, factor = inf}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 0, to = 2, factor = 2}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 4, to = 2, factor = 2}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 1, to = 6, factor = 2}"), "");
  EXPECT_EQ(sweep_error("\"message.bytes\" = {from = 3, to = 9, factor = 1.5}"), "");
  EXPECT_EQ(sweep_error("\"run.seed\" = {from = 1, to = 2000000, step = 1}"), "");
  EXPECT_EQ(sweep_error(
                "\"run.seed\" = {from = 1, to = 2000, step = 1}\n\"message.bytes\" = {from = 1, to = 2000, step = 1}"),
            "");
  EXPECT_EQ(sweep_error("\"run.seed\" = [1]\nrun.seed = [2]"), "");
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
