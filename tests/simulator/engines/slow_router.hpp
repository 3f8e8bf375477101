#pragma once

#include <string>
#include <vector>

namespace wormcast::testing {

/// An input-queued router and its network, in cycles and flits (docs/routers.md).
struct SlowNetwork {
  bool torus = false;
  std::vector<int> dims;
  bool ties_go_up = false;
  int virtual_channels = 1;
  int buffer_flits = 8;
  bool speculative = false;
  std::string vc_allocator = "islip"; ///< or another one of allocator_names, or "piggyback"
  std::string allocator = "islip";
  int iterations = 1;
  int input_speedup = 1;
  int internal_speedup = 1;
  std::string priority = "none"; ///< or "local_age", "age", "message"
  bool tail_credit = false;
  int routing_delay = 0;
  int switch_delay = 1;
  int credit_delay = 0;
  int link_delay = 1;
  int startup = 0;
  std::string routing = "dimension_order"; ///< or "west_first", "odd_even", "minimal_adaptive", "valiant", "romm"
};

struct SlowMessage {
  long earliest = 0;
  int source = 0;
  int destination = 0;
  long flits = 1;
  std::vector<int> after;
  int by = -1;      ///< valiant, romm: the node in between
  int priority = 0; ///< with priority "message" the highest comes first
};

/// Cycles; -1: never.
struct SlowTimes {
  long head_injected = -1;
  long tail_injected = -1;
  long head_ejected = -1;
  long tail_ejected = -1;

  friend bool operator==(const SlowTimes&, const SlowTimes&) = default;
};

/// The rules of docs/routers.md one after the other, with every router looked at in every cycle and every flit an
/// object of its own. Shares nothing with the simulator. Stops when all is delivered or nothing can move any more.
std::vector<SlowTimes> run_slowly(const SlowNetwork& network, const std::vector<SlowMessage>& messages);

} // namespace wormcast::testing
