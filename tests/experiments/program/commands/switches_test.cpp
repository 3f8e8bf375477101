// Networks with switches as a user meets them: hosts send and receive, switches are named where they are asked to.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

class Switches : public ::testing::Test {
protected:
  ProgramRun run(const std::vector<std::string>& arguments) const { return run_program(arguments, directory.path()); }

  TemporaryDirectory directory;
  std::string rest = "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\nvirtual_channels = 2\n"
                     "[algorithm]\nname = \"binomial_tree\"\n[message]\nbytes = 64\n";
  std::filesystem::path tree = directory.write(
      "tree.toml", "[topology]\nkind = \"fat_tree\"\nlevels = 2\nchildren = [4, 4]\nparents = [1, 2]\n" + rest);
  std::filesystem::path dragonfly = directory.write(
      "dragonfly.toml", "[topology]\nkind = \"dragonfly\"\ngroups = 3\nchassis = 2\nrouters = 3\nhosts = 2\n" + rest);
};

TEST_F(Switches, AreCountedApartFromHosts)
{
  const ProgramRun facts = run({"topology", "tree.toml", "--check-deadlock"});
  EXPECT_EQ(facts.exit_code, 0) << facts.err;
  EXPECT_THAT(facts.out, HasSubstr("nodes             22 (16 hosts, 6 switches)\n"));
  EXPECT_THAT(facts.out, HasSubstr("mean distance     18/5 = 3.6000\n"));
  EXPECT_THAT(facts.out, HasSubstr("deadlock-free     yes\n"));
}

TEST_F(Switches, ForwardBroadcasts)
{
  for (const char* config : {"tree.toml", "dragonfly.toml"}) {
    const ProgramRun result = run({"check", config});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_EQ(run({"run", config}).exit_code, 0);
  }
}

TEST_F(Switches, AreNamedWhereTheyShouldSend)
{
  const ProgramRun source = run({"run", "tree.toml", "--set", "algorithm.source=17"});
  EXPECT_EQ(source.exit_code, 2);
  EXPECT_THAT(source.err, HasSubstr("s1.1, a switch of the fat tree 2;4,4;1,2;1,1"));
  const ProgramRun neighbours = run({"run", "tree.toml", "--set", "algorithm.name=bfs_tree"});
  EXPECT_EQ(neighbours.exit_code, 2);
  EXPECT_THAT(neighbours.err, HasSubstr("are linked to switches only"));
  directory.write(
      "to_switch.json",
      "{\"format\":\"wormcast-schedule/1\",\"topology\":{\"kind\":\"fat_tree\",\"levels\":1,"
      "\"children\":[2],\"parents\":[1]},\"operation\":\"none\",\"messages\":[{\"id\":0,\"src\":0,\"dst\":2,"
      "\"bytes\":8}]}");
  EXPECT_THAT(run({"check", "to_switch.json"}).err, HasSubstr("s1.0, a switch of the fat tree 1;2;1;1"));
}

TEST_F(Switches, SizesThatDoNotFitAreNamed)
{
  const ProgramRun levels = run({"run", "tree.toml", "--set", "topology.levels=3"});
  EXPECT_EQ(levels.exit_code, 2);
  EXPECT_THAT(levels.err, HasSubstr("children: found [4, 4], expected one number for each of 3 levels"));
  const ProgramRun groups = run({"run", "dragonfly.toml", "--set", "topology.groups=4"});
  EXPECT_EQ(groups.exit_code, 2);
  EXPECT_THAT(groups.err, HasSubstr("groups: found 4, expected at most 3"));
}

TEST_F(Switches, CanDeadlockBetweenGroupsWithOneVirtualChannel)
{
  const ProgramRun warned = run({"run", "dragonfly.toml", "--set", "network.virtual_channels=1"});
  EXPECT_THAT(warned.err, HasSubstr("messages can deadlock on a dragonfly with one virtual channel"));
  EXPECT_EQ(run({"topology", "dragonfly.toml", "--set", "network.virtual_channels=1", "--check-deadlock"}).exit_code,
            3);
  const ProgramRun drawn = run({"run", "dragonfly.toml", "--set", "network.routing=valiant"});
  EXPECT_THAT(drawn.err, HasSubstr("messages can deadlock on a dragonfly with 2 virtual channels; \"wormcast topology "
                                   "CONFIG --check-deadlock\" shows how, and with virtual_channels = 3 they cannot"));
  const std::vector<std::string> enough = {"--set", "network.routing=valiant", "--set", "network.virtual_channels=3"};
  EXPECT_EQ(run({"run", "dragonfly.toml", enough[0], enough[1], enough[2], enough[3]}).err.find("deadlock"),
            std::string::npos);
  EXPECT_THAT(run({"check", "dragonfly.toml", enough[0], enough[1], enough[2], enough[3]}).out,
              HasSubstr("messages draw their routes\n"));
}

TEST_F(Switches, HaveHeadersThatChooseTheirRoutes)
{
  const std::vector<std::string> chosen = {"--set", "network.routing=ugal_l", "--set", "network.virtual_channels=3"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), chosen.begin(), chosen.end());
    return run(arguments);
  };
  EXPECT_THAT(run({"run", "dragonfly.toml", "--set", "network.routing=ugal_l"}).err,
              HasSubstr("with virtual_channels = 3 they cannot"));
  EXPECT_THAT(with({"topology", "dragonfly.toml", "--check-deadlock"}).out, HasSubstr("deadlock-free     yes\n"));
  EXPECT_THAT(with({"check", "dragonfly.toml"}).out, HasSubstr("messages draw their routes\n"));
  const ProgramRun explained = with({"run", "dragonfly.toml", "--explain", "--json", "r.json", "--trace", "t.jsonl"});
  EXPECT_EQ(explained.exit_code, 0) << explained.err;
  const nlohmann::json result = nlohmann::json::parse(read_file(directory.path() / "r.json"));
  const ProgramRun minimal = run({"run", "dragonfly.toml", "--json", "m.json"});
  const nlohmann::json shortest = nlohmann::json::parse(read_file(directory.path() / "m.json"));
  EXPECT_GE(result.at("tcd"), shortest.at("tcd"));
  EXPECT_GT(result.at("max_channel_load"), 0);
  EXPECT_THAT(result.dump(), HasSubstr("routes that headers choose"));
  EXPECT_EQ(run({"contention", "t.jsonl"}).exit_code, 0);
  EXPECT_THAT(with({"run", "dragonfly.toml", "--set", "run.model=fluid"}).err, HasSubstr("routes drawn at random"));
  EXPECT_THAT(with({"run", "dragonfly.toml", "--set", "network.link_per_byte=[\"1ns\",\"1ns\",\"1ns\",\"2ns\"]"}).err,
              HasSubstr("network.link_per_byte: found different rates with routing \"ugal_l\""));
  EXPECT_THAT(run({"run", "tree.toml", "--set", "network.routing=ugal_l"}).err, HasSubstr("expected"));
}

TEST_F(Switches, CanBeRoutersOfAGridWithSeveralHosts)
{
  directory.write("grid.toml", "[topology]\nkind = \"torus\"\ndims = [5, 3]\nconcentration = 4\n" + rest);
  const ProgramRun facts = run({"topology", "grid.toml", "--check-deadlock"});
  EXPECT_EQ(facts.exit_code, 0) << facts.err;
  EXPECT_THAT(facts.out, HasSubstr("torus 5 x 3 with 4 hosts at each router\n"));
  EXPECT_THAT(facts.out, HasSubstr("nodes             75 (60 hosts, 15 switches)\n"));
  const ProgramRun done = run({"run", "grid.toml", "--set", "algorithm.source=[4, 2, 3]", "--trace", "t.jsonl"});
  EXPECT_THAT(done.out, HasSubstr("binomial_tree from (4, 2, 3)\n"));
  EXPECT_EQ(run({"contention", "t.jsonl"}).exit_code, 0);
  EXPECT_THAT(run({"run", "grid.toml", "--set", "network.virtual_channels=1"}).err,
              HasSubstr("messages can deadlock on a torus with one virtual channel"));
  EXPECT_THAT(run({"run", "grid.toml", "--set", "algorithm.source=60"}).err, HasSubstr("expected 0 to 59"));
  EXPECT_THAT(run({"run", "grid.toml", "--set", "algorithm.source=[4, 2]"}).err, HasSubstr("[4, 2] has 2 coordinates"));
  EXPECT_THAT(run({"run", "grid.toml", "--set", "algorithm.name=recursive_doubling"}).err,
              HasSubstr("runs on a mesh or torus of one host a router, not on a torus 5 x 3 with 4 hosts"));
  EXPECT_THAT(run({"run", "grid.toml", "--set", "topology.concentration=257"}).err,
              HasSubstr("topology.concentration: found 257, expected a whole number from 1 to 256"));
}

/// In every key, flag and file that takes a node.
TEST_F(Switches, AreLinkedToHostsThatHaveNames)
{
  directory.write("racks.dot", "graph { left [kind=switch]; right [kind=switch]; alpha -- left; beta -- left; "
                               "gamma -- right; delta -- right; left -- right; }");
  directory.write("racks.toml", "[topology]\nkind = \"graph\"\nfile = \"racks.dot\"\n"
                                "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n"
                                "[algorithm]\nname = \"binomial_tree\"\nsource = \"gamma\"\n[message]\nbytes = 64\n");
  EXPECT_THAT(run({"run", "racks.toml"}).out, HasSubstr("binomial_tree from gamma\n"));
  EXPECT_THAT(run({"run", "racks.toml", "--set", "algorithm.source=delta"}).out, HasSubstr("from delta\n"));
  const ProgramRun multicast = run({"check", "racks.toml", "--set", "algorithm.operation=multicast", "--set",
                                    "algorithm.destinations=[\"alpha\", \"delta\"]"});
  EXPECT_EQ(multicast.exit_code, 0) << multicast.err;
  EXPECT_THAT(multicast.out, HasSubstr("valid             yes\n"));
  directory.write("order.txt", "beta\ndelta # the second rank\n  alpha\n3\n");
  const ProgramRun ranks =
      run({"run", "racks.toml", "--set", "ranks.nodes_file=order.txt", "--set", "algorithm.source=0"});
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;

  const auto error = [&](std::vector<std::string> changes) {
    std::vector<std::string> arguments = {"run", "racks.toml"};
    for (std::string& change : changes) {
      arguments.emplace_back("--set");
      arguments.push_back(std::move(change));
    }
    const ProgramRun failed = run(arguments);
    EXPECT_EQ(failed.exit_code, 2) << failed.out;
    return failed.err;
  };
  EXPECT_THAT(
      error({"algorithm.source=gama"}),
      HasSubstr("algorithm.source: no node of the graph racks.dot is called \"gama\"; did you mean \"gamma\"?"));
  EXPECT_THAT(error({"algorithm.source=left"}), HasSubstr("left, a switch of the graph racks.dot"));
  EXPECT_THAT(error({"algorithm.source=4"}), HasSubstr("left, a switch of the graph racks.dot"));
  EXPECT_THAT(
      error({"algorithm.operation=multicast", "algorithm.destinations=[\"epsilon\"]"}),
      HasSubstr("algorithm.destinations: no node of the graph racks.dot is called \"epsilon\"; they are called "));
  EXPECT_THAT(error({"algorithm.source=0", "ranks.nodes=[\"alpha\", \"beta\", \"gamma\", \"zeta\"]"}),
              HasSubstr("ranks.nodes: no node of the graph racks.dot is called \"zeta\"; did you mean \"beta\"?"));
}

TEST_F(Switches, TakeTwoBinaryTreesOverHosts)
{
  const ProgramRun snake =
      run({"run", "tree.toml", "--set", "algorithm.name=double_binary_tree", "--set", "algorithm.map=snake"});
  EXPECT_EQ(snake.exit_code, 2);
  EXPECT_THAT(snake.err,
              HasSubstr("double_binary_tree with map = \"snake\" runs on a mesh or torus, not on a fat tree"));
  EXPECT_EQ(run({"check", "tree.toml", "--set", "algorithm.name=double_binary_tree"}).exit_code, 0);
}

} // namespace
} // namespace wormcast::testing
