#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <ostream>
#include <string_view>

namespace wormcast {

/// A buffer of text before a stream, to which it is written in large parts. The stream's state shows whether writing
/// failed.
class TextOutput {
public:
  explicit TextOutput(std::ostream& out) : out_(out), buffer_(std::make_unique<char[]>(capacity)) {}
  ~TextOutput() { flush(); }
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;

  /// Appends texts and whole numbers.
  template <typename... Parts> void add(const Parts&... parts) { (add_one(parts), ...); }

private:
  static constexpr std::size_t capacity = std::size_t{1} << 18;
  static constexpr std::size_t longest_number = 20;

  void add_one(std::string_view text)
  {
    if (text.size() > capacity - size_) {
      flush();
      if (text.size() > capacity) {
        out_.write(text.data(), static_cast<std::streamsize>(text.size()));
        return;
      }
    }
    std::memcpy(buffer_.get() + size_, text.data(), text.size());
    size_ += text.size();
  }

  void add_one(std::uint64_t number)
  {
    if (longest_number > capacity - size_) {
      flush();
    }
    char* const end = std::to_chars(buffer_.get() + size_, buffer_.get() + capacity, number).ptr;
    size_ = static_cast<std::size_t>(end - buffer_.get());
  }

  void flush()
  {
    out_.write(buffer_.get(), static_cast<std::streamsize>(size_));
    size_ = 0;
  }

  std::ostream& out_;
  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0;
};

} // namespace wormcast
