#include "wormcast/simulator/engines/growing_array.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace wormcast {
namespace {

template <std::size_t alignment> struct alignas(alignment) Aligned {
  std::uint64_t number = 0;
};

// Sizes from less than a page to many of them, where the system gives memory at other places and with other offsets.
template <typename Value> void expect_kept_and_aligned()
{
  GrowingArray<Value> array;
  EXPECT_EQ(array.data(), nullptr);
  std::size_t filled = 0;
  for (std::size_t size = 1; size < 1'000'000 / sizeof(Value) * 8; size += size / 3 + 1) {
    array.grow(size);
    ASSERT_GE(array.size(), size);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Value), 0U) << size;
    for (std::size_t i = 0; i < filled; ++i) {
      ASSERT_EQ(array[i].number, i * i) << size;
    }
    for (; filled < size; ++filled) {
      array[filled].number = filled * filled;
    }
  }
}

TEST(GrowingArray, KeepsItsValuesAndTheirAlignment)
{
  expect_kept_and_aligned<Aligned<8>>();
  expect_kept_and_aligned<Aligned<16>>();
  expect_kept_and_aligned<Aligned<32>>();
  expect_kept_and_aligned<Aligned<64>>();
  expect_kept_and_aligned<Aligned<256>>();
}

} // namespace
} // namespace wormcast
