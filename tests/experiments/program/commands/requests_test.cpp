// Requests and replies in a closed loop, as a user configures them.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Facts = nlohmann::ordered_json;

const std::string requests_config = R"([topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "1us"
per_byte = "10ns"
per_hop = "20ns"

[algorithm]
name = "requests"
pattern = "uniform"
requests = 50
outstanding = 2
reply_bytes = 64
service = "300ns"

[message]
bytes = 8
)";

class RequestsCommand : public ::testing::Test {
protected:
  RequestsCommand() { directory.write("c.toml", requests_config); }

  ProgramRun wormcast(const std::vector<std::string>& arguments) const
  {
    return run_program(arguments, directory.path());
  }

  Facts result(std::vector<std::string> options) const
  {
    options.insert(options.begin(), {"run", "c.toml", "--json", "-"});
    const ProgramRun run = wormcast(options);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.exit_code == 0 ? Facts::parse(run.out) : Facts();
  }

  std::string error(std::vector<std::string> options) const
  {
    options.insert(options.begin(), {"run", "c.toml"});
    const ProgramRun run = wormcast(options);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  }

  TemporaryDirectory directory;
};

TEST_F(RequestsCommand, GivesRoundTripsAndWhatIsAccepted)
{
  const Facts facts = result({});
  EXPECT_EQ(facts["messages"], 16 * 50 * 2);
  EXPECT_EQ(facts["bytes_sent"], 16 * 50 * (8 + 64));
  EXPECT_EQ(facts["config"]["message"]["bytes"], 8);
  const Facts& trips = facts["round_trips"];
  EXPECT_EQ(trips["count"], 16 * 50);
  EXPECT_NEAR(trips["accepted"].get<double>(), 50 * (8 + 64) * 0.01 / facts["latency_us"].get<double>(), 1e-6);
  EXPECT_GT(trips["mean_us"], 2 * 1.0 + 0.01 * (8 + 64) + 0.3);
  EXPECT_LE(trips["p50_us"], trips["p95_us"]);
  EXPECT_LE(trips["p95_us"], trips["p99_us"]);
  EXPECT_LE(trips["p99_us"], trips["max_us"]);
  // By Little's law: all nodes have two requests under way, but for the end
  const double under_way = trips["mean_us"].get<double>() * 50 / facts["latency_us"].get<double>();
  EXPECT_LE(under_way, 2);
  EXPECT_GT(under_way, 1.8);
  const ProgramRun shown = wormcast({"run", "c.toml"});
  EXPECT_THAT(shown.out, HasSubstr("requests: uniform, 50 of each node, 2 outstanding"));
  EXPECT_THAT(shown.out, HasSubstr("8 B, replies 64 B"));
  EXPECT_THAT(shown.out, HasSubstr("round trips"));
  EXPECT_THAT(shown.out, HasSubstr("of a channel's rate"));
}

TEST_F(RequestsCommand, AreThatMessageListOnceWritten)
{
  ASSERT_EQ(wormcast({"schedule", "c.toml", "--out", "list.json"}).exit_code, 0);
  const Facts before = result({});
  const Facts after = result({"--unset", "algorithm", "--unset", "message", "--set", "algorithm.name=schedule", "--set",
                              "algorithm.file=list.json"});
  EXPECT_EQ(after["latency_us"], before["latency_us"]);
  EXPECT_EQ(after["contention"], before["contention"]);
  EXPECT_FALSE(after.contains("round_trips"));
}

TEST_F(RequestsCommand, GiveTheSameInBothEnginesAndFromTheirOwnResult)
{
  const Facts flit = result({"--set", "run.engine=flit"});
  const Facts chosen = result({});
  EXPECT_EQ(flit["round_trips"], chosen["round_trips"]);
  ASSERT_EQ(wormcast({"run", "c.toml", "--trace", "t.jsonl", "--json", "r.json"}).exit_code, 0);
  const ProgramRun waits = wormcast({"contention", "t.jsonl"});
  EXPECT_EQ(waits.exit_code, 0) << waits.err;
  EXPECT_THAT(wormcast({"run", "c.toml", "--explain"}).out, HasSubstr("critical path"));
  EXPECT_EQ(wormcast({"view", "c.toml", "--out", "page.html"}).exit_code, 0);
  EXPECT_EQ(wormcast({"check", "c.toml"}).exit_code, 0);
}

TEST_F(RequestsCommand, SweepOverWhatIsOutstanding)
{
  const ProgramRun run = wormcast({"sweep", "c.toml", "--set", "sweep.algorithm.outstanding=1,2,4,8", "--set",
                                   "sweep.algorithm.pattern=uniform,transpose", "--plot",
                                   "x=algorithm.outstanding, y=round_trips.mean_us", "--out", "out"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string csv = read_file(directory.path() / "out" / "results.csv");
  EXPECT_THAT(csv, HasSubstr("round_trips.mean_us"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 9);
}

// On a ring without a second virtual channel requests wait for each other.
TEST_F(RequestsCommand, HaveNoRoundTripsAfterADeadlock)
{
  const ProgramRun run =
      wormcast({"run", "c.toml", "--unset", "topology", "--set", "topology.kind=torus", "--set", "topology.dims=[8]",
                "--set", "network.tie=positive", "--set", "algorithm.pattern=tornado", "--set", "network.startup=0us",
                "--unset", "algorithm.service", "--json", "r.json"});
  ASSERT_EQ(run.exit_code, 4) << run.err;
  EXPECT_TRUE(Facts::parse(read_file(directory.path() / "r.json"))["round_trips"]["mean_us"].is_null());
}

TEST_F(RequestsCommand, SayWhatTheyCannotHave)
{
  EXPECT_THAT(error({"--set", "algorithm.source=3"}), HasSubstr("algorithm.source: found a source, but all nodes"));
  EXPECT_THAT(error({"--unset", "algorithm.requests"}), HasSubstr("algorithm.requests"));
  EXPECT_THAT(error({"--set", "algorithm.requests=0"}), HasSubstr("expected a whole number from 1"));
  EXPECT_THAT(error({"--unset", "algorithm.reply_bytes"}),
              HasSubstr("algorithm.service: found without reply_bytes, expected it too"));
  EXPECT_THAT(error({"--set", "algorithm.hot_spot.share=0.5"}),
              HasSubstr("algorithm.hot_spot.share: found with pattern \"uniform\""));
  EXPECT_THAT(error({"--set", "algorithm.pattern=hot_spot", "--set", "algorithm.hot_spot.nodes=[99]", "--set",
                     "algorithm.hot_spot.share=0.5"}),
              HasSubstr("algorithm.hot_spot.nodes: found 99, expected nodes from 0 to 15"));
  EXPECT_THAT(error({"--unset", "message"}), HasSubstr("message.bytes: missing"));
  EXPECT_THAT(error({"--set", "algorithm.requests=1000000000"}), HasSubstr("there can be 4294967295 messages"));
  EXPECT_THAT(error({"--set", "broadcast.repeat=2"}), HasSubstr("requests, which are a load themselves"));
  EXPECT_THAT(error({"--set", "ranks.kind=mesh", "--set", "ranks.dims=[4]"}), HasSubstr("[ranks]"));
  EXPECT_THAT(error({"--set", "run.barriers=dissemination"}), HasSubstr("run.barriers"));
  const ProgramRun compared = wormcast({"compare", "c.toml"});
  EXPECT_EQ(compared.exit_code, 2);
  EXPECT_THAT(compared.err, HasSubstr("requests: found a plain message list"));
}

} // namespace
} // namespace wormcast::testing
