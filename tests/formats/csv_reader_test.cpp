#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/csv_reader.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string error_of(std::string_view text)
{
  try {
    read_csv(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CsvReader, ReadsCellsOfAllForms)
{
  const CsvTable table = read_csv("name,text,number\r\na,\"one, \"\"two\"\"\nthree\",1\n\n,,\"\"\nlast,\xc3\xa9,2");
  EXPECT_THAT(table.columns, ElementsAre("name", "text", "number"));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].line, 2U);
  EXPECT_THAT(table.rows[0].cells, ElementsAre("a", "one, \"two\"\nthree", "1"));
  EXPECT_EQ(table.rows[1].line, 5U);
  EXPECT_THAT(table.rows[1].cells, ElementsAre("", "", ""));
  EXPECT_EQ(table.rows[2].line, 6U);
  EXPECT_THAT(table.rows[2].cells, ElementsAre("last", "\xc3\xa9", "2"));
  EXPECT_THAT(read_csv("a\n").rows, IsEmpty());
}

TEST(CsvReader, ReadsWhatTheWriterWrites)
{
  const std::vector<std::string> cells = {"plain", "a,b", "\"", "line\nbreak", "", " "};
  const CsvTable table = read_csv("1,2,3,4,5,6\n" + csv_line(cells));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].cells, cells);
}

TEST(CsvReader, NamesTheLineOfWhatIsWrong)
{
  EXPECT_EQ(error_of(""), "found no line, expected one with the names of the columns");
  EXPECT_EQ(error_of("\n\r\n"), "found no line, expected one with the names of the columns");
  EXPECT_EQ(error_of("a,b\n1,2\n1,2,3\n"), "line 3: found 3 cells, expected 2, one for each column");
  EXPECT_EQ(error_of("a,b\n\"x\ny\",2\n1\n"), "line 4: found 1 cell, expected 2, one for each column");
  EXPECT_EQ(error_of("a,,b\n"), "line 1: column 2 has no name");
  EXPECT_EQ(error_of("a,b,a\n"), "line 1: found the column a twice");
  EXPECT_EQ(error_of("a\n\"x\n\ny"), "line 2: found a quote that no other quote closes");
  EXPECT_EQ(error_of("a,b\n\"x\"y,1\n"),
            "line 2: found 'y' behind the quote that closes a cell, expected a comma or the end of the line");
}

} // namespace
} // namespace wormcast
