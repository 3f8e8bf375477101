// The mappings of Zhuang & Liberatore.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wormcast {
namespace {

using testing::grid;

// The examples of section 5, coordinates in binary.
TEST(SymmetryMappings, AreThoseOfThePapersExamples)
{
  const auto topology = make_topology(grid("mesh", {8, 8}));
  const Grid& mesh = require_grid(*topology, "test");
  const auto node = [&](std::int64_t x, std::int64_t y) { return mesh.node_at(std::vector{x, y}); };
  EXPECT_EQ(vertical_mapping(mesh, node(0b010, 0b110), 2), node(0b010, 0b101));
  EXPECT_EQ(horizontal_mapping(mesh, node(0b010, 0b110), 3), node(0b110, 0b110));
  EXPECT_EQ(central_mapping(mesh, node(0b00, 0b00), 1), node(0b01, 0b01));
  EXPECT_EQ(central_mapping(mesh, node(0b00, 0b00), 2), node(0b10, 0b10));
}

TEST(RingNeighbour, StaysOnItsRing)
{
  const auto topology = make_topology(grid("mesh", {8}));
  const Grid& line = require_grid(*topology, "test");
  EXPECT_EQ(ring_neighbour(line, NodeId{6}, 0, 0, 8, 1), NodeId{7});
  EXPECT_EQ(ring_neighbour(line, NodeId{7}, 0, 0, 8, 1), NodeId{0});
  EXPECT_EQ(ring_neighbour(line, NodeId{7}, 0, 4, 4, 1), NodeId{4});
  EXPECT_EQ(ring_neighbour(line, NodeId{6}, 0, 0, 8, 4), NodeId{2});
}

} // namespace
} // namespace wormcast
