#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>

namespace wormcast::testing {
namespace {

class TopologyCommand : public ::testing::Test {
protected:
  ProgramRun topology(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "topology");
    return run_program(arguments, directory.path());
  }

  TemporaryDirectory directory;
  std::filesystem::path mesh = directory.write("mesh.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n");
  std::filesystem::path ring = directory.write("ring.toml", "[topology]\nkind = \"torus\"\ndims = [6]\n");
};

TEST_F(TopologyCommand, Metrics)
{
  const ProgramRun result = topology({"mesh.toml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, R"(topology          mesh 4 x 4
nodes             16
channels          48 (24 links)
degree            2 to 4
diameter          6
mean distance     8/3 = 2.6667
bisection width   4 links, 8 channels
)");
  EXPECT_NE(topology({"mesh.toml", "--set", "topology.dims=[1]"}).out.find("none (a single node)"), std::string::npos);
}

TEST_F(TopologyCommand, DeadlockIsProvedOrRefuted)
{
  const ProgramRun proof = topology({"mesh.toml", "--check-deadlock"});
  EXPECT_EQ(proof.exit_code, 0);
  EXPECT_NE(proof.out.find("deadlock-free     yes\nproof: the channel dependency graph, 48 channels"),
            std::string::npos)
      << proof.out;
  const ProgramRun cycle = topology({"ring.toml", "--check-deadlock"});
  EXPECT_EQ(cycle.exit_code, 3);
  EXPECT_NE(cycle.out.find("deadlock-free     NO\n"), std::string::npos) << cycle.out;
  EXPECT_NE(cycle.out.find("has a cycle of 6 channels:\n"), std::string::npos) << cycle.out;
}

TEST_F(TopologyCommand, ChecksTheClassesOfTheConfiguredRouter)
{
  const auto check = [this](const std::string& virtual_channels) {
    return topology({"ring.toml", "--check-deadlock", "--set", "network.router=input_queued", "--set",
                     "network.virtual_channels=" + virtual_channels});
  };
  EXPECT_EQ(check("1").exit_code, 3);
  EXPECT_EQ(check("2").exit_code, 0) << check("2").out;
  EXPECT_EQ(check("3").exit_code, 3); // the middle one is in both halves
  EXPECT_NE(check("3").out.find(" [1]\n"), std::string::npos) << check("3").out;
  EXPECT_EQ(check("4").exit_code, 0);
}

TEST_F(TopologyCommand, ChecksTheConfiguredRouting)
{
  const auto check = [this](const std::string& routing, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"mesh.toml", "--check-deadlock", "--set", "network.router=input_queued", "--set",
                               "network.routing=" + routing});
    return topology(more);
  };
  const std::vector<std::string> rich = {"--set", "network.virtual_channels=4", "--set", "network.release=tail_credit"};
  for (const char* routing : {"dimension_order", "west_first", "odd_even", "minimal_adaptive", "valiant", "romm"}) {
    const ProgramRun proof = check(routing, rich);
    EXPECT_EQ(proof.exit_code, 0) << routing << proof.err;
    EXPECT_NE(proof.out.find("deadlock-free     yes\n"), std::string::npos) << proof.out;
  }
  EXPECT_NE(check("minimal_adaptive", rich).out.find("the extended channel dependency graph of the escape channels"),
            std::string::npos);
  EXPECT_NE(check("valiant", rich).out.find("96 channels"), std::string::npos) << "48 in two phases";
  // The same on a torus and in three dimensions, but for the turn models.
  for (const char* where : {"topology.kind=torus", "topology.dims=[3,2,4]"}) {
    for (const char* routing : {"dimension_order", "minimal_adaptive", "valiant", "romm"}) {
      std::vector<std::string> there = rich;
      there.insert(there.end(), {"--set", where});
      const ProgramRun proof = check(routing, there);
      EXPECT_EQ(proof.exit_code, 0) << routing << proof.err;
      EXPECT_NE(proof.out.find("deadlock-free     yes\n"), std::string::npos) << proof.out;
    }
  }
  const std::vector<std::string> one = {"--set", "topology.kind=torus", "--set", "topology.dims=[5,5]"};
  const ProgramRun cycle = check("dimension_order", one);
  EXPECT_EQ(cycle.exit_code, 3) << "one virtual channel on a ring";
  EXPECT_NE(cycle.out.find("has a cycle of 5 channels"), std::string::npos) << cycle.out;
  const auto refused = [&](const std::string& routing, std::vector<std::string> more, const std::string& text) {
    const ProgramRun run = check(routing, std::move(more));
    EXPECT_EQ(run.exit_code, 2) << routing;
    EXPECT_NE(run.err.find(text), std::string::npos) << run.err;
  };
  refused("minimal_adaptive", {},
          "network.virtual_channels: found 1 with routing \"minimal_adaptive\", expected at least 2");
  refused("minimal_adaptive", {"--set", "network.virtual_channels=2"}, "network.release: found \"tail_sent\" with");
  refused("valiant", {"--set", "network.virtual_channels=3"}, "expected an even number");
  refused("odd_even", {"--set", "topology.dims=[2,2,2]"},
          "--set: network.routing: found \"odd_even\" on a mesh 2 x 2 x 2, expected a mesh of two dimensions");
  refused("romm", {"--set", "topology.kind=torus", "--set", "network.virtual_channels=2"}, "expected a multiple of 4");
  refused(
      "minimal_adaptive",
      {"--set", "topology.kind=torus", "--set", "network.virtual_channels=2", "--set", "network.release=tail_credit"},
      "expected at least 3 on a torus");
  refused("west_first", {"--set", "topology.kind=torus"},
          "what turns are forbidden breaks no cycle that closes over a wrap-around");
  refused("minimal_adaptive",
          {"--set", "topology.dims=[128,128]", "--set", "network.virtual_channels=2", "--set",
           "network.release=tail_credit"},
          "is too large to examine all paths of routing \"minimal_adaptive\"");
  refused("shortest_path", {}, "only router \"wormhole\" has this value");
  const ProgramRun wormhole = topology({"mesh.toml", "--check-deadlock", "--set", "network.routing=odd_even"});
  EXPECT_EQ(wormhole.exit_code, 2);
  EXPECT_NE(wormhole.err.find("only router \"input_queued\" has this value"), std::string::npos) << wormhole.err;
}

TEST_F(TopologyCommand, Exports)
{
  const ProgramRun dot = topology({"mesh.toml", "--format", "dot"});
  EXPECT_TRUE(dot.exit_code == 0 && dot.out.starts_with("digraph")) << dot.out;
  const ProgramRun graphml = topology({"mesh.toml", "--format", "graphml", "--out", "net.graphml"});
  EXPECT_EQ(graphml.exit_code, 0);
  EXPECT_NE(read_file(directory.path() / "net.graphml").find("<graphml"), std::string::npos);
  const ProgramRun xml = topology({"mesh.toml", "--format", "simgrid-xml", "--set", "network.per_byte=1ns"});
  EXPECT_TRUE(xml.exit_code == 0 && xml.out.find("<platform") != std::string::npos) << xml.err;
  const ProgramRun without_speed = topology({"mesh.toml", "--format", "simgrid-xml"});
  EXPECT_EQ(without_speed.exit_code, 2);
  EXPECT_EQ(without_speed.err, "wormcast: error: mesh.toml: network.per_byte: missing, expected the time per byte that "
                               "gives the links of a SimGrid platform their bandwidth\n");
}

TEST_F(TopologyCommand, BadUse)
{
  EXPECT_EQ(topology({"mesh.toml", "--format", "dot", "--check-deadlock"}).exit_code, 2);
  directory.write("none.toml", "[network]\nstartup = \"1us\"\n");
  EXPECT_EQ(elide_names(topology({"none.toml"}).err),
            "wormcast: error: none.toml: topology.kind: missing, expected one of ...\n");
  directory.write("sweep.toml", "[topology]\nkind = \"mesh\"\n[sweep]\n\"topology.dims\" = [[2, 2], [4, 4]]\n");
  EXPECT_EQ(topology({"sweep.toml"}).exit_code, 2);
  EXPECT_EQ(topology({"sweep.toml", "--set", "topology.dims=[3,3]"}).exit_code, 0);
}

} // namespace
} // namespace wormcast::testing
