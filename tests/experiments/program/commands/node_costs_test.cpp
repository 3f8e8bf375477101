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
  refused({"run.reduce=1kB 1us", "broadcast.repeat=2"}, "run.reduce: operations that are repeated");
  refused({"network.startup_latency=1us", "broadcast.repeat=2"}, "network.startup_latency: operations that are");
  directory.write("list.json", R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[2,2]},)"
                               R"("operation":"none","messages":[{"id":0,"src":0,"dst":1,"bytes":64}]})");
  directory.write("c.toml", "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile "
                            "= \"list.json\"\n");
  refused({"run.ready_above=1"}, "run.ready_above: a plain message list or a program says itself");
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

} // namespace
} // namespace wormcast::testing
