#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

namespace wormcast {

/// Returns the schedule with a dissemination barrier (D. Hensgen, R. Finkel and U. Manber, Two algorithms for barrier
/// synchronization, Int. J. Parallel Programming 17(1), 1988) before each step but the first, so that no message of a
/// step is sent before all of earlier steps are delivered, and nobody needs a clock for it. The barrier is among the P
/// nodes that send or receive a message of the schedule: in round k = 0 .. ceil(log2 P) - 1 each sends a message
/// without bytes to the one that is 2^k places behind it in the circle of these nodes by id. These messages have the
/// ids behind those of the schedule and block sets without blocks, and each round is a step of its own, so that the
/// numbers of later steps grow.
///
/// In a self-timed run a node begins a barrier when its turn comes at its port and all messages to it of the step
/// before are delivered; a round, and the messages of the step behind the barrier, wait for these and for all that the
/// node receives in earlier rounds (Schedule::after).
///
/// Throws InputError for a plain message list or a program, which have no steps, and if there are more than 2^32 - 1
/// messages.
Schedule with_barriers(const Schedule& schedule);

} // namespace wormcast
