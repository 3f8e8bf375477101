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

/// The limit of a weight, so that 2^31 weights add up within 64 bits.
inline constexpr std::uint64_t largest_traffic_weight = std::uint64_t{1} << 32;

/// The weight of a destination among all destinations of a node.
struct TrafficShare {
  NodeId source{};
  NodeId destination{};
  std::uint64_t weight = 1; ///< from 1 to largest_traffic_weight
};

/// The destinations of all nodes of a network.
struct PatternShares {
  /// The fraction, from 0 to 1, of each node's messages that goes to all other nodes alike (with include_self to all
  /// nodes). A node without any `chosen` sends all its messages so, unless this is 0: then it sends nothing.
  double even = 0;
  /// The destinations of the other messages, by weight within each source. Entries of a node to itself count only with
  /// include_self.
  std::vector<TrafficShare> chosen = {};
};

/// The input of a pattern.
struct PatternRequest {
  ParameterValues parameters; ///< as declared by the pattern
  std::uint64_t seed = 1;     ///< run.seed
};

/// A spatial pattern of traffic, as `wormcast list patterns` shows it. Bit patterns: Dally & Towles, Principles and
/// Practices of Interconnection Networks (2004), section 3.2.
struct TrafficPattern {
  std::string name;
  std::string summary;
  std::string topologies = "any"; ///< kinds and sizes that it supports, as text
  std::string source = {};        ///< book or paper, and section
  /// Keys of [traffic] of this pattern only, each with the pattern's name or "NAME.REST".
  std::vector<Parameter> parameters = {};
  /// Returns the destinations. Throws InputError "KEY: ..." with the faulty key of [traffic] ("pattern": the pattern
  /// does not fit the topology), FileError if a file cannot be read.
  std::function<PatternShares(const Topology& topology, const PatternRequest& request)> make;
};

/// Adds a pattern after all others, which configurations and commands can use from then on. Call this before any other
/// function that reads patterns: it invalidates spans and references to patterns. Throws InputError if the name has
/// characters other than a-z, 0-9 and _ or is in use, if the name of a parameter is not as TrafficPattern::parameters
/// requires, or if `make` is missing.
void register_pattern(TrafficPattern pattern);

/// Returns all patterns in the order of the listing.
std::span<const TrafficPattern> traffic_patterns();

/// Returns the pattern called `name`. Throws InputError with the nearest name if there is none.
const TrafficPattern& find_pattern(std::string_view name);

} // namespace wormcast
