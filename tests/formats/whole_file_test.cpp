#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace wormcast {
namespace {

using ::testing::StrEq;
using ::testing::ThrowsMessage;

TEST(WholeFile, HasAllBytesUpToTheLimit)
{
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("wormcast-whole-file-" + std::to_string(::getpid()));
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(200'000, 'x');
  std::ofstream(file, std::ios::binary) << bytes;
  EXPECT_EQ(read_whole_file(file), bytes);
  EXPECT_EQ(read_whole_file(file, bytes.size()), bytes);
  EXPECT_EQ(read_whole_file(file, any_length), bytes);
  EXPECT_THAT([&] { read_whole_file(file, 1024); },
              ThrowsMessage<FileError>(StrEq("cannot read " + file.string() + ": more than 1 KiB")));
  std::filesystem::remove(file);
}

TEST(WholeFile, ThatCannotBeReadIsAnError)
{
  EXPECT_THAT([] { read_whole_file("/no/such/file"); },
              ThrowsMessage<FileError>(StrEq("cannot read /no/such/file: No such file or directory")));
  EXPECT_THAT([] { read_whole_file("/"); }, ThrowsMessage<FileError>(StrEq("cannot read /: Is a directory")));
  EXPECT_THAT([] { read_whole_file("/dev/zero", 1 << 20); },
              ThrowsMessage<FileError>(StrEq("cannot read /dev/zero: more than 1 MiB")));
}

} // namespace
} // namespace wormcast
