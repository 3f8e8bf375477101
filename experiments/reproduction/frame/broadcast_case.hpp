#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wormcast {

/// One algorithm on one topology, as claims go through many of them.
struct BroadcastCase {
  std::string kind = "mesh";
  std::vector<std::int64_t> dims;
  std::string algorithm;
  std::map<std::string, RawValue, std::less<>> parameters = {};
  std::vector<std::int64_t> source = {}; ///< coordinates; empty: the node at the origin
  PortModel ports = {};
  Duplex duplex = Duplex::full;
  std::string tie = "no_wrap";
};

/// 2^n in each of `dimensions` dimensions.
std::vector<std::int64_t> square(int n, std::size_t dimensions = 2);

/// "recursion_based d=2 on mesh 4 x 4 from (1, 2)"; what is as usual is left out.
std::string title(const BroadcastCase& broadcast);

/// The case's network.
std::shared_ptr<const Topology> topology_of(const BroadcastCase& broadcast);

/// The schedule for a message of one byte a block, so that beta has no rounding; with `message_bytes` for that length.
Schedule schedule_of(const BroadcastCase& broadcast, const Topology& topology, std::uint64_t message_bytes = 0);

/// The verifier's report of schedule_of.
CheckReport check(const BroadcastCase& broadcast);

/// The same from every node of the topology.
std::vector<BroadcastCase> from_every_source(const BroadcastCase& broadcast);

/// The same from `count` different nodes of a mesh or torus (from all where there are no more): the corner at the
/// origin, the centre, the middle of each border at the origin, the opposite corner, the other corners, then a
/// pseudo-random sample with a fixed seed. of_some_sources says so in words.
std::vector<BroadcastCase> from_some_sources(const BroadcastCase& broadcast, std::uint32_t count);

/// "32 sources (corners, border, centre, seeded sample)"
std::string of_some_sources(std::uint32_t count);

/// A complete configuration for `wormcast run` and `wormcast check`, start-up 150 us and 0.5 us per byte as in the
/// figures of Zhuang & Liberatore; `more` is appended.
std::string config_text(const BroadcastCase& broadcast, std::uint64_t message_bytes = 4096,
                        const std::string& more = "");

} // namespace wormcast
