#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <cstddef>
#include <cstdint>

namespace wormcast {

/// The verdict of a measurement under load.
enum class LoadVerdict {
  stable,    ///< the network carries the offered load
  saturated, ///< the backlog in flight grows by more than chance explains
  undecided  ///< the measurement is too short for a verdict
};

/// Why a measurement is undecided.
enum class UndecidedBy {
  nothing,     ///< the measurement is decided
  messages,    ///< fewer than fewest_messages were generated
  growth,      ///< the backlog in flight grew, but not by more than chance explains
  drain,       ///< not all measured messages arrived before the drain time was over
  correlation, ///< too short for independent batches: no interval
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

/// A verdict needs at least this number of measured messages.
inline constexpr std::uint64_t fewest_messages = 1000;

/// A backlog with this growth_score or more grows by more than chance explains.
inline constexpr double least_growth_score = 3;

/// Returns the accepted load: in a stable network all of the offered load; else what was delivered, reduced in
/// proportion if by chance more was generated than offered, and at most what was offered.
double accepted_load(double offered, double created, double delivered, bool stable);

/// Estimates the time over which the waits of a queue under this load depend on each other (picoseconds): the
/// heavy-traffic limit s (c_a^2 + c_s^2) / (1 - u)^2 (Whitt, "Planning queueing simulations", Management Science 35,
/// 1989), with the mean service time s (start-up and flits), the squared coefficients of variation of gaps (1; 0 for
/// periodic arrivals) and lengths, and the utilisation u of the busiest channel, which is known before the measurement.
/// At least s; infinite if the channel is full. Bursts are ignored; gaps and lengths are those of
/// the messages of all classes together. Cost: that of expected_load, but not for routing
/// romm.
double correlation_picoseconds(const Topology& topology, const NetworkParameters& network,
                               const TrafficClasses& classes, double load);

/// Returns the least number of correlation times in a window that has an interval: 80, and more if few nodes send,
/// because their waits have rare large values that a short window misses, so that mean and interval would be too small.
double fewest_correlation_times(std::uint64_t senders);

/// Returns the largest number of batch means in the interval of a window: 8 for the shortest window with an interval,
/// 16 or 32 for windows 3 and 12 times as long. 0: the window is too short.
std::size_t most_means_of(double correlation_times, std::uint64_t senders);

} // namespace wormcast
