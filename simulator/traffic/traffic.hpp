#pragma once

#include "wormcast/simulator/traffic/message_lengths.hpp"
#include "wormcast/topologies/parameter.hpp"
#include "wormcast/topologies/quantity.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace wormcast {

/// Where each node sends (docs/load.md). Bit patterns: Dally & Towles, Principles and Practices of Interconnection
/// Networks (2004), section 3.2.
enum class PatternKind {
  uniform,        ///< any other node
  transpose,      ///< (x, y) to (y, x); where there are no coordinates bit i of the destination is bit i + b/2
  bit_complement, ///< bit i is not bit i
  bit_reverse,    ///< bit i is bit b-1-i
  bit_rotate,     ///< bit i is bit i+1
  shuffle,        ///< bit i is bit i-1
  tornado,        ///< nearly half way round in each dimension: ceil(k/2) - 1
  neighbour,      ///< the next node in each dimension
  permutation,    ///< a random one, made of the seed
  hot_spot,       ///< a share to the hot spots, the rest to any other node
  file            ///< weights from a file
};

/// When messages come into being at a node.
enum class Arrival {
  poisson,
  bernoulli, ///< in each flit time with the same probability
  periodic,  ///< at equal distances, with a random phase
  on_off     ///< Poisson in bursts
};

/// How long something lasts: as long as it takes, a time, or a number of messages that come into being.
using Extent = std::variant<std::monostate, Time, std::uint64_t>;

/// The [traffic] section of a configuration.
struct TrafficParameters {
  PatternKind pattern = PatternKind::uniform;
  std::optional<double> load; ///< offered bytes of a node and time, as a fraction of 1/T_c
  bool include_self = false;  ///< messages to the sender itself go through its own router; else there are none
  Arrival arrival = Arrival::poisson;
  MessageLengths lengths;
  std::vector<std::int64_t> hot_spots; ///< nodes
  double hot_share = 0;                ///< of messages that go to a hot spot
  std::filesystem::path file;          ///< of weights
  double burst = 0;                    ///< mean messages of a burst
  double duty = 1;                     ///< share of time in bursts
  Extent warm_up;
  Extent measure;
  double precision = 0.02; ///< half the 95 % interval of the mean latency, as a share of it
  std::optional<Time> drain;
};

/// The declarations of the section's keys.
std::span<const Parameter> traffic_declarations();

/// Throws InputError where keys do not fit together, "KEY: ..." with the key at fault.
TrafficParameters traffic_parameters(const ParameterValues& values);

} // namespace wormcast
