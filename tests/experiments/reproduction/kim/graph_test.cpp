// Symmetries and disjoint paths, on graphs that are known.

#include "wormcast/experiments/reproduction/kim/graph.hpp"
#include "wormcast/topologies/registry.hpp"

#include <gtest/gtest.h>

namespace wormcast::kim {
namespace {

std::shared_ptr<const Topology> hypercube(std::int64_t dimension)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", dimension);
  return make_topology(description);
}

// d! 2^d automorphisms, under which all d 2^d directed links are images of one.
TEST(KimGraph, CountsTheSymmetriesOfCubes)
{
  EXPECT_EQ(symmetry_of(*hypercube(2)).automorphisms, 8U);
  EXPECT_EQ(symmetry_of(*hypercube(2)).images_of_first_channel, 8U);
  EXPECT_EQ(symmetry_of(*hypercube(3)).automorphisms, 48U);
  EXPECT_EQ(symmetry_of(*hypercube(3)).images_of_first_channel, 24U);
}

TEST(KimGraph, FindsAsManyDisjointPathsInACubeAsItsDimension)
{
  for (const std::int64_t d : {2, 3, 4}) {
    EXPECT_EQ(fewest_disjoint_paths(*hypercube(d), 1), static_cast<std::uint32_t>(d));
  }
}

// Where l is 1 the dimensional edges are the internal ones 0-5 again.
TEST(KimGraph, FindsTheEdgesThatRepeatOthers)
{
  EXPECT_EQ(defined_edges({2, 2, 2}).repeated, 0U);
  EXPECT_EQ(defined_edges({2, 2, 2}).inside_of_module, 0U);
  EXPECT_EQ(defined_edges({1, 3, 2}).repeated, 6U);
  EXPECT_EQ(defined_edges({1, 3, 2}).inside_of_module, 6U);
}

} // namespace
} // namespace wormcast::kim
