#pragma once

#include "tests/simulator/engines/plain_schedule.hpp"

#include <rapidcheck.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace wormcast::testing {

/// Up to three dimensions of up to six nodes, at least two nodes.
inline TopologyDescription random_grid()
{
  const auto kind = *rc::gen::element<std::string>("mesh", "torus");
  auto dims =
      *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(1, 4), rc::gen::inRange<std::int64_t>(1, 7));
  if (std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>()) == 1) {
    dims[0] = 2;
  }
  return grid(kind, dims);
}

/// One virtual channel, and buffers that cover the hop latency: what both engines can run.
inline NetworkParameters random_network()
{
  NetworkParameters network;
  network.startup = Time{*rc::gen::inRange(0, 40)};
  network.per_byte = Time{*rc::gen::inRange(1, 6)};
  network.flit_bytes = *rc::gen::inRange<std::uint64_t>(1, 5);
  network.buffer_flits = *rc::gen::inRange<std::uint64_t>(1, 7);
  const std::int64_t covered = static_cast<std::int64_t>(network.buffer_flits) * network.flit_time().picoseconds;
  network.per_hop =
      Time{*rc::gen::oneOf(rc::gen::just<std::int64_t>(0), rc::gen::inRange<std::int64_t>(0, covered + 1))};
  network.ports.count = *rc::gen::element<std::uint32_t>(1, 1, 2, 3, PortModel::all);
  network.duplex = *rc::gen::element(Duplex::full, Duplex::full, Duplex::half);
  network.hold = *rc::gen::element(Hold::tail, Hold::tail, Hold::path);
  network.switching =
      *rc::gen::element(Switching::wormhole, Switching::wormhole, Switching::cut_through, Switching::store_and_forward);
  network.routing.tie = *rc::gen::element<std::string>("no_wrap", "positive", "random");
  return network;
}

/// Some with a start, some after another.
inline std::vector<Send> random_sends(std::uint32_t nodes)
{
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 60);
  const auto longest = *rc::gen::element<std::uint64_t>(1, 8, 60);
  const auto spread = *rc::gen::element<std::int64_t>(1, 100, 1000);
  std::vector<Send> sends;
  for (std::uint32_t i = 0; i < count; ++i) {
    Send send;
    send.source = *rc::gen::inRange<std::uint32_t>(0, nodes);
    send.destination = (send.source + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes;
    send.bytes = *rc::gen::inRange<std::uint64_t>(1, longest + 1);
    send.start = *rc::gen::inRange<std::int64_t>(0, spread);
    if (i > 0 && *rc::gen::inRange(0, 4) == 0) {
      send.after.push_back(*rc::gen::inRange<std::uint32_t>(0, i));
    }
    sends.push_back(send);
  }
  return sends;
}

/// Steps of random messages, with many that meet and many that do not.
inline Schedule random_steps(const TopologyDescription& description, std::uint32_t nodes)
{
  Schedule schedule;
  schedule.topology = description;
  schedule.blocks = 5;
  schedule.message_bytes = *rc::gen::inRange<std::uint64_t>(5, 300);
  const auto steps = *rc::gen::inRange<std::uint32_t>(1, 6);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 12);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto source = *rc::gen::inRange<std::uint32_t>(0, nodes);
      const std::uint32_t destination = (source + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes;
      const auto end = *rc::gen::inRange<std::uint32_t>(1, 6);
      schedule.messages.push_back({.step = step,
                                   .source = NodeId{source},
                                   .destination = NodeId{destination},
                                   .blocks = schedule.block_sets.intern({0, end})});
    }
  }
  return schedule;
}

} // namespace wormcast::testing
