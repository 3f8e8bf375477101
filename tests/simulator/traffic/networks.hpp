#pragma once

#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {

inline std::unique_ptr<const Topology> grid_of(const std::string& kind, std::vector<std::int64_t> dims,
                                               const std::string& tie = "no_wrap")
{
  TopologyDescription description;
  description.kind = kind;
  description.parameters.set("dims", std::move(dims));
  return make_topology(description, {.tie = tie});
}

inline std::unique_ptr<const Topology> hypercube_of(std::int64_t dimension)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", dimension);
  return make_topology(description);
}

/// Router "wormhole", 1 ns a flit of one byte, no other delays.
inline NetworkParameters plain_network()
{
  NetworkParameters network;
  network.per_byte = Time{1000};
  return network;
}

/// BookSim2's router with its defaults, 1 ns a cycle, buffers of 8 flits.
inline NetworkParameters booksim_network(std::uint32_t virtual_channels, bool speculative, bool tail_credit)
{
  NetworkParameters network = plain_network();
  network.router = &find_router("input_queued");
  network.buffer_flits = 8;
  network.virtual_channels = virtual_channels;
  network.pipeline.speculative = speculative;
  network.pipeline.piggyback = speculative;
  network.pipeline.releases_at_credit = tail_credit;
  return network;
}

inline TrafficParameters traffic_of(const char* pattern, std::uint64_t bytes, Arrival arrival = Arrival::poisson)
{
  TrafficParameters traffic;
  traffic.pattern = pattern;
  traffic.arrival = arrival;
  traffic.lengths = MessageLengths::fixed(bytes);
  return traffic;
}

/// One of several classes, called after its pattern.
inline TrafficClass class_of(const TrafficParameters& traffic, double weight)
{
  TrafficClass one{static_cast<const MessageGeneration&>(traffic), {}};
  one.name = traffic.pattern;
  one.weight = weight;
  return one;
}

inline RunParameters seeded(std::uint64_t seed)
{
  RunParameters run;
  run.seed = seed;
  return run;
}

} // namespace wormcast::testing
