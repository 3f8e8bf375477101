#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <cstddef>
#include <cstdint>

namespace wormcast {

/// What a measurement under load says of the network.
enum class LoadVerdict {
  stable,    ///< it carries what is offered
  saturated, ///< what is in flight grows by more than chance explains
  undecided  ///< the measurement is too short for either
};

/// Why a measurement is undecided.
enum class UndecidedBy {
  nothing,     ///< it is not
  messages,    ///< fewer than fewest_messages were generated
  growth,      ///< what is in flight grew, but not by more than chance explains
  drain,       ///< not all measured messages arrived before the drain time was over
  correlation, ///< too short for batches that pass for independent: no interval
};

/// "stable", "saturated", "undecided".
inline constexpr auto load_verdict_names = names<LoadVerdict>(
    {{LoadVerdict::stable, "stable"}, {LoadVerdict::saturated, "saturated"}, {LoadVerdict::undecided, "undecided"}});
/// "messages", "growth", "drain", "correlation"; "" for nothing.
inline constexpr auto undecided_names = names<UndecidedBy>({{UndecidedBy::nothing, ""},
                                                            {UndecidedBy::messages, "messages"},
                                                            {UndecidedBy::growth, "growth"},
                                                            {UndecidedBy::drain, "drain"},
                                                            {UndecidedBy::correlation, "correlation"}});

/// No verdict is made of fewer measured messages.
inline constexpr std::uint64_t fewest_messages = 1000;

/// The growth_score from which a backlog grows by more than chance explains.
inline constexpr double least_growth_score = 3;

/// About the time over which the waits of a queue under this load depend on each other (picoseconds): the heavy-traffic
/// limit s (c_a^2 + c_s^2) / (1 - u)^2 (Whitt, "Planning queueing simulations", Management Science 35, 1989), with the
/// mean service time s (start-up and flits), the squared coefficients of variation of gaps (1; 0 for periodic arrivals)
/// and lengths, and the utilisation u of the busiest channel, which is known before anything is measured. At least s;
/// infinite where the channel is full. Bursts are not in it. Cost: expected_load's, but not for routing romm.
double correlation_picoseconds(const Topology& topology, const NetworkParameters& network,
                               const TrafficParameters& traffic, const Pattern& pattern, double load);

/// Of so many correlation times a window with an interval consists at least: 80, and more where few nodes send, whose
/// waits have rare large values that a short window misses, so that it would find mean and interval too small.
double fewest_correlation_times(std::uint64_t senders);

/// Of so many batch means the interval of a window is made at most: 8 of the shortest that has one, 16 or 32 of windows
/// 3 and 12 times as long. 0: the window is too short.
std::size_t most_means_of(double correlation_times, std::uint64_t senders);

} // namespace wormcast
