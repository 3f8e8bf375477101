#include "tests/experiments/view/recorded.hpp"
#include "wormcast/experiments/output/web_page.hpp"
#include "wormcast/experiments/view/film.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::int64_t> picoseconds(const std::vector<Time>& times)
{
  std::vector<std::int64_t> numbers;
  for (const Time time : times) {
    numbers.push_back(time.picoseconds);
  }
  return numbers;
}

TEST(Film, FramesAreEvenlySpaced)
{
  const std::vector<Time> changes = {{0}, {10}, {400}, {1000}};
  EXPECT_THAT(picoseconds(film_times(changes, 5, false)), ElementsAre(0, 250, 500, 750, 1000));
  EXPECT_THAT(picoseconds(film_times(changes, 2, false)), ElementsAre(0, 1000));
  EXPECT_THAT(picoseconds(film_times({{0}}, 3, false)), ElementsAre(0, 0, 0)) << "a run in which nothing happens";
}

// What is shown of a round begins before it.
TEST(Film, BeginsWithTheFirstChange)
{
  EXPECT_THAT(picoseconds(film_times({{-100}, {0}, {300}}, 5, false)), ElementsAre(-100, 0, 100, 200, 300));
}

// Between 0 and 6000 nothing changes for 5900: that takes as long as 100, a sixtieth of the run.
TEST(Film, StillTimeTakesFewFrames)
{
  const std::vector<Time> changes = {{0}, {5900}, {5950}, {6000}};
  EXPECT_THAT(picoseconds(film_times(changes, 5, true)), ElementsAre(0, 2950, 5900, 5950, 6000));
}

TEST(Moments, HoldWhatTheRecordsSay)
{
  const testing::Recorded run(testing::contended_experiment(), {});
  const ViewedRun viewed = run.viewed();
  Moments moments(viewed);
  const std::vector<Time> changes = moments.changes();
  EXPECT_TRUE(std::ranges::is_sorted(changes));
  EXPECT_EQ(changes.front(), Time{});
  EXPECT_EQ(changes.back(), *run.outcome.simulation.latency);
  const auto lasts = [](const auto& record, Time at) { return record.from <= at && at < record.to; };
  std::size_t waits = 0;
  for (const Time at : changes) {
    const Moment moment = moments.at(at);
    std::size_t channels = 0;
    std::size_t ports = 0;
    for (const WormAt& worm : moment.worms) {
      channels += worm.channels.size();
      ports += static_cast<std::size_t>(worm.sends) + static_cast<std::size_t>(worm.receives);
    }
    std::size_t expected_channels = 0;
    std::size_t expected_ports = 0;
    for (const OccupancyRecord& record : run.recorder.occupancies()) {
      if (lasts(record, at)) {
        ++(record.resource.kind == Resource::Kind::external ? expected_channels : expected_ports);
      }
    }
    EXPECT_EQ(channels, expected_channels);
    EXPECT_EQ(ports, expected_ports);
    EXPECT_EQ(moment.waits.size(), std::ranges::count_if(run.recorder.waits(), [&](const ContentionRecord& wait) {
                return lasts(wait, at);
              }));
    waits += moment.waits.size();
    for (const ContentionRecord& wait : moment.waits) {
      EXPECT_TRUE(moment.waiting.contains(wait.waiting));
    }
  }
  EXPECT_GT(waits, 20U);
  const NodeProgress progress(run.schedule, run.experiment.topology->node_count());
  const Moment end = Moments(viewed).at(changes.back());
  EXPECT_TRUE(end.worms.empty());
  for (std::uint32_t node = 0; node < run.experiment.topology->node_count(); ++node) {
    EXPECT_EQ(end.held[node], progress.wanted(NodeId{node}));
  }
}

TEST(Frame, HasTheColoursOfThePage)
{
  const std::string style(web::palette_css);
  std::string colours = "--worms:";
  for (const std::uint32_t colour : worm_colours) {
    colours += fmt::format(" #{:06x}", colour);
  }
  EXPECT_THAT(style, HasSubstr(colours + ";"));
  EXPECT_THAT(style, HasSubstr(fmt::format("--load: #{:06x};", other_worm_colour)));
  for (const ContentionKind kind : all_contention_kinds) {
    EXPECT_THAT(style, HasSubstr(fmt::format("--{}: #{:06x};", contention_kind_names.text(kind),
                                             wait_colours[static_cast<std::size_t>(kind)])));
  }
}

} // namespace
} // namespace wormcast
