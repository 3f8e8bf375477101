#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string fixture = WORMCAST_TEST_DATA "/experiments/trace/small_trace.jsonl";

ProgramRun contention(std::vector<std::string> arguments)
{
  arguments.insert(arguments.begin(), {"contention", fixture});
  return run_program(arguments);
}

TEST(ContentionCommand, ShowsWhoWaitedForWhom)
{
  const ProgramRun run = contention({});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out, R"(mesh 4 x 3, 12 nodes, 34 channels, 5 messages

kind     waits  waiting time (us)  longest (us)
step         1          32.000001     32.000001
depth        2                 18            10
port         1                 40            40
sharing      0                  0             0

steps whose messages waited longest
step  waits  waiting time (us)  longest (us)                  most for  of this time (us)
1         2                 50            40  injection port of (1, 0)                 40
0         1          32.000001     32.000001          (1, 0) -> (2, 0)          32.000001
2         1                  8             8          (1, 1) -> (1, 0)                  8

channels that were waited for longest
channel                   id  waits  waiting time (us)  longest (us)
(1, 0) -> (2, 0)           4      2          42.000001     32.000001
injection port of (1, 0)   -      1                 40            40
(1, 1) -> (1, 0)          14      1                  8             8

messages that waited longest
message  waits  waited (us)  waits of others for it  held up others (us)    from      to
2            2           50                       0                    0  (1, 0)  (3, 2)
1            1    32.000001                       2                   50  (1, 0)  (3, 0)
4            1            8                       0                    0  (1, 2)  (1, 0)
0            0            0                       1            32.000001  (0, 0)  (3, 0)
3            0            0                       1                    8  (1, 1)  (1, 0)

longest waits
  message 2 (step 1, (1, 0) to (3, 2)) waited 40 us, from 20 to 60, for injection port of (1, 0), held by message 1 (step 0, (1, 0) to (3, 0)): port
  message 1 (step 0, (1, 0) to (3, 0)) waited 32.000001 us, from 10 to 42.000001, for (1, 0) -> (2, 0), held by message 0 (step 0, (0, 0) to (3, 0)): step
  message 2 (step 1, (1, 0) to (3, 2)) waited 10 us, from 60 to 70, for (1, 0) -> (2, 0), held by message 1 (step 0, (1, 0) to (3, 0)): depth
  message 4 (step 2, (1, 2) to (1, 0)) waited 8 us, from 100 to 108, for (1, 1) -> (1, 0), held by message 3 (step 1, (1, 1) to (1, 0)): depth

longest chains: who waited for whom at the same time
  3 messages
    message 2 (step 1, (1, 0) to (3, 2)) waited 40 us, from 20 to 60, for injection port of (1, 0), held by message 1 (step 0, (1, 0) to (3, 0)): port
    message 1 (step 0, (1, 0) to (3, 0)) waited 32.000001 us, from 10 to 42.000001, for (1, 0) -> (2, 0), held by message 0 (step 0, (0, 0) to (3, 0)): step

waiting time, channels that leave a node and its ports
y 2 ········
y 1 ··░░····
y 0 ··██····
    x 0 .. 3
· none   ░ up to 20.5 us   ▒ up to 41 us   ▓ up to 61.5 us   █ up to 82.000001 us
)");
}

TEST(ContentionCommand, SelectsAndShortens)
{
  const std::string kind = contention({"--kind", "depth"}).out;
  EXPECT_THAT(kind, HasSubstr("port         0 "));
  EXPECT_THAT(kind, Not(HasSubstr("injection")));
  EXPECT_THAT(contention({"--channel", "1,0>2,0"}).out, HasSubstr("step         1          32.000001"));
  EXPECT_THAT(contention({"--channel", "(1, 0) -> (2, 0)"}).out, Not(HasSubstr("(1, 1)")));
  EXPECT_THAT(contention({"--message", "4"}).out, HasSubstr("depth        1                  8"));
  EXPECT_THAT(contention({"--step", "1"}).out,
              AllOf(HasSubstr("depth        1                 10"), HasSubstr("port         1                 40"),
                    HasSubstr("step         0"), Not(HasSubstr("steps whose messages"))));
  EXPECT_THAT(contention({"--step", "9"}).out, HasSubstr("no such waits"));
  EXPECT_THAT(contention({"--between", "0.04ms", "65us"}).out, HasSubstr("depth        1                  5"));
  EXPECT_THAT(contention({"--between", "200us", "1ms"}).out, HasSubstr("no such waits"));
  EXPECT_THAT(contention({"--top", "1"}).out, HasSubstr("... and 2 more"));
  EXPECT_THAT(contention({"--map", "none"}).out, Not(HasSubstr("y 0")));
  EXPECT_THAT(contention({"--map", "directions"}).out, HasSubstr("channels in direction y-"));
}

TEST(ContentionCommand, WritesJson)
{
  const ProgramRun run = contention({"--json", "-", "--top", "2"});
  EXPECT_EQ(run.exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json["format"], "wormcast-contention/1");
  EXPECT_EQ(json["totals"]["depth"]["waits"], 2);
  EXPECT_THAT(run.out, HasSubstr("32.000001"));
  EXPECT_EQ(json["channels"].size(), 2U);
  EXPECT_EQ(json["channels"][0]["channel_id"], 4);
  EXPECT_EQ(json["messages"][0]["message"], 2);
  EXPECT_EQ(json["waits"][0]["kind"], "port");
  EXPECT_EQ(json["waits"][0]["channel_id"], nullptr);
  EXPECT_EQ(json["waits"][1]["holding"]["message"], 0);
  EXPECT_EQ(json["chains"][0]["waits"].size(), 2U);
}

TEST(ContentionCommand, ReadsTheTraceOfARun)
{
  const TemporaryDirectory folder;
  const std::string config = WORMCAST_CONFIGS "/message_list.toml";
  const ProgramRun run = run_program({"run", config, "--trace", "t.jsonl", "--json", "r.json"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProgramRun shown = run_program({"contention", "t.jsonl", "--json", "-"}, folder.path());
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const nlohmann::json totals = nlohmann::json::parse(shown.out)["totals"];
  const nlohmann::json result = nlohmann::json::parse(read_file(folder.path() / "r.json"))["contention"];
  std::uint64_t waits = 0;
  for (const std::string kind : {"step", "depth", "port"}) {
    EXPECT_EQ(totals[kind]["waits"], result[kind]);
    EXPECT_EQ(totals[kind]["wait_us"], result[kind + "_wait_us"]);
    waits += result[kind].get<std::uint64_t>();
  }
  EXPECT_GT(waits, 0U);
  EXPECT_THAT(run_program({"contention", "t.jsonl"}, folder.path()).out, HasSubstr("y 3 "));
}

TEST(ContentionCommand, TellsThatThereWasNone)
{
  const TemporaryDirectory folder;
  folder.write("c.toml", small_config);
  ASSERT_EQ(run_program({"run", "c.toml", "--trace", "t.jsonl"}, folder.path()).exit_code, 0);
  EXPECT_THAT(run_program({"contention", "t.jsonl"}, folder.path()).out, HasSubstr("no contention"));
}

TEST(ContentionCommand, ShowsTheCycleOfADeadlock)
{
  const TemporaryDirectory folder;
  const std::string config = WORMCAST_CONFIGS "/torus_ring_deadlock.toml";
  ASSERT_EQ(run_program({"run", config, "--trace", "t.jsonl"}, folder.path()).exit_code, 4);
  const ProgramRun shown = run_program({"contention", "t.jsonl"}, folder.path());
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("6 messages in a cycle"));
  EXPECT_THAT(shown.out, HasSubstr("DEADLOCK at "));
  EXPECT_LT(shown.out.find("DEADLOCK at "), shown.out.find("kind"));
  EXPECT_THAT(shown.out, HasSubstr("6 of 6 messages never arrived"));
  const Json json = Json::parse(run_program({"contention", "t.jsonl", "--json", "-"}, folder.path()).out);
  EXPECT_TRUE(json["latency_us"].is_null());
  EXPECT_GT(json["deadlock_us"], 0);
  EXPECT_EQ(json["undelivered"], 6);
}

TEST(ContentionCommand, RefusesBadUsage)
{
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramRun run = contention(arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr(message));
  };
  refused({"--kind", "steps"}, "step");
  refused({"--top", "0"}, "--top: found 0, expected a whole number from 1");
  refused({"--message", "5"}, "--message: found 5, but the trace has 5 messages, numbered from 0");
  refused({"--step", "-1"}, "--step: found -1, expected the number of a step, from 0");
  refused({"--message", "-1"}, "--message: found -1");
  refused({"--message", "two"}, "--message");
  refused({"--channel", "34"}, "--channel: found 34, but the traced network has 34 channels");
  refused({"--between", "1us", "5"}, "--between: ");
  refused({"--between", "5us", "1us"}, "--between: found 5us and 1us");
  refused({"--between", "5us"}, "--between");
  refused({"--map", "mesh"}, "nodes");
}

TEST(ContentionCommand, NamesFileAndLineOfWhatIsWrong)
{
  const TemporaryDirectory folder;
  const std::string whole = read_file(fixture);
  folder.write("cut.jsonl", whole.substr(0, whole.size() / 2));
  const ProgramRun cut = run_program({"contention", "cut.jsonl"}, folder.path());
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("cut.jsonl:8: "));
  const ProgramRun missing = run_program({"contention", "no.jsonl"}, folder.path());
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("no.jsonl: cannot be read: No such file or directory"));
  folder.write("c.perfetto.json", "{\"traceEvents\":[]}\n");
  EXPECT_THAT(run_program({"contention", "c.perfetto.json"}, folder.path()).err, HasSubstr("not a trace"));
}

/// A traced run whose numbers are known: 4096 bytes from 0 to 2 and from 1 to 2 on a line of three nodes; the second
/// message waits for the first one's tail on 1 -> 2.
class ChannelLoad : public ::testing::Test {
protected:
  ChannelLoad()
  {
    directory.write("list.json", R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [4]},
 "ports": 1, "duplex": "full", "operation": "none",
 "messages": [{"id": 0, "src": 0, "dst": 2, "bytes": 4000}, {"id": 1, "src": 1, "dst": 3, "bytes": 1000}]})");
    directory.write("c.toml", R"([network]
startup = "0us"
per_byte = "1us"
per_hop = "0us"
[algorithm]
name = "schedule"
file = "list.json"
[run]
mode = "self_timed"
)");
    const ProgramRun run = run_program({"run", "c.toml", "--trace", "t.jsonl"}, directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
  }

  ProgramRun load(std::vector<std::string> options = {}) const
  {
    options.insert(options.begin(), {"contention", "t.jsonl", "--by", "load"});
    return run_program(options, directory.path());
  }

  TemporaryDirectory directory;
};

TEST_F(ChannelLoad, AddsUpWhatEveryChannelCarried)
{
  const ProgramRun run = load({"--csv", "load.csv", "--json", "load.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string csv = read_file(directory.path() / "load.csv");
  EXPECT_THAT(csv,
              HasSubstr("resource,channel,channel_id,node,to_node,messages,bytes,busy_us,waits,wait_us,longest_us\n"));
  EXPECT_THAT(csv, HasSubstr("external,1 -> 2,2,1,2,2,5000,5000,1,4000,4000\n"));
  EXPECT_THAT(csv, HasSubstr("external,0 -> 1,0,0,1,1,4000,4000,0,0,0\n"));
  EXPECT_THAT(csv, HasSubstr("injection,injection port of 1,,1,,1,1000,"));
  const Json json = Json::parse(read_file(directory.path() / "load.json"));
  EXPECT_EQ(json["format"], "wormcast-channel-load/1");
  EXPECT_EQ(json["latency_us"], 5000);
  EXPECT_EQ(json["channels"].size(), 7U);
  for (std::size_t i = 1; i < json["channels"].size(); ++i) {
    EXPECT_GE(json["channels"][i - 1]["busy_us"], json["channels"][i]["busy_us"]);
  }
  EXPECT_THAT(run.out, HasSubstr("channels and ports that were held longest"));
  EXPECT_THAT(run.out, HasSubstr("time held, channels that leave a node and its ports"));
}

TEST_F(ChannelLoad, ShowsLoadWithoutContention)
{
  const ProgramRun made =
      run_program({"run", WORMCAST_CONFIGS "/mesh_recursion_based.toml", "--trace", "free.jsonl"}, directory.path());
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const ProgramRun run =
      run_program({"contention", "free.jsonl", "--by", "load", "--top", "2", "--map", "directions"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("... and "));
  EXPECT_THAT(run.out, HasSubstr("time held, channels in direction x+"));
}

TEST_F(ChannelLoad, RefusesWhatSelectsWaits)
{
  EXPECT_EQ(load({"--kind", "depth"}).exit_code, 2);
  EXPECT_EQ(load({"--json", "-", "--csv", "-"}).exit_code, 2);
  const ProgramRun waits = run_program({"contention", "t.jsonl", "--csv", "-"}, directory.path());
  EXPECT_EQ(waits.exit_code, 2);
  EXPECT_THAT(waits.err, HasSubstr("--by load"));
}

TEST_F(ChannelLoad, AnUnknownNameIsAnError)
{
  const auto asked = [&](const std::string& name) {
    return run_program({"contention", "t.jsonl", "--channel", name}, directory.path());
  };
  EXPECT_EQ(asked("0 -> 1").exit_code, 0); // held by a message, and nobody waited for it
  const ProgramRun run = asked("0 -> 2");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--channel: found \"0 -> 2\", expected the name or id of a channel or port"));
  EXPECT_THAT(run.err, HasSubstr("the traced network has none of this name"));
  EXPECT_EQ(asked("injection port of 0").exit_code, 0);
  EXPECT_EQ(asked("injection port of 9").exit_code, 2);
}

TEST(ContentionCommand, AChannelThatNobodyUsedIsNoError)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  EXPECT_EQ(run_program({"run", "c.toml", "--set", "algorithm.name=recursive_doubling", "--trace", "t.jsonl"},
                        directory.path())
                .exit_code,
            0);
  const std::string used = read_file(directory.path() / "t.jsonl");
  ASSERT_EQ(used.find("(1, 3) -> (0, 3)"), std::string::npos); // nothing goes back towards the source
  const ProgramRun unused = run_program({"contention", "t.jsonl", "--channel", "1,3>0,3"}, directory.path());
  EXPECT_EQ(unused.exit_code, 0) << unused.err;
  EXPECT_EQ(run_program({"contention", "t.jsonl", "--channel", "3,3>3,4"}, directory.path()).exit_code, 2);
}

TEST(ConvertCommand, WritesTheEventsThatTheRunItselfWrites)
{
  const TemporaryDirectory directory;
  for (const std::string config :
       {"mesh_self_timed", "torus_virtual_channels", "mesh_all_port", "torus_ring_deadlock"}) {
    SCOPED_TRACE(config);
    const std::string file = WORMCAST_CONFIGS "/" + config + ".toml";
    run_program({"run", file, "--trace", "t.jsonl"}, directory.path());
    run_program({"run", file, "--trace", "t.perfetto.json"}, directory.path());
    const ProgramRun run =
        run_program({"contention", "t.jsonl", "--perfetto", "c.perfetto.json", "--quiet"}, directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(read_file(directory.path() / "c.perfetto.json"), read_file(directory.path() / "t.perfetto.json"));
  }
}

TEST(RunTraces, CanBeSeveralAtOnce)
{
  const TemporaryDirectory directory;
  const std::string file = WORMCAST_CONFIGS "/mesh_self_timed.toml";
  run_program({"run", file, "--trace", "a.jsonl"}, directory.path());
  run_program({"run", file, "--trace", "a.perfetto.json"}, directory.path());
  const ProgramRun run =
      run_program({"run", file, "--trace", "b.jsonl", "--trace", "b.perfetto.json"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(read_file(directory.path() / "a.jsonl"), read_file(directory.path() / "b.jsonl"));
  EXPECT_EQ(read_file(directory.path() / "a.perfetto.json"), read_file(directory.path() / "b.perfetto.json"));
  EXPECT_EQ(run_program({"run", file, "--trace", "c.jsonl", "--trace", "c.jsonl"}, directory.path()).exit_code, 2);
}

TEST(ConvertCommand, RefusesWhatIsNoTraceOrNoTarget)
{
  const TemporaryDirectory directory;
  directory.write("no.jsonl", "{}\n");
  EXPECT_EQ(run_program({"convert", "no.jsonl", "c.perfetto.json"}, directory.path()).exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "c.perfetto.json"));
  EXPECT_EQ(run_program({"convert", fixture, "c.json"}, directory.path()).exit_code, 2);
}

} // namespace
} // namespace wormcast::testing
