// Files that version 0.2.0 has written (tests/golden/0.2.0/README.md): read as what they are, or refused in a sentence.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::filesystem::path written = std::filesystem::path(WORMCAST_TEST_DATA) / "golden/0.2.0";

class Version020 : public ::testing::Test {
protected:
  void SetUp() override
  {
    for (const auto& entry : std::filesystem::directory_iterator(written)) {
      std::filesystem::copy(entry.path(), directory.path());
    }
  }

  ProgramRun wormcast(const std::vector<std::string>& arguments) const
  {
    return run_program(arguments, directory.path());
  }
  std::string out(const std::vector<std::string>& arguments) const
  {
    const ProgramRun run = wormcast(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }
  std::string file(const std::string& name) const { return read_file(directory.path() / name); }

  /// The folder of results that the statements in `dump` describe.
  void restore(const std::string& folder, const std::string& dump) const
  {
    std::filesystem::create_directory(directory.path() / folder);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((directory.path() / folder / "results.sqlite").c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, file(dump).c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
  }

  TemporaryDirectory directory;
};

TEST_F(Version020, PlotsOfSweepsAreDrawn)
{
  restore("s", "sweep.sql");
  EXPECT_THAT(out({"plot", "s"}), AllOf(HasSubstr("s/latency_from_source.svg\n"), HasSubstr("s/channel_load.svg\n")));
  EXPECT_THAT(file("s/latency_from_source.svg"), HasSubstr("recursive_doubling"));
  EXPECT_THAT(out({"plot", "s", "--plot", "y=latency_us, name=mine"}), HasSubstr("s/mine.svg\n"));
}

TEST_F(Version020, PlotsWithNamesThatNoLongerAreAllowedAreRefusedInASentence)
{
  std::string dump = file("sweep.sql");
  for (std::size_t at = dump.find("channel_load\""); at != std::string::npos;
       at = dump.find("channel_load\"", at + 1)) {
    if (dump.substr(at - 8, 8) == "\"name\":\"") {
      dump.replace(at, 12, "channel load");
    }
  }
  directory.write("blank.sql", dump);
  restore("s", "blank.sql");
  const ProgramRun run = wormcast({"plot", "s"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, AllOf(StartsWith("wormcast: error: s/results.sqlite: sweep.toml:"),
                             HasSubstr("plot.name: found \"channel load\""), HasSubstr("; --plot draws others\n")));
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  out({"plot", "s", "--plot", "name=mine"});
}

TEST_F(Version020, SweepsAreResumedWithResultsOfThisVersion)
{
  restore("s", "sweep.sql");
  out({"sweep", "sweep.toml", "--out", "s", "--resume"});
  out({"sweep", "sweep.toml", "--out", "fresh"});
  EXPECT_EQ(file("s/results.csv"), file("fresh/results.csv"));
  out({"plot", "s"});
}

TEST_F(Version020, LoadsAreResumedWithResultsOfThisVersion)
{
  restore("l", "load.sql");
  const ProgramRun plot = wormcast({"plot", "l"});
  EXPECT_EQ(plot.exit_code, 2);
  EXPECT_THAT(plot.err, HasSubstr("curves are drawn again by \"wormcast load\" with --resume"));
  out({"load", "load.toml", "--out", "l", "--resume"});
  out({"load", "load.toml", "--out", "fresh"});
  EXPECT_EQ(file("l/results.csv"), file("fresh/results.csv"));
}

TEST_F(Version020, TracesSayWhatThoseOfTodaySay)
{
  out({"run", "trace.toml", "--trace", "today.jsonl"});
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--top", "10"}, {"--message", "6"}, {"--between", "1us", "4us"}}) {
    std::vector<std::string> old = {"contention", "trace.jsonl"};
    old.insert(old.end(), options.begin(), options.end());
    std::vector<std::string> today = old;
    today[1] = "today.jsonl";
    EXPECT_EQ(out(old), out(today)) << options.front();
  }
  out({"convert", "trace.jsonl", "old.perfetto.json"});
  out({"convert", "today.jsonl", "today.perfetto.json"});
  const Json old = Json::parse(file("old.perfetto.json"));
  EXPECT_EQ(old["traceEvents"], Json::parse(file("today.perfetto.json"))["traceEvents"]);
  const ProgramRun view = wormcast({"view", "trace.jsonl"});
  EXPECT_EQ(view.exit_code, 2);
  EXPECT_THAT(view.err, StartsWith("wormcast: error: trace.jsonl:1"));
}

TEST_F(Version020, TracesOfSeriesAreRead)
{
  EXPECT_THAT(out({"contention", "series.jsonl"}), HasSubstr("1 broadcasts with messages below 15"));
  out({"convert", "series.jsonl", "series.perfetto.json"});
}

TEST_F(Version020, SchedulesRunAsTheyDid)
{
  EXPECT_THAT(out({"check", "schedule.json"}), HasSubstr("valid             yes\n"));
  directory.write("c.toml",
                  "[network]\nstartup = \"1us\"\nper_byte = \"1ns\"\n[algorithm]\nname = \"schedule\"\nfile = "
                  "\"schedule.json\"\n");
  const Json result = Json::parse(out({"run", "c.toml", "--json", "-"}));
  EXPECT_EQ(result["latency_us"], Json::parse(file("result.json"))["latency_us"]);
  out({"view", "c.toml", "--out", "page.html"});
  EXPECT_THAT(file("page.html"), HasSubstr("</html>"));
}

} // namespace
} // namespace wormcast::testing
