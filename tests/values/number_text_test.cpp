// Numbers that whole texts are.

#include "wormcast/values/number_text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace wormcast {
namespace {

TEST(NumberText, IsTheWholeText)
{
  EXPECT_EQ(number_of_text<std::uint32_t>("17"), 17);
  EXPECT_EQ(number_of_text<std::int64_t>("-17"), -17);
  EXPECT_EQ(number_of_text<double>("2.5e3"), 2500);
  EXPECT_EQ(number_of_text<double>("inf"), std::numeric_limits<double>::infinity());
  for (const char* const text : {"", " 17", "17 ", "+17", "17x", "0x17", "1 7"}) {
    EXPECT_EQ(number_of_text<std::uint32_t>(text), std::nullopt) << text;
    EXPECT_EQ(number_of_text<double>(text), std::nullopt) << text;
  }
}

TEST(NumberText, FitsIntoTheNumber)
{
  EXPECT_EQ(number_of_text<std::uint8_t>("255"), 255);
  EXPECT_EQ(number_of_text<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(number_of_text<std::uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(number_of_text<double>("1e400"), std::nullopt);
}

} // namespace
} // namespace wormcast
