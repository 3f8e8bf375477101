#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>

namespace wormcast::testing {
namespace {

class BadInput : public ::testing::Test {
protected:
  std::string message(const std::vector<std::string>& arguments) const
  {
    const ProgramRun result = run_program(arguments, directory.path());
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  }

  TemporaryDirectory directory;
  std::filesystem::path config = directory.write("c.toml", small_config);
};

TEST_F(BadInput, OneLineWithTheProgramsName)
{
  directory.write("bad.toml", with(small_config, "startup", "statup"));
  for (const char* command : {"run", "schedule", "check", "topology"}) {
    EXPECT_EQ(
        message({command, "bad.toml"}),
        "wormcast: error: bad.toml:6:1: network.statup: unknown key, expected one of router, startup, startup_latency, per_hop, "
        "link_per_hop, per_byte, link_per_byte, port_per_byte, flit_bytes, last_flit, buffer_flits, virtual_channels, ports, port_choice, duplex, switching, hold, routing, tie, "
        "speculative, vc_allocator, allocator, islip_iterations, input_speedup, internal_speedup, priority, release, routing_delay, switch_delay, "
        "credit_delay, link_delay; did you mean "
        "\"network.startup\"?\n");
  }
}

TEST_F(BadInput, UnreadableFiles)
{
  EXPECT_EQ(message({"run", "missing.toml"}), "wormcast: error: cannot read missing.toml: No such file or directory\n");
  EXPECT_EQ(message({"run", "."}), "wormcast: error: cannot read .: Is a directory\n");
  EXPECT_EQ(message({"check", "missing.json"}),
            "wormcast: error: missing.json: cannot be read: No such file or directory\n");
  EXPECT_EQ(message({"check", "missing"}), "wormcast: error: cannot read missing: No such file or directory\n");
}

TEST_F(BadInput, SizesThatAnAlgorithmCannotServe)
{
  EXPECT_EQ(message({"run", "c.toml", "--set", "topology.dims=[5,4]"}),
            "wormcast: error: c.toml:10:8: algorithm: recursion_based needs sizes that are powers of two; the x size "
            "of the mesh 5 x 4 is 5\n");
  EXPECT_EQ(
      message({"run", "c.toml", "--set", "topology.dims=[4]"}),
      "wormcast: error: c.toml:11:10: algorithm.source: [0, 0] has 2 coordinates, but the mesh 4 has 1 dimension\n");
}

TEST_F(BadInput, TimesThatOverflow)
{
  EXPECT_EQ(
      message({"run", "c.toml", "--set", "network.startup=10000000s"}),
      "wormcast: error: --set: network.startup: \"10000000s\" is too large; expected at most 9223372s (2^63 ps)\n");
  EXPECT_EQ(message({"run", "c.toml", "--set", "network.startup=1000000s"}),
            "wormcast: error: the simulated time exceeds 4611686018427387904ps "
            "(2^62 ps): shorten the messages or the times\n");
  EXPECT_EQ(message({"run", "c.toml", "--set", "message.bytes=4611686018427387904"}),
            "wormcast: error: the messages have more than 2^64 bytes together\n");
  EXPECT_EQ(message({"run", "c.toml", "--set", "run.start_jitter=4000000s"}),
            "wormcast: error: --set: run.start_jitter: found \"4000000s\", expected a time with a unit, such as "
            "\"150us\", from 0s to 2305843s (2^61 ps)\n");
}

TEST_F(BadInput, EnginesThatDoNotFit)
{
  EXPECT_EQ(
      message({"--quiet", "run", "c.toml", "--set", "run.engine=worm", "--set", "network.per_hop=10us", "--set",
               "network.buffer_flits=2"}),
      "wormcast: error: engine \"worm\" cannot run this exactly: buffers do not cover the hop latency: "
      "buffer_flits * flit_bytes * per_byte = 1us < per_hop = 10us, so that one message reaches 10 % of a channel's "
      "rate; with buffer_flits = 20 it reaches all of it; use \"flit\" or \"auto\"\n");
}

TEST_F(BadInput, MalformedSchedules)
{
  const std::string good = R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [4]}, "ports": 1,
 "duplex": "full", "operation": "none",
 "messages": [{"id": 0, "src": 0, "dst": 2, "bytes": 100}]})";
  directory.write("good.json", good);
  EXPECT_EQ(run_program({"check", "good.json"}, directory.path()).exit_code, 0);
  for (std::size_t length = 0; length < good.size(); length += 7) {
    directory.write("truncated.json", good.substr(0, length));
    EXPECT_TRUE(message({"check", "truncated.json"}).starts_with("wormcast: error: truncated.json")) << length;
  }
  directory.write("outside.json", with(good, "\"dst\": 2", "\"dst\": 4"));
  EXPECT_EQ(message({"check", "outside.json"}),
            "wormcast: error: outside.json: message 0: dst: node 4 is outside of the mesh 4, expected 0 to 3\n");
  directory.write("s.toml", "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\n"
                            "file = \"outside.json\"\n");
  EXPECT_EQ(message({"run", "s.toml"}), "wormcast: error: s.toml:6:8: algorithm.file: outside.json: message 0: dst: "
                                        "node 4 is outside of the mesh 4, expected 0 to 3\n");
}

TEST_F(BadInput, TruncatedConfigs)
{
  const std::string text = small_config + "[sweep]\n\"message.bytes\" = { from = 64, to = 128, factor = 2 }\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    directory.write("t.toml", text.substr(0, length));
    const ProgramRun result = run_program({"topology", "t.toml"}, directory.path());
    EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 2) << length;
    EXPECT_EQ(result.exit_code == 0, result.err.empty()) << length << result.err;
  }
}

TEST_F(BadInput, SetNeedsAConfiguration)
{
  ASSERT_EQ(run_program({"schedule", "c.toml", "--out", "s.json"}, directory.path()).exit_code, 0);
  EXPECT_EQ(message({"check", "s.json", "--set", "message.bytes=3"}),
            "wormcast: error: --set: found a schedule file, expected a configuration whose values --set can change\n");
}

} // namespace
} // namespace wormcast::testing
