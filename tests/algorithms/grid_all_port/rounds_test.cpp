// The step tables, proved on their lattice alone, and how a block consists of lattices.

#include "wormcast/algorithms/grid_all_port/rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

std::int64_t around(std::int64_t coordinate, const StepTable& table)
{
  return (coordinate % table.side + table.side) % table.side;
}

std::size_t number(Position position, const StepTable& table)
{
  return static_cast<std::size_t>(around(position.x, table) + table.side * around(position.y, table));
}

bool on_a_diagonal(Position position, const StepTable& table)
{
  return position.x == position.y || position.x + position.y == table.side - 1;
}

using Segments = std::set<std::size_t>; // by the lattice node that holds each at the start

// All segments of the table: one on each node of the two diagonals.
std::vector<Segments> held_at_the_start(const StepTable& table)
{
  std::vector<Segments> held(static_cast<std::size_t>(table.side * table.side));
  for (std::int64_t y = 0; y < table.side; ++y) {
    for (std::int64_t x = 0; x < table.side; ++x) {
      if (on_a_diagonal({x, y}, table)) {
        held[number({x, y}, table)].insert(number({x, y}, table));
      }
    }
  }
  return held;
}

Segments segments(const StepTable& table, std::uint32_t set)
{
  Segments result;
  for (const Position segment : table.segment_sets[set]) {
    result.insert(number(segment, table));
  }
  return result;
}

// The directed channels of the XY route, by the node that each leaves and its direction.
std::vector<std::tuple<std::size_t, int>> route(Position from, Position to, const StepTable& table)
{
  std::vector<std::tuple<std::size_t, int>> channels;
  while (from.x != to.x) {
    channels.emplace_back(number(from, table), to.x > from.x ? 0 : 1);
    from.x += to.x > from.x ? 1 : -1;
  }
  while (from.y != to.y) {
    channels.emplace_back(number(from, table), to.y > from.y ? 2 : 3);
    from.y += to.y > from.y ? 1 : -1;
  }
  return channels;
}

// Runs the steps; what each node holds at the end. A message that a node cannot send, a channel used twice in a step, a
// message over half the lattice's ring (periodic) or to a position outside (else) fail.
std::vector<Segments> run(const StepTable& table)
{
  std::vector<Segments> held = held_at_the_start(table);
  for (const std::vector<TableMessage>& step : table.steps) {
    std::set<std::tuple<std::size_t, int>> used;
    std::vector<Segments> after = held;
    for (const TableMessage& message : step) {
      const std::int64_t dx = std::abs(message.to.x - message.from.x);
      const std::int64_t dy = std::abs(message.to.y - message.from.y);
      if (table.periodic) {
        EXPECT_LT(2 * std::max(dx, dy), table.side);
      } else {
        EXPECT_TRUE(message.to.x >= 0 && message.to.x < table.side && message.to.y >= 0 && message.to.y < table.side);
      }
      const Segments sent = segments(table, message.segments);
      EXPECT_TRUE(std::ranges::includes(held[number(message.from, table)], sent));
      for (const auto& channel : route(message.from, message.to, table)) {
        EXPECT_TRUE(used.insert(channel).second) << "node " << std::get<0>(channel);
      }
      after[number(message.to, table)].insert(sent.begin(), sent.end());
    }
    held = std::move(after);
  }
  return held;
}

std::vector<std::size_t> largest_by_step(const StepTable& table)
{
  std::vector<std::size_t> sizes;
  for (const std::vector<TableMessage>& step : table.steps) {
    std::size_t largest = 0;
    for (const TableMessage& message : step) {
      largest = std::max(largest, table.segment_sets[message.segments].size());
    }
    sizes.push_back(largest);
  }
  return sizes;
}

std::vector<std::size_t> messages_by_step(const StepTable& table)
{
  std::vector<std::size_t> counts;
  for (const std::vector<TableMessage>& step : table.steps) {
    counts.push_back(step.size());
  }
  return counts;
}

bool all_straight(const StepTable& table)
{
  return std::ranges::all_of(table.steps, [](const std::vector<TableMessage>& step) {
    return std::ranges::all_of(step, [](const TableMessage& message) {
      return message.from.x == message.to.x || message.from.y == message.to.y;
    });
  });
}

// After a round each 2 x 2 cell has all 16 segments, four owned by each of its nodes, which hold them.
void expect_complete_round(const StepTable& table)
{
  const std::vector<Segments> held = run(table);
  for (std::int64_t y = 0; y < table.side; y += 2) {
    for (std::int64_t x = 0; x < table.side; x += 2) {
      Segments of_cell;
      for (const Position node : {Position{x, y}, Position{x + 1, y}, Position{x, y + 1}, Position{x + 1, y + 1}}) {
        const Segments owned = segments(table, table.owned[number(node, table)]);
        EXPECT_EQ(owned.size(), 4U);
        EXPECT_TRUE(std::ranges::includes(held[number(node, table)], owned)) << node.x << ", " << node.y;
        of_cell.insert(owned.begin(), owned.end());
      }
      EXPECT_EQ(of_cell.size(), 16U) << "cell " << x << ", " << y;
    }
  }
}

void expect_everything_everywhere(const StepTable& table)
{
  EXPECT_TRUE(table.owned.empty());
  for (const Segments& held : run(table)) {
    EXPECT_EQ(held.size(), static_cast<std::size_t>(2 * table.side));
  }
}

TEST(StepTables, RoundOnAMesh)
{
  expect_complete_round(mesh_round8());
  EXPECT_TRUE(all_straight(mesh_round8()));
  EXPECT_THAT(largest_by_step(mesh_round8()), ElementsAre(1, 1, 2));
  EXPECT_THAT(messages_by_step(mesh_round8()), ElementsAre(44, 120, 88));
}

TEST(StepTables, RoundOnATorus)
{
  expect_complete_round(torus_round8());
  EXPECT_TRUE(all_straight(torus_round8()));
  EXPECT_THAT(largest_by_step(torus_round8()), ElementsAre(1, 1, 1));
  EXPECT_THAT(messages_by_step(torus_round8()), ElementsAre(60, 100, 152));
}

// Therefore a message may come from a neighbouring block as well.
TEST(StepTables, TheSegmentsOfATorusNodeDependOnItsPositionInTheCellOnly)
{
  const StepTable& table = torus_round8();
  for (std::int64_t y = 0; y < 8; ++y) {
    for (std::int64_t x = 0; x < 8; ++x) {
      EXPECT_EQ(table.owned[number({x, y}, table)], table.owned[number({x % 2, y % 2}, table)]);
    }
  }
}

TEST(StepTables, Finishes)
{
  for (const StepTable* table : {&mesh_all4(), &torus_all4(), &mesh_all8()}) {
    SCOPED_TRACE(table->name);
    expect_everything_everywhere(*table);
  }
  EXPECT_THAT(largest_by_step(mesh_all4()), ElementsAre(1, 1, 2));
  EXPECT_THAT(largest_by_step(torus_all4()), ElementsAre(1, 1, 1));
  EXPECT_THAT(largest_by_step(mesh_all8()), ElementsAre(1, 2, 3, 4));
}

TEST(StepTables, TextThatDoesNotFitStopsTheProgram)
{
  EXPECT_THROW(read_step_table("bad", 4, false, "00>04 00"), std::logic_error);
  EXPECT_THROW(read_step_table("bad", 4, false, "00-01 00"), std::logic_error);
  EXPECT_THROW(read_step_table("bad", 4, false, "00>01 00 - 00=00 11"), std::logic_error); // nodes without segments
}

RC_GTEST_PROP(Lattices, FillABlockAndItsDiagonals, ())
{
  const std::int64_t parts = *rc::gen::element<std::int64_t>(4, 8);
  const std::int64_t side = parts << *rc::gen::inRange(0, 4);
  const std::int64_t cell = 2 * side / parts;
  std::set<std::int64_t> columns;
  for (std::int64_t u = 0; u < side / parts; ++u) {
    for (std::int64_t column = 0; column < parts; ++column) {
      const std::int64_t c = lattice_coordinate(column, parts, side, u);
      RC_ASSERT(columns.insert(c).second);
      RC_ASSERT(c + lattice_coordinate(parts - 1 - column, parts, side, u) ==
                side - 1);               // reflections stay in the lattice
      RC_ASSERT(c / cell == column / 2); // a pair of columns is in one cell
      if (column + 1 < parts) {
        RC_ASSERT(c < lattice_coordinate(column + 1, parts, side, u));
      }
      const std::int64_t mate = lattice_coordinate(column ^ 1, parts, side, u);
      RC_ASSERT(c % cell + mate % cell == cell - 1); // so lattice nodes are on the diagonals of cells
      RC_ASSERT(lattice_coordinate(column - parts, parts, side, u) == c - side);
    }
  }
  RC_ASSERT(columns.size() == static_cast<std::size_t>(side));
}

} // namespace
} // namespace wormcast
