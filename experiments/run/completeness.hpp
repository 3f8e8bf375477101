#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/values/input_error.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace wormcast {

/// A schedule that does not do its operation, so that its time would be misleading. The program ends with exit code 3.
class IncompleteSchedule : public InputError {
public:
  using InputError::InputError;
};

/// Whether a schedule does its operation.
struct Completeness {
  std::optional<bool> complete; ///< none: a plain message list has no operation, or it could not be found out
  std::string undone;           ///< where it is not complete: "does not broadcast: 239 of 240 nodes lack it"
};

/// Looks at possession alone, and only where Algorithm::always_complete does not say it already.
Completeness completeness(const Experiment& experiment, const Schedule& schedule);

/// The same; throws IncompleteSchedule where it is not complete, unless the run is `unchecked`, and InputError where it
/// cannot be found out for lack of memory.
Completeness require_completeness(const Experiment& experiment, const Schedule& schedule);

/// The sentence of an IncompleteSchedule: `algorithm` is a name.
std::string incomplete_text(std::string_view algorithm, std::string_view undone);

} // namespace wormcast
