// Programs of the kinds that people run: sorts, transforms, halos, matrices. Each checks its own result.

#include "tests/experiments/mpi/mpi_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(Mpi, ProgramsThatPeopleRunGetTheirResults)
{
  const std::vector<std::pair<std::string, int>> programs = {
      {"integer_sort", 16}, {"random_pairs", 16}, {"data_traffic", 16}, {"halo_cube", 8},
      {"sample_sort", 16},  {"summa", 16},        {"plane_wave", 16}};
  for (const auto& [name, ranks] : programs) {
    const std::string count = std::to_string(ranks);
    const ProgramRun run =
        mpi({"--set", "topology.dims=[4,4]", "--ranks", count, "--json", "r.json"}, {example("programs"), name});
    ASSERT_EQ(run.exit_code, 0) << name << ": " << run.err;
    EXPECT_THAT(run.out, HasSubstr(name + " among " + count + " ranks: right\n"));
    const nlohmann::json result = json("r.json"); // its latency is that of the list of messages, or mpi would fail
    std::uint64_t messages = 0;
    for (const nlohmann::json& call : result["calls"]) {
      messages += call["messages"].get<std::uint64_t>();
    }
    EXPECT_GE(messages, 30U) << name;
    EXPECT_EQ(messages, result["messages"]) << name;
  }
}

} // namespace
} // namespace wormcast::testing
