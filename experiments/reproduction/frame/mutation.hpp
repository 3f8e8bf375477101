#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>
#include <utility>

namespace wormcast {

/// The change that a test makes to the data of a claim, to show that the claim's verdict can change.
enum class Mutation {
  none,
  message_dropped,    ///< of every schedule one message of the last step is lost
  message_redirected, ///< of every schedule one message of the last step goes to another node
  message_moved,      ///< of every schedule one message of the last step is sent in the first one
  value_changed,      ///< what the paper says (a formula, a bound, a transcribed entry) is off by its least step
  finding_stated,     ///< the paper says what was found: the measured value, or the statement weakened to what holds
  data_changed        ///< what is measured is other, in a way that the claim says (Claim::changed_data)
};

/// For the names of tests.
inline constexpr auto mutation_names =
    names<Mutation>({{Mutation::none, "none"},
                     {Mutation::message_dropped, "a message dropped"},
                     {Mutation::message_redirected, "a message redirected"},
                     {Mutation::message_moved, "a message moved to the first step"},
                     {Mutation::value_changed, "the claimed value off by its least step"},
                     {Mutation::finding_stated, "the claim saying what was found"},
                     {Mutation::data_changed, "other measurements"}});

/// Applies a mutation to everything that is measured by this process, and by those that it starts, while this object
/// lives. Made by tests alone. Scopes do not nest.
class MutationScope {
public:
  explicit MutationScope(Mutation mutation);
  ~MutationScope();
  MutationScope(const MutationScope&) = delete;
  MutationScope& operator=(const MutationScope&) = delete;
};

/// Whether this is the mutation of this moment.
bool is_mutated_by(Mutation mutation);

/// A value of the paper on its way to a comparison: as it is, or under Mutation::value_changed more by its least step:
/// a whole number by 1, a fraction by one unit of its denominator.
std::int64_t as_claimed(std::int64_t value);
Fraction as_claimed(const Fraction& value);

/// Bounds of the paper move against what it says, because a claim of one side cannot fail on the other: one that must
/// not be passed upwards becomes less by its least step, one that must not be passed downwards more. Where the measured
/// values are fractions of a finer unit than a bound, the step is this unit.
std::int64_t as_upper_bound(std::int64_t value);
Fraction as_upper_bound(const Fraction& value);
Fraction as_upper_bound(const Fraction& value, const Fraction& unit);
std::int64_t as_lower_bound(std::int64_t value);
Fraction as_lower_bound(const Fraction& value, const Fraction& unit);

/// What the paper says on its way to a check (a value, a formula, a rule), or under Mutation::finding_stated what was
/// found in its place.
template <typename Value> Value as_stated(Value stated, Value found)
{
  return is_mutated_by(Mutation::finding_stated) ? std::move(found) : std::move(stated);
}

/// What was measured on its way to a verdict, or under Mutation::data_changed what the claim makes of it.
template <typename Value> Value as_measured(Value measured, Value changed)
{
  return is_mutated_by(Mutation::data_changed) ? std::move(changed) : std::move(measured);
}

/// A schedule on its way to a check: as it is, or changed under one of the mutations of messages.
Schedule as_made(Schedule schedule, std::uint32_t node_count);

} // namespace wormcast
