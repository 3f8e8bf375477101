// Programs whose ranks are placed by what they send.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

class PlacedProgram : public ::testing::Test {
protected:
  // wormcast mpi c.toml OPTIONS --replay trace.ti: ranks r and r + 2 of four exchange 1000 bytes on a line.
  ProgramRun replay(std::vector<std::string> options) const
  {
    directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4]\n[network]\nstartup = \"10us\"\nper_byte = "
                              "\"10ns\"\nper_hop = \"1us\"\nbuffer_flits = \"auto\"\n[mpi]\nenvelope = 0\n");
    std::string trace;
    for (int rank = 0; rank < 4; ++rank) {
      const std::string name = "rank" + std::to_string(rank);
      const std::string peer = std::to_string((rank + 2) % 4);
      const std::string id = std::to_string(rank);
      directory.write(name, id + " init\n" + id + (rank < 2 ? " send " : " recv ") + peer + " 0 1000\n" + id +
                                (rank < 2 ? " recv " : " send ") + peer + " 0 1000\n" + id + " finalize\n");
      trace += name + "\n";
    }
    directory.write("trace.ti", trace);
    options.insert(options.begin(), {"mpi", "c.toml", "--replay", "trace.ti"});
    return run_program(options, directory.path());
  }

  TemporaryDirectory directory;
};

TEST_F(PlacedProgram, HasFewerByteHopsAndEndsEarlier)
{
  const ProgramRun run = replay({"--map", "refine", "--write-map", "map", "--json", "r.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nranks             4, mapped by refine\n"
                                 "byte-hops         4000, mapped by block 8000\n"
                                 "busiest channel   1000 bytes, mapped by block 2000\n"));
  const auto json = nlohmann::ordered_json::parse(read_file(directory.path() / "r.json"));
  EXPECT_EQ(json["placement"]["byte_hops"], 4000);
  EXPECT_EQ(json["placement"]["block_byte_hops"], 8000);
  EXPECT_GT(json["placement"]["block_end_us"], json["end_us"]);
  // The file gives the same run.
  const ProgramRun again = replay({"--map", "map", "--json", "again.json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const auto same = nlohmann::ordered_json::parse(read_file(directory.path() / "again.json"));
  EXPECT_EQ(same["latency_us"], json["latency_us"]);
  EXPECT_FALSE(same.contains("placement"));
}

TEST_F(PlacedProgram, MayLowerTheLoadOfTheBusiestChannel)
{
  for (const char* map : {"channel_load", "scotch"}) {
    const ProgramRun run = replay({"--map", map, "--json", "r.json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::ordered_json::parse(read_file(directory.path() / "r.json"));
    EXPECT_EQ(json["placement"]["busiest_channel_bytes"], 1000) << map;
    EXPECT_EQ(json["placement"]["block_busiest_channel_bytes"], 2000) << map;
  }
}

TEST_F(PlacedProgram, IsNotPlacedWhereTheFirstRunFails)
{
  directory.write("c.toml", "");
  const ProgramRun run = replay({"--map", "greedy", "--ranks", "3"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("--ranks: found 3, but trace.ti has 4 ranks"));
}

} // namespace
} // namespace wormcast::testing
