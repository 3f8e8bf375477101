#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Line pipeline (Zhuang & Liberatore, theorem 3): all nodes form a closed line, cut before the source, and the message
/// runs along it in M segments: segment f crosses hop h in step f + h. alpha = M + N - 2, beta = 1 + (N - 2)/M for N
/// nodes.
Algorithm line_pipeline_algorithm();

} // namespace wormcast
