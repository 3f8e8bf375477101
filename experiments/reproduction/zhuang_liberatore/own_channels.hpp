#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>

namespace wormcast::zhuang_liberatore {

/// The network of `topology` with external channels of its own for each pair of nodes of which one sends to the other
/// in `schedule`: routes are as long as they were, but messages of different pairs meet nowhere but at the ports. What
/// a run takes less time on it is what waiting for channels costs. Nodes keep their ids; routers in between follow.
std::unique_ptr<Topology> with_own_channels(const Topology& topology, const Schedule& schedule);

} // namespace wormcast::zhuang_liberatore
