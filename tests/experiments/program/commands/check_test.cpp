#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;

class CheckCommand : public ::testing::Test {
protected:
  ProgramRun check(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "check");
    return run_program(arguments, directory.path());
  }

  /// Broadcast of two blocks on a line of four nodes, with these messages.
  void write_schedule(const std::string& messages) const
  {
    directory.write("s.json",
                    R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [4]}, "ports": 1,
 "duplex": "full", "operation": "broadcast", "source": 0, "blocks": 2, "message_bytes": 100, "messages": [)" +
                        messages + "]}");
  }

  TemporaryDirectory directory;
  std::filesystem::path config = directory.write("c.toml", small_config);
};

const std::string good_messages = R"({"id": 0, "step": 0, "src": 0, "dst": 2, "blocks": [[0, 2]]},
 {"id": 1, "step": 1, "src": 0, "dst": 1, "blocks": [[0, 2]]}, {"id": 2, "step": 1, "src": 2, "dst": 3, "blocks": [[0, 2]]})";

TEST_F(CheckCommand, GoodScheduleAsJson)
{
  write_schedule(good_messages);
  const ProgramRun result = check({"s.json", "--json", "-", "--contention-free"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(
      Json::parse(result.out).dump(),
      R"({"format":"wormcast-check/1","valid":true,"complete":true,"possession":true,"ports":true,"ports_needed":1,)"
      R"("contention_free":true,"contended_pairs":0,"alpha":2,"beta":"2","tcd":4,"messages":3,)"
      R"("largest_message":"1","bounds":{"alpha":2,"beta":"1","beta_within_alpha":"2"},"violations":[]})");
}

TEST_F(CheckCommand, ConfigsAreCheckedAsTheirSchedules)
{
  const ProgramRun result = check({"c.toml", "--contention-free", "--json", "r.json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("topology          mesh 4 x 4\n")) << result.out;
  const Json json = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(json["alpha"], 6);
  EXPECT_EQ(json["beta"], "2");
  EXPECT_EQ(check({"c.toml", "--set", "algorithm.name=scatter_collect"}).exit_code, 0);
}

TEST_F(CheckCommand, Refuted)
{
  write_schedule(R"({"id": 0, "step": 0, "src": 0, "dst": 2, "blocks": [[0, 1]]},
 {"id": 1, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]}, {"id": 2, "step": 1, "src": 2, "dst": 3, "blocks": [[0, 2]]})");
  const ProgramRun result = check({"s.json", "--json", "-"});
  EXPECT_EQ(result.exit_code, 3);
  const Json json = Json::parse(result.out);
  EXPECT_FALSE(json["valid"] || json["complete"] || json["possession"] || json["ports"] || json["contention_free"]);
  std::vector<std::string> kinds;
  for (const Json& violation : json["violations"]) {
    kinds.push_back(violation["kind"]);
    EXPECT_FALSE(violation["text"].get<std::string>().empty());
    EXPECT_EQ(violation.contains("step"), violation["kind"] != "coverage");
  }
  EXPECT_EQ(kinds, (std::vector<std::string>{"port", "contention", "possession", "coverage"}));
  EXPECT_EQ(json["violations"][2]["nodes"].dump() + json["violations"][2]["blocks"].dump(), "[2][[1,2]]");
}

TEST_F(CheckCommand, ContentionFailsOnlyWhenAskedFor)
{
  write_schedule(R"({"id": 0, "step": 0, "src": 0, "dst": 1, "blocks": [[0, 2]]},
 {"id": 1, "step": 1, "src": 0, "dst": 3, "blocks": [[0, 2]]}, {"id": 2, "step": 1, "src": 1, "dst": 2, "blocks": [[0, 2]]})");
  EXPECT_EQ(check({"s.json"}).exit_code, 0);
  const ProgramRun result = check({"s.json", "--contention-free"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.out, R"(topology          mesh 4
operation         broadcast from 0
valid             yes
complete          yes
possession        yes
ports             yes (has 1, needs 1)
contention-free   NO (1 pairs)
alpha             2
beta              2
TCD               5 hops
messages          3
largest message   1 of the length
contention: step 1: message 1 (0 -> 3) and message 2 (1 -> 2) share the channel 1 -> 2
)");
}

TEST_F(CheckCommand, RanksThatWaitForEachOtherAreFound)
{
  const std::string network = "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n";
  directory.write("goal.toml", "[topology]\nkind = \"torus\"\ndims = [4]\n" + network +
                                   "[algorithm]\nname = \"schedule\"\nfile = \"p.goal\"\n");
  const auto program = [&](const std::string& order, const std::string& from = "0") {
    directory.write("p.goal", "num_ranks 2\nrank 0 {\na: recv 64b from 1 tag 1\nb: send 64b to 1 tag 2\n" + order +
                                  "}\nrank 1 {\na: recv 64b from " + from + " tag 2" +
                                  "\nb: send 64b to 0 tag 1\nb requires a\n}\n");
    return check({"goal.toml"});
  };
  const ProgramRun stuck = program("b requires a\n");
  EXPECT_EQ(stuck.exit_code, 3);
  EXPECT_THAT(stuck.out, ::testing::HasSubstr("valid             NO\n"));
  EXPECT_THAT(stuck.out,
              ::testing::HasSubstr(
                  "finishes          NO: 2 messages are never sent, the first is message 0 from 0 to 1 (line 4)"));
  const ProgramRun good = program("a requires b\n");
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.out, ::testing::HasSubstr("finishes          yes, wherever the network delivers every message\n"));
  const ProgramRun any = program("a requires b\n", "-1");
  EXPECT_EQ(any.exit_code, 0);
  EXPECT_THAT(any.out, ::testing::HasSubstr("not proved for other orders"));
  const Json json = Json::parse(check({"goal.toml", "--json", "-"}).out);
  EXPECT_EQ(json["finishes"], true);
  EXPECT_EQ(json["proved_for_any_order"], false);
  EXPECT_TRUE(json["contention_free"].is_null());
  EXPECT_EQ(check({"goal.toml", "--contention-free"}).exit_code, 2);
}

TEST_F(CheckCommand, FinishingIsNotProvedWhereArrivalsDecideWhoTakesWhat)
{
  directory.write("goal.toml", "[topology]\nkind = \"mesh\"\ndims = [2, 2]\n[network]\nstartup = \"5us\"\n"
                               "per_byte = \"1ns\"\nports = \"all\"\n[algorithm]\nname = \"schedule\"\n"
                               "file = \"p.goal\"\nnodes = [3, 0, 1, 2]\n");
  // Rank 1 posts its receives for rank 0 in the order in which ranks 2 and 3 are heard; the answer needs the first.
  directory.write("p.goal", R"(num_ranks 4
rank 0 {
m1: send 8b to 1 tag 0
x: recv 8b from 1 tag 9
m2: send 8b to 1 tag 0
m2 requires x
}
rank 1 {
c: recv 1000000b from 2 tag 1
d: recv 8b from 3 tag 2
r1: recv 8b from 0 tag 0
r2: recv 8b from 0 tag 0
s: send 8b to 0 tag 9
r1 requires c
r2 requires d
s requires r1
}
rank 2 {
send 1000000b to 1 tag 1
}
rank 3 {
w: calc 1000
e: send 8b to 1 tag 2
e requires w
}
)");
  const Json json = Json::parse(check({"goal.toml", "--json", "-"}).out);
  EXPECT_EQ(json["proved_for_any_order"], false);
  EXPECT_EQ(run_program({"run", "goal.toml"}, directory.path()).exit_code, 4);
}

TEST_F(CheckCommand, ContentSaysWhatAFileIs)
{
  write_schedule(good_messages);
  std::filesystem::rename(directory.path() / "s.json", directory.path() / "schedule");
  std::filesystem::copy(directory.path() / "c.toml", directory.path() / "config");
  EXPECT_EQ(check({"schedule"}).exit_code, 0);
  EXPECT_EQ(check({"config"}).exit_code, 0);
}

} // namespace
} // namespace wormcast::testing
