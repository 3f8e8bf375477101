#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;

class ScheduleCommand : public ::testing::Test {
protected:
  ProgramRun schedule(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "schedule");
    return run_program(arguments, directory.path());
  }

  TemporaryDirectory directory;
  std::filesystem::path config =
      directory.write("c.toml", with(with(small_config, "recursion_based", "recursive_doubling"), "[4, 4]", "[2, 2]"));
};

TEST_F(ScheduleCommand, Json)
{
  const ProgramRun result = schedule({"c.toml"});
  EXPECT_EQ(result.exit_code, 0);
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json["format"], "wormcast-schedule/1");
  EXPECT_EQ(json["topology"]["kind"], "mesh");
  EXPECT_EQ(json["topology"]["dims"], (std::vector<int>{2, 2}));
  EXPECT_EQ(json["messages"].dump(),
            R"([{"id":0,"step":0,"src":0,"dst":1,"blocks":[[0,1]]},{"id":1,"step":1,"src":0,"dst":2,"blocks":[[0,1]]},)"
            R"({"id":2,"step":1,"src":1,"dst":3,"blocks":[[0,1]]}])");
}

TEST_F(ScheduleCommand, WrittenToAFileAndReadAgain)
{
  EXPECT_EQ(schedule({"c.toml", "--out", "s.json"}).out, "");
  const std::string text = read_file(directory.path() / "s.json");
  EXPECT_EQ(schedule({"c.toml", "--format", "json"}).out, text);
  directory.write("s.toml", "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\n"
                            "file = \"s.json\"\n");
  EXPECT_EQ(schedule({"s.toml"}).out, text);
}

TEST_F(ScheduleCommand, OtherFormats)
{
  const ProgramRun dot = schedule({"c.toml", "--format", "dot"});
  EXPECT_EQ(dot.exit_code, 0);
  EXPECT_TRUE(dot.out.starts_with("digraph")) << dot.out;
  const ProgramRun goal = schedule({"c.toml", "--format", "goal"});
  EXPECT_EQ(goal.exit_code, 0);
  EXPECT_TRUE(goal.out.starts_with("num_ranks 4")) << goal.out;
}

} // namespace
} // namespace wormcast::testing
