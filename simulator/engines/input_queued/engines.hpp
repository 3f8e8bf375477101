#pragma once

#include "wormcast/simulator/engines/engine.hpp"

#include <memory>

namespace wormcast {

/// Makes engine "cycle" of router "input_queued": it executes cycle by cycle, steps only routers with work, and skips
/// cycles without any. Needs resolve_for(network).
std::unique_ptr<Engine> make_cycle_engine(const EngineInput& input);

/// Returns whether one event per header hop gives the exact times of router "input_queued". It needs one virtual
/// channel, released with the tail's credit, buffers that cover the round trip of a credit, and no delay that makes
/// messages wait for a busy unit. Needs resolve_for(network).
bool pipeline_closed_form_holds(const NetworkParameters& network);

/// Makes engine "worm" of router "input_queued": one event per header hop, whatever the message length. Needs
/// pipeline_closed_form_holds(network).
std::unique_ptr<Engine> make_pipeline_worm_engine(const EngineInput& input);

} // namespace wormcast
