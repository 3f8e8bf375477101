// Manual pages and the completion of shells say all that the commands take.

#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/sanitizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Names that a pattern's first group finds in a text.
std::set<std::string> names_in(const std::string& text, const std::regex& pattern)
{
  std::set<std::string> names;
  for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found) {
    names.insert((*found)[1]);
  }
  return names;
}

/// Names of the commands, from the program's help.
std::set<std::string> commands()
{
  const std::string help = run_program({"--help"}).out;
  return names_in(help.substr(help.find("\nSimulate:")), std::regex("\n  ([a-z]+) +[^ ]"));
}

/// Names of the options of a command, from its help.
std::set<std::string> options(const std::string& command)
{
  return names_in(run_program({command, "--help"}).out, std::regex("\n  (?:-h,)?(--[a-z-]+)"));
}

/// `--out` as roff has it.
std::string in_roff(const std::string& name)
{
  return std::regex_replace(name, std::regex("-"), "\\-");
}

std::set<std::string> words(const std::string& text)
{
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

TEST(Manual, HasEveryOptionOfEveryCommand)
{
  const TemporaryDirectory directory;
  ASSERT_EQ(run_program({"reference", "--man", "man1"}, directory.path()).exit_code, 0);
  const std::string program = read_file(directory.path() / "man1/wormcast.1");
  ASSERT_GE(commands().size(), 16U);
  for (const std::string& command : commands()) {
    EXPECT_THAT(program, HasSubstr("\\fBwormcast\\-" + command + "\\fP(1)\n"));
    const std::string page = read_file(directory.path() / "man1" / ("wormcast-" + command + ".1"));
    EXPECT_THAT(page, HasSubstr("wormcast\\-" + command + " \\- ")) << command;
    for (const std::string& option : options(command)) {
      EXPECT_THAT(page, HasSubstr("\n.TP\n\\fB" + in_roff(option) + "\\fP")) << command;
    }
    for (const std::string& option : options("--quiet")) { // of the program itself
      EXPECT_THAT(page, HasSubstr("\\fB" + in_roff(option) + "\\fP")) << command;
    }
  }
  EXPECT_THAT(program, HasSubstr(".SS Simulate\n.TP\n\\fBwormcast\\-run\\fP(1)\n"));
  EXPECT_THAT(program, HasSubstr(".SS For packages and scripts\n.TP\n\\fBwormcast\\-reference\\fP(1)\n"));
  const std::string import = read_file(directory.path() / "man1/wormcast-import.1");
  EXPECT_THAT(import, HasSubstr("\\fBwormcast import\\fP \\fIFORMAT\\fP \\fIFILE\\fP [\\fIOPTION\\fP]..."));
  EXPECT_THAT(import, HasSubstr("whose configuration it is: booksim\n"));
}

TEST(Manual, IsReadByGroffWithoutWarnings)
{
  const TemporaryDirectory directory;
  const ProgramRun read = run_script("type groff > /dev/null || exit 77\n"
                                     "$wormcast reference --man . > names || exit 1\n"
                                     "for page in *.1; do groff -man -Tutf8 -ww -z $page; done\n"
                                     "groff -man -Tutf8 -P-cbou wormcast-view.1",
                                     directory.path());
  if (read.exit_code == 77) {
    GTEST_SKIP() << "there is no groff";
  }
  EXPECT_EQ(read.exit_code, 0);
  EXPECT_EQ(read.err, "");
  EXPECT_THAT(std::regex_replace(read.out, std::regex("\u2010|\u2212"), "-"),
              AllOf(HasSubstr("--out FILE|-"), HasSubstr("--frames DIR"), HasSubstr("EXIT STATUS")));
}

/// The command lines of the section EXAMPLES of a manual page.
std::string examples(const std::string& page)
{
  const std::size_t begin = page.find(".SH EXAMPLES\n");
  std::istringstream section(begin == std::string::npos ? "" : page.substr(begin, page.find("\n.SH", begin) - begin));
  std::string script;
  bool command = false;
  for (std::string line; std::getline(section, line);) {
    if (line.starts_with('.')) {
      command = line == ".RS 4" || (command && line != ".RE");
    } else if (command) {
      line = std::regex_replace(line, std::regex(R"(\\-)"), "-");
      script += std::regex_replace(line, std::regex(R"(\\e)"), "\\") + "\n";
    }
  }
  return script;
}

TEST(Manual, ExamplesOfEveryCommandRun)
{
  const TemporaryDirectory directory;
  ASSERT_EQ(run_program({"reference", "--man", "man1"}, directory.path()).exit_code, 0);
  const std::filesystem::path tree = std::filesystem::path(WORMCAST_CONFIGS).parent_path();
  for (const char* folder : {"configs", "examples"}) {
    std::filesystem::copy(tree / folder, directory.path() / folder, std::filesystem::copy_options::recursive);
  }
  // SMPI's launcher cannot load libraries that are built with the sanitizer.
  const bool with_mpi =
      !has_address_sanitizer &&
      run_script("type smpicxx && find ${wormcast%/*}/../lib -name collectives | grep .", directory.path()).exit_code ==
          0;
  std::set<std::string> pages = commands();
  for (const std::string& command : pages) {
    const std::string script = examples(read_file(directory.path() / "man1" / ("wormcast-" + command + ".1")));
    EXPECT_THAT(script, HasSubstr("wormcast " + command)) << command;
    if (with_mpi || (command != "mpi" && command != "collectives")) {
      const ProgramRun run = run_script("set -e\nPATH=${wormcast%/*}:$PATH\n" + script, directory.path());
      EXPECT_EQ(run.exit_code, 0) << script << run.err;
    }
  }
  const ProgramRun run =
      run_script("set -e\nPATH=${wormcast%/*}:$PATH\n" + examples(read_file(directory.path() / "man1/wormcast.1")),
                 directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

/// What bash offers for the last of the words.
std::set<std::string> offered_by_bash(const std::string& line, const std::filesystem::path& directory)
{
  const ProgramRun run = run_script("PATH=${wormcast%/*}:$PATH\n"
                                    "source <(wormcast completion bash)\n"
                                    "COMP_WORDS=(" +
                                        line +
                                        ")\n"
                                        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                                        "_wormcast\n"
                                        "printf '%s\\n' \"${COMPREPLY[@]}\"",
                                    directory);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  return words(run.out);
}

TEST(Completion, OfBashKnowsCommandsOptionsKeysAndFiles)
{
  const TemporaryDirectory directory;
  directory.write("mesh.toml", small_config);
  const auto offered = [&](const std::string& line) { return offered_by_bash(line, directory.path()); };
  EXPECT_EQ(offered("wormcast ''"), commands());
  EXPECT_EQ(offered("wormcast --quiet sch"), std::set<std::string>{"schedule"});
  for (const std::string& command : commands()) {
    const std::set<std::string> found = offered("wormcast " + command + " --");
    for (const std::string& option : options(command)) {
      EXPECT_THAT(found, Contains(option)) << command;
    }
    EXPECT_THAT(found, Contains("--quiet")) << command;
  }
  EXPECT_EQ(offered("wormcast run me"), std::set<std::string>{"mesh.toml"});
  EXPECT_EQ(offered("wormcast run --json me"), std::set<std::string>{"mesh.toml"});
  EXPECT_EQ(offered("wormcast run --json = me"), std::set<std::string>{"mesh.toml"}); // bash cuts "--json=me" so
  EXPECT_EQ(offered("wormcast run mesh.toml --set network.start"),
            (std::set<std::string>{"network.startup=", "network.startup_latency="}));
  EXPECT_EQ(offered("wormcast run mesh.toml --unset network.start"), std::set<std::string>{"network.startup"});
  EXPECT_EQ(offered("wormcast run mesh.toml --set topology."),
            (std::set<std::string>{"topology.concentration=", "topology.dead_link_share=", "topology.dead_links=",
                                   "topology.dead_node_share=", "topology.dead_nodes=", "topology.dims=",
                                   "topology.fault_seed=", "topology.kind=", "topology.parallel_links=",
                                   "topology.random_dead_links=", "topology.random_dead_nodes="}));
  EXPECT_EQ(offered("wormcast run mesh.toml --set network.duplex = f"), std::set<std::string>{"full"});
  EXPECT_EQ(offered("wormcast run mesh.toml --set network.duplex ="), (std::set<std::string>{"full", "half"}));
  EXPECT_EQ(offered("wormcast schedule mesh.toml --format d"), std::set<std::string>{"dot"});
  EXPECT_EQ(offered("wormcast compl"), std::set<std::string>{"completion"}); // hidden, but known
  EXPECT_EQ(offered("wormcast conv"), std::set<std::string>{});              // an old name
  EXPECT_EQ(offered("wormcast completion z"), std::set<std::string>{"zsh"});
  EXPECT_EQ(offered("wormcast list rep"), std::set<std::string>{"reproductions"});
}

TEST(Completion, OfFishKnowsCommandsOptionsKeysAndFiles)
{
  const TemporaryDirectory directory;
  directory.write("mesh.toml", small_config);
  const ProgramRun run = run_script(
      "type fish > /dev/null || exit 77\n"
      "$wormcast completion fish > wormcast.fish && fish --no-execute wormcast.fish || exit 1\n"
      "export HOME=$PWD PATH=${wormcast%/*}:$PATH\n"
      "fish --no-config -c 'source wormcast.fish; complete -C \"wormcast sch\";"
      "complete -C \"wormcast run --jso\"; complete -C \"wormcast run me\";"
      "complete -C \"wormcast run --set network.start\";"
      "complete -C \"wormcast run mesh.toml --set network.duplex=f\"; complete -C \"wormcast run --json=me\";"
      "complete -C \"wormcast schedule --format d\"'",
      directory.path());
  if (run.exit_code == 77) {
    GTEST_SKIP() << "there is no fish";
  }
  EXPECT_EQ(run.exit_code, 0) << run.err;
  for (const char* expected :
       {"schedule", "--json", "mesh.toml", "network.startup=", "network.duplex=full", "--json=mesh.toml", "dot"}) {
    EXPECT_THAT(words(run.out), Contains(expected)) << run.out;
  }
  EXPECT_THAT(words(run.out), Not(Contains("sweep")));
}

TEST(Completion, OfZshIsAScriptThatZshLoads)
{
  const TemporaryDirectory directory;
  const ProgramRun run = run_script("type zsh > /dev/null || exit 77\n"
                                    "$wormcast completion zsh > _wormcast && zsh -n _wormcast || exit 1\n"
                                    "export HOME=$PWD\n"
                                    "zsh -f -c 'autoload -U compinit; compinit -u -d dump; source ./_wormcast;"
                                    "print ${_comps[wormcast]}'",
                                    directory.path());
  if (run.exit_code == 77) {
    GTEST_SKIP() << "there is no zsh";
  }
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out, "_wormcast\n");
}

TEST(Completion, OfZshDescribesWhatTheProgramOffers)
{
  const TemporaryDirectory directory;
  directory.write("mesh.toml", small_config);
  // The functions of zsh's completion work in its line editor alone: these print what they are given.
  const ProgramRun run =
      run_script("type zsh > /dev/null || exit 77\n"
                 "export HOME=$PWD PATH=${wormcast%/*}:$PATH\n"
                 "wormcast completion zsh > _wormcast\n"
                 "zsh -f -c 'compdef() { }; source ./_wormcast;"
                 "_describe() { print -l -- ${(P)2} \"options ${(j: :)${(q)@[3,-1]}}\" }; _files() { print files };"
                 "complete_line() { words=(\"$@\") CURRENT=$#; _wormcast };"
                 "complete_line wormcast sch; complete_line wormcast run --jso;"
                 "complete_line wormcast run mesh.toml --set network.start;"
                 "complete_line wormcast run mesh.toml --set network.duplex=;"
                 "complete_line wormcast run me; complete_line wormcast mpi mesh.toml --map b'",
                 directory.path());
  if (run.exit_code == 77) {
    GTEST_SKIP() << "there is no zsh";
  }
  EXPECT_EQ(run.err, "");
  const std::string text = std::regex_replace(run.out, std::regex(":[^\n]*"), "");
  EXPECT_EQ(
      text,
      "schedule\noptions \n--json\noptions \nnetwork.startup=\nnetwork.startup_latency=\noptions -S ''\nnetwork.duplex=full\n"
      "network.duplex=half\noptions \nfiles\nfiles\nblock\noptions \n");
}

TEST(Completion, IsForShellsThatAreKnown)
{
  const ProgramRun run = run_program({"completion", "tcsh"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("found \"tcsh\", expected one of bash, zsh, fish"));
}

} // namespace
} // namespace wormcast::testing
