// What the result says of the formula alpha*T_s + beta*L*T_c and of the bounds, and where it says nothing.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

class Predictions : public ::testing::Test {
protected:
  ProgramRun run(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), {"run", "c.toml"});
    return run_program(arguments, directory.path());
  }

  /// The result of a run with these values.
  Json result(const std::vector<std::string>& values) const
  {
    std::vector<std::string> arguments = {"--json", "-"};
    for (const std::string& value : values) {
      arguments.insert(arguments.end(), {"--set", value});
    }
    const ProgramRun ended = run(arguments);
    EXPECT_NE(ended.out, "") << ended.err;
    return ended.out.empty() ? Json() : Json::parse(ended.out);
  }

  TemporaryDirectory directory;
};

const std::string square_config = R"([topology]
kind = "mesh"
dims = [8, 8]
[network]
startup = "50us"
per_byte = "0.5us"
[algorithm]
name = "recursion_based"
source = 0
[message]
bytes = 256
)";

// Two half-duplex ports send and receive at once: 9 steps, not 12, and 738 us.
TEST_F(Predictions, TwoHalfDuplexPortsTakeTheStepsOfFullDuplex)
{
  directory.write("c.toml", square_config);
  for (const auto& [algorithm, latency] :
       std::map<std::string, double>{{"recursion_based", 738}, {"scatter_collect", 1252}}) {
    const Json json = result({"network.duplex=half", "network.ports=2", "algorithm.name=" + algorithm});
    EXPECT_EQ(json["latency_us"], latency);
    EXPECT_EQ(json["predicted_us"], latency);
    EXPECT_EQ(json["predicted_is"], "exact");
  }
}

TEST_F(Predictions, NoneWhereStepsDoNotFitThePorts)
{
  directory.write("c.toml", square_config);
  const ProgramRun half = run({"--set", "network.duplex=half"});
  EXPECT_EQ(half.exit_code, 4);
  EXPECT_THAT(half.out,
              HasSubstr("predicted         - (a step asks a node for 2 ports, to send and to receive, it has 1: "
                        "messages wait for ports)\n"));
  EXPECT_THAT(half.out, Not(HasSubstr("best possible")));
  const Json json = result({"network.duplex=half"});
  EXPECT_TRUE(json["predicted_us"].is_null() && json["predicted_is"].is_null() && json["bounds"].is_null());
  EXPECT_THAT(json["not_predicted"].get<std::string>(), HasSubstr("messages wait for ports"));
}

// A link of all ports that carries one message at a time.
TEST_F(Predictions, NoneWhereALinkIsUsedBothWaysWithHalfDuplexPorts)
{
  directory.write("c.toml", with(square_config, "recursion_based\"\nsource = 0",
                                 "flooding\"\noperation = \"multinode_broadcast\"\nsource = 0"));
  const ProgramRun half =
      run({"--set", "network.duplex=half", "--set", "network.ports=all", "--set", "topology.dims=[4, 4]"});
  EXPECT_THAT(half.out, HasSubstr("predicted         - (step 0: node (1, 0) sends and receives over one link with "
                                  "half-duplex ports: messages wait for ports)\n"))
      << half.err;
}

TEST_F(Predictions, ALowerBoundSaysWhatItLeavesOut)
{
  directory.write("c.toml", square_config);
  const ProgramRun hops = run({"--set", "network.per_hop=1us", "--set", "network.buffer_flits=4"});
  EXPECT_THAT(hops.out,
              HasSubstr("predicted         at least 738 us = 9 startups + 9/4 of the message (hops left out)"));
  const auto left_out = [&](const std::vector<std::string>& values) {
    const Json json = result(values);
    EXPECT_EQ(json["predicted_is"], "lower_bound") << json;
    EXPECT_GE(json["latency_from_source_us"], json["predicted_us"]);
    return json["prediction_leaves_out"].get<std::string>();
  };
  EXPECT_EQ(left_out({"network.flit_bytes=16", "message.bytes=2"}), "flits that are not full, flits of empty messages");
  EXPECT_EQ(left_out({"message.bytes=2"}), "flits of empty messages");
  EXPECT_EQ(left_out({"network.switching=store_and_forward"}), "storing of messages on their way");
  EXPECT_EQ(left_out({"algorithm.name=scatter_all_gather"}), "contention within steps");
  EXPECT_EQ(left_out({"run.start_jitter=1us"}), "late starts");
  EXPECT_EQ(left_out({"network.per_hop=2us"}), "hops");
  EXPECT_EQ(left_out({"network.per_hop=2us", "network.buffer_flits=1"}), "hops, waits for buffers");
  EXPECT_EQ(result({"network.flit_bytes=16"})["predicted_is"], "exact") << "all messages fill their flits";
}

TEST_F(Predictions, WhereStepsOverlapItIsAnEstimate)
{
  directory.write("c.toml", square_config);
  EXPECT_THAT(run({"--set", "run.mode=self_timed"}).out,
              HasSubstr("predicted         about 738 us = 9 startups + 9/4 "
                        "of the message (self-timed, so that steps overlap)\n"));
  EXPECT_EQ(result({"run.mode=self_timed"})["predicted_is"], "estimate");
}

/// One node sends to two others over one channel, which is faster than any broadcast without contention in its steps.
class ContendedStep : public Predictions {
protected:
  ContendedStep()
  {
    directory.write("s.json",
                    R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]}, "ports": 2,
 "duplex": "full", "operation": "broadcast", "source": 0, "blocks": 1, "message_bytes": 10, "messages": [
 {"id": 0, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 1]]}, {"id": 1, "step": 0, "src": 0, "dst": 2, "blocks": [[0, 1]]}]})");
    directory.write("c.toml", R"([network]
startup = "100us"
per_byte = "1us"
[algorithm]
name = "schedule"
file = "s.json"
)");
  }
};

TEST_F(ContendedStep, IsBoundByNothing)
{
  for (const std::string channels : {"1", "2"}) {
    const ProgramRun contended = run({"--set", "network.virtual_channels=" + channels});
    EXPECT_THAT(contended.out, HasSubstr("latency           120 us\n"));
    EXPECT_THAT(contended.out, HasSubstr("predicted         at least 110 us = 1 startup + 1 of the message (contention "
                                         "within steps left out)\n"));
    EXPECT_THAT(contended.out, Not(HasSubstr("best possible")));
    EXPECT_TRUE(result({"network.virtual_channels=" + channels})["bounds"].is_null());
  }
  const ProgramRun check = run_program({"check", "s.json"}, directory.path());
  EXPECT_EQ(check.exit_code, 0);
  EXPECT_THAT(check.out, Not(HasSubstr("best possible")));
  EXPECT_TRUE(Json::parse(run_program({"check", "s.json", "--json", "-"}, directory.path()).out)["bounds"].is_null());
}

} // namespace
} // namespace wormcast::testing
