#include "wormcast/experiments/validation/pattern.hpp"

#include <gtest/gtest.h>

#include <string>

namespace wormcast {
namespace {

TEST(Pattern, AStarStandsForAnyCharacters)
{
  EXPECT_TRUE(matches_pattern("abc", "abc"));
  EXPECT_FALSE(matches_pattern("abc", "abcd"));
  EXPECT_FALSE(matches_pattern("abcd", "abc"));
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("*", "abc"));
  EXPECT_TRUE(matches_pattern("a*c", "ac"));
  EXPECT_TRUE(matches_pattern("a*c", "abcbc"));
  EXPECT_FALSE(matches_pattern("a*c", "abcb"));
  EXPECT_TRUE(matches_pattern("*ab*ab", "abcabab"));
  EXPECT_FALSE(matches_pattern("*ab*ab", "ab"));
  EXPECT_TRUE(matches_pattern("**b**", "b"));
  EXPECT_FALSE(matches_pattern("", "b"));
  EXPECT_TRUE(matches_pattern("", ""));
}

TEST(Pattern, ManyStarsTakeNoLongTime)
{
  std::string stars;
  for (int i = 0; i < 1000; ++i) {
    stars += "a*";
  }
  EXPECT_FALSE(matches_pattern(stars + "b", std::string(100'000, 'a')));
}

} // namespace
} // namespace wormcast
