#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/shell.hpp"

#include <gtest/gtest.h>

namespace wormcast::testing {
namespace {

/// Every command that writes, with a full disk behind standard output.
TEST(OutputFailures, FullDiskBehindStandardOutput)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "c.toml"},
                                                    {"run", "c.toml", "--json", "-"},
                                                    {"run", "c.toml", "--trace", "-"},
                                                    {"view", "c.toml", "--out", "-"},
                                                    {"schedule", "c.toml"},
                                                    {"check", "c.toml"},
                                                    {"topology", "c.toml"},
                                                    {"list", "topologies"},
                                                    {"--version"},
                                                    {"run", "--help"}}) {
    const ProgramRun result = run_program(arguments, directory.path(), "/dev/full");
    EXPECT_EQ(result.exit_code, 1) << arguments.front();
    EXPECT_EQ(result.err, "wormcast: error: cannot write standard output: No space left on device\n");
  }
}

TEST(OutputFailures, AReaderThatHasSeenEnoughIsNoError)
{
  const TemporaryDirectory directory;
  const ProgramRun run = run_script(
      "$wormcast schedule " WORMCAST_CONFIGS "/mesh_recursion_based.toml --format goal | head -n 1", directory.path());
  EXPECT_EQ(run.out, "num_ranks 1024\n");
  EXPECT_EQ(run.err, "");
}

TEST(OutputFailures, FilesThatCannotBeWritten)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  directory.write("file", "");
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"run", "c.toml", "--json"},
                                                    {"run", "c.toml", "--trace"},
                                                    {"run", "c.toml", "--deliveries"},
                                                    {"view", "c.toml", "--out"},
                                                    {"schedule", "c.toml", "--out"},
                                                    {"check", "c.toml", "--json"},
                                                    {"topology", "c.toml", "--out"}}) {
    for (const auto& [file, reason] : {std::pair("/dev/full", "No space left on device"),
                                       {"file/below", "Not a directory"},
                                       {"missing/below", "No such file or directory"},
                                       {"/proc/below", "No such file or directory"},
                                       {".", "Is a directory"}}) {
      std::vector<std::string> words = arguments;
      words.emplace_back(file);
      const ProgramRun result = run_program(words, directory.path());
      EXPECT_EQ(result.exit_code, 1) << arguments.front() << ' ' << file;
      EXPECT_EQ(result.out, "") << arguments.front() << ' ' << file;
      EXPECT_TRUE(result.err.starts_with("wormcast: error: cannot write ")) << result.err;
      EXPECT_TRUE(result.err.ends_with(std::string(": ") + reason + "\n")) << result.err;
      EXPECT_EQ(directory.names(), (std::vector<std::string>{"c.toml", "file"}));
    }
  }
}

TEST(OutputFailures, OneFailureLeavesNoOutputHalfWritten)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  directory.write("r.json", "old");
  const ProgramRun result =
      run_program({"run", "c.toml", "--json", "r.json", "--trace", "/dev/full"}, directory.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(read_file(directory.path() / "r.json"), "old");
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"c.toml", "r.json"}));
}

TEST(OutputFailures, OutputsMustDiffer)
{
  const TemporaryDirectory directory;
  directory.write("c.toml", small_config);
  const ProgramRun result = run_program({"run", "c.toml", "--json", "-", "--trace", "-"}, directory.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "wormcast: error: --json, --csv, --trace and --deliveries name the same file, expected different ones\n");
}

/// Bad input is found before anything is written.
TEST(OutputFailures, BadInputWritesNothing)
{
  const TemporaryDirectory directory;
  directory.write("bad.toml", with(small_config, "[4, 4]", "[5, 4]"));
  directory.write("r.json", "old");
  const ProgramRun result =
      run_program({"run", "bad.toml", "--json", "r.json", "--trace", "t.jsonl"}, directory.path());
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(read_file(directory.path() / "r.json"), "old");
  EXPECT_EQ(directory.names(), (std::vector<std::string>{"bad.toml", "r.json"}));
}

} // namespace
} // namespace wormcast::testing
