#include "tests/experiments/program/commands/program.hpp"
#include "tests/experiments/program/commands/stored_points.hpp"

#include <boost/rational.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string sweep_section = R"(
[sweep]
"message.bytes" = [1024, 4096, "16KiB"]
"algorithm.name" = ["recursive_doubling", "recursion_based"]
)";

/// Points that take a while: enough of them to be interrupted.
const std::string long_section = R"(
[sweep]
"message.bytes" = { from = 1024, to = 61440, step = 1024 }
"algorithm.name" = ["recursive_doubling", "recursion_based"]
)";

std::vector<std::vector<std::string>> read_csv(const std::string& text)
{
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (const char character : text) {
    if (character == '"') {
      quoted = !quoted;
    } else if (character == ',' && !quoted) {
      rows.back().emplace_back();
    } else if (character == '\n' && !quoted) {
      rows.emplace_back(1);
    } else {
      rows.back().back() += character;
    }
  }
  rows.pop_back();
  return rows;
}

/// The rows of a CSV file by column.
std::vector<std::map<std::string, std::string>> read_table(const std::filesystem::path& file)
{
  const auto rows = read_csv(read_file(file));
  std::vector<std::map<std::string, std::string>> table;
  for (std::size_t row = 1; row < rows.size(); ++row) {
    EXPECT_EQ(rows[row].size(), rows[0].size());
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
      table.resize(row);
      table.back()[rows[0][i]] = rows[row].at(i);
    }
  }
  return table;
}

class SweepCommand : public ::testing::Test {
protected:
  SweepCommand() { write_config(small_config + sweep_section); }

  void write_config(const std::string& text) { folder_.write("c.toml", text); }

  ProgramRun sweep(std::vector<std::string> arguments)
  {
    arguments.insert(arguments.begin(), {"sweep", "c.toml"});
    return run_program(arguments, folder_.path());
  }

  /// Starts a sweep and sends it `signal` as soon as some points are stored. Returns the status of waitpid.
  int interrupt(const std::string& out, int signal)
  {
    const pid_t child = ::fork();
    if (child == 0) {
      const int nothing = ::open("/dev/null", O_WRONLY);
      const int output = ::open((folder_.path() / "output").c_str(), O_WRONLY | O_CREAT, 0600);
      ::dup2(nothing, STDOUT_FILENO);
      ::dup2(output, STDERR_FILENO);
      if (::chdir(folder_.path().c_str()) == 0) {
        ::execl(WORMCAST_PROGRAM, "wormcast", "sweep", "c.toml", "--jobs", "2", "--out", out.c_str(), nullptr);
      }
      ::_exit(127);
    }
    int status = 0;
    while (stored_points(path(out)) < 3 && ::waitpid(child, &status, WNOHANG) == 0) {
      ::usleep(1000);
    }
    ::kill(child, signal);
    ::waitpid(child, &status, 0);
    return status;
  }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  std::map<std::string, std::string> files(const std::string& out) const
  {
    std::map<std::string, std::string> texts;
    for (const char* name : {"results.csv", "crossings.csv", "latency_from_source.svg", "latency_from_source.png",
                             "latency_from_source.gnuplot"}) {
      texts[name] = read_file(path(out) / name);
      EXPECT_NE(texts[name], "") << name;
    }
    return texts;
  }

  TemporaryDirectory folder_;
};

TEST_F(SweepCommand, RunsEveryCombination)
{
  const ProgramRun run = sweep({"--out", "results"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const auto table = read_table(path("results/results.csv"));
  ASSERT_EQ(table.size(), 6U);
  const std::vector<std::string> lengths = {"1024", "1024", "4096", "4096", "16384", "16384"};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(table[i].at("message.bytes"), lengths[i]);
    EXPECT_EQ(table[i].at("algorithm.name"), i % 2 == 0 ? "recursive_doubling" : "recursion_based");
    EXPECT_EQ(table[i].at("state"), "done");
    EXPECT_EQ(table[i].at("latency_us"), table[i].at("predicted_us"));
    EXPECT_EQ(table[i].at("contention.step"), "0");
  }
  EXPECT_EQ(table[2].at("latency_us"), "8792"); // 4 * 150 + 4 * 4096 * 0.5
  EXPECT_EQ(table[2].at("alpha"), "4");
  const std::string head = read_csv(read_file(path("results/results.csv"))).front().front();
  EXPECT_EQ(head, "message.bytes");
  for (const char* file : {"results/results.csv", "results/crossings.csv", "results/latency_from_source.svg",
                           "results/latency_from_source.png"}) {
    EXPECT_THAT(run.out, HasSubstr(std::string(file) + "\n"));
  }
  EXPECT_THAT(run.out, HasSubstr("8792"));
}

TEST_F(SweepCommand, WritesTheSameBytesForAnyNumberOfJobs)
{
  ASSERT_EQ(sweep({"--out", "one", "--jobs", "1"}).exit_code, 0);
  for (const char* jobs : {"2", "4"}) {
    const std::string out = std::string("jobs") + jobs;
    ASSERT_EQ(sweep({"--out", out, "--jobs", jobs}).exit_code, 0);
    EXPECT_EQ(files(out), files("one"));
  }
}

TEST_F(SweepCommand, ResumesAfterItWasKilled)
{
  write_config(small_config + long_section);
  ASSERT_EQ(sweep({"--out", "whole"}).exit_code, 0);
  const int status = interrupt("killed", SIGKILL);
  ASSERT_TRUE(WIFSIGNALED(status)) << "the sweep ended before it could be killed";
  const std::int64_t kept = stored_points(path("killed"));
  ASSERT_GE(kept, 3);
  EXPECT_FALSE(std::filesystem::exists(path("killed/results.csv")));
  const ProgramRun resumed = sweep({"--out", "killed", "--resume", "--verbose"});
  EXPECT_EQ(resumed.exit_code, 0);
  std::ostringstream expected;
  expected << 120 - kept << " points computed, " << kept << " kept from before";
  EXPECT_THAT(resumed.err, HasSubstr(expected.str()));
  EXPECT_EQ(files("killed"), files("whole"));
}

TEST_F(SweepCommand, KeepsWhatIsFinishedWhenInterrupted)
{
  write_config(small_config + long_section);
  const int status = interrupt("results", SIGINT);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_THAT(read_file(path("output")),
              HasSubstr("of 120 points are kept in results/results.sqlite; go on with --resume"));
  const std::int64_t kept = stored_points(path("results"));
  EXPECT_GE(kept, 3);
  EXPECT_LT(kept, 120);
  EXPECT_THAT(sweep({"--out", "results", "--resume", "--verbose"}).err,
              HasSubstr(std::to_string(kept) + " kept from before"));
}

TEST_F(SweepCommand, ResumesAFinishedAndAGrownSweep)
{
  ASSERT_EQ(sweep({"--out", "results"}).exit_code, 0);
  const auto before = files("results");
  EXPECT_THAT(sweep({"--out", "results", "--resume", "--verbose"}).err,
              HasSubstr("0 points computed, 6 kept from before"));
  EXPECT_EQ(files("results"), before);
  write_config(with(small_config + sweep_section, "[1024, 4096, ", "[64, 1024, 4096, "));
  EXPECT_THAT(sweep({"--out", "results", "--resume", "--verbose"}).err,
              HasSubstr("2 points computed, 6 kept from before"));
  EXPECT_EQ(read_table(path("results/results.csv")).size(), 8U);
}

TEST_F(SweepCommand, StartsFreshWithResumeToo)
{
  EXPECT_EQ(sweep({"--out", "results", "--resume"}).exit_code, 0);
  EXPECT_EQ(stored_points(path("results")), 6);
}

TEST_F(SweepCommand, LosesNothingWithoutResume)
{
  ASSERT_EQ(sweep({"--out", "results"}).exit_code, 0);
  const auto before = files("results");
  const ProgramRun again = sweep({"--out", "results"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("--resume"));
  EXPECT_EQ(files("results"), before);
  EXPECT_EQ(stored_points(path("results")), 6);
}

TEST_F(SweepCommand, ComputesAChangedConfigurationAgain)
{
  ASSERT_EQ(sweep({"--out", "results"}).exit_code, 0);
  const ProgramRun run = sweep({"--out", "results", "--resume", "--set", "network.startup=10us", "--verbose"});
  EXPECT_THAT(run.err, HasSubstr("6 points computed, 0 kept"));
  EXPECT_EQ(read_table(path("results/results.csv")).at(2).at("latency_us"), "8232");
}

TEST_F(SweepCommand, ComputesAgainWhenAFileThatItReadsHasChanged)
{
  const std::string list = R"({"format": "wormcast-schedule/1", "topology": {"kind": "mesh", "dims": [3]}, "ports": 1,
 "duplex": "full", "operation": "none", "messages": [{"id": 0, "src": 0, "dst": 2, "bytes": 100}]})";
  folder_.write("list.json", list);
  write_config(R"([network]
startup = "1us"
per_byte = "1us"
[algorithm]
name = "schedule"
file = "list.json"
[sweep]
"network.per_hop" = ["0us", "1us"]
)");
  ASSERT_EQ(sweep({"--out", "results"}).exit_code, 0);
  EXPECT_EQ(read_table(path("results/results.csv")).at(1).at("latency_us"), "103");
  EXPECT_EQ(read_table(path("results/results.csv")).at(1).at("alpha"), "");
  folder_.write("list.json", with(list, "100", "200"));
  ASSERT_EQ(sweep({"--out", "results", "--resume"}).exit_code, 0);
  EXPECT_EQ(read_table(path("results/results.csv")).at(1).at("latency_us"), "203");
}

TEST_F(SweepCommand, GoesOnWhenAPointFails)
{
  write_config(with(small_config, "name = \"recursion_based\"", "name = \"recursive_doubling\"") + R"([sweep]
"topology.dims" = [[4, 4], [3, 5]]
"algorithm.name" = ["recursive_doubling", "recursion_based"]
)");
  const ProgramRun run = sweep({"--out", "results"});
  EXPECT_EQ(run.exit_code, 2);
  const auto table = read_table(path("results/results.csv"));
  ASSERT_EQ(table.size(), 4U);
  EXPECT_EQ(table[0].at("state"), "done");
  EXPECT_EQ(table[1].at("state"), "done");
  EXPECT_EQ(table[3].at("state"), "bad_input");
  EXPECT_EQ(table[3].at("topology.dims"), "[3,5]");
  EXPECT_EQ(table[3].at("latency_us"), "");
  EXPECT_NE(table[3].at("error"), "");
  EXPECT_THAT(run.err, HasSubstr("points failed; the first: "));
  EXPECT_THAT(run.out, HasSubstr("points that failed"));
}

TEST_F(SweepCommand, RecordsPointsWhoseConfigurationIsWrong)
{
  write_config(small_config + R"([sweep]
"algorithm.source" = [[0, 0], [4, 0], [3, 3]]
)");
  const ProgramRun run = sweep({"--out", "results"});
  EXPECT_EQ(run.exit_code, 2);
  const auto table = read_table(path("results/results.csv"));
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[1].at("state"), "bad_input");
  EXPECT_EQ(table[2].at("state"), "done");
  EXPECT_EQ(table[2].at("algorithm.source"), "[3,3]");
}

TEST_F(SweepCommand, RecordsDeadlocks)
{
  std::filesystem::copy(WORMCAST_CONFIGS "/torus_ring_deadlock.json", path("torus_ring_deadlock.json"));
  write_config(read_file(WORMCAST_CONFIGS "/torus_ring_deadlock.toml") + R"([sweep]
"network.switching" = ["cut_through", "wormhole"]
)");
  const ProgramRun run = sweep({"--out", "results"});
  EXPECT_EQ(run.exit_code, 4) << run.err;
  const auto table = read_table(path("results/results.csv"));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table[1].at("state"), "deadlock");
  EXPECT_THAT(table[1].at("error"), HasSubstr("deadlock: "));
  EXPECT_EQ(table[1].at("latency_us"), "");
  EXPECT_NE(table[1].at("deadlock_us"), "");
  EXPECT_THAT(sweep({"--out", "results", "--resume", "--verbose"}).err, HasSubstr("0 points computed, 2 kept"));
}

TEST_F(SweepCommand, RefusesBadUsageBeforeItWritesAnything)
{
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const ProgramRun run = sweep(arguments);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_EQ(run.out, "");
  };
  refused({"--jobs", "0"}, "--jobs: found 0, expected a whole number from 1 to 4096");
  refused({"--jobs", "-3"}, "--jobs: found -3");
  refused({"--set", "algorithm.name=recursion"}, "recursion_based");
  refused({"--set", "topology.kind=mash"}, "mesh");
  write_config(small_config);
  refused({}, "[sweep]");
  write_config(small_config + "[sweep]\n\"message.byte\" = [1]\n");
  refused({}, "message.byte: unknown key");
  write_config(small_config + "[sweep]\n\"message.bytes\" = [0, -1]\n");
  refused({}, "message.bytes");
  EXPECT_THAT(folder_.names(), ElementsAre("c.toml"));
}

TEST_F(SweepCommand, ReportsFoldersThatCannotBeUsed)
{
  const auto fails = [&](const std::string& out, int code, const std::string& message) {
    const ProgramRun run = sweep({"--out", out, "--resume"});
    EXPECT_EQ(run.exit_code, code);
    EXPECT_THAT(run.err, HasSubstr(message));
  };
  folder_.write("file", "text");
  fails("file", 1, "file: cannot make the folder for the results");
  fails("/proc/results", 1, "/proc/results: cannot make the folder for the results: ");
  std::filesystem::create_directory(path("other"));
  folder_.write("other/results.sqlite", "some notes, and no database at all, but more than a few bytes of text");
  fails("other", 2, "other/results.sqlite: not a usable SQLite database");
}

TEST_F(SweepCommand, WritesNumbersWithoutGnuplot)
{
  const std::string old_path = std::getenv("PATH");
  ::setenv("PATH", folder_.path().c_str(), 1);
  const ProgramRun run = sweep({"--out", "results"});
  ::setenv("PATH", old_path.c_str(), 1);
  EXPECT_EQ(run.exit_code, 1); // what was asked for is not there
  EXPECT_THAT(run.err, HasSubstr("install the package gnuplot-nox"));
  EXPECT_EQ(read_table(path("results/results.csv")).size(), 6U);
  EXPECT_THAT(run.out, Not(HasSubstr("latency_from_source.svg")));
  ASSERT_EQ(sweep({"--out", "results", "--resume"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("results/latency_from_source.svg")));
}

TEST_F(SweepCommand, WritesIntoOutByDefault)
{
  ASSERT_EQ(sweep({}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("out/c/results.csv")));
}

TEST_F(SweepCommand, FailsWhenItsTableCannotBeWritten)
{
  const ProgramRun run = run_program({"sweep", "c.toml", "--out", "results"}, folder_.path(), "/dev/full");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(stored_points(path("results")), 6);
}

TEST_F(SweepCommand, DrawsOtherAxesToo)
{
  write_config(small_config + R"([sweep]
"network.startup" = ["1us", "10us", "100us"]
"run.mode" = ["lockstep", "self_timed"]
)");
  ASSERT_EQ(sweep({"--out", "times"}).exit_code, 0);
  EXPECT_THAT(read_file(path("times/latency_from_source.svg")), HasSubstr("network.startup (us)"));
  EXPECT_FALSE(std::filesystem::exists(path("times/crossings.csv")));
  write_config(small_config + "[sweep]\n\"algorithm.name\" = [\"recursive_doubling\", \"recursion_based\"]\n");
  ASSERT_EQ(sweep({"--out", "names"}).exit_code, 0);
  EXPECT_THAT(read_file(path("names/latency_from_source.svg")), HasSubstr("recursion_based"));
}

/// Fig. 4 of Zhuang & Liberatore against tests/golden/broadcast_crossings.json.
TEST(Figure4, IsMeasuredAsPredicted)
{
  using Fraction = boost::rational<std::int64_t>;
  const auto fraction = [](const std::string& text) {
    const std::size_t slash = text.find('/');
    return Fraction(std::stoll(text), slash == std::string::npos ? 1 : std::stoll(text.substr(slash + 1)));
  };
  const TemporaryDirectory folder;
  const std::string config = WORMCAST_CONFIGS "/figure4.toml";
  const ProgramRun run = run_program({"sweep", config, "--out", "figure4"}, folder.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json golden =
      nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/broadcast_crossings.json"))["cases"][0];
  const std::map<std::string, std::string> names = {
      {"recursive_doubling", "RD"}, {"scatter_collect", "SC"}, {"recursion_based", "RB"}};
  const auto table = read_table(folder.path() / "figure4/results.csv");
  ASSERT_EQ(table.size(), 33U);
  for (const auto& row : table) {
    EXPECT_EQ(row.at("latency_us"), row.at("predicted_us"));
    const std::string& length = row.at("message.bytes");
    if (std::stoll(length) >= 1024) { // shorter ones are not divided into equal blocks
      const std::string cost = golden["latency_us"][length][names.at(row.at("algorithm.name"))];
      EXPECT_EQ(fraction(cost), fraction(row.at("latency_us"))) << row.at("algorithm.name") << " " << length;
    }
  }
  const auto crossings = read_table(folder.path() / "figure4/crossings.csv");
  ASSERT_EQ(crossings.size(), 3U);
  EXPECT_EQ(crossings[0].at("faster_before"), "recursive_doubling");
  EXPECT_EQ(crossings[0].at("faster_behind"), "recursion_based");
  EXPECT_EQ(crossings[0].at("predicted_bytes"), "24000/121");
  EXPECT_EQ(crossings[0].at("measured_from_bytes"), "128");
  EXPECT_EQ(crossings[0].at("measured_to_bytes"), "256");
  EXPECT_EQ(crossings[2].at("faster_before"), "recursion_based");
  EXPECT_EQ(crossings[2].at("faster_behind"), "scatter_collect");
  EXPECT_EQ(crossings[2].at("predicted_bytes"), "38912");
  EXPECT_EQ(crossings[2].at("measured_bytes"), "38912");
  EXPECT_THAT(run.out,
              HasSubstr("fastest by prediction: recursive_doubling up to 198.347, recursion_based up to 38912, "
                        "scatter_collect beyond"));
}

} // namespace
} // namespace wormcast::testing
