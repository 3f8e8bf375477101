#pragma once

#include "wormcast/simulator/engines/engine.hpp"

#include <memory>

namespace wormcast {

/// Router "input_queued": cycle by cycle, where only routers with something to do are looked at and cycles without any
/// are skipped. Needs resolve_for(network).
std::unique_ptr<Engine> make_cycle_engine(const EngineInput& input);

/// Router "input_queued": whether one event per header hop gives the exact times. It needs one virtual channel, given
/// back with the tail's credit, buffers that cover the way of a credit, and no delay that makes messages wait for a
/// unit at work. Needs resolve_for(network).
bool pipeline_closed_form_holds(const NetworkParameters& network);

/// Router "input_queued": one event per header hop, whatever the message length. Needs
/// pipeline_closed_form_holds(network).
std::unique_ptr<Engine> make_pipeline_worm_engine(const EngineInput& input);

} // namespace wormcast
