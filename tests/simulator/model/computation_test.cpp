// Times by bytes: at entries, between them, below and beyond.

#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/model/computation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using ::testing::HasSubstr;

TEST(TimeTable, GivesTheTimesOfItsEntries)
{
  const TimeTable table = read_time_table("2KiB 0us, 4 KiB 4.5us,\n 64KiB 12us");
  EXPECT_EQ(table.at(2048), Time{});
  EXPECT_EQ(table.at(4096), Time{4'500'000});
  EXPECT_EQ(table.at(65536), Time{12'000'000});
  EXPECT_EQ(time_table_text(table), "2KiB 0s, 4KiB 4500ns, 64KiB 12us");
  EXPECT_EQ(read_time_table(time_table_text(table)), table);
}

TEST(TimeTable, IsAPowerOfBytesBetweenEntries)
{
  // From 4.5 to 18 us over a factor of 4 in bytes: proportional to bytes, so that at 8 KiB it is 9 us.
  EXPECT_EQ(read_time_table("4KiB 4.5us, 16KiB 18us").at(8192), Time{9'000'000});
  // From 5 to 20 us over a factor of 16: the square root of bytes.
  EXPECT_NEAR(static_cast<double>(read_time_table("4KiB 5us, 64KiB 20us").at(16384).picoseconds), 1e7, 1);
  // Proportional to bytes; the logarithms have 32 digits, so that ten decimal ones are exact.
  EXPECT_NEAR(static_cast<double>(read_time_table("4KiB 8us, 16KiB 32us").at(6144).picoseconds), 12e6, 1);
}

TEST(TimeTable, CanFallBetweenEntries)
{
  // From 20 to 5 us over a factor of 16: 10 us in the middle.
  EXPECT_NEAR(static_cast<double>(read_time_table("4KiB 20us, 64KiB 5us").at(16384).picoseconds), 1e7, 1);
}

TEST(TimeTable, IsLinearInTheLogarithmOfBytesBesideAnEntryWithoutTime)
{
  const TimeTable table = read_time_table("2KiB 0us, 32KiB 8us");
  EXPECT_EQ(table.at(4096), Time{2'000'000});  // one of four doublings
  EXPECT_EQ(table.at(16384), Time{6'000'000}); // three of them
  EXPECT_EQ(read_time_table("2KiB 8us, 32KiB 0us").at(4096), Time{6'000'000});
}

TEST(TimeTable, IsProportionalBelowAndBeyond)
{
  const TimeTable table = read_time_table("1000B 3us, 4000B 6us");
  EXPECT_EQ(table.at(500), Time{1'500'000});
  EXPECT_EQ(table.at(1), Time{3000});
  EXPECT_EQ(table.at(0), Time{});
  EXPECT_EQ(table.at(40'000), Time{60'000'000});
  EXPECT_EQ(read_time_table("2KiB 0us, 4KiB 1us").at(1024), Time{});
}

TEST(TimeTable, OfNoEntriesTakesNoTime)
{
  EXPECT_TRUE(TimeTable().empty());
  EXPECT_EQ(TimeTable().at(1000), Time{});
}

TEST(TimeTable, SaysWhatIsWrong)
{
  const auto expect_error = [](const std::string& text, const std::string& error) {
    EXPECT_THAT(input_error([&] { read_time_table(text); }), HasSubstr(error)) << text;
  };
  expect_error("", "found the entry \"\", expected bytes and their time, such as \"4KiB 4.5us\"");
  expect_error("4KiB 1us,", "found the entry \"\"");
  expect_error("4KiB", "found the entry \"4KiB\"");
  expect_error("4KiB 1parsec", "in the entry \"4KiB 1parsec\"");
  expect_error("much 1us", "in the entry \"much 1us\"");
  expect_error("0 1us", "found an entry of 0 bytes, expected at least 1");
  expect_error("4KiB 1us, 4KiB 2us", "found an entry of 4 KiB after one of 4 KiB, expected more bytes");
  expect_error("4KiB 9000000s", "found the time 9000000s for 4 KiB, expected one from 0 to");
  EXPECT_THAT(input_error([] { read_time_table("1 1000s").at(std::uint64_t{1} << 60); }), HasSubstr("is more than"));
}

} // namespace
} // namespace wormcast
