#pragma once

#include "wormcast/simulator/traffic/message_lengths.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace wormcast {

/// When messages come into being at a node.
enum class Arrival {
  poisson,
  bernoulli, ///< in each flit time with the same probability
  periodic,  ///< at equal distances, with a random phase
  on_off     ///< Poisson in bursts
};

/// Values of traffic.arrival.
inline constexpr auto arrival_names = names<Arrival>({{Arrival::poisson, "poisson"},
                                                      {Arrival::bernoulli, "bernoulli"},
                                                      {Arrival::periodic, "periodic"},
                                                      {Arrival::on_off, "on_off"}});

/// How long something lasts: as long as it takes, a time, or a number of messages that come into being.
using Extent = std::variant<std::monostate, Time, std::uint64_t>;

/// The [traffic] section of a configuration.
struct TrafficParameters {
  std::string pattern = "uniform";    ///< where each node sends: one of traffic_patterns()
  ParameterValues pattern_parameters; ///< as declared by the pattern
  std::optional<double> load;         ///< offered bytes of a node and time, as a fraction of 1/T_c
  bool include_self = false;          ///< messages to the sender itself go through its own router; else there are none
  Arrival arrival = Arrival::poisson;
  MessageLengths lengths;
  double burst = 0; ///< mean messages of a burst
  double duty = 1;  ///< share of time in bursts
  Extent warm_up;
  Extent measure;
  double precision = 0.02; ///< half the 95 % interval of the mean latency, as a share of it
  std::optional<Time> drain;
};

/// Files that the pattern reads.
std::vector<std::filesystem::path> pattern_files(const TrafficParameters& traffic);

/// The declarations of the section's keys; those of patterns are optional, whatever the pattern says.
std::span<const Parameter> traffic_declarations();

/// Throws InputError where keys do not fit together, "KEY: ..." with the key at fault.
TrafficParameters traffic_parameters(const ParameterValues& values);

} // namespace wormcast
