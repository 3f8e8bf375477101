#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The data of a delivered message's passage through input-queued routers.
struct PipelinePassage {
  FlitTimes times;
  Time delivered;
  std::uint64_t flits = 0;
  std::span<const ContentionRecord> waits; ///< waits of the message
};

/// Returns the time at which its start-up began.
Time pipeline_asked(const PipelinePassage& passage, const NetworkParameters& network);

/// Returns the time at which its sender's port was free for the next message.
Time pipeline_port_free(const PipelinePassage& passage, const NetworkParameters& network);

/// Returns the segments from the beginning of the start-up to the delivery, or with `until_port_free` to the release of
/// the port. They leave no gap, and none is empty: the recorded waits of the header, and between them one segment for
/// each stage of the pipeline, which covers all routers that the header passed between two waits.
std::vector<PathSegment> pipeline_segments(const PipelinePassage& passage, bool until_port_free,
                                           const NetworkParameters& network);

} // namespace wormcast
