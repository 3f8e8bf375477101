// Every claim of every paper is measured again, and the pages on the papers say what was found.

#include "tests/experiments/program/commands/program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <map>

namespace wormcast::testing {
namespace {

using Json = nlohmann::ordered_json;

/// Claims that are alike in `key` and of which more than one has a finding of its own, one line for each such key.
template <typename Key> std::string alike(const Json& claims, Key key)
{
  std::map<std::string, std::vector<std::string>> own;
  for (const Json& claim : claims) {
    if (claim["repeats"].get<std::string>().empty()) {
      own[key(claim)].push_back(claim["name"]);
    }
  }
  std::string text;
  for (const auto& [what, names] : own) {
    for (std::size_t i = 0; names.size() > 1 && i < names.size(); ++i) {
      text += names[i] + (i + 1 < names.size() ? " " : "\n");
    }
  }
  return text;
}

/// Findings that are counted twice: the same statement, or the same measured cases with the same numbers.
std::string unmarked_repeats(const Json& claims)
{
  return alike(claims, [](const Json& claim) { return claim["statement"].get<std::string>(); }) +
         alike(claims, [](const Json& claim) {
           const Json& evidence = claim["evidence"];
           return Json{evidence["verdict"], evidence["measured"], evidence["tables"], evidence["matrices"]}.dump();
         });
}

Json finding(const std::string& name, const std::string& statement, const std::string& measured,
             const std::string& repeats)
{
  return {{"name", name},
          {"statement", statement},
          {"repeats", repeats},
          {"evidence",
           {{"verdict", "confirmed"}, {"measured", measured}, {"tables", Json::array()}, {"matrices", Json::array()}}}};
}

TEST(Papers, RepeatsAreFoundByTheirStatementsAndByTheirNumbers)
{
  EXPECT_EQ(unmarked_repeats({finding("a", "x", "1", ""), finding("b", "x", "2", ""), finding("c", "y", "3", "")}),
            "a b\n");
  EXPECT_EQ(unmarked_repeats({finding("a", "x", "1", ""), finding("b", "y", "1", ""), finding("c", "z", "3", "")}),
            "a b\n");
  EXPECT_EQ(unmarked_repeats({finding("a", "x", "1", ""), finding("b", "x", "1", "a"), finding("c", "y", "2", "")}),
            "");
}

TEST(Papers, AreReproducedAsRecordedAndDocumented)
{
  const TemporaryDirectory directory;
  const ProgramRun run = run_program({"reproduce", "--out", "found"}, directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  const auto json = Json::parse(read_file(directory.path() / "found/reproduction.json"));
  EXPECT_EQ(json["summary"]["differing"], 0);
  EXPECT_EQ(json["papers"].size(), 10U);
  EXPECT_EQ(unmarked_repeats(json["claims"]), "") << "say of all but one of them which one they repeat";
  for (const auto& paper : json["papers"]) {
    const std::string page = paper["name"].get<std::string>() + ".md";
    EXPECT_EQ(read_file(directory.path() / "found" / page), read_file(std::filesystem::path(WORMCAST_PAPERS) / page))
        << "docs/papers/" << page << " is what `wormcast reproduce --out DIR` writes: copy it when claims change";
  }
}

} // namespace
} // namespace wormcast::testing
