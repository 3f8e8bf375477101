// What nodes compute, the two parts of a start-up and readiness, as users ask for them.

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

// 1 us of start-up, 1 ns a byte and no time for a hop: 1000 bytes take 2 us. Two exchanges of whole
// vectors.
const std::string exchange_config = R"([topology]
kind = "torus"
dims = [2, 2]
[network]
startup = "1us"
per_byte = "1ns"
[message]
bytes = 1000
[algorithm]
name = "torus_doubling"
operation = "all_reduce"
variant = "latency"
)";

class NodeCosts : public ::testing::Test {
protected:
  void SetUp() override { directory.write("c.toml", exchange_config); }

  ProgramRun run(std::vector<std::string> words, const std::vector<std::string>& sets) const
  {
    for (const std::string& set : sets) {
      words.insert(words.end(), {"--set", set});
    }
    return run_program(words, directory.path());
  }

  Json result(const std::vector<std::string>& sets, const std::vector<std::string>& options = {}) const
  {
    std::vector<std::string> words = {"run", "c.toml", "--json", "-"};
    words.insert(words.end(), options.begin(), options.end());
    const ProgramRun ended = run(words, sets);
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    return Json::parse(ended.out);
  }

  TemporaryDirectory directory;
};

TEST_F(NodeCosts, AreInTheLatencyAndTheResult)
{
  EXPECT_EQ(result({})["latency_us"], 4);
  EXPECT_FALSE(result({}).contains("additions"));
  const std::vector<std::string> sets = {"run.reduce=1kB 300ns", "run.copy=1kB 70ns", "run.call=5us"};
  const Json computed = result(sets);
  EXPECT_DOUBLE_EQ(computed["latency_us"].get<double>(), 5 + 2 * 2.3 + 0.07);
  EXPECT_EQ(computed["additions"], 8);
  EXPECT_DOUBLE_EQ(computed["addition_us"].get<double>(), 8 * 0.3);
  EXPECT_TRUE(computed["predicted_us"].is_null());
  EXPECT_EQ(computed["config"]["run"]["reduce"], "1kB 300ns");
  const ProgramRun table = run({"run", "c.toml"}, sets);
  EXPECT_THAT(table.out, HasSubstr("8 additions, 2.4 us"));
  EXPECT_THAT(table.out, HasSubstr("what nodes compute has no formula"));
}

TEST_F(NodeCosts, AreExplained)
{
  const std::vector<std::string> sets = {"run.reduce=1kB 300ns", "run.copy=1kB 70ns", "run.call=5us",
                                         "network.startup_latency=400ns"};
  const Json sums = result(sets, {"--explain"})["critical_path"]["sums"];
  EXPECT_DOUBLE_EQ(sums["call_us"].get<double>(), 5);
  EXPECT_DOUBLE_EQ(sums["addition_us"].get<double>(), 0.6);
  EXPECT_DOUBLE_EQ(sums["copy_us"].get<double>(), 0.07);
  EXPECT_DOUBLE_EQ(sums["startup_latency_us"].get<double>(), 0.8);
  EXPECT_DOUBLE_EQ(sums["startup_us"].get<double>(), 2);
  EXPECT_FALSE(result({}, {"--explain"})["critical_path"]["sums"].contains("addition_us"));
  const ProgramRun text = run({"run", "c.toml", "--explain"}, sets);
  EXPECT_THAT(text.out, HasSubstr("startup latency"));
}

TEST_F(NodeCosts, OfAStartUpInTwoPartsAreInThePrediction)
{
  const Json latency = result({"network.startup_latency=400ns"});
  EXPECT_DOUBLE_EQ(latency["latency_us"].get<double>(), 2 * 2.4);
  EXPECT_EQ(latency["predicted_us"], latency["latency_us"]);
  EXPECT_EQ(latency["predicted_is"], "exact");
  EXPECT_FALSE(result({})["config"]["network"].contains("startup_latency"));
}

TEST_F(NodeCosts, OfReadinessAreMessages)
{
  const Json ready = result({"run.ready_above=999"});
  EXPECT_EQ(ready["ready_messages"], 8);
  EXPECT_EQ(ready["messages"], 16);
  EXPECT_DOUBLE_EQ(ready["latency_us"].get<double>(), 2 * (1.001 + 2)); // a header flit of one byte
  EXPECT_EQ(ready["complete"], true);
  const Json self_timed = result({"run.ready_above=999", "run.mode=self_timed"}, {"--explain"});
  EXPECT_EQ(self_timed["latency_us"], ready["latency_us"]);
  EXPECT_EQ(self_timed["critical_path"]["messages"].back()["reason"], "ready");
  EXPECT_EQ(result({"run.ready_above=1000"})["latency_us"], 4);
  EXPECT_EQ(result({"run.ready_above=1000"})["ready_messages"], 0);
}

// Two steps of a dissemination among 4 nodes, and a barrier of two rounds between them.
TEST_F(NodeCosts, OfBarriersAreMessages)
{
  const Json with = result({"run.barriers=dissemination"});
  EXPECT_EQ(with["barrier_messages"], 8);
  EXPECT_EQ(with["messages"], 16);
  EXPECT_FALSE(with.contains("ready_messages"));
  EXPECT_EQ(with["alpha"], 4);
  EXPECT_EQ(with["complete"], true);
  const Json self_timed = result({"run.barriers=dissemination", "run.mode=self_timed"}, {"--explain"});
  EXPECT_EQ(self_timed["critical_path"]["messages"].back()["reason"], "barrier");
  EXPECT_DOUBLE_EQ(self_timed["latency_us"].get<double>(), 2 * 2 + 2 * 1.001);
  EXPECT_FALSE(result({"run.barriers=none"}).contains("barrier_messages"));
  EXPECT_EQ(result({"run.barriers=none"})["latency_us"], 4);
}

// Two exchanges of 1000 bytes, each of which is added in 300 ns whole and in 100 ns in parts.
TEST_F(NodeCosts, OfSegmentsAreStartUpsAndAdditions)
{
  const Json cut = result({"run.segment_bytes=500"});
  EXPECT_EQ(cut["messages"], 8);
  EXPECT_EQ(cut["pieces"], 16);
  EXPECT_EQ(cut["alpha"], 2);
  EXPECT_DOUBLE_EQ(cut["latency_us"].get<double>(), 2 * 3);
  EXPECT_TRUE(cut["predicted_us"].is_null());
  EXPECT_FALSE(result({}).contains("pieces"));
  const std::vector<std::string> added = {"run.segment_bytes=500", "run.mode=self_timed",
                                          "run.reduce=500B 100ns, 1kB 300ns"};
  const Json self_timed = result(added, {"--explain"});
  EXPECT_DOUBLE_EQ(self_timed["latency_us"].get<double>(), 2 * (3 + 0.1)); // the first is added meanwhile
  EXPECT_EQ(self_timed["critical_path"]["messages"].back()["reason"], "port");
  EXPECT_EQ(result({"run.segment_bytes=500", "run.segments_of=added"})["pieces"], 16);
  EXPECT_THAT(run({"run", "c.toml"}, {"run.segment_bytes=500"}).out, HasSubstr("sent as           16 segments"));
}

TEST_F(NodeCosts, OfPacketsAreThoseOfOneMessage)
{
  const std::vector<std::string> sets = {"run.packet_bytes=100", "run.reduce=1kB 300ns", "run.mode=self_timed"};
  const Json cut = result(sets);
  EXPECT_EQ(cut["pieces"], 80);
  EXPECT_EQ(cut["additions"], 8);
  EXPECT_DOUBLE_EQ(cut["latency_us"].get<double>(), 2 * 2.3);
}

TEST_F(NodeCosts, OfMessagesThatAreBoundToPortsAreThoseOfTheirPorts)
{
  const std::vector<std::string> sets = {"network.ports=2", "algorithm.shares=2"};
  const Json free = result(sets);
  std::vector<std::string> bound = sets;
  bound.emplace_back("network.port_choice=of_message");
  EXPECT_EQ(result(bound)["latency_us"], free["latency_us"]) << "a share for each port";
  EXPECT_EQ(result(bound)["config"]["network"]["port_choice"], "of_message");
  EXPECT_FALSE(free["config"]["network"].contains("port_choice"));
  EXPECT_EQ(result({"network.port_choice=of_message"})["latency_us"], 4) << "one port is that of all messages";
  bound.emplace_back("run.packet_bytes=100");
  EXPECT_EQ(result(bound)["latency_us"], free["latency_us"]);
}

TEST_F(NodeCosts, AreTakenByComparisonsChoicesAndSweeps)
{
  const std::vector<std::string> sets = {"run.reduce=1kB 300ns", "run.ready_above=999"};
  const ProgramRun compared =
      run({"compare", "c.toml", "--algorithms", "torus_doubling", "--lengths", "none", "--json", "-"}, sets);
  ASSERT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_DOUBLE_EQ(Json::parse(compared.out)["algorithms"][0]["latency_us"].get<double>(), 2 * (1.001 + 2 + 0.3));
  const ProgramRun chosen =
      run({"choose", "c.toml", "--algorithms", "torus_doubling,ring", "--lengths", "1000..1000"}, sets);
  EXPECT_EQ(chosen.exit_code, 0) << chosen.err;
  const ProgramRun swept = run({"sweep", "c.toml", "--set", "sweep.message.bytes=1000,2000", "--out", "out"}, sets);
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  EXPECT_THAT(read_file(directory.path() / "out" / "results.csv"), HasSubstr(",6.602,"));
}

TEST_F(NodeCosts, AreRefusedWithTheirReason)
{
  const auto refused = [&](const std::vector<std::string>& sets, const std::string& error) {
    const ProgramRun ended = run({"run", "c.toml"}, sets);
    EXPECT_EQ(ended.exit_code, 2) << error;
    EXPECT_THAT(ended.err, HasSubstr(error));
  };
  refused({"run.reduce=4KiB"}, "run.reduce: found the entry \"4KiB\", expected bytes and their time");
  refused({"run.reduce_by=serial"}, "run.reduce_by: found without reduce");
  refused({"run.copy_at=end"}, "run.copy_at: found without copy");
  refused({"run.segments_of=all"}, "run.segments_of: found without segment_bytes");
  refused({"run.segment_bytes=0"}, "run.segment_bytes: found 0, expected a whole number of bytes");
  refused({"network.ports=all", "network.port_choice=of_message"}, "port_choice: found \"of_message\" with ports = ");
  refused({"network.ports=2", "network.port_choice=of_message"}, "network.port_choice: found \"of_message\", but no");
  refused({"network.ports=2", "run.packet_bytes=100"}, "run.packet_bytes: the packets of a message leave one after");
  refused({"topology.dims=[4,4]", "network.ports=all", "network.tie=random", "run.packet_bytes=100"},
          "run.packet_bytes: with all ports and");
  refused({"run.packet_bytes=100", "broadcast.repeat=2"}, "run.packet_bytes: operations that are repeated");
  refused({"run.barriers=dissemination", "broadcast.repeat=2"}, "run.barriers: operations that are repeated");
  refused({"run.barriers=dissemination", "run.ready_above=1"}, "run.ready_above: found with barriers, whose messages");
  refused({"run.segment_bytes=100", "broadcast.repeat=2"}, "run.segment_bytes: operations that are repeated");
  refused({"run.reduce=1kB 1us", "broadcast.repeat=2"}, "run.reduce: operations that are repeated");
  refused({"network.startup_latency=1us", "broadcast.repeat=2"}, "network.startup_latency: operations that are");
  directory.write("list.json", R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[2,2]},)"
                               R"("operation":"none","messages":[{"id":0,"src":0,"dst":1,"bytes":64}]})");
  directory.write("c.toml", "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile "
                            "= \"list.json\"\n");
  refused({"run.segment_bytes=1"}, "run.segment_bytes: a plain message list or a program says itself how long");
  refused({"run.ready_above=1"}, "run.ready_above: a plain message list or a program says itself");
  refused({"run.barriers=dissemination"}, "run.barriers: a plain message list or a program has no steps");
}

TEST(NodeCostsOfLists, AreInTheLatencyOfTheLastMessage)
{
  const TemporaryDirectory directory;
  directory.write("list.json", R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[2]},)"
                               R"("operation":"none","messages":[)"
                               R"({"id":0,"src":0,"dst":1,"bytes":1000,"compute_us":1.5},)"
                               R"({"id":1,"src":1,"dst":0,"bytes":1000,"after":[0],"compute_us":0.5}]})");
  directory.write("c.toml", "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile "
                            "= \"list.json\"\n");
  const ProgramRun run = run_program({"run", "c.toml", "--json", "-"}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json result = Json::parse(run.out);
  EXPECT_DOUBLE_EQ(result["latency_us"].get<double>(), 2 + 1.5 + 2 + 0.5);
  EXPECT_EQ(result["additions"], 2);
}

// 2 us each: one after the other at their common port, at the same time at the two ports, and the third with a port of
// its own.
TEST(NodeCostsOfLists, AreThoseOfThePortsToWhichMessagesAreBound)
{
  const TemporaryDirectory directory;
  const auto latency = [&](const std::string& ports, const std::string& choice) {
    std::string list = R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[2,2]},"ports":2,)"
                       R"("operation":"none","messages":[)";
    for (std::size_t id = 0; id < ports.size(); ++id) {
      list += (id == 0 ? "" : ",") + std::string(R"({"id":)") + std::to_string(id) + R"(,"src":0,"dst":)" +
              std::to_string(1 + id) + R"(,"bytes":1000,"port":)" + ports[id] + "}";
    }
    directory.write("list.json", list + "]}");
    directory.write("c.toml", "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\nports = 2\n[algorithm]\nname = "
                              "\"schedule\"\nfile = \"list.json\"\n");
    const ProgramRun run =
        run_program({"run", "c.toml", "--set", "network.port_choice=" + choice, "--json", "-"}, directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return Json::parse(run.out)["latency_us"].get<double>();
  };
  EXPECT_DOUBLE_EQ(latency("00", "first_free"), 2);
  EXPECT_DOUBLE_EQ(latency("00", "of_message"), 4);
  EXPECT_DOUBLE_EQ(latency("01", "of_message"), 2);
  EXPECT_DOUBLE_EQ(latency("02", "of_message"), 4) << "port 2 of two is port 0";
}

TEST(NodeCostsOfLists, NameThePortOfEveryMessageOrOfNone)
{
  const TemporaryDirectory directory;
  const auto error = [&](const std::string& first, const std::string& second) {
    directory.write("list.json", R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[2]},)"
                                 R"("operation":"none","messages":[{"id":0,"src":0,"dst":1,"bytes":1)" +
                                     first + R"(},{"id":1,"src":1,"dst":0,"bytes":1)" + second + "}]}");
    const ProgramRun run = run_program({"check", "list.json"}, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(error(R"(,"port":1)", ""), HasSubstr("message 1: it has no \"port\", but messages before it have"));
  EXPECT_THAT(error("", R"(,"port":1)"), HasSubstr("message 1: it has \"port\", but messages before it have not"));
  EXPECT_THAT(error(R"(,"port":64)", R"(,"port":1)"), HasSubstr("message 0: port: found 64, expected"));
}

} // namespace
} // namespace wormcast::testing
