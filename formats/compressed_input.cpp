#include "wormcast/formats/compressed_input.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bzlib.h>
#include <cstdint>
#include <istream>
#include <new>
#include <string_view>
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

namespace {

/// What a library of a format says of a step.
enum class Step : std::uint8_t { more, end, no_memory, damaged };

struct Bzip2 {
  using Stream = bz_stream;
  static constexpr std::string_view name = "bzip2";
  static constexpr int done = BZ_OK;

  static int begin(Stream& stream) { return BZ2_bzDecompressInit(&stream, 0, 0); }
  static void end(Stream& stream) { BZ2_bzDecompressEnd(&stream); }
  static int restart(Stream& stream)
  {
    end(stream);
    return begin(stream);
  }
  static Step step(Stream& stream)
  {
    const int result = BZ2_bzDecompress(&stream);
    if (result == BZ_OK || result == BZ_STREAM_END) {
      return result == BZ_OK ? Step::more : Step::end;
    }
    return result == BZ_MEM_ERROR ? Step::no_memory : Step::damaged;
  }
};

struct Gzip {
  using Stream = z_stream;
  static constexpr std::string_view name = "gzip";
  static constexpr int done = Z_OK;

  static int begin(Stream& stream)
  {
    constexpr int gzip_window = 15 + 16; // the largest window, and a header of gzip
    return inflateInit2(&stream, gzip_window);
  }
  static void end(Stream& stream) { inflateEnd(&stream); }
  static int restart(Stream& stream) { return inflateReset(&stream); }
  static Step step(Stream& stream)
  {
    const int result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_OK || result == Z_STREAM_END) {
      return result == Z_OK ? Step::more : Step::end;
    }
    return result == Z_MEM_ERROR ? Step::no_memory : Step::damaged;
  }
};

} // namespace

/// A file in the format of a library, whose streams have the same members in both.
template <typename Library> class CompressedInput::Compressed final : public Format {
public:
  Compressed(std::istream& in, std::string_view name) : Format(in, name)
  {
    if (Library::begin(stream_) != Library::done) {
      throw std::bad_alloc();
    }
  }
  ~Compressed() override { Library::end(stream_); }
  Compressed(const Compressed&) = delete;
  Compressed& operator=(const Compressed&) = delete;

  std::size_t read(std::span<unsigned char> bytes) override
  {
    stream_.next_out = reinterpret_cast<decltype(stream_.next_out)>(bytes.data());
    stream_.avail_out = static_cast<unsigned>(bytes.size());
    while (stream_.avail_out > 0) {
      if (stream_.avail_in == 0) {
        const std::span<char> part = next_part();
        if (part.empty() && at_end_) {
          break;
        }
        if (part.empty()) {
          fail(Library::name, "the file ends too early", 0);
        }
        stream_.next_in = reinterpret_cast<decltype(stream_.next_in)>(part.data());
        stream_.avail_in = static_cast<unsigned>(part.size());
      }
      if (at_end_ && Library::restart(stream_) != Library::done) { // files can be appended to one another
        throw std::bad_alloc();
      }
      const Step step = Library::step(stream_);
      if (step == Step::no_memory) {
        throw std::bad_alloc();
      }
      if (step == Step::damaged) {
        fail(Library::name, "they are damaged", stream_.avail_in);
      }
      at_end_ = step == Step::end;
    }
    return bytes.size() - stream_.avail_out;
  }

private:
  typename Library::Stream stream_{};
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
    format_ = std::make_unique<Compressed<Bzip2>>(in, name);
  } else if (begin[0] == 0x1f && static_cast<unsigned char>(begin[1]) == gzip_second) {
    format_ = std::make_unique<Compressed<Gzip>>(in, name);
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
