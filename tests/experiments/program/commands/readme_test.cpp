// Every command line in the README, the guide and the page on many machines is run, in its order, in a copy of the
// tree's configs.

#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

namespace wormcast::testing {
namespace {

// Words of a shell command line; double quotes keep blanks together.
std::vector<std::string> words_of(const std::string& line)
{
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : line + " ") {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      if (!word.empty()) {
        words.push_back(word);
      }
      word.clear();
    } else {
      word += c;
    }
  }
  return words;
}

int run_commands_of(const std::string& page)
{
  const TemporaryDirectory directory;
  std::filesystem::copy(WORMCAST_CONFIGS, directory.path() / "configs", std::filesystem::copy_options::recursive);
  std::istringstream text(read_file(std::filesystem::path(WORMCAST_CONFIGS).parent_path() / page));
  int commands = 0;
  for (std::string line; std::getline(text, line);) {
    const std::string start = "    wormcast ";
    if (!line.starts_with(start)) {
      continue;
    }
    SCOPED_TRACE(line);
    const ProgramRun run = run_program(words_of(line.substr(start.size())), directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err.find("error"), std::string::npos) << run.err;
    ++commands;
  }
  return commands;
}

TEST(Readme, EveryCommandRuns)
{
  EXPECT_GE(run_commands_of("README.md"), 2);
}

TEST(Guide, EveryCommandRuns)
{
  EXPECT_GE(run_commands_of("docs/guide.md"), 15);
}

TEST(ManyMachines, EveryCommandRuns)
{
  EXPECT_EQ(run_commands_of("docs/cluster.md"), 4);
}

TEST(Readme, PictureIsWhatTheProgramDraws)
{
  const TemporaryDirectory directory;
  const ProgramRun run = run_program({"sweep", WORMCAST_CONFIGS "/figure4.toml", "--out", "figure4"}, directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::filesystem::path kept = std::filesystem::path(WORMCAST_CONFIGS).parent_path() / "docs/figure4.svg";
  EXPECT_TRUE(read_file(directory.path() / "figure4/latency_from_source.svg") == read_file(kept))
      << "docs/figure4.svg is the latency_from_source.svg of `wormcast "
         "sweep configs/figure4.toml`: copy it when plots change";
}

TEST(Readme, DeadlockExampleEndsAsItSays)
{
  const ProgramRun run = run_program({"run", WORMCAST_CONFIGS "/torus_ring_deadlock.toml"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_NE(run.err.find("message 5 from 5 to 1 waits for 0 -> 1, held by message 0"), std::string::npos) << run.err;
}

} // namespace
} // namespace wormcast::testing
