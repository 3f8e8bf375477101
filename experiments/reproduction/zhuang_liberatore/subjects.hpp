#pragma once

#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <string>
#include <vector>

namespace wormcast::zhuang_liberatore {

/// An algorithm of table 1 under the paper's name for it.
struct Subject {
  std::string title;
  BroadcastCase broadcast;
};

/// RD, NP-RD(2), RB, NP-SC(2) and SC on a 2^n x 2^n mesh.
std::vector<Subject> subjects(int n);

/// What section 2.3 leaves out, and what section 2.2 says of paths.
struct Routers {
  Time hop;               ///< T_f
  Hold hold = Hold::tail; ///< path: "occupies the entire path until the transfer finishes"
};

/// "T_f = 5 us, tail hold"
std::string title(const Routers& routers);

/// Network of the papers' figures with these routers, and buffers that cover a hop of up to 16 us.
NetworkParameters network_with(const BroadcastCase& broadcast, const Routers& routers);

} // namespace wormcast::zhuang_liberatore
