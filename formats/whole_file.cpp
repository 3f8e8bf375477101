#include "wormcast/formats/whole_file.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

namespace wormcast {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void throw_unreadable(const std::filesystem::path& file, std::string_view reason)
{
  throw FileError(fmt::format("cannot read {}: {}", file.string(), reason));
}

} // namespace

std::string read_whole_file(const std::filesystem::path& file, std::uint64_t limit)
{
  const std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(file.c_str(), "rbe"));
  if (!stream) {
    throw_unreadable(file, std::generic_category().message(errno));
  }
  std::string text;
  std::array<char, 1 << 16> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), stream.get())) {
    text.append(part.data(), count);
    if (text.size() > limit) {
      throw_unreadable(file, fmt::format("more than {}", format_bytes(limit)));
    }
  }
  if (std::ferror(stream.get()) != 0) { // a directory can be opened, not read
    throw_unreadable(file, std::generic_category().message(errno));
  }
  return text;
}

std::ifstream open_file(const std::filesystem::path& file)
{
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw FileError(fmt::format("{}: cannot be read: {}", file.string(), std::generic_category().message(errno)));
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw FileError(fmt::format("{}: cannot be read: it is a directory", file.string()));
  }
  return in;
}

} // namespace wormcast
