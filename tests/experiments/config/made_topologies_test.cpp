#include "wormcast/experiments/config/made_topologies.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

TopologyDescription grid(const std::string& kind, std::int64_t size)
{
  TopologyDescription description{.kind = kind, .parameters = {}};
  description.parameters.set("dims", std::vector<std::int64_t>{size, size});
  return description;
}

TEST(MadeTopologies, SharesWhatIsTheSame)
{
  MadeTopologies made;
  const auto torus = made.of(grid("torus", 4), {});
  EXPECT_EQ(torus->title(), "torus 4 x 4");
  EXPECT_EQ(made.of(grid("torus", 4), {}), torus);
  EXPECT_NE(made.of(grid("torus", 5), {}), torus);
  EXPECT_NE(made.of(grid("mesh", 4), {}), torus);
  const auto other_tie = made.of(grid("torus", 4), {.routing = {}, .tie = "random"});
  EXPECT_EQ(other_tie->drawn_bits(), 2U);
  EXPECT_EQ(made.of(grid("torus", 4), {}), torus);
  EXPECT_THROW(made.of(grid("torus", -1), {}), InputError);
}

TEST(MadeTopologies, DropsTheOthersForALargeOne)
{
  MadeTopologies made;
  const std::weak_ptr<const Topology> small = made.of(grid("mesh", 4), {});
  EXPECT_FALSE(small.expired());
  const auto large = made.of(grid("mesh", 1024), {}); // of five million nodes and channels
  EXPECT_TRUE(small.expired());
  EXPECT_EQ(made.of(grid("mesh", 1024), {}), large);
}

} // namespace
} // namespace wormcast
