#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace wormcast {

/// An array of plain values that only grows, aligned as their type asks for. The system's realloc moves pages instead
/// of contents where the array is large, so that growing needs neither the time nor the memory of a second copy.
template <typename Value> class GrowingArray {
  static_assert(std::is_trivially_copyable_v<Value>);

public:
  GrowingArray() = default;
  ~GrowingArray() { std::free(memory()); }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  std::size_t size() const { return size_; }
  Value* data() { return values_; }
  const Value* data() const { return values_; }
  Value& operator[](std::size_t i) { return values_[i]; }
  const Value& operator[](std::size_t i) const { return values_[i]; }

  /// Grows the array to at least `size` values; new values are undefined. Cost: constant for each value, amortized.
  void grow(std::size_t size)
  {
    if (size > size_) {
      grow_beyond(size);
    }
  }

private:
  // Where realloc aligns too little, the values begin behind the memory's begin, and so many bytes are before them. The
  // last of these are their number, so that an array is no larger for it.
  using Offset = std::size_t;
  static constexpr bool is_offset = alignof(Value) > alignof(std::max_align_t);

  static Offset* offset_before(void* values) { return static_cast<Offset*>(values) - 1; }
  void* memory() const
  {
    if constexpr (is_offset) {
      void* const values = values_;
      return values == nullptr ? nullptr : static_cast<std::byte*>(values) - *offset_before(values);
    } else {
      return values_;
    }
  }

  [[gnu::noinline]] void grow_beyond(std::size_t size)
  {
    const std::size_t larger = size_ == 0 ? size + 64 : (size > size_ + size_ / 2 ? size : size_ + size_ / 2);
    const Offset before = is_offset && size_ != 0 ? *offset_before(values_) : 0;
    void* values = std::realloc(memory(), larger * sizeof(Value) + (is_offset ? alignof(Value) : 0));
    if (values == nullptr) {
      throw std::bad_alloc();
    }
    if constexpr (is_offset) {
      const Offset offset = alignof(Value) - reinterpret_cast<std::uintptr_t>(values) % alignof(Value);
      auto* const begin = static_cast<std::byte*>(values);
      if (offset != before) {
        std::memmove(begin + offset, begin + before, size_ * sizeof(Value));
      }
      values = begin + offset;
      *offset_before(values) = offset;
    }
    values_ = static_cast<Value*>(values);
    size_ = larger;
  }

  Value* values_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace wormcast
