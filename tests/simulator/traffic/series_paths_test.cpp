#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/traffic/networks.hpp"
#include "tests/simulator/traffic/series_fixture.hpp"
#include "wormcast/simulator/traffic/series_paths.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace wormcast {
namespace {

using testing::booksim_network;
using testing::seeded;

class SeriesPath : public testing::SeriesTest {
protected:
  SeriesPath()
  {
    network.per_hop = Time{50'000};
    network.buffer_flits = 8;
    series.rounds = 4;
    series.pause = Time{500'000};
  }

  /// Follows a series, and sees to what holds of all of them.
  SeriesPaths followed() const { return followed(simulate_series(setting())); }

  SeriesPaths followed(const SeriesResult& result) const
  {
    SeriesPaths paths = series_paths(setting(), result);
    const double mean = std::reduce(paths.means.begin(), paths.means.end());
    EXPECT_NEAR(mean, result.latency.mean, 1e-9 * mean);
    EXPECT_EQ(paths.path.latency, Time{result.latency.largest});
    for (const PathMessage& message : paths.path.messages) {
      for (const PathSegment& segment : message.segments) {
        const bool foreign = segment.cause == PathCause::other_wait || segment.cause == PathCause::other_port_wait;
        if (foreign) {
          EXPECT_TRUE(paths.others.contains(segment.wait->holding));
          EXPECT_EQ(segment.wait->resource.kind == Resource::Kind::external, segment.cause == PathCause::other_wait);
        } else if (segment.wait && segment.cause != PathCause::sharing && !segment.port_held_by) {
          EXPECT_FALSE(paths.others.contains(segment.wait->holding));
        }
      }
    }
    return paths;
  }
};

// On an empty network every broadcast goes the way of the single run, with each router and mode.
TEST_F(SeriesPath, IsThatOfASingleRunWithoutOthers)
{
  for (const bool pipelines : {false, true}) {
    if (pipelines) {
      network = booksim_network(2, true, false);
      network.startup = Time{20'000};
    }
    for (const std::uint32_t virtual_channels : {1U, 2U}) {
      network.virtual_channels = virtual_channels;
      for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
        run.mode = mode;
        const SeriesPaths paths = followed();
        NetworkParameters suited = network;
        resolve_for(suited, *mesh);
        const CriticalPath single = *testing::explained_run(*mesh, *schedule(NodeId{5}), suited, run).path;
        EXPECT_EQ(paths.path.sums, single.sums);
        ASSERT_EQ(paths.path.messages.size(), single.messages.size());
        for (std::size_t i = 0; i < single.messages.size(); ++i) {
          EXPECT_EQ(paths.path.messages[i].message, single.messages[i].message);
          EXPECT_EQ(paths.path.messages[i].ready, single.messages[i].ready);
          EXPECT_EQ(paths.path.messages[i].segments.size(), single.messages[i].segments.size());
        }
        EXPECT_TRUE(paths.others.empty());
      }
    }
  }
}

TEST_F(SeriesPath, TellsWhatTheLoadCosts)
{
  set_load(0.15);
  series.rounds = 12;
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    run.mode = mode;
    run.start_jitter = mode == Mode::self_timed ? Time{2'000'000} : Time{};
    const SeriesPaths paths = followed();
    const auto mean = [&](PathCause cause) { return paths.means[static_cast<std::size_t>(cause)]; };
    EXPECT_GT(mean(PathCause::other_port_wait), 0);
    EXPECT_GT(mean(PathCause::other_wait), 0);
    EXPECT_FALSE(paths.others.empty());
    for (const auto& [id, message] : paths.others) {
      EXPECT_FALSE(message.broadcast);
      EXPECT_EQ(message.id, id);
    }
  }
}

TEST_F(SeriesPath, TellsWhatTheLoadCostsInInputQueuedRouters)
{
  network = booksim_network(2, true, false);
  set_load(0.15);
  traffic->lengths = MessageLengths::fixed(5);
  traffic->warm_up = Time{2'000'000};
  series.rounds = 8;
  for (const GridRouting routing : {GridRouting::dimension_order, GridRouting::romm}) {
    network.virtual_channels = 4;
    network.pipeline.routing = routing;
    const SeriesPaths paths = followed();
    EXPECT_FALSE(paths.others.empty());
  }
}

TEST_F(SeriesPath, TellsTheBroadcastsOfARoundApart)
{
  series.count = 3;
  series.random_sources = true;
  const SeriesPaths paths = followed();
  ASSERT_FALSE(paths.others.empty());
  for (const auto& [id, message] : paths.others) {
    ASSERT_TRUE(message.broadcast);
    EXPECT_NE(*message.broadcast, paths.slowest.number);
    EXPECT_EQ(*message.broadcast / 3, paths.slowest.round);
  }
}

TEST_F(SeriesPath, HoldsForManyRandomSettings)
{
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    run = seeded(seed);
    run.mode = seed % 2 == 0 ? Mode::lockstep : Mode::self_timed;
    run.noise = seed % 3 == 0 ? std::optional(Noise::exponential(0.5)) : std::nullopt;
    run.tie_break = seed % 5 == 0 ? TieBreak::seeded : TieBreak::id;
    network.virtual_channels = static_cast<std::uint32_t>(1 + seed % 3);
    network.buffer_flits = 1 + seed % 4;
    network.hold = seed % 7 == 0 ? Hold::path : Hold::tail;
    network.ports.count = static_cast<std::uint32_t>(1 + seed % 2);
    series.count = static_cast<std::uint32_t>(1 + seed % 2);
    series.pause = Time{static_cast<std::int64_t>(seed % 4) * 100'000};
    algorithm = seed % 2 == 0 ? "recursion_based" : "binomial_tree";
    set_load(0.02 * static_cast<double>(1 + seed % 5));
    const SeriesResult result = simulate_series(setting());
    if (!result.saturated && !result.deadlock) {
      followed(result);
      ++seen;
    }
  }
  EXPECT_GT(seen, 12);
}

} // namespace
} // namespace wormcast
