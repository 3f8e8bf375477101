// Questions of studies as readings of claims: answered from stored runs, and otherwise where the runs are others.

#include "wormcast/experiments/reproduction/frame/study_reading.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>

namespace wormcast {

namespace web {
extern const std::string_view contention_by_distance_runs;
} // namespace web

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

StudyReading contention_by_distance(const char* question)
{
  return {.study = "contention_by_distance", .runs = web::contention_by_distance_runs, .question = question};
}

// The page docs/studies/contention_by_distance.md has the same answers.
TEST(StudyReadings, AreTheConclusionsOfTheStoredRuns)
{
  const auto [text, evidence] = answered_reading(contention_by_distance("contention_cost"));
  EXPECT_EQ(text, "Does contention cost a broadcast more latency, the larger its TCD is?");
  EXPECT_EQ(evidence.verdict, Verdict::confirmed);
  EXPECT_THAT(evidence.measured,
              StartsWith("the study contention_by_distance, 3072 runs: holds: of 3 cells, 3 lie above"));
  ASSERT_EQ(evidence.tables.size(), 1U);
  EXPECT_EQ(evidence.tables.front().rows.size(), 3U);
  EXPECT_EQ(evidence.tables.front().rows.front().size(), evidence.tables.front().header.size());
  const auto [other, undecided] = answered_reading(contention_by_distance("latency_without_contention"));
  EXPECT_EQ(undecided.verdict, Verdict::ambiguous);
  EXPECT_THAT(undecided.measured, HasSubstr("not decided"));
}

TEST(StudyReadings, TurnWithTheRuns)
{
  StudyReading turned = contention_by_distance("contention_cost");
  turned.changed = [](StudyObservations& runs) { mirror_column(runs, "tcd", "topology.dims"); };
  EXPECT_EQ(answered_reading(turned).second.verdict, Verdict::refuted);
}

TEST(StudyReadings, NeedAQuestionOfTheStudy)
{
  EXPECT_THROW(answered_reading(contention_by_distance("contention")), std::logic_error);
}

TEST(StudyReadings, MirrorAColumnWithinGroups)
{
  StudyObservations runs{.columns = {"tcd", "dims"}, .factors = 2, .rows = {}};
  for (const auto& [tcd, dims] : {std::pair("3", "a"), {"10", "a"}, {"5", "b"}, {"4", "a"}, {"7", "b"}}) {
    runs.rows.push_back({.state = "done", .cells = {tcd, dims}});
  }
  mirror_column(runs, "tcd", "dims");
  std::vector<std::string> mirrored;
  for (const StudyObservations::Row& row : runs.rows) {
    mirrored.push_back(row.cells.front());
  }
  EXPECT_THAT(mirrored, ElementsAre("10", "3", "7", "9", "5"));
  EXPECT_THROW(mirror_column(runs, "load", "dims"), std::logic_error);
}

} // namespace
} // namespace wormcast
