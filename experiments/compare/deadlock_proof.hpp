#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/config/config.hpp"

#include <cstdint>
#include <string>

namespace wormcast {

/// With how many virtual channels a schedule is proved not to deadlock in the mode of its runs (deadlock_freedom()).
struct DeadlockProof {
  bool checked = false;        ///< whether a proof was tried
  std::uint32_t free_from = 0; ///< the fewest virtual channels; 0: not proved
};

/// Checked with router "wormhole" where routes are fixed, and of schedules of at most 2^20 messages: beyond that it can
/// take longer than a simulation.
DeadlockProof deadlock_proof(const Experiment& experiment, const Schedule& schedule);

/// "2"; "-": not proved; "?": not checked.
std::string fewest_channels_text(const DeadlockProof& proof);

/// The same as a cell of CSV: "2"; "": not proved; "not_checked".
std::string fewest_channels_cell(const DeadlockProof& proof);

/// What holds with so many virtual channels: "proved", "not_proved" or "not_checked".
std::string deadlock_verdict(const DeadlockProof& proof, std::uint32_t virtual_channels);

/// What the column "V" of a table says on a network with so many virtual channels.
std::string channels_legend(std::uint32_t virtual_channels);

} // namespace wormcast
