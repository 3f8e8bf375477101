#pragma once

#include "wormcast/simulator/engines/engine.hpp"

#include <cstdint>
#include <memory>

namespace wormcast {

/// Makes an engine that runs the batches of a source (MessageSource::batch_count(), not 0) on EngineInput::threads,
/// each batch on one of them by an engine that RouterEngine::starts_anew. Times, records and their order are those of
/// one such engine. Paths must not be requested (RecordSinks::path). Throws InputError if the system does not give so
/// many threads.
///
/// Memory: an engine for each thread, and about 250 bytes for each message and 100 for each record of the batches that
/// are run at a time. These are as many as there are threads, and more where they are small.
std::unique_ptr<Engine> make_batch_engine(const RouterEngine& kind, const EngineInput& input);

/// Returns whether make_batch_engine() suits a run: there are several threads and batches, which are not so large that
/// one thread needs less time than it takes to keep their records.
bool runs_batches_on_threads(const RouterEngine& kind, const EngineInput& input);

} // namespace wormcast
