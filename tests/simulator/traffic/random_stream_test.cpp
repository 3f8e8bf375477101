// Distributions against their closed forms. Streams are functions of (seed, stream), so nothing here is random.

#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/log_histogram.hpp"
#include "wormcast/simulator/traffic/message_lengths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace wormcast {
namespace {

constexpr int draws = 200'000;

double exponential(RandomStream& random)
{
  const RandomStream::Exponential drawn = random.exponential();
  return static_cast<double>(drawn.whole) + std::ldexp(static_cast<double>(drawn.fraction), -64);
}

TEST(RandomStream, IsAFunctionOfSeedAndStream)
{
  RandomStream first(1, 7);
  RandomStream again(1, 7);
  RandomStream other_stream(1, 8);
  RandomStream other_seed(2, 7);
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t number = first.next();
    EXPECT_EQ(number, again.next());
    EXPECT_NE(number, other_stream.next());
    EXPECT_NE(number, other_seed.next());
  }
}

TEST(RandomStream, ExponentialHasItsDistribution)
{
  RandomStream random(1, 0);
  double sum = 0;
  double squares = 0;
  int above_one = 0;
  int above_three = 0;
  for (int i = 0; i < draws; ++i) {
    const double value = exponential(random);
    sum += value;
    squares += value * value;
    above_one += value > 1 ? 1 : 0;
    above_three += value > 3 ? 1 : 0;
  }
  EXPECT_NEAR(sum / draws, 1, 0.01);
  EXPECT_NEAR(squares / draws, 2, 0.05);
  EXPECT_NEAR(static_cast<double>(above_one) / draws, std::exp(-1), 0.005);
  EXPECT_NEAR(static_cast<double>(above_three) / draws, std::exp(-3), 0.002);
}

TEST(RandomStream, FailuresBeforeSuccessAreGeometric)
{
  for (const double success : {0.9, 0.5, 0.3, 0.01}) {
    const FailuresBeforeSuccess failures(success);
    RandomStream random(3, 1);
    double sum = 0;
    int none = 0;
    int more_than_two = 0;
    for (int i = 0; i < draws; ++i) {
      const auto drawn = static_cast<double>(failures.draw(random));
      sum += drawn;
      none += drawn == 0 ? 1 : 0;
      more_than_two += drawn > 2 ? 1 : 0;
    }
    EXPECT_NEAR(sum / draws / ((1 - success) / success), 1, 0.02) << success;
    EXPECT_NEAR(static_cast<double>(none) / draws, success, 0.004) << success;
    EXPECT_NEAR(static_cast<double>(more_than_two) / draws, std::pow(1 - success, 3), 0.004) << success;
  }
  RandomStream random(1, 1);
  EXPECT_EQ(FailuresBeforeSuccess(1).draw(random), 0U);
}

TEST(MessageLengths, HaveTheirMeans)
{
  NetworkParameters network;
  network.per_byte = Time{1};
  network.flit_bytes = 8;
  for (const MessageLengths& lengths : {MessageLengths::fixed(20), MessageLengths::between(3, 50),
                                        MessageLengths::geometric(30), MessageLengths::weighted({{1, 3}, {64, 1}})}) {
    RandomStream random(5, 2);
    double bytes = 0;
    double flits = 0;
    for (int i = 0; i < draws; ++i) {
      const std::uint64_t drawn = lengths.draw(random);
      ASSERT_GE(drawn, 1U);
      ASSERT_LE(drawn, lengths.largest());
      bytes += static_cast<double>(drawn);
      flits += static_cast<double>(flit_count(network, drawn));
    }
    EXPECT_NEAR(bytes / draws / lengths.mean_bytes(), 1, 0.02);
    EXPECT_NEAR(flits / draws / lengths.mean_flits(network), 1, 0.02);
  }
  EXPECT_EQ(MessageLengths::between(3, 50).mean_bytes(), 26.5);
}

TEST(LogHistogram, KnowsValuesToOnePartIn256)
{
  LogHistogram one;
  EXPECT_EQ(one.quantile(0.5), 0);
  for (std::uint64_t value = 1; value < std::uint64_t{1} << 61; value = value * 3 / 2 + 1) {
    LogHistogram histogram;
    histogram.add(value);
    EXPECT_NEAR(histogram.quantile(0.5) / static_cast<double>(value), 1, 1.0 / 256) << value;
    ASSERT_EQ(histogram.buckets().size(), 1U);
    EXPECT_LE(histogram.buckets().front().low, value);
    EXPECT_GE(histogram.buckets().front().high, value);
  }
}

TEST(LogHistogram, HasQuantiles)
{
  LogHistogram histogram;
  for (std::uint64_t value = 1; value <= 100; ++value) {
    histogram.add(value);
  }
  EXPECT_EQ(histogram.quantile(0.5), 50);
  EXPECT_EQ(histogram.quantile(0.99), 99);
  EXPECT_EQ(histogram.quantile(1), 100);
  EXPECT_EQ(histogram.count(), 100U);
}

TEST(BatchMeans, IntervalIsStudents)
{
  // n = 4, standard deviation 1.290994, t(0.975, 3) = 3.182446: a printed table.
  EXPECT_NEAR(interval_of_batch_means(std::vector<double>{1, 2, 3, 4}), 3.182446 * 1.290994 / 2, 1e-5);
  EXPECT_EQ(interval_of_batch_means(std::vector<double>{1}), std::numeric_limits<double>::infinity());
}

TEST(BatchMeans, StationaryPartBeginsBehindTheRise)
{
  std::vector<double> means;
  for (int i = 0; i < 100; ++i) {
    means.push_back((i < 20 ? 0.5 * i : 10) + (i % 2 == 0 ? 0.1 : -0.1));
  }
  EXPECT_NEAR(static_cast<double>(stationary_from(means)), 20, 2);
  for (int i = 0; i < 100; ++i) {
    means[static_cast<std::size_t>(i)] = i;
  }
  EXPECT_EQ(stationary_from(means), 50U); // still rising: the most that is left out
}

TEST(BatchMeans, BacklogGrowsOnlyWhereItRises)
{
  std::vector<double> level;
  std::vector<double> rising;
  for (int i = 0; i < 30; ++i) {
    level.push_back(i % 3);
    rising.push_back(i);
  }
  EXPECT_FALSE(backlog_grows(level, 1000));
  EXPECT_TRUE(backlog_grows(rising, 1000)); // by 3 % of what came
  EXPECT_TRUE(backlog_grows(rising, 5000)); // by 0.6 %, to more than twice
  EXPECT_FALSE(backlog_grows(rising, 50'000));
  EXPECT_FALSE(backlog_grows(std::vector<double>{1, 2}, 1));
}

} // namespace
} // namespace wormcast
