#include "wormcast/simulator/engines/input_queued/router_bands.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace wormcast {
namespace {

std::vector<std::uint32_t> sizes_of(const RouterBands& bands)
{
  std::vector<std::uint32_t> sizes;
  for (const RouterBand& band : bands) {
    sizes.push_back(band.count);
  }
  return sizes;
}

TEST(RouterBands, AreOfWholeRowsWhereThereAreEnough)
{
  EXPECT_EQ(sizes_of(RouterBands(40, 5, 2, {})), (std::vector<std::uint32_t>{20, 20}));
  EXPECT_EQ(sizes_of(RouterBands(40, 5, 3, {})), (std::vector<std::uint32_t>{15, 10, 15}));
  EXPECT_EQ(sizes_of(RouterBands(6, 3, 4, {})), (std::vector<std::uint32_t>{1, 2, 1, 2}));
  EXPECT_EQ(sizes_of(RouterBands(2, 1, 8, {})), (std::vector<std::uint32_t>{1, 1}));
}

TEST(RouterBands, HaveTheSameWork)
{
  const std::vector<std::uint32_t> work = {9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9};
  EXPECT_EQ(sizes_of(RouterBands(12, 1, 2, work)), (std::vector<std::uint32_t>{2, 10}));
  EXPECT_EQ(sizes_of(RouterBands(12, 2, 3, work)), (std::vector<std::uint32_t>{2, 6, 4}));
}

RC_GTEST_PROP(RouterBands, CoverAllRoutersOnce, ())
{
  const auto row = *rc::gen::inRange<std::uint32_t>(1, 6);
  const auto rows = *rc::gen::inRange<std::uint32_t>(1, 30);
  const auto asked = *rc::gen::inRange<std::uint32_t>(1, 12);
  const auto work =
      *rc::gen::container<std::vector<std::uint32_t>>(std::size_t{row} * rows, rc::gen::inRange<std::uint32_t>(0, 50));
  const RouterBands bands(row * rows, row, asked, work);
  RC_ASSERT(bands.size() == std::min(asked, row * rows));
  std::uint32_t next = 0;
  for (const RouterBand& band : bands) {
    RC_ASSERT(band.first == next);
    RC_ASSERT(band.count > 0U);
    for (std::uint32_t router = band.first; router < band.first + band.count; ++router) {
      RC_ASSERT(bands.of(router) == band.number);
      RC_ASSERT(band.contains(router));
    }
    next += band.count;
    RC_ASSERT(!band.contains(next));
  }
  RC_ASSERT(next == row * rows);
}

} // namespace
} // namespace wormcast
