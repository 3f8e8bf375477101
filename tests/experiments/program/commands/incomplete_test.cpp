// Schedules that do not do their operation: no command takes their time for the operation's.

#include "tests/experiments/program/commands/printing_program.hpp"
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

class Incomplete : public ::testing::Test {
protected:
  Incomplete()
  {
    directory.write("nothing.sh", "head=$(cat)\nprintf '%s\"messages\": []}\\n' \"${head%\\\"messages\\\"*}\"\n");
    directory.write("print.sh", printing_script);
    directory.write("c.toml", command_config(R"(["sh", "nothing.sh"])"));
  }

  ProgramRun run(const std::vector<std::string>& arguments) const { return run_program(arguments, directory.path()); }
  std::filesystem::path path(const std::string& name) const { return directory.path() / name; }

  TemporaryDirectory directory;
  const std::string sentence = "wormcast: error: command does not broadcast: 15 of 16 nodes lack it (\"wormcast "
                               "check\" says why; --unchecked, or "
                               "run.unchecked = true, simulates it all the same)\n";
};

TEST_F(Incomplete, IsNotRun)
{
  const ProgramRun result = run({"run", "c.toml", "--json", "r.json"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, sentence);
  EXPECT_EQ(result.out, "");
  EXPECT_FALSE(std::filesystem::exists(path("r.json")));
  const ProgramRun view = run({"view", "c.toml"});
  EXPECT_EQ(view.exit_code, 3);
  EXPECT_EQ(view.err, sentence);
  EXPECT_FALSE(std::filesystem::exists(path("c.html")));
}

TEST_F(Incomplete, IsMarkedWhereItIsRunAllTheSame)
{
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--unchecked"}, {"--set", "run.unchecked=true"}}) {
    std::vector<std::string> arguments = {"run", "c.toml"};
    arguments.insert(arguments.end(), how.begin(), how.end());
    const ProgramRun table = run(arguments);
    EXPECT_EQ(table.exit_code, 0) << table.err;
    EXPECT_THAT(table.out, AllOf(HasSubstr("INCOMPLETE        does not broadcast: 15 of 16 nodes lack it\n"),
                                 Not(HasSubstr("best possible"))));
    arguments.insert(arguments.end(), {"--json", "-"});
    const Json json = Json::parse(run(arguments).out);
    EXPECT_EQ(json["unchecked"], true);
    EXPECT_EQ(json["complete"], false);
    EXPECT_EQ(json["undone"], "does not broadcast: 15 of 16 nodes lack it");
    EXPECT_EQ(json["config"]["run"]["unchecked"], true);
  }
  EXPECT_EQ(run({"view", "c.toml", "--unchecked"}).exit_code, 0);
  directory.write("c.toml", command_config(R"(["sh", "print.sh"])"));
  const Json complete = Json::parse(run({"run", "c.toml", "--unchecked", "--json", "-"}).out);
  EXPECT_EQ(complete["unchecked"], true);
  EXPECT_EQ(complete["complete"], true);
  EXPECT_FALSE(complete.contains("undone"));
}

TEST_F(Incomplete, AMessageFromANodeThatHasNothingIsNone)
{
  directory.write("s.json", R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]}, "ports": 1,
 "duplex": "full", "operation": "broadcast", "source": 0, "blocks": 1, "message_bytes": 10, "messages": [
 {"id": 0, "step": 0, "src": 1, "dst": 2, "blocks": [[0, 1]]}]})");
  directory.write("s.toml", R"([network]
startup = "100us"
per_byte = "1us"
[algorithm]
name = "schedule"
file = "s.json"
)");
  const ProgramRun result = run({"run", "s.toml"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, AllOf(HasSubstr("s.json does not broadcast: 2 of 3 nodes lack it")));
}

TEST_F(Incomplete, TheProgramsOwnAlgorithmThatLacksMessagesIsNotRun)
{
  directory.write("p.toml", R"([topology]
kind = "petersen_torus"
dims = [2, 2, 2]
[network]
startup = "1us"
per_byte = "1ns"
ports = "all"
[algorithm]
name = "petersen_torus_all_to_all"
variant = "literal"
[message]
bytes = 100
)");
  const ProgramRun literal = run({"run", "p.toml", "--set", "network.ports=1"});
  EXPECT_EQ(literal.exit_code, 3);
  EXPECT_THAT(literal.err,
              HasSubstr("petersen_torus_all_to_all is no complete multinode_broadcast: 80 of 80 nodes lack "
                        "messages of other nodes"));
  EXPECT_EQ(run({"run", "p.toml", "--set", "network.ports=1", "--set", "algorithm.variant=fixed"}).exit_code, 0);
}

TEST_F(Incomplete, ASeriesOfItIsNotRun)
{
  directory.write("c.toml", command_config(R"(["sh", "nothing.sh"])") + "[broadcast]\nrepeat = 3\n");
  const ProgramRun result = run({"run", "c.toml"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, sentence);
  directory.write("some.sh", with(printing_script, " 3 4 5 6 7 8 9 10 11 12 13 14", "")); // to three of 15 nodes
  directory.write("c.toml", command_config(R"(["sh", "some.sh"])") + "[broadcast]\nrepeat = 3\n");
  EXPECT_EQ(run({"view", "c.toml"}).exit_code, 3);
  const ProgramRun unchecked = run({"run", "c.toml", "--unchecked", "--json", "-"});
  ASSERT_EQ(unchecked.exit_code, 0) << unchecked.err;
  const Json json = Json::parse(unchecked.out);
  EXPECT_EQ(json["unchecked"], true);
  EXPECT_EQ(json["complete"], false);
  EXPECT_THAT(run({"run", "c.toml", "--unchecked"}).out, HasSubstr("INCOMPLETE               does not broadcast"));
}

TEST_F(Incomplete, APlugInsIsNotRunEither)
{
  directory.write("p.toml", R"([topology]
kind = "mesh"
dims = [4, 4]
[network]
startup = "1us"
per_byte = "1ns"
[algorithm]
name = "to_nobody"
[message]
bytes = 100
)");
  const ProgramRun result = run({"run", "p.toml", "--plugin", WORMCAST_INCOMPLETE_PLUGIN});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("to_nobody does not broadcast: 15 of 16 nodes lack it"));
  const ProgramRun mpi =
      run({"mpi", "p.toml", "--plugin", WORMCAST_INCOMPLETE_PLUGIN, "--bcast", "wormcast:to_nobody", "--", "true"});
  EXPECT_EQ(mpi.exit_code, 3);
  EXPECT_THAT(mpi.err, HasSubstr("mpi.bcast: to_nobody does not broadcast: 15 of 16 nodes lack it"));
}

class IncompleteSweep : public Incomplete {
protected:
  IncompleteSweep()
  {
    directory.write("c.toml",
                    with(command_config(R"(["sh", "nothing.sh"])"), "command = [\"sh\", \"nothing.sh\"]\n", "") +
                        R"([sweep]
"message.bytes" = [64, 1024]
[[case]]
name = "mine"
algorithm.name = "command"
algorithm.command = ["sh", "nothing.sh"]
[[case]]
name = "binomial"
algorithm.name = "binomial_tree"
)");
  }
};

TEST_F(IncompleteSweep, ItsPointsFailAndAreNeverTheFastest)
{
  const ProgramRun sweep = run({"sweep", "c.toml", "--out", "o"});
  EXPECT_EQ(sweep.exit_code, 3) << sweep.err;
  EXPECT_THAT(sweep.err,
              HasSubstr("2 of 4 points failed; the first: command does not broadcast: 15 of 16 nodes lack it"));
  EXPECT_THAT(sweep.out, Not(HasSubstr("fastest as measured: mine")));
  const std::string csv = read_file(path("o/results.csv"));
  EXPECT_THAT(csv, AllOf(HasSubstr(",incomplete,"), HasSubstr(",done,")));
  const ProgramRun again = run({"sweep", "c.toml", "--out", "o", "--resume", "--verbose"});
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_THAT(again.err, HasSubstr("0 points computed, 4 kept"));
}

TEST_F(IncompleteSweep, UncheckedItsPointsAreInTheResultsAlone)
{
  const ProgramRun sweep = run({"sweep", "c.toml", "--out", "o", "--unchecked"});
  EXPECT_EQ(sweep.exit_code, 0) << sweep.err;
  EXPECT_THAT(sweep.out, AllOf(HasSubstr("2 points are left out, since their schedules do not do their operation"),
                               Not(HasSubstr("fastest as measured: mine"))));
  const std::string csv = read_file(path("o/results.csv"));
  EXPECT_THAT(csv, AllOf(HasSubstr(",incomplete,"), HasSubstr("does not broadcast: 15 of 16 nodes lack it")));
}

} // namespace
} // namespace wormcast::testing
