#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

namespace wormcast {

/// Reads the lines of a file that anybody can have made. A line of more than 64 MiB, as /dev/zero and sparse files have
/// it, is refused before it takes the machine's memory.
class LineReader {
public:
  /// `in` must outlive the reader; `name` is the file's in error messages.
  LineReader(std::istream& in, std::string_view name) : in_(in), name_(name) {}

  /// The next line without its end into `line`; false where there is none, or the stream is bad. Throws InputError on a
  /// line that is too long.
  bool read(std::string& line);

  /// Of the line that was read last, from 1 on; 0 before the first.
  std::uint64_t number() const { return number_; }

private:
  std::istream& in_;
  std::string name_;
  std::uint64_t number_ = 0;
  std::array<char, std::size_t{1} << 14> part_ = {};
};

} // namespace wormcast
