// The tables of lattice rounds are proofs: complete, one port, and no channel twice in a step. The mapping of lattices
// to positions keeps what is proved for one of them true for all of them at once.

#include "wormcast/algorithms/grid/lattice_round.hpp"
#include "wormcast/algorithms/grid/lattice_tables.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace wormcast {
namespace {

std::uint32_t rank_of(std::uint32_t node, unsigned dimension)
{
  return (node >> (2 * dimension)) % 4;
}

struct Channel {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  auto operator<=>(const Channel&) const = default;
};

/// The way on the lattice, x first; on a ring three ranks are one hop over the wrap-around link.
std::vector<Channel> route(std::uint32_t from, std::uint32_t to, unsigned dimensions, bool ring)
{
  std::vector<Channel> channels;
  for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
    const auto goal = rank_of(to, dimension);
    while (rank_of(from, dimension) != goal) {
      const auto rank = rank_of(from, dimension);
      const bool other_way = ring && (goal > rank ? goal - rank : rank - goal) == 3;
      const std::uint32_t next = ((goal > rank) != other_way ? rank + 1 : rank + 3) % 4;
      const std::uint32_t stride = 1U << (2 * dimension);
      const std::uint32_t node = from - rank * stride + next * stride;
      channels.push_back({from, node});
      from = node;
    }
  }
  return channels;
}

using Possession = std::map<std::uint32_t, std::vector<std::uint32_t>>; // node -> owners of its units

/// Replays a table; fails where a sender has not got what it sends, uses a port twice, or shares a channel.
Possession replay(const LatticeTable& table, unsigned dimensions, bool ring)
{
  Possession owned;
  for (const std::uint32_t owner : table.owners) {
    owned[owner].push_back(owner);
  }
  for (const std::vector<LatticeSend>& step : table.steps) {
    const Possession before = owned;
    std::set<std::uint32_t> senders;
    std::set<std::uint32_t> receivers;
    std::set<Channel> used;
    for (const LatticeSend& send : step) {
      const auto has = before.find(send.from);
      EXPECT_TRUE(has != before.end() && std::ranges::count(has->second, send.owner) == 1);
      EXPECT_TRUE(senders.insert(send.from).second);
      EXPECT_TRUE(receivers.insert(send.to).second);
      unsigned differing = 0;
      for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
        differing += rank_of(send.from, dimension) != rank_of(send.to, dimension) ? 1 : 0;
      }
      EXPECT_EQ(ring || differing == 1, true) << "not straight";
      for (const Channel channel : route(send.from, send.to, dimensions, ring)) {
        EXPECT_TRUE(used.insert(channel).second) << channel.from << " -> " << channel.to;
      }
      owned[send.to].push_back(send.owner);
    }
  }
  return owned;
}

/// Every node owns `units`, and every part of two ranks in each dimension all units exactly once.
void expect_complete(const Possession& owned, const LatticeTable& table, unsigned dimensions, std::size_t units)
{
  const std::uint32_t nodes = 1U << (2 * dimensions);
  ASSERT_EQ(owned.size(), nodes);
  std::map<std::uint32_t, std::vector<std::uint32_t>> parts;
  for (const auto& [node, owners] : owned) {
    EXPECT_EQ(owners.size(), units) << node;
    std::uint32_t part = 0;
    for (unsigned dimension = 0; dimension < dimensions; ++dimension) {
      part += (rank_of(node, dimension) / 2) << dimension;
    }
    parts[part].insert(parts[part].end(), owners.begin(), owners.end());
  }
  std::vector<std::uint32_t> all = table.owners;
  std::ranges::sort(all);
  for (auto& [part, owners] : parts) {
    std::ranges::sort(owners);
    EXPECT_EQ(owners, all) << part;
  }
}

bool on_diagonals(std::uint32_t a, std::uint32_t b, std::uint32_t the_class)
{
  const std::uint32_t delta = a ^ b;
  return (delta == 1 || delta == 2 ? 1U : 0U) == the_class;
}

TEST(LatticeTables, OfThePlaneAreCompleteWithoutContention)
{
  for (const std::uint32_t y_class : {0U, 1U}) {
    const LatticeTable& table = lattice_table(y_class);
    EXPECT_EQ(table.steps.size(), 2U);
    EXPECT_EQ(table.owners.size(), 8U);
    for (const std::uint32_t owner : table.owners) {
      EXPECT_TRUE(on_diagonals(rank_of(owner, 0), rank_of(owner, 1), y_class));
    }
    expect_complete(replay(table, 2, false), table, 2, 2);
  }
}

TEST(LatticeTables, OfSpaceAreCompleteWithoutContention)
{
  for (const std::uint32_t y_class : {0U, 1U}) {
    for (const std::uint32_t z_class : {0U, 1U}) {
      const LatticeTable& table = lattice_table(y_class, z_class);
      EXPECT_EQ(table.steps.size(), 3U);
      EXPECT_EQ(table.owners.size(), 16U);
      for (const std::uint32_t owner : table.owners) {
        EXPECT_TRUE(on_diagonals(rank_of(owner, 0), rank_of(owner, 1), y_class));
        EXPECT_TRUE(on_diagonals(rank_of(owner, 0), rank_of(owner, 2), z_class));
      }
      expect_complete(replay(table, 3, false), table, 3, 2);
    }
  }
}

TEST(LatticeTables, OfTheFirstRoundOnATorusSendNothingHalfRound)
{
  for (std::uint32_t delta = 0; delta < 4; ++delta) {
    const LatticeTable& table = first_torus_table(delta);
    EXPECT_EQ(table.steps.size(), 2U);
    EXPECT_EQ(table.owners.size(), 4U);
    for (const std::uint32_t owner : table.owners) {
      EXPECT_EQ(rank_of(owner, 0) ^ rank_of(owner, 1), delta);
    }
    for (const std::vector<LatticeSend>& step : table.steps) {
      for (const LatticeSend& send : step) {
        for (const unsigned dimension : {0U, 1U}) {
          EXPECT_NE(rank_of(send.from, dimension) ^ rank_of(send.to, dimension), 2U);
        }
      }
    }
    expect_complete(replay(table, 2, true), table, 2, 1);
  }
}

// Two ranks far on a ring of four positions, one of each rank, may be half the ring; on the real ring it is more or
// less.
TEST(LatticePositions, FillABlockOnceInTheOrderOfTheirRanks)
{
  for (unsigned k = 2; k <= 8; ++k) {
    std::set<std::int64_t> positions;
    for (std::int64_t u = 0; u < (std::int64_t{1} << k) / 4; ++u) {
      std::int64_t last = -1;
      for (std::uint32_t rank = 0; rank < 4; ++rank) {
        const std::int64_t position = lattice_position(rank, u, k);
        EXPECT_GT(position, last);
        last = position;
        EXPECT_EQ(lattice_rank(position, k), rank);
        EXPECT_EQ(lattice_class(position, k), u);
        positions.insert(position);
      }
    }
    EXPECT_EQ(positions.size(), std::size_t{1} << k);
    EXPECT_EQ(*positions.rbegin(), (std::int64_t{1} << k) - 1);
  }
}

// So that all owners of a lattice are on the diagonals of the block.
RC_GTEST_PROP(LatticePositions, ADiagonalMapsClassesToClasses, ())
{
  const auto k = *rc::gen::inRange(2U, 12U);
  const auto side = std::int64_t{1} << k;
  const auto diagonal = *rc::gen::inRange<std::int64_t>(0, side);
  const auto position = *rc::gen::inRange<std::int64_t>(0, side);
  const std::int64_t u = lattice_class(position, k);
  RC_ASSERT(lattice_class(position ^ diagonal, k) == lattice_class(u ^ diagonal, k));
  RC_ASSERT(lattice_rank(position ^ diagonal, k) == (lattice_rank(position, k) ^ lattice_rank(diagonal, k)));
}

} // namespace
} // namespace wormcast
