#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <cstdint>
#include <string_view>

namespace wormcast {

/// What a test does to the things that a claim looks at, to see that the claim's verdict can turn.
enum class Mutation {
  none,
  message_dropped,    ///< of every schedule one message of the last step is lost
  message_redirected, ///< of every schedule one message of the last step goes to another node
  message_moved,      ///< of every schedule one message of the last step is sent in the first one
  value_changed       ///< what the paper says (a formula, a bound, a transcribed entry) is off by one
};

/// For the names of tests.
std::string_view mutation_name(Mutation mutation);

/// Applies a mutation to everything that is measured by this process, and by those that it starts, while this object
/// lives. Made by tests alone. Scopes do not nest.
class MutationScope {
public:
  explicit MutationScope(Mutation mutation);
  ~MutationScope();
  MutationScope(const MutationScope&) = delete;
  MutationScope& operator=(const MutationScope&) = delete;
};

/// A value of the paper on its way to a comparison: as it is, or one more under Mutation::value_changed.
std::int64_t as_claimed(std::int64_t value);
Fraction as_claimed(const Fraction& value);

/// A bound of the paper that must not be passed upwards: as it is, or one less under Mutation::value_changed.
std::int64_t as_upper_bound(std::int64_t value);
Fraction as_upper_bound(const Fraction& value);

/// A schedule on its way to a check: as it is, or changed under one of the mutations of messages.
Schedule as_made(Schedule schedule, std::uint32_t node_count);

} // namespace wormcast
