#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast::testing {
namespace {

std::string usage_message(const std::vector<std::string>& arguments)
{
  const ProgramRun result = run_program(arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  return result.err;
}

/// `message` with the commands behind the first one as "...".
std::string elide_commands(const std::string& message)
{
  const std::string start = "expected one of run, ";
  const std::size_t begin = message.find(start);
  const std::size_t end = message.find_first_of(";(", begin);
  if (begin == std::string::npos || end == std::string::npos) {
    return message;
  }
  const std::string rest = message.substr(end);
  return message.substr(0, begin + start.size()) + "..." + (rest.front() == '(' ? " " : "") + rest;
}

TEST(Usage, VersionAndHelpWorkEverywhere)
{
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--version"}, {"run", "--version"}, {"list", "topologies", "--version"}}) {
    const ProgramRun version = run_program(arguments);
    EXPECT_EQ(version.exit_code, 0);
    EXPECT_THAT(version.out,
                ::testing::MatchesRegex("wormcast " WORMCAST_VERSION "\ncommit (unknown|[0-9a-f]+(-dirty)?)\n"
                                        "SimGrid [0-9]+\\.[0-9]+(\\.[0-9]+)?\n"
                                        "compiler (GCC|Clang) [0-9]+\\..*\n"));
    EXPECT_EQ(version.err, "");
  }
  EXPECT_NE(run_program({"--help"}).out.find("contention"), std::string::npos);
  for (const char* command : {"run", "sweep", "load", "mpi", "contention", "view", "schedule", "check", "compare",
                              "choose", "collectives", "topology", "reproduce", "list"}) {
    const ProgramRun help = run_program({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("--"), std::string::npos) << command;
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
  }
}

TEST(Usage, HelpIsACommandToo)
{
  EXPECT_EQ(run_program({"help"}).out, run_program({"--help"}).out);
  EXPECT_EQ(run_program({"help", "run"}).out, run_program({"run", "--help"}).out);
  EXPECT_EQ(run_program({"help", "rnu"}).exit_code, 2);
}

TEST(Usage, HelpNamesExitCodesAndOptionsOfAllCommands)
{
  EXPECT_NE(run_program({"--help"}).out.find("Exit codes: 0 done"), std::string::npos);
  EXPECT_NE(run_program({"run", "--help"}).out.find("--quiet"), std::string::npos);
  const ProgramRun all = run_program({"--help-all"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_NE(all.out.find("--check-deadlock"), std::string::npos);
  EXPECT_NE(all.out.find("--deliveries"), std::string::npos);
}

/// The line of a help text that begins with two blanks and a command's name; empty: it has none.
std::string help_line_of(const std::string& help, const std::string& command)
{
  const std::size_t begin = help.find("\n  " + command + " ");
  return begin == std::string::npos ? "" : help.substr(begin + 1, help.find('\n', begin + 1) - begin - 1);
}

TEST(Usage, HelpShowsCommandsInGroupsOneALine)
{
  const std::string help = run_program({"--help"}).out;
  std::size_t before = 0;
  for (const char* group : {"\nSimulate:\n", "\nCompare algorithms:\n", "\nLook at networks and results:\n",
                            "\nSchedules without simulation:\n", "\nPapers:\n", "\nBegin and help:\n"}) {
    const std::size_t at = help.find(group);
    ASSERT_NE(at, std::string::npos) << group;
    EXPECT_GT(at, before) << group;
    before = at;
  }
  for (const char* command : {"run", "sweep", "load", "mpi", "compare", "choose", "collectives", "view", "contention",
                              "topology", "plot", "schedule", "check", "reproduce", "study", "init", "list"}) {
    EXPECT_FALSE(help_line_of(help, command).empty()) << command;
    EXPECT_LE(help_line_of(help, command).size(), 80U) << help_line_of(help, command);
  }
  const std::string all = run_program({"--help-all"}).out;
  for (const char* hidden : {"reference", "completion", "import", "convert", "tcd"}) {
    EXPECT_EQ(help_line_of(help, hidden), "") << hidden;
    EXPECT_NE(all.find(std::string("\n") + hidden + "\n"), std::string::npos) << hidden;
    EXPECT_EQ(run_program({hidden, "--help"}).exit_code, 0);
  }
  EXPECT_EQ(run_program({"frob"}).err.find("reference"), std::string::npos);
}

TEST(Usage, OldNamesDoTheSameWithANote)
{
  const TemporaryDirectory directory;
  directory.write("b.cfg", "topology = mesh; k = 4; n = 2; routing_function = dor;\n");
  const ProgramRun old_import = run_program({"import", "booksim", "b.cfg"}, directory.path());
  EXPECT_EQ(old_import.exit_code, 0) << old_import.err;
  EXPECT_NE(old_import.err.find("wormcast: warning: wormcast import is an old name, which the next version does not "
                                "know; it is wormcast init --from booksim FILE now\n"),
            std::string::npos)
      << old_import.err;
  const ProgramRun imported = run_program({"init", "--from", "booksim", "b.cfg"}, directory.path());
  EXPECT_EQ(imported.out, old_import.out);
  EXPECT_EQ(imported.err.find("old name"), std::string::npos);
  EXPECT_NE(usage_message({"init", "--from", "boksim", "b.cfg"}).find("did you mean \"booksim\"?"), std::string::npos);
  EXPECT_NE(usage_message({"init", "torus", "--from", "booksim", "b.cfg"}).find("expected one of them"),
            std::string::npos);

  directory.write("m.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"1us\"\nper_byte = "
                            "\"1ns\"\n[algorithm]\nname = \"minimum_tcd\"\n[message]\nbytes = 64\n");
  const ProgramRun old_tcd = run_program({"tcd", "m.toml", "--quiet"}, directory.path());
  const ProgramRun tcd = run_program({"topology", "m.toml", "--tcd", "--quiet"}, directory.path());
  EXPECT_EQ(tcd.exit_code, old_tcd.exit_code) << tcd.err;
  EXPECT_EQ(tcd.out, old_tcd.out);
  EXPECT_NE(usage_message({"topology", "m.toml", "--values", "bound"}).find("without --tcd"), std::string::npos);
}

TEST(Usage, SaysWhatItWroteWhereTheTableIsSilent)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const ProgramRun written = run_program({"topology", "c.toml", "--format", "dot", "--out", "t.dot"}, directory.path());
  EXPECT_THAT(written.err, ::testing::MatchesRegex("wormcast: info: t.dot, [0-9.]+ (B|KiB)\n"));
  EXPECT_EQ(run_program({"topology", "c.toml"}, directory.path()).err, "");
  EXPECT_EQ(run_program({"--quiet", "schedule", "c.toml", "--out", "s.json"}, directory.path()).err, "");
}

TEST(Usage, QuietAndVerboseStandBeforeOrAfterTheCommand)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const ProgramRun plain = run_program({"run", "c.toml"}, directory.path());
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--verbose", "run", "c.toml"},
                                                    {"run", "c.toml", "--verbose"},
                                                    {"run", "--verbose", "c.toml"}}) {
    const ProgramRun verbose = run_program(arguments, directory.path());
    EXPECT_EQ(verbose.exit_code, 0);
    EXPECT_EQ(verbose.out, plain.out);
    EXPECT_NE(verbose.err.find("wormcast: debug: "), std::string::npos);
  }
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--quiet", "run", "c.toml"}, {"run", "c.toml", "--quiet"}}) {
    const ProgramRun quiet = run_program(arguments, directory.path());
    EXPECT_EQ(quiet.exit_code, 0);
    EXPECT_EQ(quiet.out, plain.out);
    EXPECT_EQ(quiet.err, "");
  }
}

TEST(Usage, BadUsageNamesTheNearest)
{
  EXPECT_EQ(elide_commands(usage_message({})),
            "wormcast: error: no command, expected one of run, ... (wormcast --help says more)\n");
  EXPECT_EQ(elide_commands(usage_message({"rn", "c.toml"})),
            "wormcast: error: unknown command \"rn\", expected one of run, ... (wormcast --help says more)\n");
  EXPECT_EQ(elide_commands(usage_message({"chek"})),
            "wormcast: error: unknown command \"chek\", expected one of run, ...; did you mean \"check\"? (wormcast "
            "--help says more)\n");
  EXPECT_EQ(usage_message({"run"}), "wormcast: error: CONFIG is required (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"run", "c.toml", "--jsn", "-"}),
            "wormcast: error: unknown option --jsn; did you mean \"--json\"? (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"run", "--jsn=-", "c.toml"}),
            "wormcast: error: unknown option --jsn; did you mean \"--json\"? (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"--verbos", "run", "c.toml"}),
            "wormcast: error: unknown option --verbos; did you mean \"--verbose\"? (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"run", "c.toml", "d.toml"}),
            "wormcast: error: unexpected argument \"d.toml\" (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"run", "c.toml", "--json"}),
            "wormcast: error: --json: 1 required FILE|- missing (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"list", "topologys"}),
            "wormcast: error: WHAT: found \"topologys\", expected one of "
            "topologies, algorithms, patterns, reproductions, topology, network, "
            "ranks, algorithm, message, program, run, broadcast, mpi, traffic, load, sweep, plot; did you "
            "mean \"topology\"? (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"list"}), "wormcast: error: WHAT is required (wormcast --help says more)\n");
  EXPECT_EQ(
      usage_message({"topology", "c.toml", "--format", "graphlm"}),
      "wormcast: error: --format: found \"graphlm\", expected one of text, simgrid-xml, dot, graphml, routes, csv; did "
      "you mean \"graphml\"? (wormcast --help says more)\n");
  EXPECT_EQ(
      usage_message({"schedule", "c.toml", "--format", "xml"}),
      "wormcast: error: --format: found \"xml\", expected one of json, dot, goal, msccl (wormcast --help says more)\n");
  EXPECT_EQ(usage_message({"run", "c.toml", "--quiet", "--verbose"}),
            "wormcast: error: --verbose excludes --quiet (wormcast --help says more)\n");
}

} // namespace
} // namespace wormcast::testing
