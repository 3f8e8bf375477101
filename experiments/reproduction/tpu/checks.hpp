#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

namespace wormcast {

/// What twisted tori are claimed to gain in an all-to-all (Jouppi et al., ISCA 2023), with their distances, bounds and
/// simulated worms.
Paper tpu_paper();

} // namespace wormcast
