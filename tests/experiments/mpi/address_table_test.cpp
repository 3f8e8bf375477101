#include "wormcast/experiments/mpi/address_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <unordered_map>

namespace wormcast {
namespace {

const void* address(std::uintptr_t number)
{
  return reinterpret_cast<const void*>(16 * (number + 1));
}

TEST(AddressTable, HoldsWhatAMapHolds)
{
  AddressTable<int> table;
  std::unordered_map<const void*, int> map;
  std::mt19937 random(1);
  for (int step = 0; step < 100'000; ++step) {
    // Many at first, then few, so that what is removed stands between others.
    const void* const one = address(random() % (step < 50'000 ? 2000 : 60));
    if (random() % 2 == 0) {
      EXPECT_EQ(table.set(one, step), step);
      map[one] = step;
    } else if (map.erase(one) == 1) {
      table.erase(one);
    }
    const void* const other = address(random() % 2000);
    const auto found = map.find(other);
    const int* const value = table.find(other);
    ASSERT_EQ(value != nullptr, found != map.end()) << step;
    ASSERT_TRUE(value == nullptr || *value == found->second) << step;
    ASSERT_EQ(table.empty(), map.empty());
  }
}

TEST(AddressTable, HasNothingAtNull)
{
  AddressTable<int> table;
  EXPECT_TRUE(table.empty());
  table.set(address(1), 5);
  EXPECT_EQ(table.find(nullptr), nullptr);
}

} // namespace
} // namespace wormcast
