#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;

const std::string measured_header = "collective,shape,algorithm,ports,bytes,median_ns,p10_ns,p90_ns,note\n";
const std::string predicted_header = "collective,shape,algorithm,bytes,model,predicted_ns\n";

class ValidateCommand : public ::testing::Test {
protected:
  ProgramRun validate(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), {"validate", "measured.csv", "predicted.csv"});
    return run_program(arguments, directory.path());
  }

  // Exit code 2, and what the program says, without the name of the program.
  std::string refused(const std::string& measured, const std::string& predicted,
                      const std::vector<std::string>& arguments = {}) const
  {
    directory.write("measured.csv", measured_header + measured);
    directory.write("predicted.csv", predicted_header + predicted);
    const ProgramRun run = validate(arguments);
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_EQ(run.out, "");
    return run.err;
  }

  TemporaryDirectory directory;
};

const std::string measured_rows = "bcast,2x2,a,1,1024,1000,990,1010,x\n"
                                  "bcast,2x2,b,2,1024,2000,1980,2020.5,\n"
                                  "bcast,2x2,c,,1024,4000,1000,9000,\"u,v\"\n"
                                  "bcast,2x2,a,1,2097152,100000,99000,101000,\n";
const std::string predicted_rows = "bcast,2x2,a,1024,m,1100\n"
                                   "bcast,2x2,b,1024,m,1900\n"
                                   "bcast,2x2,c,1024,m,4000\n"
                                   "bcast,2x2,a,2097152,m,\n"
                                   "bcast,4x4,a,1024,m,5\n"
                                   "bcast,2x2,b,1024,n,2000.001\n";

TEST_F(ValidateCommand, PrintsTheMeasuresOfEachModel)
{
  directory.write("measured.csv", measured_header + measured_rows);
  directory.write("predicted.csv", predicted_header + predicted_rows);
  const ProgramRun run = validate({"--top", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, R"(4 measured rows: 1 collective, 1 shape, 3 algorithms
1 prediction is about no measured row
The models predict different rows; --common compares them on the rows that all of them predict.

model m
1 of the measured rows without a prediction

rows                     number  median    90 %  signed median   tau  mean loss  greatest loss
all                           2   7.5 %   9.5 %          2.5 %  1.00      0.0 %          0.0 %
below 1 MiB                   2   7.5 %   9.5 %          2.5 %  1.00      0.0 %          0.0 %
one port                      1  10.0 %  10.0 %         10.0 %     -          -              -
several ports                 1   5.0 %   5.0 %         -5.0 %     -          -              -
range of more than 30 %       1   0.0 %   0.0 %          0.0 %     -          -              -

largest errors            measured, us  predicted, us    error
bcast on 2x2 by a, 1 KiB             1            1.1  +10.0 %

model n
3 of the measured rows without a prediction

rows           number  median   90 %  signed median  tau  mean loss  greatest loss
all                 1   0.0 %  0.0 %          0.0 %    -          -              -
below 1 MiB         1   0.0 %  0.0 %          0.0 %    -          -              -
several ports       1   0.0 %  0.0 %          0.0 %    -          -              -

largest errors            measured, us  predicted, us   error
bcast on 2x2 by b, 1 KiB             2       2.000001  +0.0 %
)");
  EXPECT_EQ(run.err, "");
}

TEST_F(ValidateCommand, ComparesOnCommonRows)
{
  directory.write("measured.csv", measured_header + measured_rows);
  directory.write("predicted.csv", predicted_header + predicted_rows);
  const ProgramRun run = validate({"--common", "--json", "-"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(run.out);
  EXPECT_EQ(json["format"], "wormcast-validation/1");
  ASSERT_EQ(json["models"].size(), 2U);
  for (const Json& model : json["models"]) {
    ASSERT_EQ(model["rows"].size(), 1U);
    EXPECT_EQ(model["rows"][0]["algorithm"], "b");
    EXPECT_EQ(model["without_prediction"], 3);
  }
  EXPECT_EQ(json["models"][0]["rows"][0]["error"], -0.05);
  EXPECT_EQ(json["models"][0]["measures"][0]["median"], 0.05);
}

TEST_F(ValidateCommand, WritesRowsAndPictures)
{
  directory.write("measured.csv", measured_header + measured_rows);
  directory.write("predicted.csv", predicted_header + predicted_rows);
  const ProgramRun run = validate({"--csv", "rows.csv", "--picture", "errors.svg"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(read_file(directory.path() / "errors.svg"), HasSubstr("predicted / measured"));
  EXPECT_EQ(read_file(directory.path() / "rows.csv"),
            "model,collective,shape,algorithm,ports,bytes,measured_us,measured_p10_us,measured_p90_us,predicted_us,"
            "error,apart\n"
            "m,bcast,2x2,a,1,1024,1,0.99,1.01,1.1,0.1,false\n"
            "m,bcast,2x2,b,2,1024,2,1.98,2.0205,1.9,-0.05,false\n"
            "m,bcast,2x2,c,,1024,4,1,9,4,0,true\n"
            "n,bcast,2x2,b,2,1024,2,1.98,2.0205,2.000001,5e-07,false\n");
}

TEST_F(ValidateCommand, LooksAtSomeRowsOnly)
{
  directory.write("measured.csv", measured_header + measured_rows);
  directory.write("predicted.csv", predicted_header + predicted_rows);
  const auto rows_with = [&](const std::vector<std::string>& conditions) {
    std::vector<std::string> arguments = {"--csv", "-"};
    for (const std::string& condition : conditions) {
      arguments.insert(arguments.end(), {"--only", condition});
    }
    const std::string csv = validate(arguments).out;
    return std::ranges::count(csv, '\n') - 1;
  };
  EXPECT_EQ(rows_with({}), 4);
  EXPECT_EQ(rows_with({"algorithm=b"}), 2);
  EXPECT_EQ(rows_with({"collective=b*t", "shape=*x*"}), 4);
  EXPECT_EQ(rows_with({"ports=1"}), 1);
  EXPECT_EQ(rows_with({"bytes=..1KiB", "algorithm=*"}), 4);
  EXPECT_EQ(rows_with({"bytes=1KiB..2KiB", "ports=2"}), 2);
  EXPECT_EQ(rows_with({"bytes=1024", "algorithm=a"}), 1);
  // What --only leaves out is measured all the same; the row on 4x4 is not.
  EXPECT_THAT(validate({"--only", "algorithm=a"}).out, HasSubstr("\n1 prediction is about no measured row\n"));
}

TEST_F(ValidateCommand, RefusesConditionsThatSelectNothing)
{
  EXPECT_THAT(refused(measured_rows, predicted_rows, {"--only", "algorithm=z*", "--only", "ports=1"}),
              HasSubstr("--only: found no measured row with algorithm=z*, ports=1"));
  EXPECT_THAT(
      refused(measured_rows, predicted_rows, {"--only", "size=1"}),
      HasSubstr("--only: found \"size=1\", expected COLUMN=VALUE with a column of collective, shape, algorithm, "
                "ports, bytes"));
  EXPECT_THAT(refused(measured_rows, predicted_rows, {"--only", "ports=x"}),
              HasSubstr("--only: found \"x\", expected a number of ports"));
  EXPECT_THAT(refused(measured_rows, predicted_rows, {"--only", "bytes=1..2XB"}), HasSubstr("2XB"));
  EXPECT_THAT(refused(measured_rows, predicted_rows, {"--only", "algorithm=a", "--only", "bytes=2MiB"}),
              HasSubstr("found no prediction for any of the measured rows"));
  EXPECT_THAT(refused(measured_rows, predicted_rows, {"--top", "-1"}), HasSubstr("--top: found -1"));
  EXPECT_THAT(refused("", predicted_rows), HasSubstr("measured.csv: found no measured row"));
}

TEST_F(ValidateCommand, NamesTheLineOfABadRow)
{
  EXPECT_THAT(refused("bcast,2x2,a,1,1024,1000,990,1010\n", predicted_rows),
              HasSubstr("measured.csv: line 2: found 8 cells, expected 9, one for each column"));
  EXPECT_THAT(refused("bcast,2x2,a,1,x,1000,990,1010,\n", predicted_rows),
              HasSubstr("measured.csv: line 2: bytes: found \"x\", expected a whole number of bytes"));
  EXPECT_THAT(refused("bcast,2x2,a,1,8,1.0001,1,2,\n", predicted_rows),
              HasSubstr("line 2: median_ns: found \"1.0001\", expected nanoseconds with at most three decimals"));
  EXPECT_THAT(refused("bcast,2x2,a,1,8,0,0,2,\n", predicted_rows),
              HasSubstr("line 2: median_ns: found 0, expected a time above 0"));
  EXPECT_THAT(refused("bcast,2x2,a,-1,8,2,1,2,\n", predicted_rows),
              HasSubstr("line 2: ports: found \"-1\", expected a number of ports, or nothing"));
  EXPECT_THAT(refused("bcast,2x2,a,1,8,2,1,1.5,\n", predicted_rows),
              HasSubstr("line 2: found percentiles that are not in the order p10_ns, median_ns, p90_ns"));
  EXPECT_THAT(refused(measured_rows + "bcast,2x2,b,1,1024,2,1,3,\n", predicted_rows),
              HasSubstr("line 6: bcast on 2x2 by b, 1 KiB is in line 3, too"));
  EXPECT_THAT(refused(measured_rows, predicted_rows + "bcast,2x2,a,1024,m,7\n"),
              HasSubstr("predicted.csv: line 8: model m has bcast on 2x2 by a, 1 KiB in line 2, too"));
  directory.write("measured.csv", "collective,shape\n");
  EXPECT_THAT(validate({}).err, HasSubstr("measured.csv: found no column algorithm in collective, shape"));
  std::filesystem::remove(directory.path() / "measured.csv");
  EXPECT_THAT(validate({}).err, HasSubstr("cannot read measured.csv"));
}

TEST_F(ValidateCommand, NeedsPredictionsForMeasuredRows)
{
  directory.write("measured.csv", measured_header + measured_rows);
  const auto refused_with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"validate", "measured.csv"});
    const ProgramRun run = run_program(more, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(refused_with({}),
              HasSubstr("measured.csv: found no file of predictions behind it, expected one or more"));
  EXPECT_THAT(refused_with({"p.csv", "--set", "network.startup=1us"}),
              HasSubstr("--set: found with the measured rows measured.csv, expected a study (.toml)"));
}

// Broadcasts on a line of nodes by a tree of two levels, and what a machine without contention would take.
class ValidateStudy : public ::testing::Test {
protected:
  ValidateStudy()
  {
    directory.write("machine.toml", "[topology]\nkind = \"mesh\"\n\n[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n"
                                    "per_hop = \"0us\"\nbuffer_flits = \"auto\"\n");
    directory.write("measured.csv", measured_header + "bcast,4,tree,1,1000,4000,3990,4010,\n"
                                                      "bcast,2x2,tree,1,1000,5000,4990,5010,\n"
                                                      "bcast,4,other,1,1000,5000,4990,5010,\n"
                                                      "bcast,4,tree,,1000000,1e6,1e6,1e6,\n"
                                                      "bcast,2by2,tree,1,1000,5000,4990,5010,\n");
  }

  std::string study(const std::string& algorithm_set, const std::string& more = "") const
  {
    return "measured = \"measured.csv\"\nconfiguration = \"machine.toml\"\n" + more +
           "[[model]]\nname = \"mesh\"\n\n[[model]]\nname = \"slow\"\nshape = \"2*\"\nset = [\"network.per_byte=2ns\"]\n\n"
           "[[algorithm]]\ncollective = \"bcast\"\nalgorithm = \"t*e\"\nset = [" +
           algorithm_set + "]\n";
  }

  ProgramRun validate(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), {"validate", "study.toml"});
    return run_program(arguments, directory.path());
  }

  std::string refused(const std::string& text) const
  {
    directory.write("study.toml", text);
    const ProgramRun run = validate({});
    EXPECT_EQ(run.exit_code, 2) << run.out;
    return run.err;
  }

  TemporaryDirectory directory;
};

const std::string doubling = R"("algorithm.name=recursive_doubling", "topology.dims={dims}", "message.bytes={bytes}")";

TEST_F(ValidateStudy, SimulatesEachRowByEachModel)
{
  directory.write("study.toml", study(doubling + R"(, "network.ports={ports}")"));
  const ProgramRun run = validate({"--predictions", "-", "--json", "r.json", "--csv", "r.csv"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  // Two steps of 1 us and 1000 bytes at 1 ns or 2 ns each.
  EXPECT_THAT(run.out, ::testing::StartsWith("collective,shape,algorithm,bytes,model,predicted_ns\n"
                                             "bcast,4,tree,1000,mesh,4000\n"
                                             "bcast,2x2,tree,1000,mesh,4000\n"
                                             "bcast,4,tree,1000000,mesh,\n"
                                             "bcast,2by2,tree,1000,mesh,\n"
                                             "bcast,2x2,tree,1000,slow,6000\n"
                                             "bcast,2by2,tree,1000,slow,\n"));
  EXPECT_THAT(run.out, HasSubstr("\nno prediction\n  1 of 6: ports: not known of this row\n"
                                 "  2 of 6: shape: found \"2by2\", expected sizes such as 4x4x8\n"));
  const Json json = Json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(json["models"][0]["rows"][0]["error"], 0);
  EXPECT_EQ(json["models"][0]["rows"][1]["error"], -0.2);
  EXPECT_EQ(json["models"][1]["rows"][0]["error"], 0.2);
  EXPECT_EQ(json["models"][1]["without_prediction"], 4);
}

TEST_F(ValidateStudy, IsTheSameForAnyJobsAndGoesOnWithWhatIsThere)
{
  directory.write("study.toml", study(doubling));
  const ProgramRun one = validate({"--jobs", "1", "--csv", "-"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(validate({"--jobs", "3", "--csv", "-"}).out, one.out);
  EXPECT_EQ(validate({"--out", "kept", "--shard", "1/2"}).exit_code, 0);
  EXPECT_EQ(validate({"--out", "kept", "--no-run"}).exit_code, 5);
  EXPECT_EQ(validate({"--out", "kept", "--csv", "-"}).out, one.out);
  EXPECT_EQ(validate({"--out", "kept", "--no-run", "--csv", "-"}).out, one.out);
}

TEST_F(ValidateStudy, TakesOtherRowsAndKeys)
{
  directory.write("study.toml", study(doubling));
  directory.write("others.csv", measured_header + "bcast,8,tree,1,1000,6000,5990,6010,\n");
  directory.write("formula.csv", predicted_header + "bcast,8,tree,1000,formula,3000\n");
  const ProgramRun run =
      validate({"formula.csv", "--measured", "others.csv", "--set", "network.startup=2us", "--csv", "-"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nmesh,bcast,8,tree,1,1000,6,5.99,6.01,9,0.5,false\n"));
  EXPECT_THAT(run.out, HasSubstr("\nformula,bcast,8,tree,1,1000,6,5.99,6.01,3,-0.5,false\n"));
}

TEST_F(ValidateStudy, DividesNumbersOfTheRow)
{
  // 1000 bytes of 4 nodes with 1 port: 250 bytes in two steps of 1 us.
  directory.write("study.toml",
                  study(R"("algorithm.name=recursive_doubling", "topology.dims={dims}", )"
                        R"("message.bytes={bytes/nodes/ports}", "network.flit_bytes={bytes/ports/300}")"));
  const ProgramRun run = validate({"--only", "shape=4", "--predictions", "-"});
  // In flits of 4 bytes these are 63.
  EXPECT_THAT(run.out, HasSubstr("bcast,4,tree,1000,mesh,2504\n")) << run.err;
}

TEST_F(ValidateStudy, ErrorsOfAConfigurationAreErrorsOfItsPredictions)
{
  directory.write("study.toml", study(R"("algorithm.name=recursive_doublng", "topology.dims={dims}")"));
  const ProgramRun all = validate({"--only", "shape=4"});
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_THAT(all.err, HasSubstr("study.toml: found no row that could be predicted: --set: algorithm.name: found "
                                 "\"recursive_doublng\""));
  EXPECT_THAT(all.err, HasSubstr("did you mean \"recursive_doubling\"? (of 2 predictions)"));
  // With a prediction of somebody else there is something to compare.
  directory.write("formula.csv", predicted_header + "bcast,4,tree,1000,formula,3000\n");
  const ProgramRun some = validate({"formula.csv", "--only", "shape=4"});
  EXPECT_EQ(some.exit_code, 0) << some.err;
  EXPECT_THAT(some.out, HasSubstr("\nmodel mesh\n3 of the measured rows without a prediction\n\nmodel formula\n"));
  EXPECT_THAT(some.out, HasSubstr("\nno prediction\n  2 of 2: --set: algorithm.name: found"));
}

TEST_F(ValidateStudy, NamesTheKeyThatIsWrong)
{
  EXPECT_THAT(refused("measured = \"measured.csv\"\n"),
              HasSubstr("study.toml:1:1: configuration: missing, expected a text"));
  EXPECT_THAT(refused("measured = \"m.csv\"\nconfiguration = 3\n"),
              HasSubstr("study.toml:2:17: configuration: found 3, expected a text"));
  EXPECT_THAT(
      refused(study(doubling, "models = 3\n")),
      HasSubstr("study.toml:3:1: models: unknown key, expected one of measured, configuration, set, fit, constant, "
                "model, algorithm"));
  EXPECT_THAT(refused(study("\"algorithm.name\"")),
              HasSubstr("algorithm.set: found \"algorithm.name\", expected a text KEY=VALUE"));
  EXPECT_THAT(refused("measured = \"m.csv\"\nconfiguration = \"c\"\n[[model]]\nname = \"a\"\nwithout_contention = 1\n"),
              HasSubstr("study.toml:5:22: model.without_contention: found 1, expected true or false"));
  EXPECT_THAT(refused("measured = \"m.csv\"\nconfiguration = \"c\"\n[model]\n"),
              HasSubstr("study.toml:3:1: model: found a table, expected tables [[model]]"));
  EXPECT_THAT(refused("measured = \"m.csv\"\nconfiguration = \"c\"\n[[model]]\nname = \"a\"\n"),
              HasSubstr("algorithm: missing, expected at least one table [[algorithm]]"));
  directory.write("study.toml", study(R"("message.bytes={byte}")"));
  EXPECT_THAT(validate({}).err, HasSubstr("found {byte}, expected one of {bytes}, {ports}, {nodes}"));
}

} // namespace
} // namespace wormcast::testing
