#include "wormcast/formats/compressed_input.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bzlib.h>
#include <istream>
#include <new>
#include <zlib.h>

namespace wormcast {

/// The bytes as they are stored, and what is made of them.
class CompressedInput::Format {
public:
  Format(std::istream& in, std::string_view name) : in_(in), name_(name) {}
  virtual ~Format() = default;
  Format(const Format&) = delete;
  Format& operator=(const Format&) = delete;

  /// Fills `bytes` up to the end.
  virtual std::size_t read(std::span<unsigned char> bytes) = 0;

protected:
  /// Reads the next stored bytes; none at the end.
  std::span<char> next_part()
  {
    in_.read(part_.data(), static_cast<std::streamsize>(part_.size()));
    const auto count = static_cast<std::size_t>(in_.gcount());
    stored_ += count;
    return std::span(part_).first(count);
  }

  /// `left` bytes of the last part have not been read.
  [[noreturn]] void fail(std::string_view compression, std::string_view problem, std::size_t left) const
  {
    throw InputError(fmt::format("{}: byte {} of the {} data: {}", name_, stored_ - left, compression, problem));
  }

private:
  std::istream& in_;
  std::string name_;
  std::uint64_t stored_ = 0;
  std::array<char, 1 << 16> part_{};
};

class CompressedInput::Plain final : public Format {
public:
  using Format::Format;

  std::size_t read(std::span<unsigned char> bytes) override
  {
    std::size_t count = 0;
    while (count < bytes.size()) {
      if (left_.empty()) {
        left_ = next_part();
      }
      if (left_.empty()) {
        break;
      }
      const std::size_t taken = std::min(left_.size(), bytes.size() - count);
      std::copy_n(left_.begin(), taken, bytes.begin() + static_cast<std::ptrdiff_t>(count));
      left_ = left_.subspan(taken);
      count += taken;
    }
    return count;
  }

private:
  std::span<char> left_;
};

class CompressedInput::Bzip2 final : public Format {
public:
  Bzip2(std::istream& in, std::string_view name) : Format(in, name) { begin(); }
  ~Bzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Bzip2(const Bzip2&) = delete;
  Bzip2& operator=(const Bzip2&) = delete;

  std::size_t read(std::span<unsigned char> bytes) override
  {
    stream_.next_out = reinterpret_cast<char*>(bytes.data());
    stream_.avail_out = static_cast<unsigned>(bytes.size());
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        const std::span<char> part = next_part();
        if (part.empty() && at_end_) {
          break;
        }
        if (part.empty()) {
          fail("bzip2", "the file ends too early", 0);
        }
        stream_.next_in = part.data();
        stream_.avail_in = static_cast<unsigned>(part.size());
      }
      if (at_end_) { // files can be appended to one another
        BZ2_bzDecompressEnd(&stream_);
        begin();
      }
      const int result = BZ2_bzDecompress(&stream_);
      if (result == BZ_MEM_ERROR) {
        throw std::bad_alloc();
      }
      if (result != BZ_OK && result != BZ_STREAM_END) {
        fail("bzip2", "they are damaged", stream_.avail_in);
      }
      at_end_ = result == BZ_STREAM_END;
    }
    return bytes.size() - stream_.avail_out;
  }

private:
  void begin()
  {
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) {
      throw std::bad_alloc();
    }
    at_end_ = false;
  }

  bz_stream stream_{};
  bool at_end_ = false;
};

class CompressedInput::Gzip final : public Format {
public:
  Gzip(std::istream& in, std::string_view name) : Format(in, name)
  {
    constexpr int gzip_window = 15 + 16; // the largest window, and a header of gzip
    if (inflateInit2(&stream_, gzip_window) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::size_t read(std::span<unsigned char> bytes) override
  {
    stream_.next_out = bytes.data();
    stream_.avail_out = static_cast<unsigned>(bytes.size());
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        const std::span<char> part = next_part();
        if (part.empty() && at_end_) {
          break;
        }
        if (part.empty()) {
          fail("gzip", "the file ends too early", 0);
        }
        stream_.next_in = reinterpret_cast<unsigned char*>(part.data());
        stream_.avail_in = static_cast<unsigned>(part.size());
      }
      if (at_end_) { // files can be appended to one another
        inflateReset(&stream_);
        at_end_ = false;
      }
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) {
        throw std::bad_alloc();
      }
      if (result != Z_OK && result != Z_STREAM_END) {
        fail("gzip", "they are damaged", stream_.avail_in);
      }
      at_end_ = result == Z_STREAM_END;
    }
    return bytes.size() - stream_.avail_out;
  }

private:
  z_stream stream_{};
  bool at_end_ = false;
};

CompressedInput::CompressedInput(std::istream& in, std::string_view name, std::uint64_t limit)
    : name_(name), limit_(limit)
{
  constexpr unsigned char gzip_second = 0x8b;
  const int first = in.peek();
  std::array<char, 3> begin{};
  if (first == 'B' || first == 0x1f) {
    in.read(begin.data(), begin.size());
    in.clear();
    in.seekg(0);
  }
  if (begin == std::array{'B', 'Z', 'h'}) {
    format_ = std::make_unique<Bzip2>(in, name);
  } else if (begin[0] == 0x1f && static_cast<unsigned char>(begin[1]) == gzip_second) {
    format_ = std::make_unique<Gzip>(in, name);
  } else {
    format_ = std::make_unique<Plain>(in, name);
  }
}

CompressedInput::~CompressedInput() = default;

std::size_t CompressedInput::read(std::span<unsigned char> bytes)
{
  const std::size_t count = format_->read(bytes);
  offset_ += count;
  if (offset_ > limit_) {
    throw InputError(fmt::format("{}: more than {}", name_, format_bytes(limit_)));
  }
  return count;
}

std::string decompressed(std::istream& in, std::string_view name, std::uint64_t limit)
{
  CompressedInput input(in, name, limit);
  std::string all;
  std::array<unsigned char, 1 << 16> part{};
  while (const std::size_t count = input.read(part)) {
    all.append(reinterpret_cast<const char*>(part.data()), count);
  }
  return all;
}

} // namespace wormcast
