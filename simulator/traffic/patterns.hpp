#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/parameter.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// So that the weights of 2^31 shares add up within 64 bits.
inline constexpr std::uint64_t largest_traffic_weight = std::uint64_t{1} << 32;

/// How often a node sends to another one, against its other destinations.
struct TrafficShare {
  NodeId source{};
  NodeId destination{};
  std::uint64_t weight = 1; ///< from 1 to largest_traffic_weight
};

/// To whom the nodes of a network send.
struct PatternShares {
  /// Of each node's messages the share, from 0 to 1, that goes to all other nodes alike (with include_self to all
  /// nodes). A node without any `chosen` sends all its messages so, unless this is 0: then it sends nothing.
  double even = 0;
  /// The rest, by weight within each source. Those of a node to itself count with include_self alone.
  std::vector<TrafficShare> chosen = {};
};

/// What a pattern is asked for.
struct PatternRequest {
  ParameterValues parameters; ///< as declared by the pattern
  std::uint64_t seed = 1;     ///< run.seed
};

/// A spatial pattern of traffic, as `wormcast list patterns` shows it. Bit patterns: Dally & Towles, Principles and
/// Practices of Interconnection Networks (2004), section 3.2.
struct TrafficPattern {
  std::string name;
  std::string summary;
  std::string topologies = "any"; ///< kinds and sizes that it serves, for people
  std::string source = {};        ///< book or paper, and section
  /// Keys of [traffic] that only this pattern has, each called as the pattern or "NAME.REST".
  std::vector<Parameter> parameters = {};
  /// Throws InputError "KEY: ..." with the key of [traffic] at fault ("pattern": the pattern does not fit the
  /// topology), FileError where a file cannot be read.
  std::function<PatternShares(const Topology& topology, const PatternRequest& request)> make;
};

/// Adds a pattern behind all others: from then on configurations and commands know it. Register before anything else is
/// asked for: spans and references to patterns that were given out before are no longer valid. Throws InputError where
/// the name has others than a-z, 0-9 and _ or is taken, a parameter has another name than TrafficPattern::parameters
/// says, or `make` is missing.
void register_pattern(TrafficPattern pattern);

/// All patterns in the order in which they are listed.
std::span<const TrafficPattern> traffic_patterns();

/// Throws InputError on an unknown name, with the nearest known one.
const TrafficPattern& find_pattern(std::string_view name);

} // namespace wormcast
