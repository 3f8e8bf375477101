#pragma once

#include "wormcast/simulator/engines/engine.hpp"

#include <memory>

namespace wormcast {

/// Makes engine "worm": one event per header hop, whatever the message length. With several virtual channels its times
/// are exact up to first_shared().
std::unique_ptr<Engine> make_worm_engine(const EngineInput& input);

/// Makes engine "flit": every flit is moved individually, as rule 4 states, with any number of virtual channels.
std::unique_ptr<Engine> make_flit_engine(const EngineInput& input);

} // namespace wormcast
