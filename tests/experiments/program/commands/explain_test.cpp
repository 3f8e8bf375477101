#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

// Microseconds with at most six decimals, as whole picoseconds.
std::int64_t picoseconds(const Json& microseconds)
{
  return std::llround(microseconds.get<double>() * 1e6);
}

Json explained_result(const std::vector<std::string>& arguments)
{
  std::vector<std::string> words = {"run", "--explain", "--json", "-"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const ProgramRun run = run_program(words);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(run.out);
}

/// Its segments partition the time from 0 to `latency` and add up.
void check_path(const Json& path, const Json& latency)
{
  EXPECT_EQ(path["latency_us"], latency);
  std::map<std::string, std::int64_t> sums;
  std::int64_t now = 0;
  for (const Json& message : path["messages"]) {
    EXPECT_EQ(message["follows"].is_null(), message["reason"] == "start");
    for (const Json& segment : message["segments"]) {
      EXPECT_EQ(picoseconds(segment["from_us"]), now);
      now = picoseconds(segment["to_us"]);
      sums[segment["cause"].get<std::string>() + "_us"] += now - picoseconds(segment["from_us"]);
    }
    EXPECT_EQ(picoseconds(message["until_us"]), now);
  }
  EXPECT_EQ(now, picoseconds(latency));
  for (const auto& [cause, sum] : path["sums"].items()) {
    EXPECT_EQ(picoseconds(sum), sums[cause]) << cause;
  }
}

/// The path of a run.
Json explained(const std::vector<std::string>& arguments)
{
  const Json result = explained_result(arguments);
  check_path(result["critical_path"], result["latency_us"]);
  return result["critical_path"];
}

std::string config(const std::string& name)
{
  return WORMCAST_CONFIGS "/" + name;
}

TEST(Explain, LockstepSpendsItsTimeAsPredicted)
{
  const TemporaryDirectory directory;
  const Json path = explained({directory.write("c.toml", small_config).string()});
  EXPECT_EQ(path["messages"].size(), 6U); // one for each step
  EXPECT_EQ(path["sums"]["startup_us"], 6 * 150);
  EXPECT_EQ(path["sums"]["bytes_us"], 2 * 4096 * 0.5);
  EXPECT_EQ(path["latency_us"], 4996);
}

TEST(Explain, NamesWhoHoldsWhatAMessageWaitsFor)
{
  const Json path = explained({config("mesh_self_timed.toml")});
  bool waits = false;
  for (const Json& message : path["messages"]) {
    for (const Json& segment : message["segments"]) {
      if (segment["cause"].get<std::string>().ends_with("_wait")) {
        EXPECT_TRUE(segment["channel"].is_string());
        EXPECT_NE(segment["holding"], message["message"]);
        waits = true;
      }
    }
  }
  EXPECT_TRUE(waits);
}

TEST(Explain, AddsUpWithHopsVirtualChannelsAndPlainLists)
{
  const TemporaryDirectory directory;
  const Json hops = explained({directory.write("c.toml", small_config).string(), "--set", "network.per_hop=100ns",
                               "--set", "run.mode=self_timed"});
  EXPECT_GT(hops["sums"]["hops_us"], 0);
  explained({config("torus_virtual_channels.toml")});
  const Json plain = explained({config("message_list.toml")});
  EXPECT_TRUE(plain["messages"][0]["step"].is_null());
}

TEST(Explain, IsPrintedBelowTheTable)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const ProgramRun plain = run_program({"run", "c.toml"}, directory.path());
  const ProgramRun run = run_program({"run", "c.toml", "--explain=all"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(run.out.starts_with(plain.out));
  EXPECT_THAT(run.out, HasSubstr("\ncritical path: 6 messages, 4996 us\n\nwhere the time went\n"
                                 "  startup                  900 us   18.0 %\n"));
  EXPECT_THAT(run.out, HasSubstr("\nmessage 0 of step 0, (0, 0) to (2, 2), 2048 bytes, 4 hops\n"
                                 "               0 us  ready: nothing had to happen first\n"
                                 "           + 150 us  startup\n"
                                 "          + 1024 us  bytes        2048 flits\n"
                                 "            1174 us  delivered\n"));
  EXPECT_THAT(run.out, HasSubstr("  latency                 4996 us\n\nby sender and receiver\n"));
}

// A path of more lines than a screen is summed up; --explain=all prints all of it.
TEST(Explain, BeginsWithAScreen)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const ProgramRun run = run_program({"run", "c.toml", "--explain"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.find("\nby sender\n"), std::string::npos); // it is one
  EXPECT_THAT(run.out, HasSubstr("\nby sender and receiver\n"
                                 "  (0, 0) to (2, 2)            1174 us   23.5 %  1 message, start-up 150 us\n"));
  EXPECT_THAT(run.out, HasSubstr("\nlongest parts of the path\n"
                                 "  bytes                   1024 us   20.5 %  at 150 us, message 0 of step 0, "
                                 "(0, 0) to (2, 2): 2048 flits\n"));
  EXPECT_TRUE(run.out.ends_with("\nthe whole path: --explain=all\n"));
  EXPECT_EQ(run.out.find("ready:"), std::string::npos);
  EXPECT_EQ(run_program({"run", "c.toml", "--explain=summary"}, directory.path()).out, run.out);
  EXPECT_EQ(run_program({"run", "--explain", "c.toml"}, directory.path()).out, run.out);

  const ProgramRun wrong = run_program({"run", "c.toml", "--explain=some"}, directory.path());
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--explain: found \"some\", expected one of summary, all"));
}

// Causes, senders and pairs divide the same time, "others" included.
TEST(Explain, DividesTheLatencyInEveryBlock)
{
  const ProgramRun run = run_program({"run", config("mesh_self_timed.toml"), "--explain"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::regex part("\\n  \\S.* ([0-9.]+) us +[0-9.]+ %");
  for (const std::string& title :
       std::vector<std::string>{"where the time went", "by sender", "by sender and receiver"}) {
    const std::size_t begin = run.out.find("\n" + title + "\n");
    ASSERT_NE(begin, std::string::npos) << title;
    const std::string block = run.out.substr(begin + 1, run.out.find("\n\n", begin + 1) - begin);
    std::int64_t sum = 0;
    for (std::sregex_iterator found(block.begin(), block.end(), part), end; found != end; ++found) {
      sum += std::llround(std::stod((*found)[1]) * 1e6);
    }
    EXPECT_EQ(sum, 6598705205) << block;
  }
}

// Two messages of ten lines, of which the first waits for its own port.
TEST(Explain, PrintsAShortPathAsAWhole)
{
  const ProgramRun run = run_program({"run", config("message_list.toml"), "--explain"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("  own port                      15 us   51.7 %\n"
                                 "    startup                      5 us   17.2 %\n"
                                 "    bytes                       10 us   34.4 %\n"
                                 "  latency                    29.04 us\n"
                                 "\nmessage 2, (0, 0) to (0, 3), 250 bytes, 3 hops\n"
                                 "               0 us  ready: nothing had to happen first\n"
                                 "             + 5 us  own port startup of message 0, (0, 0) to (3, 0)\n"));
  const Json path = explained({config("message_list.toml")});
  EXPECT_EQ(path["sums"]["own_port_startup_us"], 5);
  EXPECT_EQ(path["sums"]["own_port_wait_us"], 0);
  EXPECT_EQ(path["messages"][0]["segments"][0]["port_held_by"], 0);
}

// Of a series it is that of the slowest broadcast, with the load's messages that were in its way.
TEST(Explain, TellsWhatABroadcastAmongOthersWaitsFor)
{
  const std::vector<std::string> series = {config("broadcast_under_load.toml"), "--unset", "sweep", "--set",
                                           "broadcast.repeat=8"};
  const Json result = explained_result(series);
  const Json& path = result["critical_path"];
  check_path(path, result["latency_max_us"]);
  EXPECT_EQ(result["broadcasts"][path["broadcast"].get<std::size_t>()]["start_us"], path["start_us"]);
  double mean = 0;
  for (const auto& [cause, sum] : path["mean_sums"].items()) {
    mean += sum.get<double>();
  }
  EXPECT_NEAR(mean, result["latency_us"].get<double>(), 1e-4);
  EXPECT_GT(path["mean_sums"]["other_port_wait_us"].get<double>(), 0);
  EXPECT_FALSE(path["others"].empty());

  std::vector<std::string> words = {"run", "--explain=all"};
  words.insert(words.end(), series.begin(), series.end());
  const ProgramRun run = run_program(words);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\ncritical path of broadcast "));
  const Json& other = path["others"][0];
  EXPECT_THAT(run.out, HasSubstr(", held by message " + other["message"].dump() + " of the load, ("));
  EXPECT_THAT(run.out, HasSubstr("other port wait"));
}

TEST(Explain, HasNothingToSayOfTooMuchLoad)
{
  const Json result =
      explained_result({config("broadcast_under_load.toml"), "--unset", "sweep", "--set", "traffic.load=2"});
  EXPECT_EQ(result["load"]["saturated"], true);
  EXPECT_FALSE(result.contains("critical_path"));
}

// A run that ends in a deadlock has no last delivery.
TEST(Explain, LeavesADeadlockToItsMessage)
{
  const ProgramRun run = run_program({"run", config("torus_ring_deadlock.toml"), "--explain"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_EQ(run.out.find("critical path"), std::string::npos);
}

TEST(ExplainLateStart, NamesTheBlocksThatHadComeBefore)
{
  const std::string config = std::string(WORMCAST_CONFIGS) + "/mesh_self_timed.toml";
  const TemporaryDirectory directory;
  const ProgramRun run = run_program({"run", config, "--explain=all"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, ::testing::HasSubstr("ready: its node started last; message "));
  EXPECT_THAT(run.out, ::testing::Not(::testing::HasSubstr("nothing had to happen first")));
}

} // namespace
} // namespace wormcast::testing
