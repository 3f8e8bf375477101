#include "wormcast/experiments/output/axis_tics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> labels(const std::vector<PlotTic>& tics)
{
  std::vector<std::string> texts;
  for (const PlotTic& tic : tics) {
    if (!tic.label.empty()) {
      texts.push_back(tic.label);
    }
  }
  return texts;
}

std::vector<std::string> log_labels(double low, double high, AxisUnit unit = AxisUnit::number, std::size_t most = 12)
{
  return labels(log_tics({low, high}, unit, most));
}

TEST(AxisTics, LessThanTwoDecadesHaveOneTwoFive)
{
  EXPECT_THAT(log_labels(37, 620), ElementsAre("50", "100", "200", "500"));
  EXPECT_THAT(log_labels(0.09, 2), ElementsAre("0.1", "0.2", "0.5", "1", "2"));
  // A few labels where 1, 2 and 5 alone give too few.
  EXPECT_THAT(log_labels(37, 160), ElementsAre("40", "50", "70", "100", "150"));
  EXPECT_THAT(log_labels(310, 390, AxisUnit::number, 4), ElementsAre("320", "340", "360", "380"));
}

TEST(AxisTics, MoreHaveTheirDecadesAlone)
{
  EXPECT_THAT(log_labels(1, 1000), ElementsAre("1", "10", "100", "1000"));
  EXPECT_THAT(log_labels(37, 6200), ElementsAre("50", "100", "200", "500", "1000", "2000", "5000"));
  const std::vector<PlotTic> tics = log_tics({1, 1000}, AxisUnit::number, 12);
  EXPECT_EQ(tics.size(), 4 + 3 * 8U); // short marks between them
  for (std::size_t i = 1; i < tics.size(); ++i) {
    EXPECT_LT(std::strtod(tics[i - 1].at.c_str(), nullptr), std::strtod(tics[i].at.c_str(), nullptr));
  }
}

TEST(AxisTics, LargeAndSmallNumbersArePowersOfTen)
{
  EXPECT_THAT(log_labels(1500, 5.3e6), ElementsAre("10⁴", "10⁵", "10⁶"));
  EXPECT_THAT(log_labels(3e5, 2.5e6), ElementsAre("5·10⁵", "10⁶", "2·10⁶"));
  EXPECT_THAT(log_labels(1e-6, 1e-4), ElementsAre("10⁻⁶", "10⁻⁵", "10⁻⁴"));
  EXPECT_THAT(log_labels(1, 1e12, AxisUnit::number, 5), ElementsAre("10⁰", "10³", "10⁶", "10⁹", "10¹²"));
}

TEST(AxisTics, BytesArePowersOfTwo)
{
  EXPECT_THAT(log_labels(64, 65536, AxisUnit::bytes, 6),
              ElementsAre("64 B", "256 B", "1 KiB", "4 KiB", "16 KiB", "64 KiB"));
  EXPECT_THAT(log_labels(1, 1 << 20, AxisUnit::bytes, 5), ElementsAre("1 B", "32 B", "1 KiB", "32 KiB", "1 MiB"));
  EXPECT_THAT(log_labels(64, 512, AxisUnit::bytes), ElementsAre("64 B", "128 B", "256 B", "512 B"));
  EXPECT_THAT(labels(linear_tics({0, 65536}, AxisUnit::bytes, 5)),
              ElementsAre("0 B", "16 KiB", "32 KiB", "48 KiB", "64 KiB"));
}

TEST(AxisTics, TooManyAreThinned)
{
  const std::vector<PlotTic> tics = {{"1", "1"}, {"2", "2"}, {"4", "4"}, {"8", "8"}, {"16", "16"}};
  EXPECT_THAT(labels(thinned_tics(tics, 5)), ElementsAre("1", "2", "4", "8", "16"));
  EXPECT_THAT(labels(thinned_tics(tics, 3)), ElementsAre("1", "4", "16"));
}

} // namespace
} // namespace wormcast::testing
