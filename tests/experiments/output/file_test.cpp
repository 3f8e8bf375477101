#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/output/file.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::read_file;
using testing::TemporaryDirectory;

TEST(OutputFile, AppearsWhenComplete)
{
  const TemporaryDirectory directory;
  const auto file = directory.path() / "out.txt";
  OutputFile output(file);
  output.stream() << "text";
  output.stream().flush();
  EXPECT_FALSE(std::filesystem::exists(file));
  output.commit();
  EXPECT_EQ(read_file(file), "text");
  EXPECT_EQ(directory.names(), std::vector<std::string>{"out.txt"});
}

TEST(OutputFile, KeepsTheOldFileUntilComplete)
{
  const TemporaryDirectory directory;
  const auto file = directory.write("out.txt", "old");
  {
    OutputFile output(file);
    output.stream() << std::string(1 << 20, 'x');
  }
  EXPECT_EQ(read_file(file), "old");
  EXPECT_EQ(directory.names(), std::vector<std::string>{"out.txt"});
}

TEST(OutputFile, SymbolicLinksStay)
{
  const TemporaryDirectory directory;
  const auto file = directory.write("out.txt", "old");
  const auto link = directory.path() / "link";
  std::filesystem::create_symlink(file, link);
  write_output(link, "new");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(read_file(file), "new");
}

TEST(OutputFile, LongTextsPassThroughTheBuffer)
{
  const TemporaryDirectory directory;
  const auto file = directory.path() / "out.txt";
  std::string expected;
  OutputFile output(file);
  for (const std::size_t size : {1, 65535, 2, 65536, 70000, 200000, 3}) {
    const std::string part(size, static_cast<char>('a' + size % 26));
    output.stream() << part << 'X';
    expected += part + 'X';
  }
  output.commit();
  EXPECT_EQ(read_file(file), expected);
}

std::string output_error(const std::filesystem::path& file)
{
  try {
    write_output(file, std::string(100, 'x'));
  } catch (const OutputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OutputFile, Errors)
{
  const TemporaryDirectory directory;
  const auto file = directory.write("file", "");
  EXPECT_EQ(output_error("/dev/full"), "cannot write /dev/full: No space left on device");
  EXPECT_EQ(output_error(file / "below"), "cannot write " + (file / "below").string() + ": Not a directory");
  EXPECT_EQ(output_error(directory.path() / "missing/out"),
            "cannot write " + (directory.path() / "missing/out").string() + ": No such file or directory");
  EXPECT_EQ(output_error(directory.path()), "cannot write " + directory.path().string() + ": Is a directory");
}

} // namespace
} // namespace wormcast
