#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

namespace wormcast {

/// Reads the lines of a file from an untrusted source. A line of more than 64 MiB, as in /dev/zero and sparse files, is
/// refused before it uses up the machine's memory.
class LineReader {
public:
  /// `in` must outlive the reader; `name` is the file's name in error messages.
  LineReader(std::istream& in, std::string_view name) : in_(in), name_(name) {}

  /// Reads the next line without its end into `line`; returns false if there is none, or if the stream is bad. Throws
  /// InputError for a line that is too long.
  bool read(std::string& line);

  /// Returns the number of the line read last, from 1 on; 0 before the first.
  std::uint64_t number() const { return number_; }

private:
  std::istream& in_;
  std::string name_;
  std::uint64_t number_ = 0;
  std::array<char, std::size_t{1} << 14> part_ = {};
};

} // namespace wormcast
