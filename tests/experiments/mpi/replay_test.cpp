// `wormcast mpi --replay`: time-independent traces on the network.

#include "tests/experiments/mpi/mpi_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <filesystem>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

const std::string pair_trace = "0 init\n0 send 1 0 1000 6\n0 bcast 100 0 6\n0 finalize\n"
                               "1 init\n1 recv 0 0 1000 6\n1 compute 5000\n1 bcast 100 0 6\n1 finalize\n";

TEST_F(Mpi, ATraceIsReplayed)
{
  directory.write("pair.ti", pair_trace);
  const ProgramRun run = run_program({"mpi", "c.toml", "--replay", "pair.ti", "--json", "r.json", "--messages",
                                      "m.json", "--explain", "--set", "mpi.envelope=0"},
                                     directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("program           replay of pair.ti\nranks             2, mapped by block\n"));
  EXPECT_THAT(run.out, HasSubstr("critical path: 2 messages"));
  const nlohmann::json result = json("r.json");
  EXPECT_EQ(result["replay"], "pair.ti");
  EXPECT_EQ(result["messages"], 2);
  EXPECT_EQ(result["bytes_sent"], 1100);
  EXPECT_NEAR(result["latency_us"].get<double>(), 2 * 150 + 1100 * 0.5 + 5, 0.1);
  const ProgramRun again = run_program({"run", "list.toml", "--json", "l.json"}, directory.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json("l.json")["latency_us"], result["latency_us"]);
}

TEST_F(Mpi, ATraceInFilesOfRanksTakesTheSameTime)
{
  directory.write("0.txt", pair_trace.substr(0, pair_trace.find("1 init")));
  directory.write("1.txt", pair_trace.substr(pair_trace.find("1 init")));
  directory.write("list.txt", "0.txt\n1.txt\n");
  directory.write("pair.ti", pair_trace);
  for (const char* trace : {"pair.ti", "list.txt"}) {
    const ProgramRun run =
        run_program({"mpi", "c.toml", "--replay", trace, "--json", std::string(trace) + ".json"}, directory.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_EQ(json("pair.ti.json")["latency_us"], json("list.txt.json")["latency_us"]);
}

TEST_F(Mpi, PublishedTracesAreReplayed)
{
  const std::filesystem::path folder = std::filesystem::path(WORMCAST_FORMATS_OF_OTHERS) / "ti";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << folder << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
  }
  const nlohmann::json expected = nlohmann::json::parse(read_file(folder / "expected.json"));
  for (const auto& [name, facts] : expected.items()) {
    SCOPED_TRACE(name);
    const ProgramRun run =
        run_program({"mpi", "c.toml", "--replay", (folder / name).string(), "--json", "r.json"}, directory.path());
    EXPECT_EQ(run.exit_code, facts["verdict"] == "right" ? 0 : 2) << run.err;
    if (run.exit_code == 0) {
      const nlohmann::json result = json("r.json");
      EXPECT_EQ(result["ranks"], facts["ranks"]);
      EXPECT_EQ(result["undelivered"], 0);
      if (facts["collectives_of_rank_0"].empty()) {
        EXPECT_EQ(result["messages"], facts["messages_point_to_point"]);
      }
    }
  }
}

TEST_F(Mpi, ATraceThatCannotBeReplayedIsRefused)
{
  directory.write("pair.ti", pair_trace);
  const auto error = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"mpi", "c.toml", "--replay", "pair.ti"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"--ranks", "3"}), HasSubstr("--ranks: found 3, but pair.ti has 2 ranks"));
  EXPECT_THAT(error({"--bcast", "wormcast:recursive_doubling"}),
              HasSubstr("mpi.bcast: found \"wormcast:recursive_doubling\", but the broadcasts of a trace are SMPI's"));
  EXPECT_THAT(error({"--", example("collectives")}), HasSubstr("--replay: found beside the program "));
  directory.write("pair.ti", with(pair_trace, "1 recv 0 0 1000 6\n", ""));
  EXPECT_THAT(error({}), HasSubstr("pair.ti: matching: from 0 to 1 with tag 0: 1 send, 0 receives"));
}

} // namespace
} // namespace wormcast::testing
