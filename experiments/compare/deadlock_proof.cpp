#include "wormcast/experiments/compare/deadlock_proof.hpp"

#include "wormcast/algorithms/verifier/schedule_dependencies.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace wormcast {

DeadlockProof deadlock_proof(const Experiment& experiment, const Schedule& schedule)
{
  constexpr std::size_t most_messages = std::size_t{1} << 20;
  if (experiment.network.router != &default_router() || !has_fixed_routes(experiment) ||
      schedule.messages.size() > most_messages) {
    return {};
  }
  const auto freedom = deadlock_freedom(*experiment.topology, schedule);
  if (!freedom) {
    return {};
  }
  const auto& fewest = experiment.run.mode == Mode::lockstep ? freedom->by_step : freedom->at_once;
  return {.checked = true, .free_from = fewest.value_or(0)};
}

std::string fewest_channels_text(const DeadlockProof& proof)
{
  if (!proof.checked) {
    return "?";
  }
  return proof.free_from == 0 ? "-" : fmt::to_string(proof.free_from);
}

std::string fewest_channels_cell(const DeadlockProof& proof)
{
  if (!proof.checked) {
    return "not_checked";
  }
  return proof.free_from == 0 ? "" : fmt::to_string(proof.free_from);
}

std::string deadlock_verdict(const DeadlockProof& proof, std::uint32_t virtual_channels)
{
  if (!proof.checked) {
    return "not_checked";
  }
  return proof.free_from == 0 || proof.free_from > virtual_channels ? "not_proved" : "proved";
}

std::string channels_legend(std::uint32_t virtual_channels)
{
  return fmt::format(
      "V: virtual channels with which no deadlock can be, of which there are {} here (-: not proved with "
      "up to {}; ?: not checked)\n",
      virtual_channels, most_virtual_channels_tried);
}

} // namespace wormcast
