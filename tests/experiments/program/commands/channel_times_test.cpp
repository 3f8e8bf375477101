// Rates and latencies of classes of links, and the rate of ports, in configurations.

#include "tests/experiments/program/commands/configured_runs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

class ChannelTimesOfRuns : public ConfiguredRuns {
protected:
  ChannelTimesOfRuns()
      : ConfiguredRuns("[topology]\nkind = \"torus\"\ndims = [4, 4]\n\n[network]\nstartup = \"1us\"\nper_byte = "
                       "\"1ns\"\nlink_per_byte = [\"1ns\", \"2ns\"]\n\n[algorithm]\nname = "
                       "\"recursive_doubling\"\n\n[message]\nbytes = 1000\n")
  {}
};

// Two steps in x, two in y.
TEST_F(ChannelTimesOfRuns, AreThoseOfTheDimensions)
{
  const Json slow = result({});
  EXPECT_DOUBLE_EQ(slow["latency_us"].get<double>(), 2 * (1 + 1) + 2 * (1 + 2));
  EXPECT_EQ(slow["engine"], "flit");
  EXPECT_EQ(slow["not_predicted"], "links or ports have rates or latencies of their own");
  EXPECT_EQ(slow["config"]["network"]["link_per_byte"], Json::parse(R"(["1ns", "2ns"])"));
  EXPECT_LE(slow["bounds"]["latency_us"].get<double>(), slow["latency_us"].get<double>());
  const Json ports = result({"network.port_per_byte=3ns"});
  EXPECT_DOUBLE_EQ(ports["latency_us"].get<double>(), 4 * (1 + 3 + 0.003) - 2 * 0.001 - 2 * 0.002);
  const Json equal = result({"network.link_per_byte=[\"1ns\", \"1ns\"]"});
  EXPECT_EQ(equal["engine"], "worm");
  EXPECT_EQ(equal["predicted_us"], equal["latency_us"]);
}

TEST_F(ChannelTimesOfRuns, AreRefusedWithTheLineWhereTheyDoNotFit)
{
  EXPECT_EQ(
      run({"topology.dims=[4, 4, 4]"}).err,
      "wormcast: error: c.toml:8:17: network.link_per_byte: found 2 times, expected 3, one for each class of links "
      "of the torus 4 x 4 x 4: x, y, z\n");
  EXPECT_THAT(run({"network.link_per_byte=[\"1ns\", \"0ns\"]"}).err,
              HasSubstr("network.link_per_byte: found \"0ns\", expected times above 0s up to 2305843s (2^61 ps)"));
  EXPECT_THAT(run({"network.link_per_hop=[\"1ns\", \"soon\"]"}).err, HasSubstr("network.link_per_hop: \"soon\""));
  EXPECT_THAT(run({"network.last_flit=exact"}).err, HasSubstr("expected \"padded\""));
  EXPECT_THAT(run({"network.router=input_queued"}).err,
              HasSubstr("where a cycle is the time of a flit on every channel"));
  EXPECT_THAT(run({"run.engine=worm"}).err, HasSubstr("links or ports have rates or latencies of their own; use"));
  EXPECT_THAT(run({"run.paired=true"}).err, HasSubstr("run.paired: links or ports"));
}

TEST_F(ChannelTimesOfRuns, AreMeasuredUnderLoad)
{
  const std::string loaded = "[topology]\nkind = \"mesh\"\ndims = [2, 2]\n[network]\nstartup = \"0s\"\nper_byte = "
                             "\"1ns\"\nlink_per_byte = [\"1ns\", \"2ns\"]\n[traffic]\npattern = \"uniform\"\n"
                             "bytes = 4\n[load]\npoints = [0.3, 0.9]\nsaturation = false\n";
  directory.write("load.toml", loaded);
  const ProgramRun curve = run({}, {"load", "load.toml", "--out", "curve"});
  EXPECT_EQ(curve.exit_code, 0) << curve.err;
  EXPECT_THAT(curve.out, HasSubstr("busiest channel full at 0.75\n"));
  EXPECT_THAT(curve.out, HasSubstr("\n0.3         stable"));
  EXPECT_THAT(curve.out, HasSubstr("\n0.9      saturated"));
  directory.write(
      "drawn.toml",
      "[topology]\nkind = \"dragonfly\"\ngroups = 3\nchassis = 1\nrouters = 3\nhosts = 1\n"
      "[network]\nstartup = \"0s\"\nper_byte = \"1ns\"\nvirtual_channels = 3\nrouting = \"valiant\"\n"
      "link_per_byte = [\"1ns\", \"1ns\", \"1ns\", \"2ns\"]\n[traffic]\nbytes = 4\n[load]\npoints = [0.1]\n");
  const ProgramRun drawn = run({}, {"load", "drawn.toml", "--out", "drawn"});
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_THAT(drawn.err, HasSubstr("network.routing: found \"valiant\", whose routes between two nodes differ"));
}

// One broadcast at a time, and nothing else.
TEST_F(ChannelTimesOfRuns, AreThoseOfBroadcastsThatAreRepeated)
{
  const Json series = result({"broadcast.repeat=4"});
  EXPECT_DOUBLE_EQ(series["latency_us"].get<double>(), result({})["latency_us"].get<double>());
}

class TimesOfAGraphFile : public ConfiguredRuns {
protected:
  TimesOfAGraphFile()
      : ConfiguredRuns("[topology]\nkind = \"graph\"\nfile = \"net.dot\"\n\n[network]\nstartup = \"1us\"\nper_byte = "
                       "\"1ns\"\n\n[algorithm]\nname = \"binomial_tree\"\n\n[message]\nbytes = 1000\n")
  {
    directory.write("net.dot", "graph { a -- b [per_byte=\"2ns\", per_hop=\"20ns\"] }\n");
  }
};

TEST_F(TimesOfAGraphFile, AreThoseOfARunUnlessTheConfigurationHasItsOwn)
{
  const Json run_of_file = result({});
  EXPECT_DOUBLE_EQ(run_of_file["latency_us"].get<double>(), 1 + 0.02 + (2 - 1) * 0.001 + 999 * 0.002 + 0.001);
  EXPECT_EQ(run_of_file["config"]["network"]["link_per_byte"], Json::parse(R"(["2ns"])"));
  EXPECT_EQ(run_of_file["config"]["network"]["link_per_hop"], Json::parse(R"(["20ns"])"));
  const Json given = result({"network.link_per_byte=[\"1ns\"]", "network.link_per_hop=[\"0s\"]"});
  EXPECT_DOUBLE_EQ(given["latency_us"].get<double>(), 1 + 1);
}

TEST_F(TimesOfAGraphFile, AreRefusedWhereTheyDoNotFit)
{
  EXPECT_THAT(run({"network.last_flit=exact"}).err, HasSubstr("expected \"padded\""));
  const ProgramRun among = run({"traffic.load=0.1", "traffic.bytes=64", "broadcast.repeat=3"});
  EXPECT_EQ(among.exit_code, 0) << among.err;
  directory.write("net.dot", "graph { a -- b [per_byte=\"2.5ps\"] }\n");
  EXPECT_THAT(run({}).err, HasSubstr("flit_bytes: found 1, but with link_per_byte = 2.5ps"));
  directory.write("net.dot", "graph { a -- b [per_byte=\"0s\"] }\n");
  const ProgramRun zero = run({});
  EXPECT_EQ(zero.exit_code, 2);
  EXPECT_THAT(zero.err, HasSubstr("net.dot: the edge from a to b has per_byte = \"0s\": expected a time above 0s"));
}

} // namespace
} // namespace wormcast::testing
