// Pictures of `choose` and `compare`, and the same drawn again by `wormcast plot`, run as a user runs them.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ChoosePicture : public ::testing::Test {
protected:
  ProgramRun run(const std::string& command, std::vector<std::string> options)
  {
    folder_.write("c.toml", small_config);
    options.insert(options.begin(), {command, "c.toml"});
    return run_program(options, folder_.path());
  }
  /// The same of a run that succeeds.
  ProgramRun done(const std::string& command, const std::vector<std::string>& options)
  {
    ProgramRun result = run(command, options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result;
  }
  ProgramRun plot(std::vector<std::string> options)
  {
    options.insert(options.begin(), "plot");
    return run_program(options, folder_.path());
  }
  std::string file(const std::string& name) const { return read_file(folder_.path() / name); }

  TemporaryDirectory folder_;
  std::vector<std::string> two_ = {"--algorithms", "scatter_collect,recursion_based"};
};

TEST_F(ChoosePicture, HasTheFastestByFormulaAndWhereEachBegins)
{
  done("choose", {"--picture", "choice.gnuplot", "--picture", "choice.svg"});
  const std::string script = file("choice.gnuplot");
  EXPECT_THAT(script, HasSubstr("'broadcast, mesh 4 x 4, one port, T_s = 150 us, "));
  EXPECT_THAT(script, HasSubstr("set label 'lower bound'"));
  EXPECT_THAT(script, HasSubstr("set label 'lines: predicted'"));
  EXPECT_THAT(script, HasSubstr("set label 'the fastest from here on'"));
  EXPECT_THAT(script, HasSubstr("segments=best'")); // one curve for all numbers of segments
  EXPECT_THAT(script, HasSubstr("'1 KiB' 1024"));
  EXPECT_THAT(script, HasSubstr("linewidth 1.2 dashtype 3"));
  EXPECT_THAT(file("choice.svg"), HasSubstr("<svg"));
  done("choose", {"--set", "plot.title=My network", "--picture", "choice.gnuplot"});
  EXPECT_THAT(file("choice.gnuplot"), HasSubstr("set label 'My network'"));
}

TEST_F(ChoosePicture, HasSimulatedLatenciesAsPointsWithIntervals)
{
  std::vector<std::string> options = two_;
  options.insert(options.end(), {"--set", "run.mode=self_timed", "--lengths", "64,4KiB", "--picture", "p.gnuplot"});
  done("choose", options);
  EXPECT_THAT(file("p.gnuplot"), Not(HasSubstr("lines: predicted")));
  EXPECT_THAT(file("p.gnuplot"), HasSubstr("with points"));
  EXPECT_THAT(file("p.gnuplot"), Not(HasSubstr("yerrorbars")));
  options.insert(options.end(),
                 {"--set", "run.noise.distribution=exponential", "--set", "run.noise.mean=0.5", "--repeat", "3"});
  done("choose", options);
  EXPECT_THAT(file("p.gnuplot"), HasSubstr("yerrorbars"));
}

TEST_F(ChoosePicture, OfOneLengthHasPoints)
{
  done("choose", {"--lengths", "4KiB", "--picture", "p.gnuplot"});
  EXPECT_THAT(file("p.gnuplot"), HasSubstr("with points"));
  done("compare", {"--lengths", "4KiB", "--picture", "p.gnuplot", "--algorithms", "scatter_collect"});
  EXPECT_THAT(file("p.gnuplot"), HasSubstr("with points"));
}

TEST_F(ChoosePicture, IsRefusedWhereItsNameSaysNothing)
{
  const ProgramRun refused = run("choose", {"--picture", "choice.jpg"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("choice.jpg: expected a picture's name that ends in .svg, .png, .pdf or .gnuplot"));
}

TEST_F(ChoosePicture, OfNothingIsASentenceBelowTheTable)
{
  const ProgramRun none = run("compare", {"--set", "run.mode=self_timed", "--algorithms", "scatter_collect",
                                          "--lengths", "64", "--picture", "p.svg"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.out, HasSubstr("scatter_collect"));
  EXPECT_THAT(none.err,
              HasSubstr("--picture: there is nothing to draw over message lengths: no algorithm has a formula"));
}

TEST_F(ChoosePicture, IsDrawnAgainFromItsFolder)
{
  for (const std::string command : {"choose", "compare"}) {
    std::vector<std::string> options = two_;
    options.insert(options.end(), {"--lengths", "64..16KiB", "--out", command, "--picture", command + ".svg"});
    done(command, options);
    const ProgramRun drawn = plot({command, "--out", "again"});
    ASSERT_EQ(drawn.exit_code, 0) << drawn.err;
    const std::string base = "again/" + command;
    EXPECT_EQ(drawn.out, base + ".svg\n" + base + ".png\n" + base + ".pdf\n" + base + ".gnuplot\n");
    EXPECT_EQ(file("again/" + command + ".svg"), file(command + ".svg"));
    const ProgramRun other = plot({command, "--plot", "y=latency_us"});
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err, HasSubstr("the results of " + command + " have a single figure"));
  }
}

TEST_F(ChoosePicture, OfAFolderWithoutOneSaysWhy)
{
  done("compare", {"--algorithms", "scatter_collect", "--lengths", "none", "--out", "none"});
  const ProgramRun none = plot({"none"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("none/results.sqlite: there is no figure: --picture: found --lengths none"));
}

} // namespace
} // namespace wormcast::testing
