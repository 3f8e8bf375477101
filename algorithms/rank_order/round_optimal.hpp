#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Round-optimal n-block broadcast of Traeff 2022 (arXiv 2205.10072): the message is cut into n blocks and reaches all
/// N ranks in n - 1 + ceil(log2 N) rounds, the fewest possible with one full-duplex port, along the circulant graph of
/// circulant_schedule.hpp; ranks are relative to the source. In a round each rank sends one block and receives one, but
/// for the first rounds, in which few have anything to send, the source, to which nothing is sent, and the last rounds.
///
/// Derived, not taken from the author's code: send schedules are read off the receivers' (a rank sends what the rank
/// above it receives), and where the paper's rounds would send the last block again to a rank that has it, nothing is
/// sent, so that every node receives every block once: n (N - 1) messages. The proof that the schedule holds is the
/// verifier's, by test. Any number of nodes, any topology; steps can have channel contention. Cost O(N log^2 N + n N).
Algorithm round_optimal_algorithm();

} // namespace wormcast
