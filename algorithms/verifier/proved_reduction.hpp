#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// Returns the number of tests of completeness by which fingerprints prove a reduction (Contributions): every node has
/// at the end the complete results that it must have, and none combines a contribution twice. Nothing: there is such an
/// error, which Contributions locates, or this way takes more memory than that one.
///
/// `steps` is order_by_step(schedule). The blocks are followed 64 at a time through all steps, so that their partial
/// results at all nodes fit into a cache: one after the other, where Contributions follows all of them at once. Both
/// count the same tests. Cost O(blocks carried); memory: 8 bytes for each message and each word of 64 blocks of which
/// it carries some, and 16 bytes for each node and block of a word.
std::optional<std::uint64_t> tests_of_proved_reduction(const Schedule& schedule, const StepOrder& steps,
                                                       std::uint32_t node_count);

/// A bound on the probability that one of so many tests by fingerprints was wrong.
double fingerprint_error_probability(std::uint64_t tests);

} // namespace wormcast
