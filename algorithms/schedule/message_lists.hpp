#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// A message of a schedule: its position in Schedule::messages.
enum class MessageId : std::uint32_t {};
constexpr std::uint32_t index(MessageId message)
{
  return static_cast<std::uint32_t>(message);
}

/// A list of messages for each message, all in one array: 4 bytes an entry, and 8 a list up to the last one that is not
/// empty.
class MessageLists {
public:
  /// Returns the list of a message, valid until a list changes; empty if none was set.
  std::span<const MessageId> operator[](std::size_t message) const
  {
    if (message >= ends_.size()) {
      return {};
    }
    const std::size_t begin = message == 0 ? 0 : ends_[message - 1];
    return std::span(entries_).subspan(begin, ends_[message] - begin);
  }

  /// Sets the list of a message, which must not be a part of these lists. Cost O(its entries) if no later message has a
  /// list, else O(all entries and lists).
  void set(std::size_t message, std::span<const MessageId> list);

  /// Returns the number of entries of all lists.
  std::size_t entry_count() const { return entries_.size(); }

private:
  std::vector<MessageId> entries_; ///< by message
  std::vector<std::size_t> ends_;  ///< by message: where its entries end
};

} // namespace wormcast
