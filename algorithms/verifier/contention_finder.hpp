#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/work_watch.hpp"

#include <limits>

namespace wormcast {

/// Finds the messages of a step that share a directed channel with one another, step by step in ascending order.
/// Memory: two words a channel, and of the current step one for each message and three for each hop.
class ContentionFinder {
public:
  explicit ContentionFinder(const Topology& topology)
      : step_(topology.channel_count(), none), head_(topology.channel_count(), none)
  {}

  /// Calls found(earlier message, first shared channel) once for each earlier message of the step that shares a channel
  /// of `route`. Cost O(hops + earlier users of the channels).
  template <typename Found>
  void add(std::uint32_t step, MessageId message, std::span<const ChannelId> route, Found&& found)
  {
    const auto number = static_cast<std::uint32_t>(seen_by_.size()); // of the message in its step
    seen_by_.push_back(none);
    for (const ChannelId channel : route) {
      const std::uint32_t c = index(channel);
      if (step_[c] != step) {
        step_[c] = step;
        head_[c] = none;
      }
      for (std::uint32_t user = head_[c]; user != none; user = users_[user].next) {
        steps_.add();
        if (seen_by_[users_[user].number] != number) {
          seen_by_[users_[user].number] = number;
          found(users_[user].message, channel);
        }
      }
    }
    for (const ChannelId channel : route) {
      users_.push_back({message, number, head_[index(channel)]});
      head_[index(channel)] = static_cast<std::uint32_t>(users_.size() - 1);
    }
  }

  void end_step()
  {
    users_.clear();
    seen_by_.clear();
  }

private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct User {
    MessageId message{};
    std::uint32_t number = 0;  ///< of the message in its step
    std::uint32_t next = none; ///< in users_, of the same channel
  };
  std::vector<std::uint32_t> step_;    ///< by channel: the step that head_ is of
  std::vector<std::uint32_t> head_;    ///< by channel: its last user in users_
  std::vector<User> users_;            ///< of the current step
  std::vector<std::uint32_t> seen_by_; ///< by number of a message in the current step: that of the last later message
                                       ///< with which it shares a channel
  WorkSteps steps_;
};

} // namespace wormcast
