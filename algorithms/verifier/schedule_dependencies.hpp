#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace wormcast {

/// Which virtual channels the given messages of a schedule ask for while they hold which, as channel_dependencies() has
/// it for all routes of the topology. No message draws its route. Cost O(hops log hops).
ChannelDependencies schedule_dependencies(const Topology& topology, const Schedule& schedule,
                                          std::span<const MessageId> messages, std::uint32_t virtual_channels);

/// With how many virtual channels a channel a schedule is proved to be free of deadlock, the fewest of 1, 2, ...,
/// most_virtual_channels_tried: its channel dependencies have no cycle (Dally & Seitz 1987). None: it is not proved
/// with any of them. The condition suffices; a schedule that does not fulfil it may be lucky.
struct DeadlockFreedom {
  std::optional<std::uint32_t> by_step; ///< in lockstep: the messages of each step by themselves
  std::optional<std::uint32_t> at_once; ///< self-timed: the messages of all steps together
};

inline constexpr std::uint32_t most_virtual_channels_tried = 4;

/// Cost O(hops log hops) for each number tried. Nothing where some message draws its route, or the schedule has no
/// steps.
std::optional<DeadlockFreedom> deadlock_freedom(const Topology& topology, const Schedule& schedule);

} // namespace wormcast
