#pragma once

#include "wormcast/simulator/engines/engine.hpp"

#include <memory>

namespace wormcast {

/// One event per header hop, whatever the message length. Needs closed_form_holds(network); with several virtual
/// channels its times are right up to first_shared().
std::unique_ptr<Engine> make_worm_engine(const EngineInput& input);

/// Every flit moved on its own, rule 4 literally; serves any number of virtual channels.
std::unique_ptr<Engine> make_flit_engine(const EngineInput& input);

} // namespace wormcast
