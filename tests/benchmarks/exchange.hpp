#pragma once

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/simgrid/wormhole_model.hpp"
#include "wormcast/simulator/sources/online_network.hpp"

#include <fmt/format.h>
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <vector>

namespace wormcast::testing {

/// Each node of a 32 x 32 mesh exchanges this many messages with its mirror image, on the online network alone. Returns
/// how many there were.
inline std::uint64_t exchange_online(int rounds)
{
  const auto topology = make_topology(grid("mesh", {32, 32}));
  const std::uint32_t nodes = topology->node_count();
  OnlineNetwork network(*topology, small_network());
  std::vector<int> sent(nodes, 0);
  std::vector<std::uint32_t> senders(nodes);
  const auto send = [&](std::uint32_t node, std::int64_t time) {
    senders[node] = node;
    network.send(NodeId{node}, NodeId{nodes - 1 - node}, 64, time, &senders[node]);
  };
  for (std::uint32_t node = 0; node < nodes; ++node) {
    send(node, 0);
  }
  network.commit();
  while (network.next_event_time()) {
    for (const OnlineNetwork::Delivery& delivery : network.advance()) {
      const std::uint32_t node = *static_cast<std::uint32_t*>(delivery.tag);
      if (++sent[node] < rounds) {
        send(node, network.now());
      }
    }
    network.commit();
  }
  return network.message_count();
}

/// The same by actors with mailboxes.
inline std::uint64_t exchange_by_mailboxes(int rounds)
{
  static char payload = 0;
  const auto topology = make_topology(grid("mesh", {32, 32}));
  const NetworkParameters network = small_network();
  const std::uint32_t nodes = topology->node_count();
  SimGridPlatform platform(*topology, network);
  const WormholeModel model(platform, network);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    simgrid::s4u::Actor::create("exchanges", &platform.host(NodeId{node}), [node, nodes, rounds] {
      auto* const out = simgrid::s4u::Mailbox::by_name(fmt::format("{}", nodes - 1 - node));
      auto* const in = simgrid::s4u::Mailbox::by_name(fmt::format("{}", node));
      for (int i = 0; i < rounds; ++i) {
        const auto going = out->put_async(&payload, 64);
        in->get<char>();
        going->wait();
      }
    });
  }
  platform.run();
  return model.network().message_count();
}

} // namespace wormcast::testing
