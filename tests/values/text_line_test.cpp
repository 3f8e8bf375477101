// Lines as std::getline reads them, up to a limit.

#include "tests/values/expect_input_error.hpp"
#include "wormcast/values/text_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace wormcast {
namespace {

std::vector<std::string> lines_of(const std::string& text)
{
  std::istringstream in(text);
  LineReader reader(in, "f");
  std::vector<std::string> lines;
  for (std::string line; reader.read(line);) {
    lines.push_back(line);
    EXPECT_EQ(reader.number(), lines.size());
  }
  return lines;
}

TEST(LineReader, ReadsWhatGetlineReads)
{
  constexpr std::size_t part = std::size_t{1} << 14; // of the reader's buffer
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, part - 2, part - 1, part, part + 1, 3 * part - 3}) {
    for (const char* end : {"", "\n", "\n\n", "\nx", "\r\n"}) {
      const std::string text = "first\n" + std::string(length, '\0') + end;
      std::istringstream in(text);
      std::vector<std::string> expected;
      for (std::string line; std::getline(in, line);) {
        expected.push_back(line);
      }
      EXPECT_EQ(lines_of(text), expected) << length << ' ' << end;
    }
  }
}

TEST(LineReader, RefusesALineWithoutEnd)
{
  std::istringstream in("a\n" + std::string((std::size_t{1} << 26) + (std::size_t{1} << 15), ' '));
  LineReader reader(in, "f");
  std::string line;
  EXPECT_TRUE(reader.read(line));
  EXPECT_EQ(input_error([&] { reader.read(line); }), "f:2: a line of more than 64 MiB");
}

} // namespace
} // namespace wormcast
