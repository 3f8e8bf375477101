#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// The bytes of a stream from left to right, decompressed where it begins as bzip2 ("BZh") or gzip (1f 8b) does. Memory
/// is that of a buffer, however long the stream is.
class CompressedInput {
public:
  /// `name` is that of the file in errors; more than `limit` bytes are one. `in` must outlive the input.
  CompressedInput(std::istream& in, std::string_view name, std::uint64_t limit);
  ~CompressedInput();
  CompressedInput(const CompressedInput&) = delete;
  CompressedInput& operator=(const CompressedInput&) = delete;

  /// Fills `bytes` and returns how many there were before the end. Throws InputError for data that are cut or damaged.
  std::size_t read(std::span<unsigned char> bytes);

  /// The number of decompressed bytes that have been read.
  std::uint64_t offset() const { return offset_; }

private:
  class Format;
  class Plain;
  template <typename Library> class Compressed;

  std::string name_;
  std::uint64_t limit_;
  std::uint64_t offset_ = 0;
  std::unique_ptr<Format> format_;
};

/// All bytes of such a stream. Throws InputError for more than `limit`.
std::string decompressed(std::istream& in, std::string_view name, std::uint64_t limit);

} // namespace wormcast
