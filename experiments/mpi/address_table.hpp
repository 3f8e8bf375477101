#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// Values by address, for many that come and go: all in one array, as each is looked up a few times at most and would
/// else be out of the processor's caches each time. Places of values hold until one is added or removed.
template <typename Value> class AddressTable {
public:
  AddressTable() : slots_(std::size_t{1} << least_bits) {}

  bool empty() const { return count_ == 0; }

  /// Null where there is none.
  const Value* find(const void* address) const
  {
    const std::size_t place = place_of(address);
    return slots_[place].address == nullptr ? nullptr : &slots_[place].value;
  }
  Value* find(const void* address) { return const_cast<Value*>(std::as_const(*this).find(address)); }

  /// Adds a value, or replaces the one that is there. `address` is not null.
  Value& set(const void* address, const Value& value)
  {
    std::size_t place = place_of(address);
    if (slots_[place].address == nullptr) {
      if (2 * (count_ + 1) > slots_.size()) {
        grow();
        place = place_of(address);
      }
      ++count_;
    }
    slots_[place] = {address, value};
    return slots_[place].value;
  }

  /// Removes a value that is there.
  void erase(const void* address)
  {
    std::size_t free = place_of(address);
    // Those behind it must be found without a gap before them.
    for (std::size_t next = following(free); slots_[next].address != nullptr; next = following(next)) {
      const std::size_t first = first_place(slots_[next].address);
      const bool is_between = free <= next ? free < first && first <= next : free < first || first <= next;
      if (!is_between) {
        slots_[free] = slots_[next];
        free = next;
      }
    }
    slots_[free] = {};
    --count_;
  }

private:
  static constexpr unsigned least_bits = 6;

  struct Slot {
    const void* address = nullptr;
    Value value = {};
  };

  std::size_t first_place(const void* address) const
  {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U; // 2^64 over the golden ratio: Fibonacci hashing
    return static_cast<std::size_t>((reinterpret_cast<std::uintptr_t>(address) * golden) >> (64 - bits_));
  }
  std::size_t following(std::size_t place) const { return (place + 1) & (slots_.size() - 1); }

  /// Where the value of an address is, or would be.
  std::size_t place_of(const void* address) const
  {
    std::size_t place = first_place(address);
    while (slots_[place].address != nullptr && slots_[place].address != address) {
      place = following(place);
    }
    return place;
  }

  void grow()
  {
    std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    ++bits_;
    for (const Slot& slot : before) {
      if (slot.address != nullptr) {
        slots_[place_of(slot.address)] = slot;
      }
    }
  }

  std::vector<Slot> slots_; // a power of two, at least twice as many as values
  std::size_t count_ = 0;
  unsigned bits_ = least_bits;
};

} // namespace wormcast
