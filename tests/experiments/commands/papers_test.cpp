// Every claim of every paper is measured again, and the pages on the papers say what was found.

#include "tests/experiments/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

TEST(Papers, AreReproducedAsRecordedAndDocumented)
{
  const TemporaryDirectory directory;
  const ProgramRun run = run_program({"reproduce", "--out", "found"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  const auto json = nlohmann::ordered_json::parse(read_file(directory.path() / "found/reproduction.json"));
  EXPECT_EQ(json["summary"]["differing"], 0);
  EXPECT_EQ(json["papers"].size(), 6U);
  for (const auto& paper : json["papers"]) {
    const std::string page = paper["name"].get<std::string>() + ".md";
    EXPECT_EQ(read_file(directory.path() / "found" / page), read_file(std::filesystem::path(WORMCAST_PAPERS) / page))
        << "docs/papers/" << page << " is what `wormcast reproduce --out DIR` writes: copy it when claims change";
  }
}

} // namespace
} // namespace wormcast::testing
