// Sweeps that are killed, run out of disk, or may not write: what is there is whole, and --resume heals the rest.

#include "tests/experiments/program/commands/shell.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace wormcast::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr const char* sweep_config = R"([topology]
kind = "mesh"
dims = [8, 8]
[network]
startup = "150us"
per_byte = "0.5us"
[algorithm]
name = "recursion_based"
[message]
bytes = 1024
[sweep]
"message.bytes" = { from = 64, to = 1280, step = 64 }
"algorithm.name" = ["recursion_based", "scatter_collect"]
)";

/// Everything that a sweep leaves but the database, whose bytes depend on how often it was opened.
std::string files_of(const std::filesystem::path& folder)
{
  std::string all;
  for (const char* name : {"results.csv", "crossings.csv", "latency_from_source.gnuplot", "latency_from_source.svg",
                           "latency_from_source.png"}) {
    all += fmt::format("{}\n{}\n", name, read_file(folder / name));
  }
  return all;
}

class Sweeps : public ::testing::Test {
protected:
  void SetUp() override
  {
    directory.write("c.toml", sweep_config);
    ASSERT_EQ(run_program({"sweep", "c.toml", "--out", "whole"}, directory.path()).exit_code, 0);
    expected = files_of(directory.path() / "whole");
  }

  TemporaryDirectory directory;
  std::string expected;
};

TEST_F(Sweeps, KilledAHundredTimesGiveTheSameBytes)
{
  std::mt19937 random(1);
  int kills = 0;
  for (int sweep = 0; kills < 100; ++sweep) {
    const std::string folder = fmt::format("s{}", sweep);
    for (int attempt = 0;; ++attempt) {
      // What comes last, the pictures, takes its time on a busy machine: who comes late is killed later.
      const double seconds = (0.01 + static_cast<double>(random() % 250) / 1000) * (1 + attempt / 10);
      const ProgramRun run =
          run_script(fmt::format("timeout -s KILL {:.3f} \"$wormcast\" sweep c.toml --out {} --jobs {} --resume",
                                 seconds, folder, 1 + random() % 3),
                     directory.path());
      if (run.exit_code == 0) {
        break;
      }
      ASSERT_EQ(run.exit_code, 137) << run.err; // what timeout says of a process that it has killed
      ++kills;
      ASSERT_LT(attempt, 200) << "no progress from one kill to the next";
    }
    ASSERT_EQ(files_of(directory.path() / folder), expected) << folder;
  }
}

/// A script with a small file system in the folder "disk", which needs a namespace of its own.
std::string on_small_disk(const std::string& options, const std::string& script)
{
  return fmt::format(
      "mkdir -p disk; unshare --map-root-user --mount bash -c 'mount -t tmpfs -o {} none disk || exit 99; {}'", options,
      script);
}

bool can_mount(const std::filesystem::path& directory)
{
  return run_script(on_small_disk("size=64k", "true"), directory).exit_code == 0;
}

TEST_F(Sweeps, OnFullDisksSaySoAndAreResumed)
{
  if (!can_mount(directory.path())) {
    GTEST_SKIP() << "no file system can be mounted here: neither root nor user namespaces";
  }
  int failed = 0;
  for (int kibibytes = 8; kibibytes <= 320; kibibytes += 16) {
    const ProgramRun run = run_script(
        on_small_disk(fmt::format("size={}k", kibibytes),
                      "\"$wormcast\" sweep c.toml --out disk/s 2> first.err; first=$?; mount -o remount,size=64m disk; "
                      "\"$wormcast\" sweep c.toml --out disk/s --resume > /dev/null || exit 98; rm -rf copy; "
                      "cp -r disk/s copy; exit $first"),
        directory.path());
    ASSERT_THAT(run.exit_code, AnyOf(0, 1)) << kibibytes << " KiB: " << run.err;
    const std::string said = read_file(directory.path() / "first.err");
    if (run.exit_code == 1) {
      ++failed;
      EXPECT_THAT(said, AnyOf(HasSubstr("No space left on device"), HasSubstr("disk is full"),
                              HasSubstr("disk I/O error"), HasSubstr("gnuplot failed")))
          << kibibytes << " KiB";
    }
    EXPECT_EQ(files_of(directory.path() / "copy"), expected) << kibibytes << " KiB";
  }
  EXPECT_GT(failed, 5);
}

TEST_F(Sweeps, InReadOnlyFoldersSayWhich)
{
  if (!can_mount(directory.path())) {
    GTEST_SKIP() << "no file system can be mounted here: neither root nor user namespaces";
  }
  const ProgramRun run =
      run_script(on_small_disk("size=64k,ro", "\"$wormcast\" sweep c.toml --out disk"), directory.path());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, HasSubstr("disk: cannot write results there: Read-only file system"));
}

TEST_F(Sweeps, TwoInOneFolderAreRefused)
{
  // flock holds the folder as a sweep that is at work does.
  const ProgramRun run = run_script("mkdir two; flock two \"$wormcast\" sweep c.toml --out two", directory.path());
  EXPECT_EQ(run.exit_code, 2) << run.err;
  EXPECT_THAT(run.err, HasSubstr("two: another sweep is writing its results here"));
  const ProgramRun alone = run_program({"sweep", "c.toml", "--out", "two"}, directory.path());
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(files_of(directory.path() / "two"), expected);
}

} // namespace
} // namespace wormcast::testing
