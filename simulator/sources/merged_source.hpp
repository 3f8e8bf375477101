#pragma once

#include "wormcast/simulator/model/message_source.hpp"

#include <memory>
#include <vector>

namespace wormcast {

/// A message of one of several sources that run together.
struct PartMessage {
  std::size_t part = 0;
  MessageId message{}; ///< the part's own number
};

/// Several sources as one: each receives reports of its own messages only. Parts that know how many messages they have
/// are first, each with a range of its own: message m of such a part is m plus the counts of those before it. The
/// numbers after these ranges are shared by the other parts, in turn. Throws InputError if a number exceeds 2^32 - 2.
class MergedSource final : public MessageSource {
public:
  explicit MergedSource(std::vector<std::unique_ptr<MessageSource>> parts);

  std::int64_t next_time() const override;
  void pop(std::int64_t now, std::vector<NewMessage>& messages) override;
  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override;
  void port_released(MessageId message, std::int64_t now) override;
  bool wants_port_releases() const override;
  std::optional<std::uint64_t> message_count() const override;
  Rest rest() const override;

  /// Returns the part of a message.
  PartMessage part_of(MessageId message) const;
  /// Returns the number of a part's message in the merged source.
  MessageId merged(PartMessage message) const;

private:
  struct Part {
    std::unique_ptr<MessageSource> source;
    std::uint64_t first = 0;  // the number of its message 0
    std::uint64_t stride = 1; // distance between the numbers of its messages
    std::vector<Delivery> delivered;
  };

  std::vector<Part> parts_;
  std::uint64_t counted_ = 0; // messages of the parts that know how many they have
  std::vector<std::size_t> counted_parts_;
  std::vector<std::size_t> uncounted_parts_;
};

} // namespace wormcast
