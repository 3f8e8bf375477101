// Topologies with rings and lines, and operations on some of their nodes, as users run them.

#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

std::string config_of(std::string_view topology, std::string_view ranks, std::string_view algorithm)
{
  return fmt::format("[topology]\n{}\n{}\n[network]\nstartup = \"1us\"\nper_byte = \"158ps\"\nper_hop = \"100ns\"\n"
                     "flit_bytes = 64\nvirtual_channels = 2\n[algorithm]\n{}\n[message]\nbytes = \"64KiB\"\n",
                     topology, ranks, algorithm);
}

constexpr std::string_view box_of_64 =
    "kind = \"torus\"\ndims = [2, 2, 2, 2, 3, 2]\nwrap = [false, false, false, false, true, false]";
constexpr std::string_view folded_64 = "[ranks]\nkind = \"torus\"\ndims = [4, 4, 4]\nmap = \"folded\"";
constexpr std::string_view doubling = "name = \"torus_doubling\"\nvariant = \"latency\"";
constexpr std::string_view rows_4x4 = "kind = \"torus\"\ndims = [4, 4]\nwrap = [true, false]";

Json run_json(const TemporaryDirectory& directory, const std::vector<std::string>& options = {})
{
  std::vector<std::string> command = {"run", "c.toml", "--json", "-"};
  command.insert(command.end(), options.begin(), options.end());
  const ProgramRun run = run_program(command, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return run.exit_code == 0 ? Json::parse(run.out) : Json();
}

std::string error_of(const TemporaryDirectory& directory, const std::vector<std::string>& options)
{
  std::vector<std::string> command = {"run", "c.toml"};
  command.insert(command.end(), options.begin(), options.end());
  const ProgramRun run = run_program(command, directory.path());
  EXPECT_EQ(run.exit_code, 2) << run.out;
  return run.err;
}

TEST(RingsAndLines, AreTopologiesForAllCommands)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(rows_4x4, "", "name = \"bucket\""));
  const ProgramRun topology = run_program({"topology", "c.toml", "--check-deadlock"}, directory.path());
  EXPECT_EQ(topology.exit_code, 0) << topology.err;
  EXPECT_THAT(topology.out, HasSubstr("torus 4 x 4 closed in x"));
  const Json json = run_json(directory);
  EXPECT_EQ(json.at("config")["topology"]["wrap"], Json::parse("[true, false]"));
  EXPECT_EQ(json.at("contention").at("step"), 0);
  EXPECT_EQ(run_program({"check", "c.toml"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"view", "c.toml", "--out", "page.html"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"schedule", "c.toml", "--out", "s.json"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"check", "s.json"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"run", "c.toml", "--trace", "t.jsonl"}, directory.path()).exit_code, 0);
  const ProgramRun trace = run_program({"contention", "t.jsonl"}, directory.path());
  EXPECT_EQ(trace.exit_code, 0) << trace.err;
  EXPECT_THAT(trace.out, HasSubstr("torus 4 x 4 closed in x, 16 nodes, 56 channels"));
}

TEST(RingsAndLines, AllRingsAreTheTorusAndNoneTheMesh)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(rows_4x4, "", "name = \"bucket\""));
  const auto latency = [&](const char* topology, const char* wrap) {
    return run_json(directory, {"--unset", "topology", "--set", fmt::format("topology.kind={}", topology), "--set",
                                "topology.dims=[4, 4]", "--set", wrap})
        .at("latency_us");
  };
  const char* nothing = "run.seed=1";
  EXPECT_EQ(latency("torus", "topology.wrap=[true, true]"), latency("torus", nothing));
  EXPECT_EQ(latency("torus", "topology.wrap=[false, false]"), latency("mesh", nothing));
}

TEST(RingsAndLines, AreRefusedWhereNobodyKnowsThem)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(rows_4x4, "", "name = \"bucket\""));
  EXPECT_THAT(
      error_of(directory, {"--set", "algorithm.name=swing"}),
      HasSubstr("swing runs on a mesh, or on a torus whose dimensions are all rings, not on a torus 4 x 4 closed "
                "in x"));
  EXPECT_THAT(error_of(directory, {"--set", "topology.wrap=[true]"}),
              HasSubstr("\"wrap\" has 1 value, expected one for each of the 2 sizes of \"dims\""));
  EXPECT_THAT(error_of(directory, {"--set", "topology.wrap=[1, 2]"}), HasSubstr("expected a list of true and false"));
  EXPECT_THAT(error_of(directory, {"--set", "topology.kind=mesh"}),
              HasSubstr("topology.wrap: not a parameter of mesh"));
}

TEST(Ranks, FoldedTorusHasNoContentionWhereThePlainOneHas)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(box_of_64, folded_64, doubling));
  const Json folded = run_json(directory);
  EXPECT_EQ(folded.at("contention").at("step"), 0);
  EXPECT_EQ(folded.at("config")["ranks"], Json::parse(R"({"kind": "torus", "dims": [4, 4, 4], "map": "folded"})"));
  const double free = 6 * (1.0 + 65536 * 158e-6) + 3 * 0.1 + 3 * 0.2; // six exchanges, over one hop and over two
  EXPECT_NEAR(folded.at("latency_us").get<double>(), free, 1e-6);
  directory.write("c.toml", config_of("kind = \"torus\"\ndims = [4, 4, 4]", "", doubling));
  EXPECT_GT(run_json(directory).at("latency_us").get<double>(), 1.3 * free);
}

TEST(Ranks, FoldedThroughAxesThatAreNamed)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(box_of_64, folded_64, doubling));
  const Json in_order = run_json(directory);
  const Json named = run_json(directory, {"--set", "ranks.axes=[\"1 4\", \"2 5\", \"3 6\"]"});
  EXPECT_EQ(named.at("latency_us"), in_order.at("latency_us"));
  EXPECT_EQ(named.at("config")["ranks"]["axes"], Json::parse(R"(["1 4", "2 5", "3 6"])"));

  // A ring of eight is a cycle through the edges of a cube, on which neighbours alone talk.
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [2, 2, 2]",
                                      "[ranks]\nkind = \"torus\"\ndims = [8]\nmap = \"folded\"\naxes = [\"1 2 3\"]",
                                      "name = \"bucket\""));
  const double on_cube = run_json(directory).at("latency_us").get<double>();
  directory.write("c.toml", config_of("kind = \"torus\"\ndims = [8]", "", "name = \"bucket\""));
  EXPECT_DOUBLE_EQ(run_json(directory).at("latency_us").get<double>(), on_cube);
}

TEST(Ranks, EveryCommandKnowsThem)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(box_of_64, folded_64, doubling));
  const ProgramRun run = run_program({"run", "c.toml", "--explain"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("ranks             torus 4 x 4 x 4 on 64 of 96 nodes"));
  const ProgramRun check = run_program({"check", "c.toml", "--check-deadlock"}, directory.path());
  EXPECT_EQ(check.exit_code, 0) << check.err << check.out;
  EXPECT_EQ(run_program({"view", "c.toml", "--out", "page.html"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"sweep", "c.toml", "--set", "sweep.message.bytes=[64, 4096]", "--out", "s", "--jobs", "1"},
                        directory.path())
                .exit_code,
            0);
  const ProgramRun compare = run_program({"compare", "c.toml"}, directory.path());
  EXPECT_EQ(compare.exit_code, 2);
  EXPECT_THAT(compare.err, HasSubstr("[ranks]: found ranks on some nodes"));
}

TEST(Ranks, ScheduleOfTheRanksCanBeWrittenAndPlacedAgain)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of(box_of_64, folded_64, doubling));
  const Json before = run_json(directory);
  ASSERT_EQ(run_program({"schedule", "c.toml", "--out", "s.json"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"check", "s.json"}, directory.path()).exit_code, 0) << "proved on its own topology";
  directory.write("c.toml", config_of(box_of_64, folded_64, "name = \"schedule\"\nfile = \"s.json\""));
  EXPECT_EQ(run_json(directory).at("latency_us"), before.at("latency_us"));
  directory.write("c.toml",
                  config_of(box_of_64, "[ranks]\nmap = \"folded\"", "name = \"schedule\"\nfile = \"s.json\""));
  EXPECT_EQ(run_json(directory).at("latency_us"), before.at("latency_us"));
}

TEST(Ranks, NodesComeFromListsAndFiles)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [4, 3]", "[ranks]\nkind = \"mesh\"\ndims = [3]",
                                      "name = \"binomial_tree\"\nsource = 2"));
  const Json listed = run_json(directory, {"--set", "ranks.nodes=[0, 5, 11]"});
  directory.write("nodes.txt", "# rank 0 first\n0\n1, 1\n\n3 2 # the last one\n");
  EXPECT_EQ(run_json(directory, {"--set", "ranks.nodes_file=nodes.txt"}).at("latency_us"), listed.at("latency_us"));
  EXPECT_EQ(listed.at("config")["algorithm"]["source"], 2);
  EXPECT_EQ(listed.at("config")["ranks"]["nodes"], Json::parse("[0, 5, 11]"));
  EXPECT_NE(run_json(directory).at("latency_us"), listed.at("latency_us")) << "on the nodes 0, 1, 2";
  run_json(directory, {"--set", "ranks.map=random"});
}

TEST(Ranks, MessageListsAndProgramsArePlaced)
{
  const TemporaryDirectory directory;
  directory.write("list.json", R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [2]},
    "operation": "none", "messages": [{"id": 0, "src": 0, "dst": 1, "bytes": 64}]})");
  directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [9]\n[ranks]\nnodes = [8, 2]\n[network]\n"
                            "startup = \"1us\"\nper_byte = \"1ns\"\nper_hop = \"1us\"\n"
                            "[algorithm]\nname = \"schedule\"\nfile = \"list.json\"\n");
  EXPECT_NEAR(run_json(directory).at("latency_us").get<double>(), 1 + 6 + 0.064, 1e-9);
  directory.write("two.goal", "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\nrank 1 {\nrecv 64b from 0\n}\n");
  const std::vector<std::string> goal = {"--set", "algorithm.file=two.goal"};
  EXPECT_NEAR(run_json(directory, goal).at("latency_us").get<double>(), 1 + 6 + 0.064, 1e-9);
  EXPECT_NEAR(
      run_json(directory, {"--unset", "ranks", "--set", "algorithm.file=two.goal", "--set", "algorithm.nodes=[8, 2]"})
          .at("latency_us")
          .get<double>(),
      1 + 6 + 0.064, 1e-9);
  EXPECT_THAT(error_of(directory, {"--set", "algorithm.file=two.goal", "--set", "algorithm.nodes=[8, 2]"}),
              HasSubstr("algorithm.nodes: found besides ranks.nodes, expected one of them"));
}

TEST(Ranks, MistakesAreNamedWithTheirKey)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", config_of("kind = \"mesh\"\ndims = [4, 3]", "[ranks]\nkind = \"mesh\"\ndims = [3]",
                                      "name = \"binomial_tree\""));
  directory.write("bad.txt", "0\n1 9\n");
  directory.write("text.txt", "zero\n");
  EXPECT_THAT(error_of(directory, {"--set", "ranks.nodes=[0, 1]"}),
              HasSubstr("ranks.nodes: found 2 nodes, but the mesh 3 has 3 ranks"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.nodes=[0, 1, 1]"}),
              HasSubstr("ranks.nodes: found 1, expected different nodes from 0 to 11"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.nodes=[0, 1, 12]"}),
              HasSubstr("ranks.nodes: found 12, expected different nodes from 0 to 11"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.nodes=[0, 1, 2]", "--set", "ranks.map=block"}),
              HasSubstr("ranks.map: found besides ranks.nodes, expected one of them"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.nodes_file=bad.txt"}),
              HasSubstr("bad.txt:2: node (1, 9) is outside"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.nodes_file=text.txt"}),
              HasSubstr("text.txt:1: no node of the mesh 4 x 3 is called \"zero\"; they are called \"(0, 0)\""));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.dims=[5, 3]"}),
              HasSubstr("ranks.kind: the mesh 5 x 3 has 15 ranks, but the mesh 4 x 3 has 12 nodes"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.map=folded"}),
              HasSubstr("ranks.map: a mesh 3 cannot be folded into a mesh 4 x 3: its dimension x of 3 nodes would have "
                        "neighbours 2 hops apart"));
  EXPECT_THAT(
      error_of(directory, {"--set", "ranks.map=folded", "--set", "ranks.axes=[\"2 1\"]"}),
      HasSubstr("ranks.axes: a mesh 3 cannot be folded into a mesh 4 x 3: its dimension x of 3 nodes has a small "
                "axis of 4, expected at most 3"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.map=folded", "--set", "ranks.axes=[\"1 b\"]"}),
              HasSubstr("ranks.axes: found 1 b, expected the numbers of the network's dimensions, from 1 on"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.map=folded", "--set", "ranks.axes=[\"1 0\"]"}),
              HasSubstr("ranks.axes: found 1 0, expected the numbers"));
  EXPECT_THAT(error_of(directory, {"--set", "ranks.axes=[\"1 2\"]"}),
              HasSubstr("ranks.axes: found without map = \"folded\", whose key it is"));
  EXPECT_THAT(error_of(directory, {"--unset", "ranks.kind"}),
              HasSubstr("ranks.dims: found without ranks.kind, whose key it is"));
  EXPECT_THAT(error_of(directory, {"--set", "algorithm.source=5"}),
              HasSubstr("algorithm.source: node 5 is outside of the mesh 3, expected 0 to 2"));
  EXPECT_THAT(error_of(directory, {"--set", "broadcast.repeat=3"}), HasSubstr("[ranks]: found ranks on some nodes"));
}

} // namespace
} // namespace wormcast::testing
