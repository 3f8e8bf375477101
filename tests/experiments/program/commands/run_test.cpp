#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <sstream>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;

class RunCommand : public ::testing::Test {
protected:
  ProgramRun run(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "run");
    return run_program(arguments, directory.path());
  }

  TemporaryDirectory directory;
  std::filesystem::path small = directory.write("c.toml", small_config);
};

std::vector<Json> json_lines(const std::string& text)
{
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(Json::parse(line));
  }
  return lines;
}

TEST_F(RunCommand, CsvIsTheLineOfASweep)
{
  const ProgramRun alone = run({"c.toml", "--csv", "-"});
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_EQ(alone.err, "");
  EXPECT_EQ(std::ranges::count(alone.out, '\n'), 2);
  EXPECT_TRUE(alone.out.ends_with(",done,\n")) << alone.out;
  const ProgramRun swept =
      run_program({"sweep", "c.toml", "--set", "sweep.message.bytes=4096", "--json", "-"}, directory.path());
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const Json point = Json::parse(swept.out).at("points").at(0);
  std::istringstream lines(alone.out);
  std::string names;
  std::string values;
  std::getline(lines, names);
  std::getline(lines, values);
  EXPECT_TRUE(names.starts_with("nodes,channels,")) << names;
  EXPECT_NE(names.find(",latency_us,"), std::string::npos) << names;
  EXPECT_TRUE(values.starts_with("16,48,true,worm,4996,")) << values;
  EXPECT_EQ(point.at("latency_us"), 4996);
}

TEST_F(RunCommand, CsvOfADeadlockHasItsError)
{
  const ProgramRun result = run({WORMCAST_CONFIGS "/torus_ring_deadlock.toml", "--csv", "d.csv"});
  EXPECT_EQ(result.exit_code, 4);
  const std::string csv = read_file(directory.path() / "d.csv");
  EXPECT_NE(csv.find(",deadlock,\"deadlock"), std::string::npos) << csv;
  EXPECT_EQ(run({"c.toml", "--csv", "a", "--json", "a"}).exit_code, 2);
}

TEST_F(RunCommand, Table)
{
  const ProgramRun result = run({"c.toml"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, R"(topology          mesh 4 x 4
algorithm         recursion_based from (0, 0)
message           4 KiB
engine            worm
latency           4996 us
predicted         4996 us = 6 startups + 2 of the message
difference        0 us
alpha             6
beta              2
best possible     at least 4220.5952 us, with alpha 8 and beta 14749/10000; alpha 4, beta 1
messages          47
largest message   1/2 of the message
bytes sent        64 KiB
TCD               64 hops
max channel load  4 messages
contention        none
)");
}

// The bound on steps and bytes together is argued for steps that do not overlap.
TEST_F(RunCommand, SelfTimedHasNoBoundOfTheLatency)
{
  EXPECT_THAT(run({"c.toml", "--set", "run.mode=self_timed"}).out,
              ::testing::HasSubstr("best possible     alpha 4, beta 1\n"));
  const Json json = Json::parse(run({"c.toml", "--set", "run.mode=self_timed", "--json", "-"}).out);
  EXPECT_EQ(json["bounds"].dump(),
            R"({"alpha":4,"beta":"1","latency_us":null,"latency_alpha":null,"latency_beta":null})");
}

// alpha = 3n = 6 and beta = 2.5 - 1/2^(n-1) = 2 for n = 2: 6 * 150 us + 2 * 4096 * 0.5 us.
TEST_F(RunCommand, JsonHasTheFieldsOfTheFormatInOrder)
{
  const ProgramRun result = run({"c.toml", "--json", "-"});
  EXPECT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.out);
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) {
    keys.push_back(key);
  }
  EXPECT_EQ(keys, (std::vector<std::string>{"format", "config", "complete", "engine", "latency_us", "deadlock_us",
                                            "latency_from_source_us", "alpha", "beta", "predicted_us", "predicted_is",
                                            "bounds", "messages", "largest_message", "bytes_sent", "tcd",
                                            "max_channel_load", "contention", "version"}));
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["predicted_is"], "exact");
  EXPECT_EQ(json["format"], "wormcast-result/1");
  EXPECT_EQ(json["latency_us"], 4996);
  EXPECT_EQ(json["predicted_us"], 4996);
  EXPECT_EQ(json["alpha"], 6);
  EXPECT_EQ(json["beta"], "2");
  EXPECT_EQ(json["bounds"].dump(),
            R"({"alpha":4,"beta":"1","latency_us":4220.5952,"latency_alpha":8,"latency_beta":"14749/10000"})");
  EXPECT_EQ(json["largest_message"], "1/2");
  EXPECT_EQ(json["contention"].dump(),
            R"({"step":0,"depth":0,"port":0,"sharing":0,"step_wait_us":0,"depth_wait_us":0,"port_wait_us":0,)"
            R"("sharing_wait_us":0})");
}

TEST_F(RunCommand, LatencyIsAlsoCountedFromTheSourcesOwnStart)
{
  const ProgramRun result = run({"c.toml", "--json", "-", "--set", "run.start_jitter=1us"});
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["latency_from_source_us"], 4996); // no other node is so late that it matters
  EXPECT_GT(json["latency_us"], 4996);
  EXPECT_THAT(run({"c.toml", "--set", "run.start_jitter=1us"}).out,
              ::testing::HasSubstr("latency from source  4996 us: the source started at "));
}

TEST_F(RunCommand, SaysThatOtherMessagesCouldDeadlock)
{
  const auto said = [&](const std::string& sizes, const std::string& channels, const std::string& kind = "torus") {
    return run({"c.toml", "--set", "topology.kind=" + kind, "--set", "topology.dims=" + sizes, "--set",
                "network.virtual_channels=" + channels})
        .err;
  };
  EXPECT_THAT(said("[8, 8]", "1"), ::testing::HasSubstr("can deadlock on a torus with one virtual channel"));
  EXPECT_EQ(said("[8, 8]", "2"), "");
  EXPECT_EQ(said("[4, 4]", "1"), ""); // of two ways of equal length the one that does not wrap is taken
  EXPECT_EQ(said("[4, 4]", "1", "mesh"), "");
}

TEST_F(RunCommand, SharedPhysicalChannelsAreContention)
{
  const std::vector<std::string> shared = {"c.toml", "--set", "algorithm.name=scatter_all_gather", "--set",
                                           "network.virtual_channels=4"};
  std::vector<std::string> traced = shared;
  traced.insert(traced.end(), {"--trace", "t.jsonl", "--explain=all"});
  const ProgramRun result = run(traced);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ::testing::HasSubstr("latency           6320 us"));
  EXPECT_THAT(result.out, ::testing::HasSubstr("channel sharing   32 waits, 20472 us"));
  EXPECT_THAT(result.out, ::testing::HasSubstr("sharing      for its turn on (1, 0) -> (2, 0), first to message 31"));
  const ProgramRun summary = run_program({"contention", "t.jsonl", "--kind", "sharing"}, directory.path());
  EXPECT_THAT(summary.out, ::testing::HasSubstr("sharing     32              20472          1024"));
  EXPECT_THAT(summary.out,
              ::testing::ContainsRegex("message 67 \\(step 7, .* to .*\\) lost 1024 us, from 4272 to 6319.5, on "));
}

TEST_F(RunCommand, TimesAreExactDecimals)
{
  const ProgramRun result = run({"c.toml", "--json", "-", "--set", "network.startup=123456789012.345678us"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("\"latency_us\": 740740738170.074068,"), std::string::npos) << result.out;
}

TEST_F(RunCommand, JsonToAFileLeavesTheTable)
{
  const ProgramRun result = run({"c.toml", "--json", "r.json", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("latency"), std::string::npos);
  EXPECT_EQ(Json::parse(read_file(directory.path() / "r.json"))["messages"], 47);
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"c.toml", "r.json"}));
}

TEST_F(RunCommand, EffectiveConfigRunsToTheSameResult)
{
  const ProgramRun first = run({"c.toml", "--json", "-", "--set", "algorithm.source=[3,1]"});
  const Json effective = Json::parse(first.out)["config"];
  std::string text;
  for (const auto& [section, keys] : effective.items()) {
    text += "[" + section + "]\n";
    for (const auto& [key, value] : keys.items()) {
      text += key + " = " + value.dump() + "\n";
    }
  }
  directory.write("effective.toml", text);
  EXPECT_EQ(run({"effective.toml", "--json", "-"}).out, first.out);
}

TEST_F(RunCommand, Deliveries)
{
  const ProgramRun result = run({"c.toml", "--deliveries", "d.json"});
  EXPECT_EQ(result.exit_code, 0);
  const Json times = Json::parse(read_file(directory.path() / "d.json"))["delivered_us"];
  ASSERT_EQ(times.size(), 47u);
  EXPECT_EQ(*std::max_element(times.begin(), times.end()), 4996);
}

TEST_F(RunCommand, TraceTellsWhoWaitedForWhom)
{
  directory.write("list.json",
                  R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [4]}, "ports": 1,
 "duplex": "full", "operation": "none", "messages": [{"id": 0, "src": 0, "dst": 2, "bytes": 100},
 {"id": 1, "src": 1, "dst": 3, "bytes": 100}]})");
  directory.write("list.toml", "[network]\nstartup = \"1us\"\nper_byte = \"10ns\"\n[algorithm]\nname = \"schedule\"\n"
                               "file = \"list.json\"\n");
  const ProgramRun result = run({"list.toml", "--trace", "t.jsonl"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto lines = json_lines(read_file(directory.path() / "t.jsonl"));
  ASSERT_EQ(lines.size(), 1u + 2 + 1 + 8 + 1);
  EXPECT_EQ(lines[0]["format"], "wormcast-trace/1");
  EXPECT_EQ(lines[0]["topology"].dump(), R"({"kind":"mesh","dims":[4]})");
  EXPECT_EQ(lines[1].dump(), R"({"type":"message","id":0,"step":0,"src":0,"dst":2,"bytes":100})");
  std::vector<Json> waits;
  for (const Json& line : lines) {
    if (line.value("type", "") == "contention") {
      waits.push_back(line);
    }
  }
  ASSERT_EQ(waits.size(), 1u);
  // Message 0 starts to cross 0 -> 1 at 1 us and holds 1 -> 2 until its tail has left it, 100 bytes of 10 ns later.
  EXPECT_EQ(waits[0].dump(),
            R"({"type":"contention","kind":"step","resource":"external","channel":"1 -> 2","channel_id":2,"node":1,)"
            R"("to_node":2,"waiting":{"message":1,"step":0},"holding":{"message":0,"step":0},"from_us":1,"to_us":2})");
  EXPECT_EQ(lines.back().dump(), R"({"type":"end","latency_us":3,"undelivered":0,"contention":1,"occupancy":8})");
}

TEST_F(RunCommand, TraceEventsOpenInPerfetto)
{
  const auto config = std::filesystem::path(WORMCAST_CONFIGS) / "mesh_self_timed.toml";
  const ProgramRun result = run({config.string(), "--trace", "t.perfetto.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json trace = Json::parse(read_file(directory.path() / "t.perfetto.json"));
  std::map<int, std::string> tracks;
  std::map<int, double> busy_until;
  std::size_t waits = 0;
  for (const Json& event : trace["traceEvents"]) {
    if (event["name"] == "thread_name") {
      tracks[event["tid"]] = event["args"]["name"];
    } else if (event["ph"] == "X") {
      const int track = event["tid"];
      ASSERT_TRUE(tracks.contains(track));
      EXPECT_GE(event["ts"].get<double>(), busy_until[track]) << "events of a track do not overlap";
      busy_until[track] = event["ts"].get<double>() + event["dur"].get<double>();
      const bool wait = event["cat"] != "occupancy";
      waits += wait;
      EXPECT_EQ(wait, tracks[track].ends_with(" (waiting)"));
    }
  }
  EXPECT_GT(tracks.size(), 16u);
  EXPECT_GT(waits, 0u);
}

TEST_F(RunCommand, DeadlockIsExplained)
{
  const std::filesystem::path configs = WORMCAST_CONFIGS;
  const ProgramRun result = run({(configs / "torus_ring_deadlock.toml").string(), "--json", "r.json", "--deliveries",
                                 "d.json", "--trace", "t.jsonl"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_NE(result.out.find("latency           none\ndeadlock          at "), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("difference"), std::string::npos) << result.out;
  EXPECT_EQ(
      result.err,
      R"(wormcast: info: messages can deadlock on a torus with one virtual channel; "wormcast topology CONFIG --check-deadlock" shows how, and with virtual_channels = 2 they cannot
wormcast: error: deadlock: 6 of 6 messages cannot be delivered; these wait for each other:
  message 0 from 0 to 2 waits for 1 -> 2, held by message 1
  message 1 from 1 to 3 waits for 2 -> 3, held by message 2
  message 2 from 2 to 4 waits for 3 -> 4, held by message 3
  message 3 from 3 to 5 waits for 4 -> 5, held by message 4
  message 4 from 4 to 0 waits for 5 -> 0, held by message 5
  message 5 from 5 to 1 waits for 0 -> 1, held by message 0
)");
  const Json json = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(json["deadlock"]["undelivered"], 6);
  EXPECT_TRUE(json["latency_us"].is_null());
  EXPECT_GT(json["deadlock_us"], 0);
  const Json& cycle = json["deadlock"]["cycle"];
  ASSERT_EQ(cycle.size(), 6u);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    EXPECT_EQ(cycle[i]["holding"], cycle[(i + 1) % cycle.size()]["waiting"]);
  }
  EXPECT_EQ(cycle[0].dump(), R"({"waiting":0,"channel":"1 -> 2","channel_id":3,"node":1,"holding":1})");
  EXPECT_TRUE(json["alpha"].is_null() && json["beta"].is_null() && json["predicted_us"].is_null());
  EXPECT_EQ(read_file(directory.path() / "d.json"), "{\"delivered_us\": [null, null, null, null, null, null]}\n");
  EXPECT_EQ(json_lines(read_file(directory.path() / "t.jsonl")).back()["type"], "end");
}

TEST_F(RunCommand, PlainListsTakeNoLength)
{
  const std::filesystem::path list = std::filesystem::path(WORMCAST_CONFIGS) / "message_list.toml";
  EXPECT_EQ(run({list.string()}).exit_code, 0);
  const ProgramRun result = run({list.string(), "--set", "message.bytes=4"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "wormcast: error: --set: message.bytes: found a length, but the schedule is a plain message list "
            "whose messages have lengths of their own\n");
}

TEST_F(RunCommand, ASavedScheduleRunsLikeItsAlgorithm)
{
  ASSERT_EQ(run_program({"schedule", "c.toml", "--out", "s.json"}, directory.path()).exit_code, 0);
  directory.write("s.toml", "[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n[algorithm]\nname = \"schedule\"\n"
                            "file = \"s.json\"\n");
  const ProgramRun saved = run({"s.toml", "--json", "-"});
  EXPECT_EQ(saved.exit_code, 0) << saved.err;
  EXPECT_EQ(Json::parse(saved.out)["latency_us"], 4996);
  const ProgramRun longer = run({"s.toml", "--json", "-", "--set", "message.bytes=8KiB"});
  EXPECT_EQ(Json::parse(longer.out)["latency_us"], 900 + 2 * 4096);
  const ProgramRun other = run({"s.toml", "--set", "topology.kind=mesh", "--set", "topology.dims=[8,8]"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.err,
            "wormcast: error: --set: [topology]: found mesh 8 x 8, but the schedule is for mesh 4 x 4; leave "
            "the section out or give the same\n");
}

TEST_F(RunCommand, SweepsGoToTheSweepCommand)
{
  directory.write("sweep.toml", small_config + "[sweep]\n\"message.bytes\" = [1, 2]\n");
  const ProgramRun result = run({"sweep.toml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "wormcast: error: sweep.toml:16:19: sweep.message.bytes: found a sweep, but `wormcast run` takes "
            "one value of each key; use `wormcast sweep sweep.toml`, or give the value with --set\n");
  EXPECT_EQ(run({"sweep.toml", "--set", "message.bytes=3"}).exit_code, 0);
}

TEST(FluidRuns, TakeTheTimeOfWormsWithoutContention)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const auto latency = [&](const std::string& model) {
    const ProgramRun run =
        run_program({"run", "c.toml", "--set", "network.per_hop=0us", "--set", "run.model=" + model, "--json", "-"},
                    directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out)["latency_us"].get<double>();
  };
  EXPECT_NEAR(latency("fluid"), latency("wormhole"), 1e-3);
  EXPECT_GT(latency("fluid_tcp"), latency("wormhole"));
  const ProgramRun traced =
      run_program({"run", "c.toml", "--set", "run.model=fluid", "--trace", "t.jsonl"}, directory.path());
  EXPECT_EQ(traced.exit_code, 2);
  EXPECT_NE(traced.err.find("run.model"), std::string::npos) << traced.err;
}

TEST(RunPorts, FewerThanAStepAsksForAreSaid)
{
  const std::string config = WORMCAST_CONFIGS "/torus_dominating_nodes.toml";
  const std::string said = "a step asks a node for 4 ports, it has 1: messages wait for ports";
  EXPECT_THAT(run_program({"run", config, "--set", "network.ports=1"}).out, ::testing::HasSubstr(said));
  EXPECT_THAT(run_program({"run", config}).out, ::testing::Not(::testing::HasSubstr(said)));
}

TEST(RunFiles, OneFileForTwoThingsIsRefusedHoweverItIsWritten)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--trace", "a.jsonl", "--json", "./a.jsonl"},
                                                {"--trace", "a.jsonl", "--trace", "b/../a.jsonl"}}) {
    std::vector<std::string> arguments = {"run", "c.toml"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const ProgramRun run = run_program(arguments, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, ::testing::HasSubstr("name the same file"));
  }
}

TEST(RunPrograms, WhoWaitsForWhatNeverHappensIsNamed)
{
  const TemporaryDirectory directory;
  directory.write("p.goal", "num_ranks 2\nrank 0 {\na: recv 10b from 1\nb: send 10b to 1\nb requires a\n}\n"
                            "rank 1 {\na: recv 10b from 0\nb: send 10b to 0\nb requires a\n}\n");
  directory.write("c.toml",
                  "[topology]\nkind = \"mesh\"\ndims = [4]\n[network]\nstartup = \"0us\"\nper_byte = \"1ns\"\n"
                  "[algorithm]\nname = \"schedule\"\nfile = \"p.goal\"\n");
  const ProgramRun run = run_program({"run", "c.toml"}, directory.path());
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, ::testing::HasSubstr("2 of 2 messages cannot be delivered; what others have to wait for never "
                                            "happens: message 0 from 0 to 1 is never sent"));
}

} // namespace
} // namespace wormcast::testing
