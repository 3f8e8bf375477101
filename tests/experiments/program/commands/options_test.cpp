// Options that mean the same for every command, axes on the command line, and own algorithms in sweeps.

#include "tests/experiments/program/commands/load_config.hpp"
#include "tests/experiments/program/commands/printing_program.hpp"
#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

class Options : public ::testing::Test {
protected:
  ProgramRun run(const std::vector<std::string>& arguments) const { return run_program(arguments, directory.path()); }

  /// Standard output of a call that succeeds.
  std::string out(const std::vector<std::string>& arguments) const
  {
    const ProgramRun result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << arguments.front() << ": " << result.err;
    return result.out;
  }

  /// Standard error of a call with bad input.
  std::string error(const std::vector<std::string>& arguments) const
  {
    const ProgramRun result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments.front() << ": " << result.out << result.err;
    return result.err;
  }

  std::string file(const std::string& name) const { return read_file(directory.path() / name); }

  TemporaryDirectory directory;
};

TEST_F(Options, SetMakesAnAxis)
{
  directory.write("c.toml", small_config);
  directory.write("s.toml", small_config + "[sweep]\n\"message.bytes\" = [64, 4096, 8192]\n");
  const auto csv = [&](const std::string& axis, const std::string& config) {
    return out(
        {"sweep", config, "--set", axis, "--out", "out-" + config + axis.substr(0, 20), "--csv", "-", "--quiet"});
  };
  const std::string listed = csv("sweep.message.bytes=64,4KiB", "c.toml");
  EXPECT_THAT(listed, AllOf(HasSubstr("message.bytes,"), HasSubstr("\n64,"), HasSubstr("\n4096,")));
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 3);
  EXPECT_THAT(csv("sweep.algorithm.name=recursive_doubling,scatter_collect", "c.toml"),
              AllOf(HasSubstr("\nrecursive_doubling,"), HasSubstr("\nscatter_collect,")));
  // As in a file, and in the place of the file's axis.
  const std::string replaced = csv("sweep.message.bytes={ from = 64, to = 256, factor = 2 }", "s.toml");
  EXPECT_THAT(replaced, AllOf(HasSubstr("\n128,"), Not(HasSubstr("\n8192,"))));
  EXPECT_THAT(csv("sweep.network.startup=[\"1us\", \"2us\"]", "c.toml"), HasSubstr("2us"));
  const std::string repeated =
      out({"sweep", "c.toml", "--set", "run.start_jitter=1us", "--set", "sweep.repeat=3", "--out", "r", "--csv", "-"});
  EXPECT_EQ(std::count(repeated.begin(), repeated.end(), '\n'), 4);
}

TEST_F(Options, AWrongAxisSaysHowOneIsSet)
{
  directory.write("c.toml", small_config);
  EXPECT_THAT(error({"sweep", "c.toml", "--set", "message.bytes=[64,128]"}),
              HasSubstr("--set: message.bytes: found a list, expected one value; the values of an axis of a sweep are "
                        "set by --set sweep.message.bytes=64,128\n"));
  EXPECT_THAT(error({"sweep", "c.toml", "--set", "sweep.mesage.bytes=64"}), HasSubstr("did you mean \"message\"?"));
  EXPECT_THAT(error({"sweep", "c.toml", "--set", "sweep.message.bytes=64,64"}), HasSubstr("a second time"));
  EXPECT_THAT(error({"sweep", "c.toml", "--set", "sweep.repeat=x"}), HasSubstr("with how many seeds"));
  EXPECT_THAT(error({"run", "c.toml", "--set", "sweep.message.bytes=64,128"}),
              HasSubstr("found a sweep, but `wormcast run` takes one value of each key"));
}

TEST_F(Options, SweepAndLoadWriteJsonAndCsvToFiles)
{
  directory.write("s.toml", small_config + "[sweep]\n\"message.bytes\" = [64, 4096]\n");
  out({"sweep", "s.toml", "--out", "o", "--json", "s.json", "--csv", "s.csv"});
  EXPECT_EQ(file("s.csv"), file("o/results.csv"));
  const Json json = Json::parse(file("s.json"));
  EXPECT_EQ(json["format"], "wormcast-sweep/1");
  ASSERT_EQ(json["points"].size(), 2U);
  EXPECT_EQ(json["points"][1]["message.bytes"], 4096);
  EXPECT_EQ(json["points"][1]["state"], "done");
  EXPECT_TRUE(json["points"][1]["latency_us"].is_number());
  EXPECT_THAT(error({"sweep", "s.toml", "--out", "o2", "--json", "-", "--csv", "-"}), HasSubstr("at most one"));
  directory.write("l.toml", loaded_mesh + "[load]\npoints = [0.1]\nsaturation = false\n");
  const std::string csv = out({"load", "l.toml", "--out", "l", "--csv", "-"});
  EXPECT_EQ(csv, file("l/results.csv"));
}

TEST_F(Options, LoadChecksAllCurvesBeforeItMeasures)
{
  directory.write("l.toml", loaded_mesh + "[load]\npoints = [0.1]\n[[case]]\nname = \"good\"\n[[case]]\nname = "
                                          "\"wrong\"\nnetwork = { routing = \"minimal_adaptive\" }\n");
  EXPECT_THAT(error({"load", "l.toml", "--out", "l"}),
              AllOf(HasSubstr("1 of 2 curves cannot be measured; the first, wrong: "),
                    HasSubstr("network.routing: only router \"input_queued\" has this value")));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "l/results.csv"));
  directory.write("m.toml", loaded_mesh + "[run]\nmode = \"lockstep\"\n");
  EXPECT_THAT(error({"load", "m.toml", "--out", "m"}), HasSubstr("run.mode: [traffic] has no steps"));
}

TEST_F(Options, PlotsNameTheNearestColumn)
{
  directory.write("s.toml", small_config + "[sweep]\n\"message.bytes\" = [64, 4096]\n");
  EXPECT_THAT(error({"sweep", "s.toml", "--out", "o", "--plot", "y=latency"}), HasSubstr("did you mean \"latency"));
  EXPECT_THAT(error({"sweep", "s.toml", "--out", "o", "--plot", "y=foo"}), HasSubstr("such as latency_us"));
  EXPECT_THAT(error({"sweep", "s.toml", "--out", "o", "--plot", "x=message.bytes y=latency_us"}),
              HasSubstr("expected a comma before"));
}

TEST_F(Options, RunSaysThatALoadSaturates)
{
  directory.write("c.toml", loaded_mesh + "[broadcast]\nrepeat = 3\n[algorithm]\nname = \"binomial_tree\"\n"
                                          "[message]\nbytes = 64\n");
  const ProgramRun saturated =
      run({"run", "c.toml", "--set", "traffic.load=5", "--unset", "traffic.measure", "--set", "network.startup=0us"});
  EXPECT_EQ(saturated.exit_code, 0) << saturated.err;
  EXPECT_THAT(saturated.err, HasSubstr("the load saturates the network, so that there are no latencies\n"));
}

// A case with a command needs no name, has the case's name in tables, and its program's output is shown line by line.
TEST_F(Options, OwnAlgorithmsAreCases)
{
  directory.write("mine.sh", printing_script);
  directory.write("c.toml",
                  "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"10us\"\nper_byte = "
                  "\"10ns\"\n[message]\nbytes = 1000\n[[case]]\nname = \"mine\"\nalgorithm.command = [\"sh\", "
                  "\"mine.sh\"]\n[[case]]\nname = \"theirs\"\nalgorithm.name = \"binomial_tree\"\n[sweep]\n"
                  "\"message.bytes\" = [500, 1000]\n");
  EXPECT_THAT(out({"sweep", "c.toml", "--out", "o"}), AllOf(HasSubstr("mine"), HasSubstr("theirs")));
  EXPECT_THAT(file("o/results.csv"), HasSubstr("\nmine,500,"));
  directory.write("t.toml",
                  "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"10us\"\nper_byte = "
                  "\"10ns\"\n[message]\nbytes = 1000\n[sweep]\nalgorithm = [{ command = [\"sh\", \"mine.sh\"], "
                  "label = \"mine\" }, { name = \"binomial_tree\" }]\n");
  EXPECT_THAT(out({"sweep", "t.toml", "--out", "t", "--csv", "-"}), HasSubstr("\nmine,"));
  // A command for all, of which one case is another algorithm.
  directory.write("d.toml", command_config(R"(["sh", "mine.sh"])") +
                                "[[case]]\nname = \"mine\"\n[[case]]\nname = \"theirs\"\nalgorithm.name = "
                                "\"binomial_tree\"\n");
  EXPECT_THAT(out({"sweep", "d.toml", "--out", "d", "--csv", "-"}),
              AllOf(HasSubstr("\nmine,"), HasSubstr("\ntheirs,")));
}

TEST_F(Options, OwnAlgorithmsHaveALabel)
{
  directory.write("mine.sh", printing_script);
  directory.write("c.toml", command_config(R"(["sh", "mine.sh"])") + "label = \"one after another\"\n");
  EXPECT_THAT(out({"run", "c.toml"}), HasSubstr("command one after another from (0, 0)"));
  const std::string table = out({"compare", "c.toml", "--algorithms", "command,binomial_tree", "--lengths", "64..128"});
  EXPECT_THAT(table, AllOf(HasSubstr("command one after another "), Not(HasSubstr("time_limit"))));
  EXPECT_THAT(out({"choose", "c.toml", "--algorithms", "command", "--lengths", "64"}),
              HasSubstr("command one after another"));
}

TEST_F(Options, OutputOfOwnProgramsKeepsItsLines)
{
  directory.write("bad.sh", "printf 'Traceback:\\n  line 7\\n\\033[31mValueError\\n' >&2\nexit 1\n");
  directory.write("c.toml", command_config(R"(["sh", "bad.sh"])"));
  EXPECT_THAT(error({"run", "c.toml"}),
              HasSubstr("ended with exit code 1:\n    Traceback:\n      line 7\n    \\x1b[31mValueError\n"));
  directory.write("s.toml", command_config(R"(["sh", "bad.sh"])") + "[sweep]\n\"message.bytes\" = [500, 1000]\n");
  const ProgramRun swept = run({"sweep", "s.toml", "--out", "o"});
  EXPECT_EQ(swept.exit_code, 2);
  EXPECT_THAT(swept.out,
              AllOf(HasSubstr("points that failed\n  message.bytes=500 and 1 other\n"), Not(HasSubstr("ValueError"))));
  EXPECT_THAT(swept.err, AllOf(HasSubstr("2 of 2 points failed; the first: "), HasSubstr("\n    Traceback:\n")));
  // What comes from a file cannot begin a line.
  directory.write("n.toml", small_config + "[network]\n\"a\\nwormcast: error: b\" = 1\n");
  const std::string named = error({"run", "n.toml"});
  EXPECT_EQ(std::count(named.begin(), named.end(), '\n'), 1) << named;
}

TEST_F(Options, CompareCountsADeadlockOfAnotherAlgorithmAsAResult)
{
  // Halves that all go up a ring with one virtual channel wait for each other; neighbours do not.
  directory.write("c.toml",
                  "[topology]\nkind = \"torus\"\ndims = [8]\n[network]\nstartup = \"1us\"\nper_byte = \"1us\"\n"
                  "tie = \"positive\"\n[algorithm]\nname = \"ring\"\noperation = \"all_gather\"\n"
                  "[message]\nbytes = 4096\n");
  const ProgramRun other = run({"compare", "c.toml", "--algorithms", "ring,recursive_halving", "--lengths", "none"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  EXPECT_THAT(other.out, HasSubstr("deadlock"));
  EXPECT_THAT(other.err, HasSubstr("1 of 3 algorithms ends in a deadlock on this network"));
  // That of the configuration itself is an error
  EXPECT_EQ(run({"compare", "c.toml", "--algorithms", "ring,recursive_halving", "--lengths", "none", "--set",
                 "algorithm.name=recursive_halving"})
                .exit_code,
            4);
}

} // namespace
} // namespace wormcast::testing
