#include "tests/algorithms/hypercube/hypercubes.hpp"
#include "wormcast/algorithms/hypercube/rotation_classes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace wormcast {
namespace {

using testing::hypercube_golden;

std::vector<std::uint32_t> rotations(std::uint32_t id, std::uint32_t dimension)
{
  std::vector<std::uint32_t> all;
  for (std::uint32_t turn = 0; turn < dimension; ++turn) {
    all.push_back(id);
    id = (id << 1 | id >> (dimension - 1)) & ((1U << dimension) - 1);
  }
  return all;
}

bool has_bit(std::uint32_t id, std::uint32_t link)
{
  return (id >> (link - 1) & 1U) != 0;
}

TEST(RotationClasses, OfTheFourCube)
{
  const std::vector<RotationClass> expected = {
      {0b0001, 4, 1}, {0b0011, 4, 5}, {0b0101, 2, 9}, {0b0111, 4, 11}, {0b1111, 1, 15}};
  EXPECT_EQ(rotation_classes(4), expected);
}

TEST(RotationClasses, OfTheOneCube)
{
  EXPECT_EQ(rotation_classes(1), (std::vector<RotationClass>{{1, 1, 1}}));
}

RC_GTEST_PROP(RotationClasses, PartitionTheIds, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(1, 12);
  std::set<std::uint32_t> seen;
  std::uint32_t number = 1;
  std::uint32_t ones = 0;
  for (const RotationClass& one : rotation_classes(dimension)) {
    const std::vector<std::uint32_t> all = rotations(one.smallest, dimension);
    const std::set<std::uint32_t> ids(all.begin(), all.end());
    RC_ASSERT(*ids.begin() == one.smallest);
    RC_ASSERT(ids.size() == one.size);
    RC_ASSERT(one.first_number == number);
    RC_ASSERT(one.ones() >= ones);
    if (one.ones() > ones) { // R_k1
      RC_ASSERT(one.smallest == (1U << one.ones()) - 1);
    }
    ones = one.ones();
    number += one.size;
    seen.insert(ids.begin(), ids.end());
  }
  RC_ASSERT(seen.size() == (std::size_t{1} << dimension) - 1);
  RC_ASSERT(number == 1U << dimension);
}

TEST(RotationClasses, LinksOfNumbersGoRound)
{
  std::vector<std::uint32_t> links;
  for (std::uint32_t number = 1; number <= 7; ++number) {
    links.push_back(link_of_number(number, 3));
  }
  EXPECT_EQ(links, (std::vector<std::uint32_t>{1, 2, 3, 1, 2, 3, 1}));
}

TEST(MultinodeBroadcastOrder, IsTheGoldenOne)
{
  for (const auto& [dimension, golden] : hypercube_golden().items()) {
    if (golden["multinode_broadcast_mla"].contains("order")) {
      EXPECT_EQ(nlohmann::json(multinode_broadcast_order(static_cast<std::uint32_t>(std::stoul(dimension)))),
                golden["multinode_broadcast_mla"]["order"]);
    }
  }
}

// Property (1) of section 2, and what it asks of R_k1 besides.
RC_GTEST_PROP(MultinodeBroadcastOrder, BitOfTheLinkIsOne, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(2, 13);
  const std::vector<std::uint32_t> order = multinode_broadcast_order(dimension);
  for (std::uint32_t number = 1; number <= order.size(); ++number) {
    const std::uint32_t id = order[number - 1];
    const std::uint32_t link = link_of_number(number, dimension);
    RC_ASSERT(has_bit(id, link));
    const auto ones = static_cast<std::uint32_t>(std::popcount(id));
    if (smallest_rotation(id, dimension) == (1U << ones) - 1 && ones < dimension) {
      RC_ASSERT(!has_bit(id, link == 1 ? dimension : link - 1));
    }
  }
  const std::set<std::uint32_t> ids(order.begin(), order.end());
  RC_ASSERT(ids.size() == order.size());
}

// By the definition: all pairs of ids of both classes.
bool compatible(const RotationClass& upper, const RotationClass& lower, std::uint32_t dimension)
{
  const std::vector<std::uint32_t> more = rotations(lower.smallest, dimension);
  return upper.size == dimension && upper.ones() + 1 == lower.ones() &&
         std::ranges::any_of(rotations(upper.smallest, dimension), [&](std::uint32_t less) {
           return std::ranges::any_of(more, [&](std::uint32_t id) { return (id & less) == less; });
         });
}

RC_GTEST_PROP(CompatibleClass, IsTheFirstByDefinition, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(3, 10);
  const std::vector<RotationClass> classes = rotation_classes(dimension);
  for (std::size_t position = 1; position + 1 < classes.size(); ++position) {
    const auto first = std::ranges::find_if(
        classes, [&](const RotationClass& one) { return compatible(one, classes[position], dimension); });
    RC_ASSERT(compatible_class(classes, position, dimension) == static_cast<std::size_t>(first - classes.begin()));
  }
}

TEST(CompatibleClass, OfTheFourCube)
{
  const std::vector<RotationClass> classes = rotation_classes(4);
  EXPECT_EQ(compatible_class(classes, 1, 4), 0U); // R_21 -> R_11
  EXPECT_EQ(compatible_class(classes, 2, 4), 0U); // R_22 -> R_11
  EXPECT_EQ(compatible_class(classes, 3, 4), 1U); // R_31 -> R_21: R_22 has two ids only
}

} // namespace
} // namespace wormcast
