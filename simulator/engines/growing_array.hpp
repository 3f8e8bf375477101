#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace wormcast {

/// An array of plain values that only grows. The system's realloc moves pages instead of contents where the array is
/// large, so that growing needs neither the time nor the memory of a second copy.
template <typename Value> class GrowingArray {
  static_assert(std::is_trivially_copyable_v<Value>);

public:
  GrowingArray() = default;
  ~GrowingArray() { std::free(values_); }
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
  [[gnu::noinline]] void grow_beyond(std::size_t size)
  {
    const std::size_t larger = size_ == 0 ? size + 64 : (size > size_ + size_ / 2 ? size : size_ + size_ / 2);
    void* values = std::realloc(static_cast<void*>(values_), larger * sizeof(Value));
    if (values == nullptr) {
      throw std::bad_alloc();
    }
    values_ = static_cast<Value*>(values);
    size_ = larger;
  }

  Value* values_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace wormcast
