#pragma once

#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_memory.hpp"

namespace wormcast {

/// Executes the steps in their order on symbolic values, and adds to `use` what reads nothing, counts twice or ends
/// wrong, whether something writes to i out of place, and the root.
void execute_msccl(const MscclAlgorithm& algorithm, const MscclOrder& order, const MscclMemory& memory, MscclUse& use);

} // namespace wormcast
