#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

const std::filesystem::path measured_file = std::filesystem::path(WORMCAST_MEASURED_COLLECTIVES) / "collectives.csv";

// An all_reduce of whole vectors in three exchanges, and a broadcast with a copy.
const std::string algorithms = R"(
[[model]]
name = "torus"

[[algorithm]]
collective = "allreduce"
set = ["algorithm.name=swing", "algorithm.variant=latency", "topology.dims={dims}", "message.bytes={bytes}",
       "network.flit_bytes={bytes/64}", "run.ready_above=1KiB", "run.call={call}", "run.reduce={addition}"]

[[algorithm]]
collective = "bcast"
set = ["algorithm.name=torus_bine_tree", "algorithm.segments=1", "topology.dims={dims}", "message.bytes={bytes}",
       "network.flit_bytes={bytes/64}", "run.call={call+extra*log2_nodes}", "run.copy={copy}"]
)";

std::string given(const std::string& name, const std::string& value)
{
  return "[[constant]]\nname = \"" + name + "\"\nvalue = \"" + value + "\"\n\n";
}

class ValidateFit : public ::testing::Test {
protected:
  ValidateFit()
  {
    directory.write("machine.toml", "[topology]\nkind = \"torus\"\n\n[network]\nper_hop = \"100ns\"\nper_byte = "
                                    "\"1ps\"\nbuffer_flits = \"auto\"\nvirtual_channels = 4\n\n[run]\nmode = "
                                    "\"self_timed\"\n");
  }

  void write_study(const std::string& constants) const
  {
    directory.write("study.toml", "measured = \"measured.csv\"\nconfiguration = \"machine.toml\"\n"
                                  "set = [\"network.startup={startup}\"]\n\n" +
                                      constants + algorithms);
  }

  ProgramRun validate(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), {"validate", "study.toml"});
    return run_program(arguments, directory.path());
  }

  // Predictions as if they had been measured.
  void write_as_measured(const std::string& predictions) const
  {
    std::istringstream lines(predictions);
    std::string line;
    std::string rows = "collective,shape,algorithm,bytes,median_ns,p10_ns,p90_ns\n";
    std::getline(lines, line);
    while (std::getline(lines, line) && !line.empty() && std::count(line.begin(), line.end(), ',') == 5) {
      const std::size_t model = line.find(",torus,");
      const std::string time = line.substr(model + 7);
      rows += line.substr(0, model) + "," + time + "," + time + "," + time + "\n";
    }
    directory.write("measured.csv", rows);
  }

  TemporaryDirectory directory;
};

const std::string fitted = R"([fit]
collective = "allreduce"
shape = "2x2x2"
algorithm = "whole"
messages = 3
per_hop = "100ns"
per_byte = "1ps"
short = [4, "32B", 256]
ready = "2KiB"
additions_from = "16KiB"

[[constant]]
name = "copy"
value = "4B 0us"

[[constant]]
name = "extra"
model = "torus"
shape = "2x2x2"
collective = "bcast"
bytes = "4"

[[constant]]
name = "copy"
model = "torus"
shape = "2x2x2"
collective = "bcast"
bytes = "1KiB.."
entries = ["{bytes}"]
)";

// The formulas take vectors of `short` and messages that announce others for empty. With 1 ps a byte the former make
// the call 3 * (4 + 32 + 256)/3 ps too long, and the latter, which have a header flit, the start-up 2048/64 ps.
TEST_F(ValidateFit, FindsTheConstantsOfRowsThatItPredicted)
{
  std::string rows = "collective,shape,algorithm,bytes,median_ns,p10_ns,p90_ns\n";
  for (const std::string bytes : {"4", "32", "256", "2048", "16384", "1048576"}) {
    rows += "allreduce,2x2x2,whole," + bytes + ",1,1,1\nallreduce,4x4x4,whole," + bytes + ",1,1,1\n";
  }
  for (const std::string bytes : {"4", "1024", "1048576"}) {
    rows += "bcast,2x2x2,tree," + bytes + ",1,1,1\nbcast,4x4x4,tree," + bytes + ",1,1,1\n";
  }
  directory.write("measured.csv", rows);
  write_study(given("startup", "1838864ps") + given("call", "4979408ps") + given("extra", "1234567ps") +
              given("addition", "2KiB 0us, 16KiB 11333797ps, 1MiB 14867461ps") +
              given("copy", "4B 0us, 1KiB 123456ps, 1MiB 35517976ps"));
  const ProgramRun made = validate({"--predictions", "-", "--csv", "made.csv"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  write_as_measured(made.out);
  write_study(fitted);
  const ProgramRun run = validate({"--json", "r.json", "--jobs", "2"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(R"(
constant                   us  found from
startup              1.838896  allreduce on 2x2x2 by whole, 256 B, 2 KiB
call                 4.979604  allreduce on 2x2x2 by whole, 4 B, 32 B, 256 B
addition of 16 KiB  11.333924  allreduce on 2x2x2 by whole, 16 KiB
addition of 1 MiB   14.883716  allreduce on 2x2x2 by whole, 1 MiB
copy of 4 B                 0  given
extra                 1.23447  bcast on 2x2x2 by tree, 4 B
copy of 1 KiB        0.123455  bcast on 2x2x2 by tree, 1 KiB
copy of 1 MiB       35.517975  bcast on 2x2x2 by tree, 1 MiB
)"));
  const Json json = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(json["constants"].size(), 8U);
  EXPECT_EQ(json["constants"][0]["us"], 1.838896);
  EXPECT_EQ(json["constants"][0]["rows"][1]["bytes"], 2048);
  const Json& measures = json["models"][0]["measures"];
  EXPECT_EQ(measures[0]["count"], 18);
  for (const Json& row : json["models"][0]["rows"]) {
    EXPECT_NEAR(row["error"].get<double>(), 0, 1e-3) << row;
  }
  const auto unfitted =
      std::find_if(measures.begin(), measures.end(), [](const Json& one) { return one["rows"] == "not fitted to"; });
  ASSERT_NE(unfitted, measures.end());
  EXPECT_EQ((*unfitted)["count"], 9);
  // Constants are found on worms; a model of its own can be fluid.
  EXPECT_THAT(validate({"--set", "run.model=fluid"}).err,
              HasSubstr("bcast on 2x2x2 by tree, 4 B is not predicted: run.model: fluid models are SimGrid's"));
  // Rows that were left out are fitted to all the same.
  EXPECT_THAT(validate({"--only", "shape=4x4x4"}).out, HasSubstr("\nstartup              1.838896  allreduce on"));
}

// Rows that were kept apart: constants come from the others, and predictions do not depend on what was measured in
// them.
TEST_F(ValidateFit, TestsRowsThatWereHeldBack)
{
  std::string rows = "collective,shape,algorithm,bytes,median_ns,p10_ns,p90_ns\n";
  for (const auto& [bytes, time] :
       {std::pair{"4", "10500"}, {"32", "10501"}, {"256", "10502"}, {"2048", "16000"}, {"16384", "60000"}}) {
    rows += fmt::format("allreduce,2x2x2,whole,{},{},{},{}\n", bytes, time, time, time);
  }
  for (const auto& [bytes, time] : {std::pair{"4", "11000"}, {"1024", "12000"}}) {
    rows += fmt::format("bcast,2x2x2,tree,{},{},{},{}\n", bytes, time, time, time);
  }
  directory.write("measured.csv", rows);
  write_study(fitted);
  const auto held = [&](const std::string& time) {
    directory.write("held.csv", fmt::format("collective,shape,algorithm,bytes,median_ns,p10_ns,p90_ns\n"
                                            "allreduce,4x4x4,whole,16384,{},{},{}\nbcast,4x4x4,tree,4,{},{},{}\n",
                                            time, time, time, time, time, time));
    return validate({"--held-back", "held.csv", "--predictions", "-", "--json", "r.json"});
  };
  const ProgramRun one = held("90000");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("\n2 measured rows held back: 2 collectives, 1 shape, 2 algorithms\n"));
  EXPECT_THAT(one.out, HasSubstr("allreduce,4x4x4,whole,16384,torus,"));
  const Json json = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(json["held_back"], true);
  EXPECT_EQ(json["measured_rows"], 2);
  EXPECT_EQ(json["constants"].size(), 6U);
  const ProgramRun other = held("70000");
  EXPECT_NE(one.out, other.out);
  const auto predicted_part = [](const std::string& out) { return out.substr(0, out.find("2 measured rows")); };
  EXPECT_EQ(predicted_part(one.out), predicted_part(other.out));
  EXPECT_EQ(
      validate({"--held-back", "measured.csv"}).err,
      "wormcast: error: --held-back: measured.csv: allreduce on 2x2x2 by whole, 4 B is also in measured.csv, so that "
      "it was not held back\n");
  EXPECT_THAT(run_program({"validate", "measured.csv", "held.csv", "--held-back", "held.csv"}, directory.path()).err,
              HasSubstr("--held-back: found with the measured rows measured.csv, expected a study"));
}

TEST_F(ValidateFit, NamesTheKeyThatIsWrong)
{
  directory.write("measured.csv", "collective,shape,algorithm,bytes,median_ns,p10_ns,p90_ns\nbcast,4,a,1,1,1,1\n");
  const auto refused = [&](const std::string& constants) {
    write_study(constants);
    const ProgramRun run = validate({});
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = fitted;
    return refused(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_THAT(refused(fitted),
              HasSubstr("study.toml:5:1: fit.ready: found no measured row allreduce on 2x2x2 by whole, 2 KiB"));
  EXPECT_THAT(with("messages = 3", ""), HasSubstr("fit.messages: missing, expected a whole number"));
  EXPECT_THAT(with("messages = 3", "messages = 0"),
              HasSubstr("fit.messages: found 0, expected a whole number of at least 1"));
  EXPECT_THAT(with("\"100ns\"", "\"100\""), HasSubstr("fit.per_hop: \"100\" has no unit"));
  EXPECT_THAT(with("[4, \"32B\", 256]", "[4, 256, 32]"), HasSubstr("fit.short: found sizes that do not ascend"));
  EXPECT_THAT(with("[4, \"32B\", 256]", "[4, \"32 bites\"]"),
              HasSubstr("fit.short: \"32 bites\" has the unknown unit"));
  EXPECT_THAT(with("ready = \"2KiB\"", "ready = 256"),
              HasSubstr("fit.ready: found 256 B, expected more than 256 B, the last of fit.short"));
  EXPECT_THAT(with("additions_from = \"16KiB\"", "additions_from = \"2KiB\""),
              HasSubstr("fit.additions_from: found 2 KiB, expected more than 2 KiB"));
  EXPECT_THAT(with("messages = 3", "message = 3"), HasSubstr("fit.message: unknown key, expected one of collective"));
  EXPECT_THAT(with("model = \"torus\"", "model = \"mesh\""),
              HasSubstr("constant.model: found \"mesh\", expected the name of a [[model]]"));
  EXPECT_THAT(with("name = \"extra\"", "name = \"Extra time\""),
              HasSubstr("constant.name: found \"Extra time\", expected a name"));
  EXPECT_THAT(with("name = \"extra\"", "name = \"nodes\""),
              HasSubstr("constant.name: found nodes, which stands for what a row has"));
  EXPECT_THAT(with("value = \"4B 0us\"", "value = \"4B 0us\"\nmodel = \"torus\""),
              HasSubstr("constant.model: unknown key, expected one of name, value"));
}

TEST_F(ValidateFit, NeedsAFileOfMeasuredRows)
{
  directory.write("study.toml", "configuration = \"machine.toml\"\n" + algorithms);
  const ProgramRun run = validate({});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("study.toml: measured: missing: --measured FILE gives the measured rows"));
}

// Recursive doubling on 4x4x4: without contention on the box of six dimensions, and with on a torus of this shape.
TEST_F(ValidateFit, PredictsFugakuByEightNodes)
{
  if (!std::filesystem::exists(measured_file)) {
    GTEST_SKIP() << measured_file << " is not there (CMake variable WORMCAST_MEASURED_COLLECTIVES)";
  }
  const ProgramRun run = run_program({"validate", WORMCAST_CONFIGS "/validation/fugaku/study.toml", "--measured",
                                      measured_file.string(), "--only", "shape=4x4x4", "--only",
                                      "algorithm=RECDOUB-L-UTOFU-0-1", "--only", "bytes=1MiB..", "--json", "r.json"},
                                     directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json models = Json::parse(read_file(directory.path() / "r.json"))["models"];
  std::vector<std::string> names;
  std::map<std::string, Json> measures; // of all rows, by model
  for (const Json& model : models) {
    names.push_back(model["model"]);
    measures[names.back()] = model["measures"][0];
  }
  ASSERT_THAT(names, ::testing::ElementsAre("free", "plain", "plain_fluid", "folded", "fluid"));
  for (const std::string near : {"free", "folded", "fluid"}) {
    EXPECT_LT(measures.at(near)["ninety_percent"], 0.03) << near;
  }
  for (const std::string far : {"plain", "plain_fluid"}) {
    EXPECT_GT(measures.at(far)["median"], 0.3) << far;
  }
}

TEST_F(ValidateFit, TheStudyOfFugakuNeedsRows)
{
  const ProgramRun run = run_program({"validate", WORMCAST_CONFIGS "/validation/fugaku/study.toml"}, directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("study.toml: measured: missing: --measured FILE gives the measured rows"));
}

} // namespace
} // namespace wormcast::testing
