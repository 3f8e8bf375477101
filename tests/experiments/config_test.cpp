#include "experiments/config.hpp"
#include "program.hpp"
#include "topologies/input_error.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::small_config;
using testing::TemporaryDirectory;
using testing::with;

/// The error of making the experiment that `text` describes; the file is called "c.toml" in it.
std::string config_error(const std::string& text, const std::vector<std::string>& overrides = {})
{
  const TemporaryDirectory directory;
  const auto file = directory.write("c.toml", text);
  try {
    make_experiment(read_config(file, overrides));
  } catch (const InputError& error) {
    std::string message = error.what();
    const std::string prefix = directory.path().string() + "/";
    for (std::size_t place; (place = message.find(prefix)) != std::string::npos;) {
      message.erase(place, prefix.size());
    }
    return testing::elide_names(message);
  }
  return "no error";
}

Experiment experiment(const std::string& text, const std::vector<std::string>& overrides = {})
{
  const TemporaryDirectory directory;
  return make_experiment(read_config(directory.write("c.toml", text), overrides));
}

TEST(Config, ValuesAndDefaults)
{
  const Experiment made = experiment(small_config);
  EXPECT_EQ(made.topology->title(), "mesh 4 x 4");
  EXPECT_EQ(made.network.startup, parse_time("150us"));
  EXPECT_EQ(made.network.per_byte, parse_time("500ns"));
  EXPECT_EQ(made.network.buffer_flits, 2u);
  EXPECT_EQ(made.request.message_bytes, 4096u);
  EXPECT_EQ(made.run.mode, Mode::lockstep);
  EXPECT_EQ(made.algorithm, "recursion_based");
}

TEST(Config, EffectiveHoldsEveryValueInFixedOrder)
{
  const Experiment made = experiment(small_config, {"algorithm.source=[1, 2]", "network.ports=all"});
  EXPECT_EQ(made.effective.dump(),
            R"({"topology":{"kind":"mesh","dims":[4,4]},)"
            R"("network":{"startup":"150us","per_hop":"0s","per_byte":"500ns","flit_bytes":1,"buffer_flits":2,)"
            R"("virtual_channels":1,"ports":"all","duplex":"full","switching":"wormhole","hold":"tail",)"
            R"("routing":"dimension_order","tie":"no_wrap"},)"
            R"("algorithm":{"name":"recursion_based","source":9,"reduction":"pairwise"},"message":{"bytes":4096},)"
            R"("run":{"mode":"lockstep","engine":"auto","seed":1,"start_jitter":"0s"}})");
}

TEST(Config, OverridesWin)
{
  const Experiment made =
      experiment(small_config, {"message.bytes=4KiB", "message.bytes=8KiB", "topology.dims=[8,8]",
                                "topology.kind=torus", "algorithm.name=scatter_collect", "network.startup=\"10us\""});
  EXPECT_EQ(made.request.message_bytes, 8192u);
  EXPECT_EQ(made.topology->title(), "torus 8 x 8");
  EXPECT_EQ(made.algorithm, "scatter_collect");
  EXPECT_EQ(made.network.startup, parse_time("10us"));
}

TEST(Config, OverrideReplacesSweepAxis)
{
  const TemporaryDirectory directory;
  const auto file = directory.write("c.toml", small_config + "[sweep]\n\"message.bytes\" = [1, 2]\n");
  EXPECT_EQ(read_config(file).sweep.size(), 1u);
  EXPECT_TRUE(read_config(file, std::vector<std::string>{"message.bytes=3"}).sweep.empty());
}

struct BadConfig {
  std::string old;
  std::string replacement;
  std::string message;
};

class BadConfigs : public ::testing::TestWithParam<BadConfig> {};

TEST_P(BadConfigs, SaysWhereWhatAndWhatWasExpected)
{
  EXPECT_EQ(config_error(with(small_config, GetParam().old, GetParam().replacement)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Messages, BadConfigs,
    ::testing::Values(
        BadConfig{"startup = \"150us\"", "startup = 150", ""},
        BadConfig{"startup = \"150us\"", "startup = \"150\"", ""}, BadConfig{"\"150us\"", "\"-1us\"", ""},
        BadConfig{"\"150us\"", "\"0.0000001us\"", ""}, BadConfig{"\"150us\"", "\"1e30s\"", ""},
        BadConfig{"\"150us\"", "\"150 fortnights\"", ""}, BadConfig{"\"150us\"", "2020-01-01", ""},
        BadConfig{"startup", "statup", ""}, BadConfig{"startup = \"150us\"\n", "", ""},
        BadConfig{"[network]", "[netwrok]", ""}, BadConfig{"[topology]", "dims = 3\n[topology]", ""},
        BadConfig{"[topology]", "network = 3\n[topology]", ""}, BadConfig{"\"mesh\"", "\"mehs\"", ""},
        BadConfig{"\"mesh\"", "7", ""}, BadConfig{"dims = [4, 4]\n", "", ""},
        BadConfig{"dims = [4, 4]", "dims = [4, 0]", ""}, BadConfig{"dims = [4, 4]", "dims = [4, -4]", ""},
        BadConfig{"dims = [4, 4]", "dims = []", ""}, BadConfig{"dims = [4, 4]", "dims = [4, \"4\"]", ""},
        BadConfig{"dims = [4, 4]", "dims = 16", ""}, BadConfig{"dims = [4, 4]", "dims = [4, 4.5]", ""},
        BadConfig{"dims = [4, 4]", "dims = [1000000, 1000000]", ""},
        BadConfig{"dims = [4, 4]", "dims = [1, 1, 1, 1, 1, 1, 1, 1, 1]", ""},
        BadConfig{"dims = [4, 4]", "dims = [4, 4]\nlength = 3", ""}, BadConfig{"[0, 0]", "[4, 0]", ""},
        BadConfig{"[0, 0]", "[0]", ""}, BadConfig{"[0, 0]", "16", ""}, BadConfig{"[0, 0]", "-1", ""},
        BadConfig{"[0, 0]", "\"x\"", ""}, BadConfig{"recursion_based", "recursion_base", ""},
        BadConfig{"recursion_based", "schedule", ""}, BadConfig{"bytes = 4096", "bytes = 0", ""},
        BadConfig{"bytes = 4096", "bytes = -5", ""}, BadConfig{"bytes = 4096", "bytes = \"4 KiBi\"", ""},
        BadConfig{"bytes = 4096", "bytes = \"0.3B\"", ""}, BadConfig{"bytes = 4096", "bytes = \"8388608TiB\"", ""},
        BadConfig{"bytes = 4096", "bytes = 99999999999999999999", ""}, BadConfig{"bytes = 4096", "bytes = true", ""},
        BadConfig{"[message]\nbytes = 4096\n", "", ""}, BadConfig{"bytes = 4096", "bytes = 4096\nbytes = 1", ""},
        BadConfig{"bytes = 4096", "bytes = ", ""}, BadConfig{"bytes = 4096", "bytes = 4096\n[run", ""},
        BadConfig{"bytes = 4096", "bytes = 4096\n[run]\nmode = \"lockstop\"", ""},
        BadConfig{"bytes = 4096", "bytes = 4096\n[run]\nseed = -1", ""},
        BadConfig{"bytes = 4096", "bytes = 4096\n[run]\nports = 2", ""}, BadConfig{"source", "d = 2\nsource", ""},
        BadConfig{"startup", "ports = 0\nstartup", ""}, BadConfig{"startup", "flit_bytes = \"1EiB\"\nstartup", ""},
        BadConfig{"startup", "tie = \"negative\"\nstartup", ""},
        BadConfig{"startup", "routing = \"shortest_path\"\nstartup", ""}));

TEST(Config, BadOverrides)
{
  EXPECT_EQ(config_error(small_config, {"message.bytes"}), "");
  EXPECT_EQ(config_error(small_config, {"message.byte=3"}), "");
  EXPECT_EQ(config_error(small_config, {"bytes=3"}), "");
  EXPECT_EQ(config_error(small_config, {"message.bytes=three"}), "");
  EXPECT_EQ(config_error(small_config, {"topology.dims=[4,"}), "");
  EXPECT_EQ(config_error(small_config, {"network.startup=3\nper_byte=4"}), "");
  EXPECT_EQ(config_error(small_config, {"algorithm.file=x.json"}), "");
  EXPECT_EQ(config_error(small_config, {"sweep.message.bytes=[1,2]"}), "");
}

TEST(Config, UnreadableFiles)
{
  const TemporaryDirectory directory;
  EXPECT_THROW(read_config(directory.path() / "missing.toml"), FileError);
  EXPECT_THROW(read_config(directory.path()), FileError);
}

TEST(Config, TopologyAlone)
{
  const TemporaryDirectory directory;
  const auto topology = [&](std::string_view text) {
    return configured_topology(read_config(directory.write("t.toml", text))).topology;
  };
  EXPECT_EQ(topology("[topology]\nkind = \"torus\"\ndims = [5, 3]\n")->title(), "torus 5 x 3");
  EXPECT_EQ(topology("[topology]\nkind = \"mesh\"\ndims = [2]\n[network]\nstartup = \"1us\"\n")->title(), "mesh 2");
  EXPECT_THROW(topology("[network]\nstartup = \"1us\"\n"), InputError);
}

} // namespace
} // namespace wormcast
