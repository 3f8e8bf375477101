// Two trees for every size: depths from every source, and the two finite checks of which the proof for all n consists.
// Each check is shown to fail on changed cells and joins.

#include "tests/algorithms/grid_trees/full_rate.hpp"
#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_loads.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_squares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <numeric>
#include <random>

namespace wormcast {
namespace {

using ::testing::Contains;
using testing::expect_free_at_full_rate;
using testing::grid;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

std::unique_ptr<Topology> mesh_of(std::int64_t width, std::int64_t height)
{
  return make_topology(grid("mesh", {width, height}));
}

/// The number of sources by depth.
using Depths = std::map<std::uint32_t, int>;

Depths depths_from(const Topology& topology, const std::vector<std::uint32_t>& sources)
{
  const auto& mesh = dynamic_cast<const Grid&>(topology);
  Depths depths;
  for (const std::uint32_t source : sources) {
    SCOPED_TRACE(topology.node_name(NodeId{source}));
    const SegmentTrees trees = constructed_two_trees(mesh, NodeId{source});
    expect_free_at_full_rate(mesh, NodeId{source}, trees);
    ++depths[depth_of(trees)];
  }
  return depths;
}

std::vector<std::uint32_t> all_sources(const Topology& mesh)
{
  std::vector<std::uint32_t> sources(mesh.node_count());
  std::iota(sources.begin(), sources.end(), 0U);
  return sources;
}

std::vector<std::uint32_t> some_sources(const Topology& mesh, std::size_t count)
{
  std::mt19937 random(count);
  std::vector<std::uint32_t> sources;
  for (std::size_t i = 0; i < count; ++i) {
    sources.push_back(static_cast<std::uint32_t>(random() % mesh.node_count()));
  }
  return sources;
}

TEST(ConstructedTwoTrees, HaveDepth4nLess2OrLess1FromEverySource)
{
  EXPECT_THAT(depths_from(*mesh_of(16, 16), all_sources(*mesh_of(16, 16))),
              UnorderedElementsAre(Pair(14, 128), Pair(15, 128)));
  EXPECT_THAT(depths_from(*mesh_of(32, 32), all_sources(*mesh_of(32, 32))),
              UnorderedElementsAre(Pair(18, 512), Pair(19, 512)));
}

TEST(ConstructedTwoTrees, HaveTheSameDepthOnLargerMeshes)
{
  for (const auto& [n, sources] : std::map<std::uint32_t, std::size_t>{{6, 60}, {7, 12}, {8, 4}, {9, 1}}) {
    const auto mesh = mesh_of(std::int64_t{1} << n, std::int64_t{1} << n);
    for (const auto& [depth, count] : depths_from(*mesh, some_sources(*mesh, sources))) {
      EXPECT_TRUE(depth == 4 * n - 2 || depth == 4 * n - 1) << "n = " << n << ", depth " << depth;
    }
  }
}

TEST(ConstructedTwoTrees, AreDeeperByOneWhereTheSourceHasARelay)
{
  const auto mesh = mesh_of(64, 64);
  for (const std::uint32_t source : some_sources(*mesh, 40)) {
    const std::uint32_t row = source / 64 % 8;
    const bool direct = row == 1 || row == 3 || row == 4 || row == 6;
    EXPECT_EQ(depth_of(constructed_two_trees(dynamic_cast<const Grid&>(*mesh), NodeId{source})), direct ? 22 : 23)
        << mesh->node_name(NodeId{source});
  }
}

TEST(ConstructedTwoTrees, ServeWideMeshesAsFarAsTheyWereChecked)
{
  const auto smallest = mesh_of(32, 16);
  EXPECT_THAT(depths_from(*smallest, all_sources(*smallest)),
              UnorderedElementsAre(Pair(16, 248), Pair(17, 260), Pair(18, 4)));
  for (const auto& [n, sources] : std::map<std::uint32_t, std::size_t>{{5, 60}, {6, 8}, {7, 2}}) {
    const auto mesh = mesh_of(std::int64_t{2} << n, std::int64_t{1} << n);
    for (const auto& [depth, count] : depths_from(*mesh, some_sources(*mesh, sources))) {
      EXPECT_TRUE(depth >= 4 * n && depth <= 4 * n + 2) << "n = " << n << ", depth " << depth;
    }
  }
  EXPECT_FALSE(has_constructed_trees(dynamic_cast<const Grid&>(*mesh_of(512, 256))));
  EXPECT_FALSE(has_constructed_trees(dynamic_cast<const Grid&>(*mesh_of(16, 32))));
}

TEST(TwoTreeCells, AllMeetTheConditionsOfTheProof)
{
  std::size_t cells = 0;
  for (const CellDesign& design : cell_designs()) {
    for (const TwoTreeCell& cell : design.cells) {
      EXPECT_THAT(faults_of_cell(design, cell), IsEmpty()) << cell.name;
      EXPECT_LE(last_start_in_cell(design, cell), cell.source ? 13U : 11U) << cell.name;
      ++cells;
    }
  }
  EXPECT_EQ(cells, 93U);
}

// Each of the 64 offsets of a source in a cell has a cell, in one design or the other.
TEST(TwoTreeCells, ServeEveryOffsetOfASource)
{
  for (std::int32_t x = 0; x < cell_side; ++x) {
    for (std::int32_t y = 0; y < cell_side; ++y) {
      const std::string name = "S" + std::to_string(x) + "," + std::to_string(y);
      int found = 0;
      for (const CellDesign& design : cell_designs()) {
        if (const TwoTreeCell* cell = design.find(name)) {
          EXPECT_EQ(cell->source, (Spot{x, y}));
          ++found;
        }
      }
      EXPECT_GE(found, 1) << name;
    }
  }
}

RC_GTEST_PROP(TwoTreeCells, AreRefutedWithAnEdgeLeftOut, ())
{
  const CellDesign& design = cell_designs()[*rc::gen::inRange<std::size_t>(0, 2)];
  TwoTreeCell cell = design.cells[*rc::gen::inRange<std::size_t>(0, design.cells.size())];
  cell.edges.erase(cell.edges.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, std::ssize(cell.edges)));
  RC_ASSERT(!faults_of_cell(design, cell).empty());
}

RC_GTEST_PROP(TwoTreeCells, AreRefutedWithAnEdgeToAnotherNodeOrInAnotherColour, ())
{
  const CellDesign& design = cell_designs()[*rc::gen::inRange<std::size_t>(0, 2)];
  TwoTreeCell cell = design.cells[*rc::gen::inRange<std::size_t>(0, design.cells.size())];
  ColouredEdge& edge = cell.edges[*rc::gen::inRange<std::size_t>(0, cell.edges.size())];
  if (*rc::gen::arbitrary<bool>()) {
    edge.colour ^= 1U;
  } else {
    edge.to.x = (edge.to.x + *rc::gen::inRange(1, cell_side)) % cell_side;
  }
  RC_ASSERT(!faults_of_cell(design, cell).empty());
}

TEST(TwoTreeCells, AFaultNamesWhatIsWrong)
{
  const CellDesign& design = cell_designs()[0];
  TwoTreeCell cell = *design.find("N");
  cell.edges.push_back({design.spare[0], cell.edges.front().to, 0, 0});
  EXPECT_THAT(faults_of_cell(design, cell), Contains("a node receives a tree twice"));
  CellDesign closed = design;
  closed.reserved.set();
  EXPECT_THAT(faults_of_cell(closed, *design.find("N")), Contains("an edge uses a reserved channel"));
}

TEST(TwoTreeLoads, AreThe32ThatAllSizesHave)
{
  for (const CellDesign& design : cell_designs()) {
    const LoadClosure closure = load_closure(design, 12);
    EXPECT_THAT(closure.faults, IsEmpty());
    EXPECT_TRUE(closure.is_closed);
    EXPECT_EQ(closure.loads, 32U);
    EXPECT_EQ(closure.last_new_load, 9U);
    EXPECT_EQ(closure.in_cells, design.reserved);
  }
}

TEST(TwoTreeLoads, AreNotClosedBeforeTheLastOneIsFound)
{
  EXPECT_FALSE(load_closure(cell_designs()[0], 6).is_closed);
}

TEST(TwoTreeLoads, RefuteOtherJoins)
{
  int refuted = 0;
  int all = 0;
  const auto refutes = [&](const std::array<JoinedCopy, 4>& copies, const std::array<JoinEdge, 6>& edges) {
    const LoadClosure closure = load_closure(cell_designs()[0], 10, copies, edges);
    ++all;
    refuted += !closure.faults.empty() || !closure.is_closed ? 1 : 0;
  };
  for (std::size_t copy = 0; copy < 4; ++copy) {
    std::array<JoinedCopy, 4> copies = joined_copies;
    copies[copy].reflection ^= 1U;
    refutes(copies, join_edges);
    copies = joined_copies;
    copies[copy].exchanges_colours ^= 1U;
    refutes(copies, join_edges);
  }
  for (std::size_t edge = 0; edge < join_edges.size(); ++edge) {
    std::array<JoinEdge, 6> edges = join_edges;
    edges[edge].to = (edges[edge].to + 1) % 4;
    refutes(joined_copies, edges);
  }
  EXPECT_EQ(refuted, all);
}

TEST(TwoTreeCells, ATextThatIsNotOfTheFormIsABrokenInvariant)
{
  for (const char* text : {"", "N 04 53 -- -- AI", "N 94 53 -- -- AIA", "N 04 53 -- -- AI!", "N -- 53 -- -- AIA",
                           "reserved 2>00", "reserved 0x00", "reserved 0>0", "N 04 53 -- -- ///"}) {
    EXPECT_THROW(parse_cell_design(text), std::logic_error) << text;
  }
}

} // namespace
} // namespace wormcast
