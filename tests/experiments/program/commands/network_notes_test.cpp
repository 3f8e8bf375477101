// What commands say of networks whose results mislead: buffers that keep channels from their rate, rings that can
// deadlock.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string slow_network = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_hop = "30ns"
per_byte = "0.1ns"
buffer_flits = 2
)";

const std::string algorithm_section = R"(
[algorithm]
name = "binomial_tree"

[message]
bytes = 64
)";

const std::string traffic_section = R"(
[traffic]
bytes = 16
warm_up = 100
measure = 1000
)";

const std::string slow_channels =
    "buffers do not cover the hop latency: buffer_flits * flit_bytes * per_byte = 200ps < per_hop = 30ns, so that one "
    "message reaches 0.67 % of a channel's rate; with buffer_flits = 300 it reaches all of it\n";

class NetworkNotes : public ::testing::Test {
protected:
  std::string said(const std::string& config, const std::vector<std::string>& command) const
  {
    directory.write("c.toml", config);
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.begin() + 1, "c.toml");
    const ProgramRun result = run_program(arguments, directory.path());
    EXPECT_EQ(result.exit_code, 0) << command.front() << ": " << result.err;
    return result.err;
  }

  static std::size_t count(const std::string& text, const std::string& part)
  {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++found;
    }
    return found;
  }

  TemporaryDirectory directory;
};

TEST_F(NetworkNotes, EveryCommandThatSimulatesWarnsOfSlowChannelsOnce)
{
  const std::string warning = "wormcast: warning: " + slow_channels;
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run"},
                                             {"compare", "--algorithms", "binomial_tree,flooding", "--jobs", "2"},
                                             {"choose", "--algorithms", "binomial_tree", "--lengths", "64..1KiB"},
                                             {"view", "--out", "v.html"}}) {
    EXPECT_EQ(count(said(slow_network + algorithm_section, command), warning), 1U) << command.front();
  }
  EXPECT_EQ(count(said(slow_network + algorithm_section + "[broadcast]\nrepeat = 2\n", {"run"}), warning), 1U);
  EXPECT_EQ(count(said(slow_network + traffic_section + "load = 0.001\n", {"load", "--out", "o"}), warning), 1U);
}

TEST_F(NetworkNotes, ASweepSaysHowManyPointsAreConcerned)
{
  const std::string two_of_six = "wormcast: warning: 2 of 6 points, for instance the first of them: " + slow_channels;
  const std::string sweep = "\n[sweep]\n\"network.buffer_flits\" = [300, 2, \"auto\"]\n\"message.bytes\" = [64, 128]\n";
  for (const char* jobs : {"1", "3"}) {
    const std::string err =
        said(slow_network + algorithm_section + sweep, {"sweep", "--out", std::string("o") + jobs, "--jobs", jobs});
    EXPECT_EQ(count(err, two_of_six), 1U) << err;
    EXPECT_EQ(count(err, "hop latency"), 1U) << err;
  }
  // What "auto" came to is in the table, and 300 is what it came to.
  EXPECT_EQ(count(read_file(directory.path() / "o1/results.csv"), "\n300,64,"), 2U);
  const std::string all =
      said(slow_network + algorithm_section + "\n[sweep]\n\"message.bytes\" = [64, 128]\n", {"sweep", "--out", "all"});
  EXPECT_THAT(all, HasSubstr("warning: all 2 points, for instance the first: buffers do not cover"));
}

TEST_F(NetworkNotes, AutomaticBuffersCoverTheHopAndAreInTheResult)
{
  const std::string config = with(slow_network, "buffer_flits = 2\n", "") + algorithm_section;
  EXPECT_EQ(said(config, {"run", "--json", "auto.json"}), "");
  const std::string result = read_file(directory.path() / "auto.json");
  EXPECT_EQ(Json::parse(result)["config"]["network"]["buffer_flits"], 300);
  EXPECT_EQ(Json::parse(result)["engine"], "worm");
  said(config, {"run", "--set", "network.buffer_flits=300", "--json", "again.json"});
  EXPECT_EQ(read_file(directory.path() / "again.json"), result);
  said(config, {"run", "--set", "network.buffer_flits=auto", "--json", "again.json"});
  EXPECT_EQ(read_file(directory.path() / "again.json"), result);
  EXPECT_THAT(run_program({"run", "c.toml"}, directory.path()).out,
              HasSubstr("\nbuffers           300 flits, which a channel needs for its full rate with hops of 30ns\n"));
}

TEST_F(NetworkNotes, RingsThatCanDeadlockAreNamedUnderLoadToo)
{
  const std::string torus = with(with(slow_network, "\"mesh\"", "\"torus\""), "[4, 4]", "[5, 5]");
  const std::string fast = with(torus, "buffer_flits = 2\n", "");
  const std::string note = "wormcast: info: messages can deadlock on a torus with one virtual channel";
  EXPECT_EQ(count(said(fast + traffic_section + "load = 0.001\n", {"load", "--out", "o"}), note), 1U);
  EXPECT_EQ(count(said(fast + algorithm_section, {"run"}), note), 1U);
  EXPECT_EQ(count(said(fast + algorithm_section, {"run", "--set", "network.virtual_channels=2"}), note), 0U);
  const std::string sweep = "\n[sweep]\n\"network.virtual_channels\" = [1, 2]\n";
  EXPECT_THAT(said(fast + algorithm_section + sweep, {"sweep", "--out", "s"}),
              HasSubstr("info: 1 of 2 points, for instance the first of them: messages can deadlock"));
}

// Which messages draw their routes is not known before the run.
TEST_F(NetworkNotes, DrawnRoutesAreNotCalledFreeOfContention)
{
  directory.write("s.json", R"({"format": "wormcast-schedule/1",
 "topology": {"kind": "torus", "dims": [4], "tie": "random"}, "ports": 1, "duplex": "full", "operation": "broadcast",
 "source": 0, "blocks": 1, "message_bytes": 100, "messages": [
 {"id": 0, "step": 0, "src": 0, "dst": 2, "blocks": [[0, 1]]}, {"id": 1, "step": 1, "src": 0, "dst": 1, "blocks": [[0, 1]]},
 {"id": 2, "step": 1, "src": 2, "dst": 3, "blocks": [[0, 1]]}]})");
  const ProgramRun json = run_program({"check", "s.json", "--json", "-"}, directory.path());
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(Json::parse(json.out)["valid"], true);
  EXPECT_TRUE(Json::parse(json.out)["contention_free"].is_null());
  EXPECT_TRUE(Json::parse(json.out)["contended_pairs"].is_null());
  EXPECT_THAT(run_program({"check", "s.json"}, directory.path()).out,
              HasSubstr("contention-free   not known: 1 of 3 messages draw their routes\n"));
  EXPECT_EQ(run_program({"check", "s.json", "--contention-free"}, directory.path()).exit_code, 3);

  // With all ports the first channel is the port.
  directory.write("a.json", with(read_file(directory.path() / "s.json"), "\"ports\": 1", "\"ports\": \"all\""));
  const ProgramRun all = run_program({"check", "a.json"}, directory.path());
  EXPECT_EQ(all.exit_code, 3);
  EXPECT_THAT(all.out, HasSubstr("valid             not proved\n"));
  EXPECT_THAT(all.out, HasSubstr("ports             not known: 1 of 3 messages draw their routes"));
}

TEST_F(NetworkNotes, DeadlockChecksExamineBothDirectionsOfADrawnTie)
{
  directory.write("c.toml", "[topology]\nkind = \"torus\"\ndims = "
                            "[4]\n[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n");
  const auto check = [&](const std::string& tie) {
    return run_program({"topology", "c.toml", "--check-deadlock", "--set", "network.tie=" + tie}, directory.path());
  };
  EXPECT_EQ(check("no_wrap").exit_code, 0);
  const ProgramRun random = check("random");
  EXPECT_EQ(random.exit_code, 3) << random.out;
  EXPECT_THAT(random.out, Not(HasSubstr("free of deadlock: yes")));
}

} // namespace
} // namespace wormcast::testing
