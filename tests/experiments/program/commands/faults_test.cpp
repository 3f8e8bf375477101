// Dead nodes and links as a user meets them: names of the whole network everywhere, and who is refused.

#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class DeadNodes : public ::testing::Test {
protected:
  ProgramRun run(std::vector<std::string> arguments, const std::vector<std::string>& more = {}) const
  {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, directory.path());
  }

  TemporaryDirectory directory;
  std::filesystem::path mesh = directory.write(
      "mesh.toml",
      "[topology]\nkind = \"mesh\"\ndims = [4, 4]\ndead_nodes = [\"(1, 1)\"]\ndead_links = [\"2 - 3\"]\n[network]\n"
      "startup = \"1us\"\nper_byte = \"1ns\"\nrouting = \"up_down\"\n[algorithm]\nname = \"binomial_tree\"\n"
      "source = 15\n[message]\nbytes = 64\n");
};

TEST_F(DeadNodes, LeaveTheNamesOfTheOthers)
{
  const ProgramRun result = run({"run", "mesh.toml", "--json", "-", "--trace", "trace.jsonl"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("\"source\": 15"), HasSubstr("\"dead_nodes\": [\"(1, 1)\"]")));
  const ProgramRun waits = run({"contention", "trace.jsonl", "--top", "1000"});
  EXPECT_EQ(waits.exit_code, 0) << waits.err;
  EXPECT_THAT(waits.out, AllOf(HasSubstr("mesh 4 x 4 with faults, 15 nodes, 38 channels"),
                               HasSubstr("(3, 3) to (0, 0)"), Not(HasSubstr("(1, 1)"))));
}

TEST_F(DeadNodes, AreInSchedules)
{
  const ProgramRun schedule = run({"schedule", "mesh.toml"});
  EXPECT_THAT(schedule.out, HasSubstr("\"dead_links\": [\"2 - 3\"], \"dead_nodes\": [\"(1, 1)\"]"));
  directory.write("schedule.json", schedule.out);
  const ProgramRun check = run({"check", "schedule.json"});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  EXPECT_THAT(check.out, HasSubstr("mesh 4 x 4 without 1 node and 1 link\noperation         broadcast from (3, 3)\n"));
}

TEST_F(DeadNodes, AreSharesInTracesAndSchedules)
{
  const std::vector<std::string> shares = {"--set", "topology.dead_node_share=0.1",
                                           "--set", "topology.dead_link_share=0.05",
                                           "--set", "topology.fault_seed=2"};
  const ProgramRun result = run({"run", "mesh.toml", "--trace", "trace.jsonl"}, shares);
  EXPECT_THAT(result.out, HasSubstr("mesh 4 x 4 without 3 nodes and 2 links")) << result.err; // two drawn, one named
  EXPECT_THAT(run({"contention", "trace.jsonl"}).out, HasSubstr("mesh 4 x 4 with faults, 13 nodes"));
  const ProgramRun schedule = run({"schedule", "mesh.toml"}, shares);
  EXPECT_THAT(schedule.out, HasSubstr("\"dead_link_share\": 0.05, "));
  directory.write("schedule.json", schedule.out);
  const ProgramRun check = run({"check", "schedule.json"});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  EXPECT_THAT(check.out, HasSubstr("mesh 4 x 4 without 3 nodes and 2 links\n"));
}

TEST_F(DeadNodes, NeitherSendNorReceive)
{
  const auto refusal = [&](const std::vector<std::string>& settings) {
    const ProgramRun refused = run({"run", "mesh.toml"}, settings);
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    return refused.err;
  };
  const std::string dead = "node (1, 1) of the mesh 4 x 4 without 1 node and 1 link is dead";
  EXPECT_THAT(refusal({"--set", "algorithm.source=5"}), HasSubstr("algorithm.source: " + dead));
  EXPECT_THAT(refusal({"--set", "algorithm.operation=multicast", "--set", "algorithm.destinations=[5]"}),
              HasSubstr("algorithm.destinations: " + dead));
  directory.write("load.toml",
                  "[topology]\nkind = \"mesh\"\ndims = [4, 4]\ndead_nodes = [\"(1, 1)\"]\n[network]\n"
                  "startup = \"1us\"\nper_byte = \"1ns\"\nrouting = \"up_down\"\n[load]\npoints = [0.01]\n[traffic]\n"
                  "bytes = 8\npattern = \"hot_spot\"\nhot_spot = {nodes = [5], share = 0.5}\n");
  EXPECT_THAT(run({"load", "load.toml", "--out", "load"}).err,
              HasSubstr("hot_spot.nodes: node (1, 1) of the mesh 4 x 4 without 1 node"));
  EXPECT_THAT(run({"load", "load.toml", "--out", "load", "--set", "traffic.hot_spot.nodes=[16]"}).err,
              HasSubstr("found 16, expected nodes from 0 to 15"));
}

TEST_F(DeadNodes, LeaveTheAlgorithmsThatGoByRank)
{
  const ProgramRun comparison = run({"compare", "mesh.toml"});
  EXPECT_EQ(comparison.exit_code, 0) << comparison.err;
  EXPECT_THAT(comparison.out, AllOf(HasSubstr("\nbfs_tree "), HasSubstr("\nbinomial_tree "),
                                    HasSubstr("recursion_based runs on a mesh or torus, not on a mesh 4 x 4 without")));
}

TEST_F(DeadNodes, CostWhatTheSameAlgorithmTakesLongerThanWithoutThem)
{
  const std::vector<std::string> all = {
      "--set", "topology.random_dead_links=3", "--algorithms", "binomial_tree", "--lengths", "none"};
  const auto latency = [&](const std::vector<std::string>& changes) {
    return nlohmann::ordered_json::parse(run({"run", "mesh.toml", "--json", "-"}, changes).out)["latency_us"];
  };
  const auto with = latency({"--set", "topology.random_dead_links=3"});
  const auto without = latency({"--unset", "topology.dead_nodes", "--unset", "topology.dead_links"});
  ASSERT_NE(with, without);
  const ProgramRun table = run({"compare", "mesh.toml"}, all);
  EXPECT_THAT(table.out,
              HasSubstr("\nwith and without faults (mesh 4 x 4 by up_down)\nalgorithm      with us  without us"));
  EXPECT_THAT(table.out, ContainsRegex(fmt::format("\nbinomial_tree +{} +{} ", with.dump(), without.dump())));
  const auto json = nlohmann::ordered_json::parse(run({"compare", "mesh.toml", "--json", "-"}, all).out);
  EXPECT_EQ(json["without_faults"], "mesh 4 x 4 by up_down");
  EXPECT_EQ(json["algorithms"][0]["latency_without_faults_us"], without);
  EXPECT_EQ(json["algorithms"][0]["latency_from_source_us"], with);
  EXPECT_THAT(run({"compare", "mesh.toml", "--csv", "-"}, all).out, HasSubstr("," + without.dump() + ",\n"));
}

TEST_F(DeadNodes, CostNothingWhereThereAreNone)
{
  const std::vector<std::string> all = {"--unset",      "topology.dead_nodes", "--unset",   "topology.dead_links",
                                        "--algorithms", "binomial_tree",       "--lengths", "none"};
  EXPECT_THAT(run({"compare", "mesh.toml"}, all).out, Not(HasSubstr("faults")));
  EXPECT_THAT(run({"compare", "mesh.toml", "--json", "-"}, all).out, Not(HasSubstr("without_faults")));
  EXPECT_THAT(run({"compare", "mesh.toml", "--set", "topology.fault_seed=2"}, all).out, Not(HasSubstr("faults")));
}

} // namespace
} // namespace wormcast::testing
