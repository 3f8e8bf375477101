#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/shell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class ReproduceCommand : public ::testing::Test {
protected:
  ProgramRun reproduce(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "reproduce");
    return run_program(arguments, directory.path());
  }

  std::string written(const std::string& name) const { return read_file(directory.path() / name); }

  TemporaryDirectory directory;
};

TEST_F(ReproduceCommand, ListsAllPapersAndClaims)
{
  const ProgramRun run = reproduce({"--list"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* paper :
       {"zhuang_liberatore: ", "cang_wu_1998: ", "cang_wu_2000: ", "kim_2014: ", "bertsekas_1991: "}) {
    EXPECT_THAT(run.out, HasSubstr(paper));
  }
  const Json listed = Json::parse(run_program({"list", "reproductions", "--json"}).out);
  std::set<std::string> names;
  for (const Json& claim : listed["reproductions"]) {
    const std::string name = claim["name"];
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_THAT(run.out, HasSubstr("\n  " + name + "\n"));
  }
  EXPECT_GT(names.size(), 150U);
}

TEST_F(ReproduceCommand, SelectsByClaimAndPaper)
{
  const ProgramRun one = reproduce({"zhuang_liberatore.theorem_3", "zhuang_liberatore.lemma_1"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out,
              AllOf(HasSubstr("2 claims: 2 confirmed"), HasSubstr("beta = 1 + N/M with M flints along a line")));
  const ProgramRun listed = reproduce({"--list", "kim_2014"});
  EXPECT_THAT(listed.out, AllOf(HasSubstr("kim_2014.lemma_3_sla"), Not(HasSubstr("zhuang"))));
}

TEST_F(ReproduceCommand, WritesEverythingThatItKnows)
{
  const ProgramRun run =
      reproduce({"zhuang_liberatore.proposition_3", "zhuang_liberatore.lemma_6_torus", "--out", "found"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Json json = Json::parse(written("found/reproduction.json"));
  EXPECT_EQ(json["format"], "wormcast-reproduction/1");
  EXPECT_EQ(json["summary"]["refuted"], 1);
  EXPECT_EQ(json["summary"]["ambiguous"], 1);
  EXPECT_EQ(json["claims"][0]["evidence"]["verdict"], "ambiguous");
  EXPECT_EQ(json["claims"][0]["evidence"]["readings"].size(), 2U);
  EXPECT_THAT(written("found/claims.csv"), HasSubstr("zhuang_liberatore.proposition_3"));
  EXPECT_THAT(written("found/zhuang_liberatore.md"), HasSubstr("| section 9, proposition 3 |"));

  // The counterexamples stand on their own: the program's other commands see in them what the claims say.
  const ProgramRun pausing = run_program(
      {"check", "found/zhuang_liberatore.proposition_3.counterexample.json", "--contention-free"}, directory.path());
  EXPECT_EQ(pausing.exit_code, 0) << pausing.out << pausing.err;
  EXPECT_THAT(pausing.out, HasSubstr("259/130"));
  const ProgramRun tie =
      run_program({"check", "found/zhuang_liberatore.lemma_6_torus.toml", "--contention-free"}, directory.path());
  EXPECT_EQ(tie.exit_code, 3) << tie.out << tie.err;
}

TEST_F(ReproduceCommand, IsTheSameForAnyNumberOfJobs)
{
  for (const char* jobs : {"1", "3"}) {
    ASSERT_EQ(reproduce({"zhuang_liberatore.theorem_3", "zhuang_liberatore.figure_10", "zhuang_liberatore.sc_2d_beta",
                         "--jobs", jobs, "--out", jobs})
                  .exit_code,
              0);
  }
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() / "1")) {
    const std::string name = entry.path().filename();
    if (name != "results.sqlite") { // which keeps how long each part took
      EXPECT_EQ(written("1/" + name), written("3/" + name)) << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 8U);
}

TEST_F(ReproduceCommand, BadInput)
{
  const ProgramRun unknown = reproduce({"zhuang_liberatore.lema_1"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean \"zhuang_liberatore.lemma_1\"?"));
  EXPECT_EQ(unknown.out, "");
  EXPECT_EQ(reproduce({"--jobs", "0", "zhuang_liberatore.lemma_1"}).exit_code, 2);
  directory.write("file", "");
  const ProgramRun no_folder = reproduce({"zhuang_liberatore.lemma_1", "--out", "file"});
  EXPECT_NE(no_folder.exit_code, 0);
  EXPECT_THAT(no_folder.err, HasSubstr("file"));
}

TEST_F(ReproduceCommand, TakesTheOptionsOfAllCommands)
{
  const ProgramRun before = run_program({"--plugin", WORMCAST_EXAMPLE_PLUGIN, "--quiet", "reproduce", "--list"});
  EXPECT_EQ(before.exit_code, 0) << before.err;
  EXPECT_EQ(reproduce({"--list", "--force", "--plugin=" WORMCAST_EXAMPLE_PLUGIN}).out, before.out);
  EXPECT_EQ(run_script("${wormcast%/*}/wormcast-reproduce --list", directory.path()).out, before.out);
  EXPECT_EQ(run_script("${wormcast%/*}/wormcast-reproduce --help", directory.path()).out, reproduce({"--help"}).out);
}

TEST_F(ReproduceCommand, IsCompletedByTheNamesOfPapersAndClaims)
{
  EXPECT_EQ(run_program({"__complete", "bash", "reproduce", "kim_2014.lemma_3"}).out,
            "kim_2014.lemma_3_sla\nkim_2014.lemma_3_mla\n");
  EXPECT_THAT(run_program({"__complete", "bash", "reproduce", "cang"}).out, HasSubstr("cang_wu_2000\n"));
}

/// The program in a folder of its own, with what a script puts beside it.
class ReproductionProgram : public ::testing::Test {
protected:
  ProgramRun run(const std::string& script) const
  {
    return run_script("mkdir -p bin && cp \"$wormcast\" bin/wormcast\n" + script, directory.path());
  }

  std::string missing(const std::string& purpose) const
  {
    return "wormcast: error: wormcast-reproduce: not installed in " + (directory.path() / "bin").string() + ", but " +
           purpose + " needs it\n";
  }

  TemporaryDirectory directory;
};

TEST_F(ReproductionProgram, IsMissedInOneSentence)
{
  const ProgramRun reproduction = run("bin/wormcast reproduce --list");
  EXPECT_EQ(reproduction.exit_code, 2);
  EXPECT_EQ(reproduction.err, missing("`wormcast reproduce`"));
  EXPECT_EQ(reproduction.out, "");
  const ProgramRun list = run("bin/wormcast list reproductions");
  EXPECT_EQ(list.exit_code, 2);
  EXPECT_EQ(list.err, missing("listing reproductions"));
  EXPECT_EQ(run("bin/wormcast reproduce --help").out, run_program({"reproduce", "--help"}).out);
  const ProgramRun completion = run("bin/wormcast __complete bash reproduce kim");
  EXPECT_EQ(completion.exit_code, 0) << completion.err;
  EXPECT_EQ(completion.out, "");
}

TEST_F(ReproductionProgram, GetsTheWordsAndTheExitCodeIsIts)
{
  const std::string script =
      "printf '#!/bin/sh\\necho $(basename $0) \"$@\"; cat; exit 7\\n' > bin/wormcast-reproduce\n"
      "chmod +x bin/wormcast-reproduce\n";
  const ProgramRun run_beside = run(script + "echo read | bin/wormcast --quiet --plugin " WORMCAST_EXAMPLE_PLUGIN
                                             " reproduce reproduce --jobs 2 'a b'");
  EXPECT_EQ(run_beside.exit_code, 7) << run_beside.err;
  EXPECT_EQ(run_beside.out,
            "wormcast-reproduce --quiet --plugin " WORMCAST_EXAMPLE_PLUGIN " reproduce --jobs 2 a b\nread\n");
  const ProgramRun wrong = run("bin/wormcast reproduce --lst");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"--list\"?"));
  const ProgramRun in_libraries = run("mkdir -p " WORMCAST_LIBRARY_FOLDER "/wormcast\n"
                                      "mv bin/wormcast-reproduce " WORMCAST_LIBRARY_FOLDER "/wormcast\n"
                                      "bin/wormcast reproduce < /dev/null");
  EXPECT_EQ(in_libraries.exit_code, 7) << in_libraries.err;
}

TEST_F(ReproductionProgram, IsTheSameProcessAndRank)
{
  const ProgramRun ranks =
      run("printf '#!/bin/sh\\necho $$ $OMPI_COMM_WORLD_RANK $PMI_SIZE\\n' > bin/wormcast-reproduce\n"
          "chmod +x bin/wormcast-reproduce\n"
          "export OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 PMI_SIZE=3\n"
          "sh -c 'echo $$ $OMPI_COMM_WORLD_RANK $PMI_SIZE; exec bin/wormcast reproduce'");
  const std::size_t end = ranks.out.find('\n');
  EXPECT_THAT(ranks.out.substr(0, end), HasSubstr(" 1 3"));
  EXPECT_EQ(ranks.out.substr(0, end + 1), ranks.out.substr(end + 1));
}

TEST_F(ReproductionProgram, ThatDoesNotAnswerIsAnError)
{
  const ProgramRun list =
      run("printf '#!/bin/sh\\necho [\\n' > bin/wormcast-reproduce; chmod +x bin/wormcast-reproduce\n"
          "bin/wormcast list reproductions");
  EXPECT_EQ(list.exit_code, 1);
  EXPECT_THAT(list.err, HasSubstr("bin/wormcast-reproduce: found no list of claims in what it printed"));
}

/// What Chromium writes to its output when it opens `address` with these options.
std::string chromium(const std::string& options, const std::string& address, const std::filesystem::path& directory)
{
  const std::string command =
      "chromium --headless --no-sandbox --disable-gpu --enable-logging=stderr --user-data-dir='" +
      (directory / "profile").string() + "' " + options + " 'file://" + address + "' > '" +
      (directory / "dom.html").string() + "' 2> '" + (directory / "log").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << read_file(directory / "log");
  EXPECT_THAT(read_file(directory / "log"), Not(HasSubstr("CONSOLE"))); // script errors
  return read_file(directory / "dom.html");
}

/// The page after its scripts have run, as Chromium sees it at `fragment`.
std::string page_in_chromium(const std::filesystem::path& page, const std::string& fragment,
                             const std::filesystem::path& directory)
{
  return chromium("--virtual-time-budget=5000 --window-size=1000,3000 --dump-dom", page.string() + fragment, directory);
}

std::size_t occurrences(const std::string& text, const std::string& part)
{
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(ReproduceCommand, ReportShowsAndFilters)
{
  ASSERT_EQ(reproduce({"zhuang_liberatore.figure_10", "zhuang_liberatore.proposition_3", "--out", "found"}).exit_code,
            0);
  const std::filesystem::path page = directory.path() / "found/report.html";
  EXPECT_THAT(read_file(page), AllOf(Not(HasSubstr("src=\"")), Not(HasSubstr("<link"))));
  const std::string all = page_in_chromium(page, "", directory.path());
  EXPECT_THAT(all, HasSubstr("data-shown=\"2\""));
  EXPECT_THAT(all, HasSubstr("2 claims of 1 paper: 1 refuted, 1 not testable; all verdicts as recorded."));
  EXPECT_THAT(all, HasSubstr("wormcast reproduce zhuang_liberatore.figure_10"));
  EXPECT_THAT(all, HasSubstr("<canvas")); // drawn by the plotting library, which sets its size
  EXPECT_THAT(all, HasSubstr("display: block; box-sizing: border-box;"));
  const std::string refuted = page_in_chromium(page, "#verdict=refuted", directory.path());
  EXPECT_THAT(refuted, AllOf(HasSubstr("data-shown=\"1\""), HasSubstr("<h2>zhuang_liberatore.proposition_3</h2>"),
                             Not(HasSubstr("<h2>zhuang_liberatore.figure_10</h2>"))));
}

// A chart is a picture in the PDF; one that was not drawn leaves none.
TEST_F(ReproduceCommand, ReportPrintsItsCharts)
{
  ASSERT_EQ(reproduce({"zhuang_liberatore.figure_10", "--out", "found"}).exit_code, 0);
  const std::filesystem::path page = directory.path() / "found/report.html";
  const std::string dom = page_in_chromium(page, "", directory.path());
  EXPECT_EQ(occurrences(dom, "<canvas"), 2U);
  EXPECT_THAT(dom, AllOf(HasSubstr("Symbols: measured. Lines: predicted."), HasSubstr("stroke-dasharray=\"9 3\""),
                         HasSubstr("<li>NP-D(1) from 300 bytes</li>")));
  const std::filesystem::path pdf = directory.path() / "report.pdf";
  chromium("--window-size=1000,500 --print-to-pdf='" + pdf.string() + "'", page.string(), directory.path());
  EXPECT_GE(occurrences(read_file(pdf), "/Subtype /Image"), 2U);
}

} // namespace
} // namespace wormcast::testing
