#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// An operation of a round.
struct RoundMember {
  std::shared_ptr<const Schedule> schedule; ///< with at least one message
  RunParameters run;                        ///< mode, jitter, ties, noise
};

/// Operations in rounds: all operations of a round start together; the next round starts after the last delivery and a
/// pause. Messages are numbered member by member in the order of the rounds: message m of a member is m plus the counts
/// of those before it. Memory: the schedules, and the sources of one round.
class RoundsSource final : public MessageSource {
public:
  /// Callbacks.
  struct Listener {
    /// A member's message requests its port; `message` is its number in the member's schedule. May be empty.
    std::function<void(std::size_t member, MessageId message, std::int64_t now)> requested = {};
    /// A member's last message has arrived.
    std::function<void(std::size_t member, std::int64_t now)> ended;
  };

  /// Each round has `count` of the `members`. `network` needs resolve_for; both must outlive the source. Throws
  /// InputError if there are more than 2^32 - 2 messages.
  RoundsSource(const Topology& topology, const NetworkParameters& network, std::vector<RoundMember> members,
               std::size_t count, Time pause, Listener listener);

  /// Starts the first round at `time`, which is not before the last time reported.
  void start(std::int64_t time);

  /// Returns the start of the running round; none: no round is running.
  std::optional<std::int64_t> active_since(std::int64_t now) const;
  /// Returns the start of the running round or, if none is running, of the next.
  std::int64_t round_start() const { return start_; }
  std::size_t round() const { return round_; }
  bool done() const { return round_ * count_ >= members_.size(); }

  /// Returns the member of a message.
  std::size_t member_of(MessageId message) const;
  /// Returns the number of a member's message 0.
  MessageId first_of(std::size_t member) const { return MessageId{static_cast<std::uint32_t>(first_[member])}; }

  std::int64_t next_time() const override;
  void pop(std::int64_t now, std::vector<NewMessage>& messages) override;
  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override;
  void port_released(MessageId message, std::int64_t now) override;
  bool wants_port_releases() const override { return true; }
  std::optional<std::uint64_t> message_count() const override { return first_.back(); }
  Rest rest() const override;

private:
  struct Active {
    std::unique_ptr<MessageSource> source;
    std::uint64_t arrived = 0;
    std::vector<Delivery> delivered;
  };

  MessageId own(std::size_t member, MessageId message) const
  {
    return MessageId{static_cast<std::uint32_t>(index(message) - first_[member])};
  }
  bool is_active(std::size_t member) const { return member / count_ == round_ && !active_.empty(); }

  const Topology& topology_;
  const NetworkParameters& network_;
  std::vector<RoundMember> members_;
  std::size_t count_;
  Time pause_;
  Listener listener_;
  std::vector<std::uint64_t> first_; // by member: the number of its message 0; then the number of all messages
  std::size_t round_ = 0;
  std::int64_t start_ = never;
  std::vector<Active> active_; // of the running round or the next one; empty: not started, or done
};

} // namespace wormcast
