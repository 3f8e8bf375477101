#include "wormcast/algorithms/imported/netrace.hpp"

#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace wormcast::fuzz {

bool run_netrace(std::string_view input)
{
  std::istringstream in{std::string(input)};
  const Netrace trace = read_netrace(in, "requests.tra");
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < trace.nodes; ++node) {
    nodes.push_back(NodeId{node});
  }
  const auto to_others = static_cast<std::size_t>(std::ranges::count_if(
      trace.packets, [](const NetracePacket& packet) { return packet.source != packet.destination; }));
  for (const bool closed : {false, true}) {
    const Schedule list = netrace_messages(trace, {.closed = closed}, nodes, "requests.tra");
    require(list.messages.size() == to_others && list.plain.size() == to_others, "packets to others are messages");
  }
  Program program = netrace_program(trace, {.keep_think = true}, "requests.tra");
  require(program.sends.size() == to_others, "packets to others are sent");
  if (trace.nodes <= 64) {
    check_and_simulate_on_line(std::move(program));
  }
  return true;
}

} // namespace wormcast::fuzz
