#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;

class RouterKeys : public ::testing::Test {
protected:
  ProgramRun run(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), {"run", "c.toml"});
    return run_program(arguments, directory.path());
  }
  std::string refused(std::string setting) const
  {
    const ProgramRun result = run({"--set", std::move(setting)});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  }

  TemporaryDirectory directory;
  std::filesystem::path config = directory.write("c.toml", R"([topology]
kind = "mesh"
dims = [4, 4]
[network]
router = "input_queued"
startup = "100ns"
per_byte = "1ns"
[algorithm]
name = "recursive_doubling"
[message]
bytes = 20
)");
};

TEST_F(RouterKeys, GiveFourTimesOfEachMessage)
{
  const ProgramRun result = run({"--json", "r.json", "--deliveries", "d.json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json times = Json::parse(read_file(directory.path() / "d.json"));
  EXPECT_EQ(times["head_injected_us"][0], 0.1);
  EXPECT_EQ(times["tail_injected_us"][0], 0.119);
  // Two hops of 4 cycles, and 6 for injection and ejection; 19 flits follow the head.
  EXPECT_EQ(times["head_ejected_us"][0], 0.114);
  EXPECT_EQ(times["delivered_us"][0], 0.133);
  const Json made = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(made["engine"], "cycle");
  EXPECT_EQ(made["config"]["network"]["router"], "input_queued");
  EXPECT_EQ(made["config"]["network"]["link_delay"], 1);
  EXPECT_EQ(made["config"]["network"]["vc_allocator"], "islip");
  EXPECT_FALSE(made["config"]["network"].contains("per_hop"));
}

TEST_F(RouterKeys, DivideARunAmongThreads)
{
  const auto files = [&](const std::string& threads, std::vector<std::string> settings) {
    settings.insert(settings.end(),
                    {"--set", "topology.dims=[12, 12]", "--set", "message.bytes=200", "--set", "run.threads=" + threads,
                     "--json", "r.json", "--trace", "t.jsonl", "--deliveries", "d.csv", "--force"});
    const ProgramRun result = run(settings);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    Json made = Json::parse(read_file(directory.path() / "r.json"));
    made["config"]["run"].erase("threads");
    const std::string trace = read_file(directory.path() / "t.jsonl");
    return std::vector<std::string>{made.dump(), trace.substr(trace.find('\n')), // beyond the line with the config
                                    read_file(directory.path() / "d.csv")};
  };
  const auto expect_the_same = [&](const std::string& engine, const std::vector<std::string>& settings) {
    const std::vector<std::string> alone = files("1", settings);
    EXPECT_EQ(Json::parse(alone[0])["engine"], engine);
    EXPECT_GT(std::ranges::count(alone[1], '\n'), 100);
    for (const char* threads : {"2", "3", "8"}) {
      EXPECT_EQ(files(threads, settings), alone) << engine << ", " << threads;
    }
  };
  expect_the_same("cycle", {"--set", "run.mode=self_timed"});
  expect_the_same("worm", {"--set", "network.router=wormhole", "--set", "algorithm.name=pairwise_exchange"});
  EXPECT_NE(refused("run.threads=0").find("run.threads: found 0, expected a whole number from 1 to 64"),
            std::string::npos);
  EXPECT_NE(refused("run.threads=65").find("found 65"), std::string::npos);
}

// Results would be the same, but nobody should wait for cores that are not used.
TEST_F(RouterKeys, RefuseThreadsThatNoEngineUses)
{
  const ProgramRun wormhole =
      run({"--set", "network.router=wormhole", "--set", "run.mode=self_timed", "--set", "run.threads=2"});
  EXPECT_EQ(wormhole.exit_code, 2);
  EXPECT_NE(wormhole.err.find("run.threads: found 2, but router \"wormhole\" runs on one thread, except for schedules "
                              "in lockstep whose messages of a step start together, expected 1\n"),
            std::string::npos)
      << wormhole.err;
  const ProgramRun load =
      run_program({"load", config, "--unset", "algorithm", "--unset", "message", "--set", "network.router=wormhole",
                   "--set", "traffic.bytes=20", "--set", "traffic.load=0.1", "--set", "run.threads=2"},
                  directory.path());
  EXPECT_EQ(load.exit_code, 2);
  EXPECT_NE(load.err.find("run.threads: found 2, but router"), std::string::npos) << load.err;
  const ProgramRun fluid = run({"--set", "run.model=fluid", "--set", "run.threads=2"});
  EXPECT_EQ(fluid.exit_code, 2);
  EXPECT_NE(fluid.err.find("threads: found with a fluid model"), std::string::npos) << fluid.err;
}

TEST_F(RouterKeys, TakeSeveralStepsInACycle)
{
  directory.write("l.json", R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]},
 "ports": 1, "duplex": "full", "operation": "none",
 "messages": [{"id": 0, "src": 0, "dst": 2, "bytes": 1}, {"id": 1, "src": 1, "dst": 2, "bytes": 1, "start_us": 0.002}]}
)");
  directory.write("two.toml", R"([network]
router = "input_queued"
startup = "0ns"
per_byte = "1ns"
virtual_channels = 2
speculative = true
internal_speedup = 3
[algorithm]
name = "schedule"
file = "l.json"
)");
  const ProgramRun result = run_program({"run", "two.toml", "--explain=all", "--trace", "t.jsonl"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("for its turn behind the crossbar on 1 -> 2, held by message 0"), std::string::npos)
      << result.out;
  EXPECT_NE(read_file(directory.path() / "t.jsonl").find(R"("cause":"output_queue")"), std::string::npos);
  EXPECT_NE(refused("network.internal_speedup=17").find("found 17, expected a whole number from 1 to 16"),
            std::string::npos);
}

TEST_F(RouterKeys, LetHeadersChooseTheirPaths)
{
  const std::vector<std::string> odd_even = {"--set", "network.routing=odd_even"};
  const ProgramRun result = run({odd_even[0], odd_even[1], "--json", "r.json", "--explain"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out.find("not known"), std::string::npos) << result.out;
  const Json made = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(made["config"]["network"]["routing"], "odd_even");
  EXPECT_GT(made["max_channel_load"].get<int>(), 0); // of the paths that were taken
  EXPECT_FALSE(made["latency_us"].is_null());
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"check", "c.toml", odd_even[0], odd_even[1]});
    return run_program(more, directory.path());
  };
  const ProgramRun checked = check({"--json", "k.json"});
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_NE(checked.out.find("not known: routing \"odd_even\" has no fixed routes"), std::string::npos) << checked.out;
  EXPECT_TRUE(Json::parse(read_file(directory.path() / "k.json"))["contention_free"].is_null());
  const ProgramRun asked = check({"--contention-free"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_NE(asked.err.find("expected \"dimension_order\""), std::string::npos) << asked.err;
}

TEST_F(RouterKeys, OfTheOtherRouterAreErrors)
{
  EXPECT_EQ(refused("network.per_hop=1us"),
            "wormcast: error: --set: network.per_hop: only router \"wormhole\" has this key, but the configuration has "
            "router \"input_queued\", where it follows from the pipeline's delays\n");
  EXPECT_EQ(refused("network.hold=path"),
            "wormcast: error: --set: network.hold: only router \"wormhole\" has this key, "
            "but the configuration has router \"input_queued\"\n");
  const ProgramRun other = run({"--set", "network.router=wormhole", "--set", "network.credit_delay=1"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.err,
            "wormcast: error: --set: network.credit_delay: only router \"input_queued\" has this key, but the "
            "configuration has router \"wormhole\"\n");
}

TEST_F(RouterKeys, ThatDoNotFitAreErrors)
{
  const ProgramRun steps = run({"--set", "network.internal_speedup=2", "--set", "network.buffer_flits=5000"});
  EXPECT_EQ(steps.exit_code, 2);
  EXPECT_EQ(steps.err,
            "wormcast: error: --set: network.internal_speedup: found 2 with virtual_channels * buffer_flits = "
            "1 * 5000, expected 1, or at most 4096 flits in the buffers of a port\n");
  EXPECT_NE(refused("network.startup=1500ps").find("such as 1ns or 2ns"), std::string::npos);
  EXPECT_NE(refused("network.ports=2").find("network.ports: found 2, but router \"input_queued\" has 1 only"),
            std::string::npos);
  EXPECT_NE(refused("network.switching=cut_through").find("network.switching: found \"cut_through\", but router"),
            std::string::npos);
  EXPECT_NE(refused("network.vc_allocator=piggyback")
                .find("--set: network.vc_allocator: \"piggyback\" needs speculative = true"),
            std::string::npos);
  EXPECT_NE(refused("run.engine=flit").find("engine \"flit\" cannot run router \"input_queued\""), std::string::npos);
  const ProgramRun cube = run({"--set", "topology.kind=hypercube", "--set", "topology.dimension=3"});
  EXPECT_EQ(cube.exit_code, 2);
  // Each at the key that is at fault.
  const auto at = [this](const std::string& network) {
    directory.write("n.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[algorithm]\nname = \"flooding\"\n"
                              "[message]\nbytes = 8\n[network]\nrouter = \"input_queued\"\nper_byte = \"1ns\"\n" +
                                  network);
    const ProgramRun run = run_program({"run", "n.toml"}, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_EQ(at("startup = \"0s\"\nduplex = \"half\"\n"),
            "wormcast: error: n.toml:12:10: network.duplex: "
            "found \"half\", but router \"input_queued\" has \"full\" only\n");
  EXPECT_EQ(at("  startup = \"1500ps\"\n"),
            "wormcast: error: n.toml:11:13: network.startup: found 1500ps, expected a whole number of cycles of "
            "flit_bytes * per_byte = 1ns, such as 1ns or 2ns (router \"input_queued\")\n");
  EXPECT_EQ(at("startup = \"0s\"\nflit_bytes = 4611686018427387904\n").substr(0, 46),
            "wormcast: error: n.toml:12:14: network.flit_by");
  EXPECT_EQ(
      at("startup = \"0s\"\nrouting = \"valiant\"\nvirtual_channels = 3\n"),
      "wormcast: error: n.toml:13:20: network.virtual_channels: found 3 with routing \"valiant\", expected an even "
      "number: each of the two phases has half of them\n");
  EXPECT_EQ(at("startup = \"0s\"\nrouting = \"minimal_adaptive\"\nvirtual_channels = 3\n"),
            "wormcast: error: n.toml:10:12: network.release: found \"tail_sent\" with routing \"minimal_adaptive\", "
            "expected \"tail_credit\": where a buffer holds several messages, a header behind another message cannot "
            "reach its escape channel\n");
}

TEST_F(RouterKeys, NeedStartsInWholeCycles)
{
  directory.write("l.json",
                  R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [4, 4]}, "ports": 1,
"duplex": "full", "operation": "none", "messages": [{"id": 0, "src": 0, "dst": 3, "bytes": 4, "start_us": 0.0015}]})");
  directory.write("l.toml", "[network]\nrouter = \"input_queued\"\nstartup = \"0ns\"\nper_byte = \"1ns\"\n[algorithm]\n"
                            "name = \"schedule\"\nfile = \"l.json\"\n");
  const ProgramRun result = run_program({"run", "l.toml"}, directory.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(
      result.err,
      "wormcast: error: l.toml:7:8: algorithm.file: start_us of message 0: found 1500ps, expected a whole number of "
      "cycles of flit_bytes * per_byte = 1ns, such as 1ns or 2ns (router \"input_queued\")\n");
}

TEST_F(RouterKeys, AreSweptWithTheRouter)
{
  directory.write("s.toml", read_file(config) + "[sweep]\n\"network.router\" = [\"wormhole\", \"input_queued\"]\n"
                                                "\"network.per_hop\" = [\"4ns\"]\n");
  const ProgramRun result = run_program({"sweep", "s.toml", "--out", "out"}, directory.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(RouterKeys, ExplainContentionAndCheck)
{
  const ProgramRun explained = run({"--set", "algorithm.name=recursion_based", "--set", "topology.dims=[8,8]", "--set",
                                    "run.mode=self_timed", "--explain", "--json", "r.json", "--trace", "t.jsonl"});
  ASSERT_EQ(explained.exit_code, 0) << explained.err;
  for (const char* stage : {"virtual channel allocation", "switch allocation", "switch traversal", "link"}) {
    EXPECT_NE(explained.out.find(stage), std::string::npos) << stage << "\n" << explained.out;
  }
  const Json result = Json::parse(read_file(directory.path() / "r.json"));
  double sum = 0;
  for (const auto& part : result["critical_path"]["sums"]) {
    sum += part.get<double>();
  }
  EXPECT_NEAR(sum, result["latency_us"].get<double>(), 1e-9);
  EXPECT_NE(read_file(directory.path() / "t.jsonl").find("\"cause\":\""), std::string::npos);
  EXPECT_EQ(run_program({"contention", "t.jsonl"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"check", "c.toml"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"view", "c.toml", "--out", "page.html"}, directory.path()).exit_code, 0);
  EXPECT_EQ(run_program({"compare", "c.toml", "--lengths", "none"}, directory.path()).exit_code, 0);
}

} // namespace
} // namespace wormcast::testing
