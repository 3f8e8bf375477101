// What papers claim as files say it, with the checks beside them.

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"
#include "wormcast/experiments/reproduction/papers.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace wormcast {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::string head = "name = \"made_up\"\ntitle = \"On Nothing\"\nsource = \"Nobody, 2000\"\n";
const std::string least_claim = "[[claim]]\nname = \"one\"\nplace = \"section 1\"\nstatement = \"It holds\"\n"
                                "claimed = \"1\"\nkind = \"lemma\"\nverdict = \"confirmed\"\n";

Bibliography read(const std::string& text)
{
  return read_bibliography(text, "claims.toml");
}

Check finding_of(const std::string& name)
{
  return check_of(name, {"configs/figure4.toml", "wormcast run CONFIG"}, [] { return Evidence{.measured = "1"}; });
}

TEST(Bibliography, HasPapersAndClaimsAsTheyAreWritten)
{
  const Bibliography found = read(
      head + "introduction = \"Text.\\n\"\n" + least_claim +
      "[[claim]]\nname = \"two\"\nplace = \"fig. 2\"\nstatement = \"\"\"\nLong \\\n   text\"\"\"\nclaimed = '2 \"x\"'\n"
      "kind = \"proof step\"\nverdict = \"ambiguous\"\nturned_by = \"other measurements\"\nturns_to = \"confirmed\"\n"
      "changed_data = \"all\"\nrepeats = \"made_up.one\"\nreading = \"as it is\"\nslow = true\n");
  EXPECT_EQ(found.paper.name, "made_up");
  EXPECT_EQ(found.paper.title, "On Nothing");
  EXPECT_EQ(found.paper.source, "Nobody, 2000");
  EXPECT_EQ(found.paper.introduction, "Text.\n");
  ASSERT_EQ(found.claims.size(), 2U);
  EXPECT_EQ(found.claims[0].name, "made_up.one");
  EXPECT_EQ(found.claims[0].kind, StatementKind::lemma);
  EXPECT_EQ(found.claims[0].turned_by, Mutation::none);
  EXPECT_FALSE(found.claims[0].slow);
  const Claim& two = found.claims[1];
  EXPECT_EQ(two.place, "fig. 2");
  EXPECT_EQ(two.statement, "Long text");
  EXPECT_EQ(two.claimed, "2 \"x\"");
  EXPECT_EQ(two.kind, StatementKind::proof_step);
  EXPECT_EQ(two.recorded, Verdict::ambiguous);
  EXPECT_EQ(two.turned_by, Mutation::data_changed);
  EXPECT_EQ(two.turns_to, Verdict::confirmed);
  EXPECT_EQ(two.changed_data, "all");
  EXPECT_EQ(two.repeats, "made_up.one");
  EXPECT_EQ(two.reading, "as it is");
  EXPECT_TRUE(two.slow);
}

TEST(Bibliography, SaysWhereAKeyIsWrong)
{
  const auto error_of = [](const std::string& text, const std::string& error) {
    EXPECT_THAT([&] { read(text); }, ThrowsMessage<InputError>(HasSubstr(error))) << text;
  };
  error_of(head + "titel = \"x\"\n" + least_claim, "claims.toml:4:1: titel: unknown key");
  error_of(head + least_claim + "statment = \"x\"\n", "claims.toml:11:1: statment: unknown key");
  error_of(head + "[[claim]]\nname = \"one\"\n", "claims.toml:4:1: place: is missing");
  error_of(head + least_claim + "reading = 1\n", "claims.toml:11:1: reading: found 1, expected a text");
  error_of(head + least_claim + "reading = \"\"\n", "claims.toml:11:1: reading: found \"\", expected a text");
  error_of(head + least_claim + "slow = 1\n", "slow: found 1, expected true or false");
  error_of(head + least_claim + "turns_to = \"right\"\n",
           "claims.toml:11:1: turns_to: found \"right\", expected one of \"confirmed\", \"refuted\"");
  error_of(head + least_claim + "turned_by = \"none\"\n", "turned_by: found \"none\", expected the key left out");
  error_of(head + least_claim + "[[claim]]\nkind = \"guess\"\n", "kind: found \"guess\", expected one of \"theorem\"");
  error_of(head, "claim: found none, expected [[claim]] for each claim");
  error_of(head + "claim = 1\n", "expected [[claim]] for each claim");
  error_of(head + "[[claim]\n", "claims.toml:4:");
  error_of("name = \"x\"\n" + least_claim, "title: is missing");
}

TEST(Checks, AreThoseOfTheirClaims)
{
  const std::vector<Claim> claims = with_checks(read(head + least_claim).claims, {finding_of("one")});
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].demonstration.command, "wormcast run CONFIG");
  EXPECT_EQ(claims[0].measurement.conclude({}).measured, "1");
}

TEST(Checks, AreOneForEachClaim)
{
  const auto error_of = [](const std::string& text, const std::vector<std::string>& checks, const std::string& error) {
    std::vector<Check> made;
    for (const std::string& name : checks) {
      made.push_back(finding_of(name));
    }
    EXPECT_THAT([&] { with_checks(read(text).claims, made); }, ThrowsMessage<std::logic_error>(HasSubstr(error)));
  };
  error_of(head + least_claim, {}, "claim made_up.one has no check");
  error_of(head + least_claim, {"one", "two"}, "check two is of no claim");
  error_of(head + least_claim, {"one", "one"}, "two checks of a claim one");
  error_of(head + least_claim + least_claim, {"one"}, "claim made_up.one has no check, or there are two");
}

// Reading throws where a file, or what stands beside it, is wrong.
TEST(Bibliographies, OfAllPapersHaveTheirChecks)
{
  std::set<std::string> names;
  for (const Paper& paper : papers()) {
    const std::vector<Claim> claims = paper.claims();
    EXPECT_GE(claims.size(), 6U) << paper.name;
    for (const Claim& claim : claims) {
      EXPECT_TRUE(names.insert(claim.name).second) << claim.name << " twice";
      EXPECT_TRUE(claim.measurement.conclude) << claim.name;
    }
  }
  for (const Claim& claim : all_claims()) {
    EXPECT_TRUE(claim.repeats.empty() || names.contains(claim.repeats)) << claim.name << ' ' << claim.repeats;
    EXPECT_EQ(claim.turned_by == Mutation::data_changed, !claim.changed_data.empty()) << claim.name;
  }
}

} // namespace
} // namespace wormcast
