#include "program.hpp"

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

TEST(Usage, VersionAndHelpWorkEverywhere)
{
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--version"}, {"run", "--version"}, {"list", "topologies", "--version"}}) {
    const ProgramRun version = run_program(arguments);
    EXPECT_EQ(version.exit_code, 0);
    EXPECT_EQ(version.out, "wormcast " WORMCAST_VERSION "\n");
    EXPECT_EQ(version.err, "");
  }
  EXPECT_NE(run_program({"--help"}).out.find("contention"), std::string::npos);
  for (const char* command : {"run", "sweep", "contention", "schedule", "check", "topology", "list"}) {
    const ProgramRun help = run_program({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_NE(help.out.find("--"), std::string::npos) << command;
    EXPECT_NE(help.out.find(command), std::string::npos) << command;
  }
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
  EXPECT_EQ(usage_message({}), "");
  EXPECT_EQ(usage_message({"rnu", "c.toml"}), "");
  EXPECT_EQ(usage_message({"xyz"}), "");
  EXPECT_EQ(usage_message({"run"}), "");
  EXPECT_EQ(usage_message({"run", "c.toml", "--jsn", "-"}), "");
  EXPECT_EQ(usage_message({"run", "--jsn=-", "c.toml"}), "");
  EXPECT_EQ(usage_message({"--verbos", "run", "c.toml"}), "");
  EXPECT_EQ(usage_message({"run", "c.toml", "d.toml"}), "");
  EXPECT_EQ(usage_message({"run", "c.toml", "--json"}), "");
  EXPECT_EQ(usage_message({"list", "topologys"}), "");
  EXPECT_EQ(usage_message({"list"}), "");
  EXPECT_EQ(usage_message({"topology", "c.toml", "--format", "graphlm"}), "");
  EXPECT_EQ(usage_message({"schedule", "c.toml", "--format", "xml"}), "");
  EXPECT_EQ(usage_message({"run", "c.toml", "--quiet", "--verbose"}), "");
}

} // namespace
} // namespace wormcast::testing
