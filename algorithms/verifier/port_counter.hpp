#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Counts the messages of a step at each port, step by step in ascending order: with k ports at most k sends and k
/// receives of a node, with half duplex k of both together; with all ports one message over each external channel that
/// is the first or last of its route, with half duplex one over both channels of a link.
class PortCounter {
public:
  PortCounter(const Topology& topology, const Schedule& schedule);

  /// A port that a message is one too many for.
  struct Excess {
    enum class Kind { sends, receives, both, channel_out, channel_in, link };
    NodeId node{};
    Kind kind = Kind::sends;
    std::uint32_t sends = 0; ///< messages of the step so far, where ports are counted
    std::uint32_t receives = 0;

    std::string text() const; ///< "sends 2 messages"
  };

  /// Returns the limits that this message, with the earlier ones of the step, exceeds; valid until the next call. Cost
  /// O(1), with all ports and half duplex O(degree).
  std::span<const Excess> add(std::uint32_t step, const Message& message, std::span<const ChannelId> route);

  /// The fewest ports per node that all messages so far need.
  std::uint32_t needed() const { return needed_; }

private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Count {
    std::uint32_t step = none;
    std::uint32_t messages = 0;
  };
  static std::uint32_t in_step(const Count& count, std::uint32_t step);
  static std::uint32_t count(Count& count, std::uint32_t step);

  void check_channels(std::uint32_t step, const Message& message, std::span<const ChannelId> route);
  std::optional<ChannelId> opposite(ChannelId channel) const;

  const Topology& topology_;
  PortModel ports_;
  bool half_duplex_;
  std::vector<Count> sends_; ///< by node
  std::vector<Count> receives_;
  std::vector<Count> leaving_; ///< by external channel
  std::vector<Count> entering_;
  std::uint32_t needed_ = 1;
  std::vector<Excess> excesses_;
};

} // namespace wormcast
