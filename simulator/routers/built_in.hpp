#pragma once

#include "wormcast/simulator/model/routers.hpp"

namespace wormcast {

/// Makes router "wormhole": the model of docs/network-model.md, in continuous time.
RouterModel wormhole_router();

/// Makes router "input_queued": BookSim2's input-queued router with a pipeline, cycle for cycle (docs/routers.md).
RouterModel input_queued_router();

} // namespace wormcast
