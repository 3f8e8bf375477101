// The frame of reproductions, with claims made up for it.

#include "wormcast/experiments/reproduction/reproduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

namespace wormcast {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

Claim claim(const std::string& name, Verdict recorded, Measurement measurement)
{
  return {.name = "zhuang_liberatore." + name,
          .place = "nowhere",
          .statement = "made up",
          .claimed = "1",
          .recorded = recorded,
          .measurement = std::move(measurement)};
}

Measurement finding(Verdict verdict)
{
  return measured_at_once([verdict] { return Evidence{.measured = "1", .verdict = verdict}; });
}

TEST(Reproduction, AVerdictThatDiffersIsCounted)
{
  const std::vector<Claim> claims = {claim("as_recorded", Verdict::refuted, finding(Verdict::refuted)),
                                     claim("other", Verdict::confirmed, finding(Verdict::refuted))};
  const ReproduceOutcome outcome = run_claims(claims, {.jobs = 2});
  EXPECT_TRUE(outcome.claims[0].agrees(claims[0]));
  EXPECT_FALSE(outcome.claims[1].agrees(claims[1]));
  EXPECT_EQ(differing_claims(claims, outcome.claims), 1U);
  const Json json = reproduction_json(claims, outcome.claims);
  EXPECT_EQ(json["summary"]["differing"], 1);
  EXPECT_THAT(verdict_table(json), HasSubstr("DIFFERS from the recorded verdict, confirmed"));
}

TEST(Reproduction, AMeasurementThatFailsLeavesTheOthersAlone)
{
  Measurement dies = measured_at_once([]() -> Evidence {
    std::raise(SIGKILL);
    return {};
  });
  const std::vector<Claim> claims = {
      claim("throws", Verdict::confirmed, measured_at_once([]() -> Evidence { throw std::runtime_error("no luck"); })),
      claim("dies", Verdict::confirmed, std::move(dies)),
      claim("fine", Verdict::confirmed, finding(Verdict::confirmed))};
  const ReproduceOutcome outcome = run_claims(claims);
  EXPECT_THAT(outcome.claims[0].error, HasSubstr("no luck"));
  EXPECT_NE(outcome.claims[1].error, "");
  EXPECT_EQ(outcome.claims[2].error, "");
  EXPECT_EQ(differing_claims(claims, outcome.claims), 2U);
}

TEST(Reproduction, PartsKeepTheirOrderWhateverTheJobs)
{
  Measurement measurement;
  for (int part = 0; part < 7; ++part) {
    measurement.parts.emplace_back([part] { return Json(part); });
  }
  measurement.conclude = [](std::span<const Json> parts) {
    Evidence evidence;
    for (const Json& part : parts) {
      evidence.measured += part.dump();
    }
    return evidence;
  };
  const std::vector<Claim> claims = {claim("parts", Verdict::confirmed, measurement)};
  for (const std::size_t jobs : {1U, 3U, 20U}) {
    EXPECT_EQ(run_claims(claims, {.jobs = jobs}).claims[0].evidence.measured, "0123456");
  }
}

TEST(Reproduction, EvidenceComesBackFromJson)
{
  const Evidence evidence{
      .measured = "7/2",
      .verdict = Verdict::ambiguous,
      .correction = "instead",
      .counterexample = Counterexample{"4 x 4", Json{{"format", "wormcast-schedule/1"}}},
      .figures = {{.title = "t",
                   .x_label = "x",
                   .y_label = "y",
                   .log_x = true,
                   .series = {{.title = "s",
                               .kind = ExhibitSeries::Kind::predicted,
                               .points = {{.x = "1", .y = "2"}, {.x = "3", .y = "4", .low = "3.5", .high = "4.5"}}}},
                   .marks = {{.x = "1", .y = "2", .label = "here"}}}},
      .matrices = {{.title = "m",
                    .x_label = "x",
                    .y_label = "y",
                    .y_up = true,
                    .values = {{"1", ""}},
                    .labels = {{"one", ""}},
                    .marked = {{0, 0}}}},
      .tables = {{.title = "cases", .header = {"a", "b"}, .rows = {{"1", "2"}}}}};
  EXPECT_EQ(evidence_from_json(Json::parse(evidence_json(evidence).dump())), evidence);
}

} // namespace
} // namespace wormcast
