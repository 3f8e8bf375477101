// Names and texts that become names of files, arguments and programs of gnuplot.

#include "tests/experiments/program/commands/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

const std::string lengths = "[sweep]\n\"message.bytes\" = [64, 128]\n";

/// Each would leave a file `pwned` behind where it reached a shell or gnuplot's command line.
const std::vector<std::string> commands = {"<touch pwned;#",
                                           "|touch pwned;#",
                                           "`touch pwned`",
                                           "x`touch pwned`",
                                           "$(touch pwned)",
                                           "x'; system('touch pwned'); #",
                                           "-e",
                                           "-",
                                           "-esystem('id')",
                                           ".hidden",
                                           "..",
                                           "a/b",
                                           "a b",
                                           "x\\ny",
                                           "caf\xc3\xa9"};

class OutputNames : public ::testing::Test {
protected:
  ProgramRun wormcast(const std::vector<std::string>& arguments) const
  {
    return run_program(arguments, directory.path());
  }
  ProgramRun sweep(const std::string& more) const
  {
    directory.write("c.toml", small_config + lengths + more);
    return wormcast({"sweep", "c.toml", "--out", "s"});
  }
  bool pwned() const
  {
    return std::filesystem::exists(directory.path() / "pwned") || std::filesystem::exists(directory.path() / "s/pwned");
  }
  void expect_refused(const ProgramRun& run, const std::string& text) const
  {
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_THAT(run.err, HasSubstr("expected a file's name without its ending, of letters, digits")) << text;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_FALSE(pwned()) << text;
  }
  /// What the sweep has written of itself into its results.
  void replace_in_document(const std::string& old, const std::string& text) const
  {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((directory.path() / "s/results.sqlite").c_str(), &database), SQLITE_OK);
    sqlite3_stmt* statement = nullptr;
    ASSERT_EQ(
        sqlite3_prepare_v2(database, "UPDATE sweep SET document = replace(document, ?, ?)", -1, &statement, nullptr),
        SQLITE_OK);
    sqlite3_bind_text(statement, 1, old.c_str(), -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(statement, 2, text.c_str(), -1, SQLITE_TRANSIENT);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_finalize(statement);
    sqlite3_close(database);
  }
  /// Runs all scripts in the folder as their first line says.
  void draw_by_hand(const std::string& folder) const
  {
    const ProgramRun run = run_script(
        "cd " + folder + "; for script in *.gnuplot; do gnuplot \"$script\" || exit 1; done", directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_FALSE(pwned());
  }

  TemporaryDirectory directory;
};

TEST_F(OutputNames, OfPlotsAreNoCommandsAndNoOptions)
{
  ASSERT_EQ(sweep("").exit_code, 0);
  for (const std::string& name : commands) {
    expect_refused(wormcast({"plot", "s", "--plot", "x=message.bytes, name=" + name}), name);
    expect_refused(wormcast({"sweep", "c.toml", "--out", "t", "--plot", "name=" + name}), name);
    directory.write("d.toml", small_config + lengths + "[[plot]]\nname = \"" + name + "\"\n");
    const ProgramRun run = wormcast({"sweep", "d.toml", "--out", "t"});
    expect_refused(run, name);
    EXPECT_THAT(run.err, StartsWith("wormcast: error: d.toml:")) << name;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "t")) << name;
  }
  const ProgramRun good = wormcast({"plot", "s", "--plot", "name=Fig.4_a+b-2"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("s/Fig.4_a+b-2.svg\n"));
  draw_by_hand("s");
}

TEST_F(OutputNames, InResultsOfSomebodyElseAreNoCommands)
{
  ASSERT_EQ(sweep("[[plot]]\nname = \"harmless\"\n").exit_code, 0);
  replace_in_document("harmless", "<touch pwned;#");
  const ProgramRun run = wormcast({"plot", "s"});
  expect_refused(run, "stored");
  EXPECT_THAT(run.err, HasSubstr("plot.name: found \"<touch pwned;#\""));
  EXPECT_EQ(wormcast({"plot", "s", "--plot", "name=mine"}).exit_code, 0);
  EXPECT_THAT(wormcast({"sweep", "c.toml", "--out", "s", "--resume"}).exit_code, 0);
}

TEST_F(OutputNames, MadeOfColumnsAreNoCommands)
{
  ASSERT_EQ(sweep("").exit_code, 0);
  replace_in_document("message.bytes", "|touch pwned;#");
  const ProgramRun run = wormcast({"plot", "s", "--plot", "x=|touch pwned;#, y=bytes_sent"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("s/bytes_sent-_touch_pwned__.gnuplot\n"));
  EXPECT_FALSE(pwned());
  draw_by_hand("s");
}

TEST_F(OutputNames, OfProgramsForPicturesAreNoCommands)
{
  directory.write("c.toml", small_config);
  for (const std::string& name : commands) {
    if (name.find('/') != std::string::npos || name == "..") {
      continue; // a folder
    }
    expect_refused(wormcast({"compare", "c.toml", "--lengths", "64..128", "--picture", name + ".gnuplot"}), name);
    expect_refused(wormcast({"view", "c.toml", "--picture", name + ".gnuplot"}), name);
  }
  const ProgramRun run =
      wormcast({"compare", "c.toml", "--lengths", "64..128", "--algorithms", "recursive_doubling,recursion_based",
                "--picture", "<touch pwned;#.svg", "--picture", "good.gnuplot"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(directory.names(), IsSupersetOf({"<touch pwned;#.svg", "good.gnuplot"}));
  EXPECT_THAT(read_file(directory.path() / "good.gnuplot"),
              AllOf(HasSubstr("set output 'good.svg'\n"), Not(HasSubstr("touch"))));
  draw_by_hand(".");
}

TEST_F(OutputNames, TextsInProgramsOfGnuplotStayTexts)
{
  const std::string text = "50 %d %n `touch pwned` $(touch pwned) @x \" '' '; system('touch pwned') | <touch pwned \\";
  const std::string shown =
      "50 %d %n `touch pwned` $(touch pwned) @x \" '' '; system('touch pwned') | &lt;touch pwned \\";
  const std::string cases =
      "[[case]]\nname = '''" + text + "'''\n[[case]]\nname = \"b\"\nalgorithm = { name = \"scatter_collect\" }\n";
  directory.write("c.toml", small_config + cases +
                                "[sweep]\n\"message.bytes\" = [64, 128]\n[[plot]]\nname = \"titled\"\n"
                                "title = \"a\\n!touch pwned\\nsystem('touch pwned')\\n#\"\n"
                                "[[plot]]\nname = \"tics\"\nx = \"case\"\n"
                                "[[plot]]\nname = \"panels\"\nfacet = \"case\"\n");
  const ProgramRun run = wormcast({"sweep", "c.toml", "--out", "s"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* plot : {"titled", "panels"}) {
    EXPECT_THAT(read_file(directory.path() / fmt::format("s/{}.svg", plot)), HasSubstr(shown)) << plot;
  }
  EXPECT_THAT(read_file(directory.path() / "s/tics.svg"), HasSubstr(shown.substr(0, 48))); // gnuplot cuts labels
  EXPECT_THAT(read_file(directory.path() / "s/titled.svg"), HasSubstr("a\\x0a!touch pwned"));
  draw_by_hand("s");
}

TEST_F(OutputNames, OfPicturesInTheMakingFollowNoLinks)
{
  directory.write("victim", "precious");
  std::filesystem::create_directory(directory.path() / "s");
  for (const char* ending : {"svg", "png", "pdf"}) {
    for (const char* name : {".latency_from_source.{}.partial", "picture.{}"}) {
      std::filesystem::create_symlink("../victim", directory.path() / "s" / fmt::format(fmt::runtime(name), ending));
    }
  }
  EXPECT_EQ(sweep("").exit_code, 0);
  EXPECT_EQ(read_file(directory.path() / "victim"), "precious");
  EXPECT_EQ(wormcast({"plot", "s"}).exit_code, 0);
  EXPECT_EQ(read_file(directory.path() / "victim"), "precious");
}

TEST_F(OutputNames, PicturesAreTheSameInAllTimeZones)
{
  directory.write("c.toml", small_config + lengths);
  for (const char* zone : {"UTC0", "NPT-5:45", "NST3:30"}) {
    const ProgramRun run = run_script(fmt::format("TZ={} \"$wormcast\" sweep c.toml --out s", zone), directory.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::filesystem::rename(directory.path() / "s", directory.path() / zone);
  }
  for (const char* ending : {"svg", "png", "pdf"}) {
    const std::string name = fmt::format("latency_from_source.{}", ending);
    for (const char* zone : {"NPT-5:45", "NST3:30"}) {
      EXPECT_EQ(read_file(directory.path() / zone / name), read_file(directory.path() / "UTC0" / name)) << name;
    }
  }
}

TEST_F(OutputNames, OfProgramsThatDrawAreLookedUpInNoFolderOfResults)
{
  ASSERT_EQ(sweep("").exit_code, 0);
  directory.write("s/gnuplot", "#!/bin/sh\ntouch pwned\n");
  std::filesystem::permissions(directory.path() / "s/gnuplot", std::filesystem::perms::owner_all);
  const ProgramRun run = run_script("PATH=.:$PATH \"$wormcast\" plot s", directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(pwned());
}

} // namespace
} // namespace wormcast::testing
