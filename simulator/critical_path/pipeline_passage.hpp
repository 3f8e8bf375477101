#pragma once

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// What is known of a delivered message's way through input-queued routers.
struct PipelinePassage {
  FlitTimes times;
  Time delivered;
  std::uint64_t flits = 0;
  std::span<const ContentionRecord> waits; ///< the message's own
};

/// When its start-up began.
Time pipeline_asked(const PipelinePassage& passage, const NetworkParameters& network);

/// When its sender's port was free for the next message.
Time pipeline_port_free(const PipelinePassage& passage, const NetworkParameters& network);

/// The segments from the beginning of the start-up to the delivery, or with `until_port_free` to that. They leave no
/// gap, and none is empty: waits of the header as they were recorded, and between them one segment for each stage of
/// the pipeline, for all routers that the header passed between the two.
std::vector<PathSegment> pipeline_segments(const PipelinePassage& passage, bool until_port_free,
                                           const NetworkParameters& network);

} // namespace wormcast
