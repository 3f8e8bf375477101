#include "tests/algorithms/tcd/golden.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/halving_table.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <tuple>

namespace wormcast {
namespace {

using testing::cube;
using testing::GridTopology;
using testing::mesh;
using testing::torus;

/// The minimum over recursive halvings from its definition: every cut and every target, boxes as sets of nodes. On a
/// torus an axis that has its full length is cut at every place.
class HalvingByDefinition {
public:
  explicit HalvingByDefinition(const Grid& grid) : grid_(grid) {}

  std::uint64_t least(NodeId source)
  {
    std::vector<Side> whole;
    for (const std::int64_t size : grid_.sizes()) {
      whole.push_back({0, size});
    }
    return least(whole, source);
  }

private:
  struct Side {
    std::int64_t begin = 0;
    std::int64_t length = 0;
    auto operator<=>(const Side&) const = default;
  };
  using Box = std::vector<Side>;

  bool contains(const Box& box, NodeId node) const
  {
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      const std::int64_t size = grid_.sizes()[axis];
      if ((grid_.coordinate(node, axis) - box[axis].begin + size) % size >= box[axis].length) {
        return false;
      }
    }
    return true;
  }

  std::uint64_t least(const Box& box, NodeId source)
  {
    const auto key = std::tuple(box, index(source));
    if (const auto known = known_.find(key); known != known_.end()) {
      return known->second;
    }
    std::uint64_t result = ~std::uint64_t{0};
    bool single = true;
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      const auto [begin, length] = box[axis];
      if (length == 1) {
        continue;
      }
      single = false;
      const std::int64_t size = grid_.sizes()[axis];
      const bool ring = grid_.wraps() && length == size;
      for (std::int64_t turn = 0; turn < (ring ? size : 1); ++turn) {
        Box kept = box;
        Box other = box;
        kept[axis] = {(begin + turn) % size, length / 2};
        other[axis] = {(begin + turn + length / 2) % size, length / 2};
        if (!contains(kept, source)) {
          std::swap(kept, other);
        }
        for (std::uint32_t target = 0; target < grid_.node_count(); ++target) {
          if (contains(other, NodeId{target})) {
            result = std::min(result, grid_.distance(source, NodeId{target}) + least(kept, source) +
                                          least(other, NodeId{target}));
          }
        }
      }
    }
    return known_[key] = single ? 0 : result;
  }

  const Grid& grid_;
  std::map<std::tuple<Box, std::uint32_t>, std::uint64_t> known_;
};

TEST(HalvingTable, IsTheMinimumByDefinition)
{
  for (const std::string kind : {"mesh", "torus"}) {
    for (const std::vector<std::int64_t>& dims :
         {std::vector<std::int64_t>{16}, {8, 2}, {2, 8}, {4, 4}, {8, 4}, {2, 4, 2}, {1, 8}, {4, 1, 4}, {2, 2, 2, 2}}) {
      const GridTopology grid(kind, dims);
      HalvingByDefinition definition(*grid);
      const std::vector<std::uint64_t> tcds = recursive_halving_tcds(*grid);
      for (std::uint32_t node = 0; node < grid->node_count(); ++node) {
        EXPECT_EQ(tcds[node], definition.least(NodeId{node})) << grid->title() << " " << node;
      }
    }
  }
}

TEST(HalvingTable, GivesTheOptimumOfAnEyeOnEveryTorus)
{
  for (const auto& [d, most] : {std::pair{1U, 8U}, {2U, 5U}, {3U, 3U}, {4U, 2U}, {8U, 1U}}) {
    for (unsigned k = 0; k <= most; ++k) {
      const GridTopology grid = torus(cube(d, k));
      EXPECT_EQ(recursive_halving_tcds(*grid),
                std::vector<std::uint64_t>(grid->node_count(), static_cast<std::uint64_t>(optimal_tcd(d, k))))
          << d << " " << k;
    }
  }
}

TEST(HalvingTable, GivesTheOptimumOfAnEyeFromEveryNodeOfALine)
{
  EXPECT_EQ(std::ranges::min(recursive_halving_tcds(*mesh({64}))), static_cast<std::uint64_t>(optimal_tcd_line(6)));
}

// The cut's parts are what they are said to be: halves of the box, and the target a place of the other half.
RC_GTEST_PROP(HalvingTable, BestCutAttainsTheMinimum, ())
{
  auto dims = *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(1, 4),
                                                             rc::gen::element<std::int64_t>(1, 2, 4, 8));
  const GridTopology grid(*rc::gen::element<std::string>("mesh", "torus"), dims);
  const HalvingTable table(*grid, "test");
  Cuts cuts{};
  AxisValues position{};
  bool single = true;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    cuts[axis] = *rc::gen::inRange<std::uint8_t>(0, static_cast<std::uint8_t>(table.levels(axis) + 1));
    single = single && cuts[axis] == table.levels(axis);
    if (!table.is_ring(axis, cuts[axis])) {
      position[axis] = *rc::gen::inRange<std::int64_t>(0, table.length(axis, cuts[axis]));
    }
  }
  if (single) {
    RC_ASSERT(table.tcd(cuts, position) == 0U);
    return;
  }
  const HalvingCut cut = table.best_cut(cuts, position);
  Cuts half = cuts;
  ++half[cut.axis];
  const std::int64_t side = table.length(cut.axis, half[cut.axis]);
  std::int64_t hops = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (axis == cut.axis) {
      const std::int64_t forwards = side + cut.target[axis] - cut.source[axis];
      const std::int64_t backwards = side + cut.source[axis] - cut.target[axis];
      hops += cut.source_in_lower_half ? forwards : backwards;
      RC_ASSERT(cut.source[axis] >= 0 && cut.source[axis] < side);
      RC_ASSERT(cut.target[axis] >= 0 && cut.target[axis] < side);
      if (!table.is_ring(axis, cuts[axis])) {
        RC_ASSERT(cut.source[axis] + (cut.source_in_lower_half ? 0 : side) == position[axis]);
      }
    } else {
      RC_ASSERT(cut.source[axis] == position[axis]);
      hops += std::abs(cut.target[axis] - cut.source[axis]);
    }
  }
  RC_ASSERT(table.tcd(cuts, position) ==
            static_cast<std::uint64_t>(hops) + table.tcd(half, cut.source) + table.tcd(half, cut.target));
}

TEST(HalvingTable, SaysWhatItCannotHold)
{
  EXPECT_EQ(input_error([] { HalvingTable(*mesh({8, 12}), "recursive_halving_tcd"); }),
            "recursive_halving_tcd needs sizes that are powers of two; the y size of the mesh 8 x 12 is 12");
  EXPECT_EQ(input_error([] { HalvingTable(*mesh({16, 16, 16, 16, 16, 8}), "recursive_halving_tcd"); }),
            "recursive_halving_tcd needs a table of 429437265 numbers on the mesh 16 x 16 x 16 x 16 x 16 x 8; it takes "
            "at most 268435456");
}

} // namespace
} // namespace wormcast
