// Traces of other programs: the project's own examples, and published ones where they are installed.

#include "tests/experiments/program/commands/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using Facts = nlohmann::ordered_json;

const std::filesystem::path traces = WORMCAST_EXAMPLES;
const std::filesystem::path published = WORMCAST_FORMATS_OF_OTHERS;

std::string trace_config(const std::filesystem::path& file, const std::string& topology)
{
  return fmt::format("[topology]\n{}\n[network]\nstartup = \"100ns\"\nper_byte = \"1ns\"\nper_hop = \"0us\"\n"
                     "[algorithm]\nname = \"schedule\"\nfile = \"{}\"\n",
                     topology, file.string());
}

const std::string line_of_4 = "kind = \"mesh\"\ndims = [4]";

class Traces : public ::testing::Test {
protected:
  Facts result(std::vector<std::string> options) const
  {
    options.insert(options.begin(), {"run", "c.toml", "--json", "-"});
    const ProgramRun run = run_program(options, directory.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.exit_code == 0 ? Facts::parse(run.out) : Facts();
  }

  std::string error(std::vector<std::string> options) const
  {
    options.insert(options.begin(), {"run", "c.toml"});
    const ProgramRun run = run_program(options, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  }

  TemporaryDirectory directory;
};

TEST_F(Traces, OfNetraceWaitForWhatTheyDependOn)
{
  directory.write("c.toml", trace_config(traces / "requests.tra", line_of_4));
  const Facts closed = result({});
  EXPECT_EQ(closed["messages"], 6);
  EXPECT_EQ(closed["bytes_sent"], 3 * 8 + 3 * 72);
  // Requests of 108 ns and answers of 172 ns: two of both for node 0, one behind the other, of which the last answer
  // waits 64 ns for the one to node 1
  EXPECT_EQ(closed["latency_us"], 0.624);
  EXPECT_EQ(closed["config"]["program"].dump(), R"({"closed":true,"cycle":"1ns","think":"none"})");
  // 40, 50 and 40 ns lie between them in the trace
  EXPECT_EQ(result({"--set", "program.think=kept"})["latency_us"], 0.69);
  // Three answers leave node 3 one behind the other from cycle 40 on
  EXPECT_EQ(result({"--set", "program.closed=false"})["latency_us"], 0.556);
  EXPECT_EQ(result({"--set", "program.closed=false", "--set", "program.cycle=10us"})["latency_us"], 1300.172);
  EXPECT_EQ(result({"--set", "program.region=1"})["messages"], 2);
  EXPECT_EQ(run_program({"view", "c.toml", "--out", "page.html"}, directory.path()).exit_code, 0);
  const ProgramRun explained = run_program({"run", "c.toml", "--explain"}, directory.path());
  EXPECT_THAT(explained.out, HasSubstr("critical path: 4 messages"));
}

TEST_F(Traces, OfNetraceAreMessageListsOnceWritten)
{
  directory.write("c.toml", trace_config(traces / "requests.tra", line_of_4));
  ASSERT_EQ(run_program({"schedule", "c.toml", "--out", "list.json"}, directory.path()).exit_code, 0);
  const Facts before = result({});
  const Facts after = result({"--set", "algorithm.file=list.json"});
  EXPECT_EQ(after["latency_us"], before["latency_us"]);
  EXPECT_EQ(after["contention"], before["contention"]);
}

TEST_F(Traces, OfChakraRunWithAlgorithmsForTheirCollectives)
{
  directory.write("c.toml", trace_config(traces / "training", line_of_4));
  const std::vector<std::string> groups = {"--set", "program.groups=" + (traces / "training" / "groups.json").string()};
  const Facts ring = result(groups);
  EXPECT_EQ(ring["messages"], 2 + 2 * 4); // an all_reduce of two ranks by a ring: two messages of each
  EXPECT_EQ(ring["bytes_sent"], 2 * 8192 + 8 * 32768);
  // 20 us, a message of 8.292 us that waits 8.192 us for the other one, 30000 operations in 30 us, and two messages of
  // 32.868 us
  EXPECT_EQ(ring["latency_us"], 132.22);
  EXPECT_EQ(result({"--set", "program.flops=3000000000"})["latency_us"], 112.22);
  EXPECT_EQ(result({"--set", "program.all_reduce=recursive_halving"})["messages"], 10);
  EXPECT_THAT(error({"--set", "program.all_reduce=no_such"}),
              HasSubstr("algorithm.file: ALL_REDUCE among 2 of 4 nodes, by no_such: "));
  EXPECT_THAT(error({"--set", "program.cycle=1ns"}),
              HasSubstr("program.cycle: found for a trace of Chakra, expected a trace of netrace"));
  const ProgramRun check = run_program({"check", "c.toml"}, directory.path());
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_THAT(check.out, HasSubstr("finishes          yes, wherever the network delivers every message\n"));
}

TEST_F(Traces, OfChakraTakeAFileForACollective)
{
  const std::filesystem::path all = traces / "training" / "step.%d.et";
  directory.write("c.toml", trace_config(all, line_of_4));
  EXPECT_THAT(error({"--set", "program.all_reduce=" + (traces / "ring.xml").string()}),
              HasSubstr("found a file for 3 GPUs, expected one for 2"));
  EXPECT_EQ(result({})["messages"], 10);
}

TEST_F(Traces, AreSwept)
{
  directory.write("c.toml",
                  trace_config(traces / "training", line_of_4) + "[sweep]\n\"program.flops\" = [1000, 2000]\n");
  const ProgramRun run = run_program({"sweep", "c.toml", "--csv", "-"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(Traces, AreRefusedWithOneLine)
{
  directory.write("c.toml", trace_config(traces / "halo.ti", line_of_4));
  EXPECT_THAT(error({}),
              HasSubstr("found a time-independent trace of SimGrid, which needs SimGrid's collectives: wormcast "
                        "mpi CONFIG --replay"));
  directory.write("c.toml", trace_config(traces / "ring.xml", "kind = \"mesh\"\ndims = [3]") +
                                "[message]\nbytes = 9\n[program]\ncycle = \"1ns\"\n");
  EXPECT_THAT(error({}), HasSubstr("[program]: found without a trace of netrace or Chakra"));
  const ProgramRun one = run_program({"check", (traces / "training" / "step.1.et").string()});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_THAT(one.err, HasSubstr("the file of rank 1 alone, expected the folder"));
  directory.write("empty.0.et", "");
  EXPECT_THAT(run_program({"check", "empty.%d.et"}, directory.path()).err,
              HasSubstr("empty.0.et: byte 0: an empty file"));
  EXPECT_THAT(run_program({"check", "none.%d.et"}, directory.path()).err, HasSubstr("none.%d.et: no file of a rank"));
}

TEST_F(Traces, ThatAreTimeIndependentAreCheckedInEachForm)
{
  const ProgramRun one = run_program({"check", (traces / "halo.ti").string()});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, HasSubstr("messages          8 point to point, with 32768 bytes\n"
                                 "collectives       1 of each rank\n"));
  std::filesystem::create_directory(directory.path() / "files");
  directory.write("files/b.txt", "0 init\n0 send 1 0 5\n");
  directory.write("files/a.txt", "1 init\n1 recv 0 0 5\n");
  directory.write("list.txt", "files/b.txt\nfiles/a.txt\n");
  const auto check = [&](const char* name) { return run_program({"check", name, "--json", "-"}, directory.path()); };
  EXPECT_EQ(check("files").out, check("list.txt").out);
  EXPECT_EQ(Facts::parse(check("list.txt").out)["bytes_point_to_point_by_rank"].dump(), "[5,0]");
  directory.write("list.txt", "files/a.txt\nfiles/b.txt\n");
  EXPECT_THAT(check("list.txt").err, HasSubstr("a.txt:1: a line of rank 1 in the file of rank 0"));
  directory.write("list.txt", "files/b.txt\nfiles/c.txt\n");
  EXPECT_THAT(check("list.txt").err, HasSubstr("list.txt:2: no file 'files/c.txt'"));
  directory.write("files/c.txt", "1 init\n");
  EXPECT_THAT(check("files").err, HasSubstr("rank 1 begins both in "));
}

/// The facts of the files in a folder of published ones.
class PublishedTraces : public ::testing::TestWithParam<const char*> {
protected:
  void SetUp() override
  {
    const std::filesystem::path file = published / GetParam() / "expected.json";
    if (!std::filesystem::exists(file)) {
      GTEST_SKIP() << published << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
    }
    expected = Facts::parse(read_file(file));
  }

  static void compare(const Facts& file, const Facts& found)
  {
    static const std::set<std::string> not_numbers = {"source",   "format", "verdict",  "first",
                                                      "problems", "files",  "metadata", "versions"};
    for (const auto& [key, value] : file.items()) {
      if (!not_numbers.contains(key)) {
        EXPECT_EQ(found[key], value) << key;
      }
    }
    Facts problems = file.value("first", Facts::array());
    if (file.contains("problems") && file["problems"].is_array()) {
      problems = file["problems"];
    }
    for (const Facts& problem : problems) {
      bool is_found = false;
      for (const Facts& finding : found["findings"]) {
        is_found = is_found || finding["kind"] == problem["kind"];
      }
      EXPECT_TRUE(is_found) << problem;
    }
  }

  Facts expected;
};

TEST_P(PublishedTraces, HaveTheFactsThatOthersComputed)
{
  for (const auto& [name, file] : expected.items()) {
    SCOPED_TRACE(name);
    const ProgramRun run = run_program({"check", (published / GetParam() / name).string(), "--json", "-"});
    if (file["verdict"] == "unreadable") {
      EXPECT_EQ(run.exit_code, 2);
      continue;
    }
    EXPECT_EQ(run.exit_code, file["verdict"] == "right" ? 0 : 3) << run.err;
    compare(file, Facts::parse(run.out));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, PublishedTraces, ::testing::Values("ti", "netrace", "chakra"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST_F(Traces, PublishedOnesRun)
{
  if (!std::filesystem::exists(published / "chakra")) {
    GTEST_SKIP() << published << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
  }
  const auto latency = [&](const std::string& file, const std::string& dims, std::vector<std::string> options) {
    directory.write("c.toml", trace_config(published / file, "kind = \"mesh\"\ndims = " + dims));
    return result(std::move(options))["latency_us"].get<double>();
  };
  // An all_reduce by a ring of 4 ranks: six messages of 256 KiB one behind the other
  EXPECT_NEAR(latency("chakra/all_reduce_4", "[4]", {}), 6 * (0.1 + 262.144), 1e-9);
  EXPECT_GT(latency("chakra/custom_ring_8", "[8]", {}), 14 * 131.072);
  EXPECT_GT(latency("chakra/pipeline_4", "[4]", {}), 50);
  EXPECT_GT(latency("netrace/example.tra.bz2", "[8, 8]", {}), 6.8);
  EXPECT_GT(latency("netrace/example.tra.bz2", "[8, 8]", {"--set", "program.think=kept"}), 6.8);
  EXPECT_GT(latency("netrace/shrtex.tra.bz2", "[8, 8]", {"--set", "program.closed=false"}), 0.2);
}

} // namespace
} // namespace wormcast::testing
