// What stands in braces in the keys of a study.

#include "tests/values/expect_input_error.hpp"
#include "wormcast/experiments/validation/row_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using ::testing::HasSubstr;

class RowValues : public ::testing::Test {
protected:
  RowValues()
  {
    row.of = {.collective = "scatter", .shape = "4x4x2", .algorithm = "A", .bytes = 1000};
    row.ports = 3;
    values.times = {{"call", Time{5'000'000}}};
    values.tables = {{"copy", {{100, Time{1'000'000}}, {1000, Time{7'000'001}}}},
                     {"addition", {{100, Time{2'000'000}}}}};
  }

  std::string replaced(const std::string& text) const { return with_row_values(text, row, values); }

  MeasuredRow row;
  FittedValues values;
};

TEST_F(RowValues, TablesAreMultipliedDividedAndAdded)
{
  EXPECT_EQ(replaced("run.copy={copy}"), "run.copy=100B 1us, 1000B 7000001ps");
  EXPECT_EQ(replaced("{copy*log2_nodes}"), "100B 5us, 1000B 35000005ps");
  EXPECT_EQ(replaced("{copy/ports}"), "100B 333334ps, 1000B 2333334ps"); // rounded up to picoseconds
  EXPECT_EQ(replaced("{copy*2+copy*log2_nodes}"), "100B 7us, 1000B 49000007ps");
  EXPECT_EQ(replaced("{copy*6/ports}"), replaced("{copy*2}"));
}

TEST_F(RowValues, TimesAreMultipliedDividedAndAdded)
{
  EXPECT_EQ(replaced("run.call={call+call*log2_nodes}"), "run.call=30us");
  EXPECT_EQ(replaced("{call/ports}"), "1666667ps"); // rounded up to picoseconds
  EXPECT_EQ(replaced("{call*bytes/nodes+call/2}"), "158750ns");
  EXPECT_EQ(replaced("{call*6/ports}"), replaced("{call*2}"));
}

TEST_F(RowValues, BracesInBracesAreReplacedFirst)
{
  values.times["threads_of_3"] = Time{6'000'000};
  EXPECT_EQ(replaced("{threads_of_{ports}}"), "6us");
  EXPECT_EQ(replaced("{threads_of_{ports}*{bytes/ports}}"), "2004us"); // 1000 / 3, rounded up
  EXPECT_THAT(input_error([&] { replaced("{call+threads_of_{ports/2*2}}"); }), HasSubstr("found {call+threads_of_4}"));
  EXPECT_EQ(replaced("{ a = {ports}, b = {dims} }"), "{ a = 3, b = [4,4,2] }");
  EXPECT_EQ(replaced("{ {ports} {"), "{ 3 {");
  EXPECT_EQ(replaced("} {ports}}"), "} 3}");
}

TEST_F(RowValues, OtherTablesAndTimesAreRefused)
{
  EXPECT_EQ(input_error([&] { replaced("{copy+addition}"); }),
            "found {copy+addition}, expected tables with entries for the same bytes");
  for (const std::string wrong : {"{copy/0}", "{call/0}", "{call/}", "{call*call}", "{copy*call}", "{copy+call}",
                                  "{copy*}", "{copy/}", "{copies*2}"}) {
    EXPECT_THAT(input_error([&] { replaced(wrong); }), HasSubstr("found " + wrong + ", expected one of {bytes}"));
  }
  EXPECT_EQ(replaced("{copy/18446744073709551615}"), "100B 1ps, 1000B 1ps");
  values.tables["copy"][1000] = Time{std::int64_t{1} << 60};
  EXPECT_THAT(input_error([&] { replaced("{copy*3+copy*3}"); }), HasSubstr("expected a time of at most 2^62 ps"));
  values.times["call"] = Time{std::int64_t{1} << 61};
  EXPECT_THAT(input_error([&] { replaced("{call+call+call}"); }), HasSubstr("expected a time of at most 2^62 ps"));
  EXPECT_THAT(input_error([&] { replaced("{copy*8}"); }), HasSubstr("expected a time of at most 2^62 ps"));
}

} // namespace
} // namespace wormcast
