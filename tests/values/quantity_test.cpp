#include "tests/values/expect_input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace wormcast {

namespace {

using testing::HasSubstr;

std::string time_error(const std::string& text)
{
  return input_error([&] { parse_time(text); });
}

std::string bytes_error(const std::string& text)
{
  return input_error([&] { parse_bytes(text); });
}

TEST(ParseTime, reads_every_unit_exactly)
{
  EXPECT_EQ(parse_time("150us").picoseconds, 150'000'000);
  EXPECT_EQ(parse_time("0.5us").picoseconds, 500'000);
  EXPECT_EQ(parse_time("2ns").picoseconds, 2'000);
  EXPECT_EQ(parse_time("1e3ps").picoseconds, 1'000);
  EXPECT_EQ(parse_time("7ms").picoseconds, 7'000'000'000);
  EXPECT_EQ(parse_time("1s").picoseconds, 1'000'000'000'000);
  EXPECT_EQ(parse_time("0s").picoseconds, 0);
  EXPECT_EQ(parse_time("0.000000000001s").picoseconds, 1);
  EXPECT_EQ(parse_time("25E-1ns").picoseconds, 2'500);
  EXPECT_EQ(parse_time("1.50 us").picoseconds, 1'500'000);
  EXPECT_EQ(parse_time("007us").picoseconds, 7'000'000);
}

TEST(ParseByteTime, keeps_fractions_of_a_picosecond)
{
  EXPECT_EQ(parse_byte_time("157.5ps"), ByteTime(315, 2));
  EXPECT_EQ(parse_byte_time("0.1575ns"), ByteTime(315, 2));
  EXPECT_EQ(parse_byte_time("0.000001ps"), ByteTime(1, 1'000'000));
  EXPECT_EQ(parse_byte_time("500ns"), ByteTime(Time{500'000}));
  EXPECT_EQ(parse_byte_time("2.50ps").bytes(), 2);
  EXPECT_EQ(format_byte_time(ByteTime(315, 2)), "157.5ps");
  EXPECT_EQ(format_byte_time(ByteTime(1, 1'000'000)), "0.000001ps");
  EXPECT_EQ(format_byte_time(ByteTime(20'000, 127)), "20000/127ps");
  EXPECT_EQ(format_byte_time(Time{500'000}), "500ns");
  EXPECT_THAT(input_error([] { parse_byte_time("0.0000001ps"); }),
              HasSubstr("has more than 6 decimals of a picosecond"));
  EXPECT_THAT(input_error([] { parse_byte_time("10.5"); }), HasSubstr("has no unit"));
  EXPECT_THAT(input_error([] { parse_byte_time("9000000000000000000.5ps"); }), HasSubstr("is too large"));
}

TEST(TimeOfBytes, is_rounded_up_once)
{
  EXPECT_EQ(time_of_bytes(ByteTime(315, 2), 0), Time{0});
  EXPECT_EQ(time_of_bytes(ByteTime(315, 2), 1), Time{158});
  EXPECT_EQ(time_of_bytes(ByteTime(315, 2), 2), Time{315});
  EXPECT_EQ(time_of_bytes(ByteTime(1, 3), std::numeric_limits<std::uint64_t>::max()), Time{6'148'914'691'236'517'205});
  EXPECT_EQ(time_of_bytes(ByteTime(Time{2}), std::numeric_limits<std::uint64_t>::max()), std::nullopt);
}

TEST(ParseTime, is_exact_where_binary_fractions_are_not)
{
  EXPECT_EQ(parse_time("0.1us").picoseconds, 100'000);
  EXPECT_EQ(parse_time("1234567.890123456789s").picoseconds, 1'234'567'890'123'456'789);
}

TEST(ParseTime, takes_the_largest_time_and_nothing_above)
{
  EXPECT_EQ(parse_time("9223372036854775807ps").picoseconds, std::numeric_limits<std::int64_t>::max());
  EXPECT_THAT(time_error("9223372036854775808ps"), HasSubstr("is too large"));
  EXPECT_THAT(time_error("1e7s"), HasSubstr("is too large"));
  EXPECT_THAT(time_error("1e999999999999s"), HasSubstr("is too large"));
  EXPECT_EQ(parse_time("0e999999999999s").picoseconds, 0);
}

TEST(ParseTime, says_what_is_wrong)
{
  const std::string expected = "expected a time with a unit (s, ms, us, ns, ps), such as \"150us\"";
  EXPECT_EQ(time_error("150"), "\"150\" has no unit; " + expected);
  EXPECT_EQ(time_error("150min"), "\"150min\" has the unknown unit \"min\"; " + expected);
  EXPECT_EQ(time_error("0.5ps"), "\"0.5ps\" is not a whole number of picoseconds; " + expected);
  EXPECT_EQ(time_error("1e-999999999s"), "\"1e-999999999s\" is not a whole number of picoseconds; " + expected);
  EXPECT_EQ(time_error("-1us"), "\"-1us\" is negative; " + expected);
  for (const char* text : {"", "us", ".5us", "1.us", "1.e3us", "1eus", "inf", "nan", "0x10us", " 1us", "1,5us"}) {
    EXPECT_THAT(time_error(text), HasSubstr(expected)) << text;
  }
  EXPECT_THAT(time_error(std::string(101, '1') + "us"), HasSubstr(expected));
}

TEST(FormatTime, uses_the_largest_unit_without_fraction)
{
  EXPECT_EQ(format_time({150'000'000}), "150us");
  EXPECT_EQ(format_time({500'000}), "500ns");
  EXPECT_EQ(format_time({1}), "1ps");
  EXPECT_EQ(format_time({0}), "0s");
  EXPECT_EQ(format_time({3'000'000'000'000}), "3s");
}

TEST(ShortTime, takes_what_is_shorter)
{
  EXPECT_EQ(short_time(Time{500'000}), "0.5us");
  EXPECT_EQ(short_time(Time{1'000}), "1ns");
  EXPECT_EQ(short_time(Time{150'000'000}), "150us");
  EXPECT_EQ(short_time(Time{1'500'000}), "1.5us");
  EXPECT_EQ(short_time(Time{0}), "0s");
}

TEST(ParseTime, takes_both_signs_for_micro)
{
  EXPECT_EQ(parse_time("0.5\u00b5s").picoseconds, 500'000);
  EXPECT_EQ(parse_time("0.5 \u03bcs").picoseconds, 500'000);
}

TEST(ParseBytes, knows_which_unit_was_meant)
{
  const auto error = [](const char* text) {
    try {
      parse_bytes(text);
    } catch (const InputError& refused) {
      return std::string(refused.what());
    }
    return std::string("no error");
  };
  EXPECT_THAT(error("1KB"), HasSubstr("did you mean kB or KiB?"));
  EXPECT_THAT(error("1kb"), HasSubstr("did you mean kB or KiB?"));
  EXPECT_THAT(error("1mib"), HasSubstr("did you mean MB or MiB?"));
  EXPECT_THAT(error("1parsec"), Not(HasSubstr("did you mean")));
  EXPECT_EQ(parse_bytes("2TiB"), std::uint64_t{2} << 40);
  EXPECT_EQ(parse_bytes("3TB"), 3'000'000'000'000U);
}

RC_GTEST_PROP(FormatTime, is_read_back_to_the_same_time, ())
{
  const auto picoseconds = *rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
  const auto factor = *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 1'000'000'000'000);
  const Time time{picoseconds / factor * factor};
  RC_ASSERT(parse_time(format_time(time)) == time);
}

TEST(FormatMicroseconds, is_exact_and_short)
{
  EXPECT_EQ(format_microseconds({3'721'500'000}), "3721.5");
  EXPECT_EQ(format_microseconds({0}), "0");
  EXPECT_EQ(format_microseconds({1}), "0.000001");
  EXPECT_EQ(format_microseconds({-1'500'000}), "-1.5");
  EXPECT_EQ(format_microseconds({100'000'000}), "100");
  EXPECT_EQ(format_microseconds({std::numeric_limits<std::int64_t>::min()}), "-9223372036854.775808");
}

RC_GTEST_PROP(FormatMicroseconds, is_read_back_to_the_same_time, ())
{
  const Time time{*rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max())};
  RC_ASSERT(parse_time(format_microseconds(time) + "us") == time);
}

TEST(ParseBytes, reads_numbers_and_units)
{
  EXPECT_EQ(parse_bytes("64"), 64U);
  EXPECT_EQ(parse_bytes("64B"), 64U);
  EXPECT_EQ(parse_bytes("4KiB"), 4096U);
  EXPECT_EQ(parse_bytes("1MiB"), 1048576U);
  EXPECT_EQ(parse_bytes("2GiB"), 2147483648U);
  EXPECT_EQ(parse_bytes("10kB"), 10000U);
  EXPECT_EQ(parse_bytes("1MB"), 1000000U);
  EXPECT_EQ(parse_bytes("1GB"), 1000000000U);
  EXPECT_EQ(parse_bytes("1.5KiB"), 1536U);
  EXPECT_EQ(parse_bytes("0.0009765625KiB"), 1U);
  EXPECT_EQ(parse_bytes("0"), 0U);
  EXPECT_EQ(parse_bytes("4611686018427387904"), std::uint64_t{1} << 62);
}

TEST(ParseBytes, says_what_is_wrong)
{
  EXPECT_THAT(bytes_error("4KB"), HasSubstr("\"4KB\" has the unknown unit \"KB\"; expected a number of bytes"));
  EXPECT_THAT(bytes_error("0.5"), HasSubstr("\"0.5\" is not a whole number of bytes"));
  EXPECT_THAT(bytes_error("1.0001KiB"), HasSubstr("is not a whole number of bytes"));
  EXPECT_THAT(bytes_error("-4"), HasSubstr("\"-4\" is negative"));
  EXPECT_THAT(bytes_error("4611686018427387905"), HasSubstr("is too large"));
  EXPECT_THAT(bytes_error("many"), HasSubstr("expected a number of bytes"));
}

TEST(FormatBytes, uses_a_unit_where_three_decimals_are_exact)
{
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(64), "64 B");
  EXPECT_EQ(format_bytes(4096), "4 KiB");
  EXPECT_EQ(format_bytes(std::uint64_t{1536} * 1024), "1.5 MiB");
  EXPECT_EQ(format_bytes(1025), "1025 B");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 30), "3 GiB");
  EXPECT_EQ(format_bytes(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615 B");
}

RC_GTEST_PROP(FormatBytes, is_read_back_to_the_same_size, ())
{
  const auto shift = *rc::gen::inRange(0, 40);
  const auto bytes = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 62) >> shift << (shift / 2);
  RC_ASSERT(parse_bytes(format_bytes(bytes)) == bytes);
}

} // namespace

} // namespace wormcast
