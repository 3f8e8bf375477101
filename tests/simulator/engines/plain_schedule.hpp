#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wormcast::testing {

/// A mesh or torus.
inline TopologyDescription grid(const std::string& kind, std::vector<std::int64_t> dims)
{
  TopologyDescription description;
  description.kind = kind;
  description.parameters.set("dims", std::move(dims));
  return description;
}

/// One message of a plain list.
struct Send {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t bytes = 1;
  std::int64_t start = 0; ///< picoseconds
  std::vector<std::uint32_t> after = {};
};

inline Schedule plain_schedule(const TopologyDescription& topology, const std::vector<Send>& sends)
{
  Schedule schedule;
  schedule.topology = topology;
  schedule.operation = Operation::none;
  for (const Send& send : sends) {
    schedule.messages.push_back({.source = NodeId{send.source}, .destination = NodeId{send.destination}});
    std::vector<MessageId> after;
    for (const std::uint32_t id : send.after) {
      after.push_back(MessageId{id});
    }
    schedule.after.set(schedule.plain.size(), after);
    schedule.plain.push_back({.bytes = send.bytes, .start = Time{send.start}});
  }
  return schedule;
}

/// T_s = 1000 ps, T_f = 5 ps, T_c = 10 ps, one byte a flit, two flits a buffer, one port.
inline NetworkParameters small_network()
{
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_hop = Time{5};
  network.per_byte = Time{10};
  return network;
}

} // namespace wormcast::testing
