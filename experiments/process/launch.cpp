#include "wormcast/experiments/process/launch.hpp"

#include "wormcast/values/number_text.hpp"

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace wormcast {

namespace {

struct LauncherVariables {
  const char* rank;
  const char* ranks;
  std::array<const char*, 3> id; ///< that together name a launch
};

constexpr std::array slurm_id = {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"};

// Not SLURM_NTASKS: a batch script has it with SLURM_PROCID = 0, though it is no rank of a step.
constexpr std::array launchers = {
    LauncherVariables{"OMPI_COMM_WORLD_RANK",
                      "OMPI_COMM_WORLD_SIZE",
                      {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "OMPI_MCA_orte_hnp_uri"}},
    LauncherVariables{"PMIX_RANK", "SLURM_STEP_NUM_TASKS", slurm_id},    // srun --mpi=pmix
    LauncherVariables{"PMI_RANK", "PMI_SIZE", slurm_id},                 // srun --mpi=pmi2, mpiexec of MPICH
    LauncherVariables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", slurm_id}, // srun --mpi=none
};

std::string_view text_in(const char* variable)
{
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::string_view() : value;
}

std::optional<std::size_t> number_in(const char* variable)
{
  return number_of_text<std::size_t>(text_in(variable));
}

Launch& launch()
{
  static Launch noted;
  return noted;
}

} // namespace

void note_launch()
{
  for (const LauncherVariables& variables : launchers) {
    const auto rank = number_in(variables.rank);
    const auto ranks = number_in(variables.ranks);
    if (!rank || !ranks || *rank >= *ranks) {
      continue;
    }
    launch() = {.rank = *rank, .ranks = *ranks};
    for (const char* variable : variables.id) {
      if (const std::string_view part = text_in(variable); !part.empty()) {
        launch().id += (launch().id.empty() ? "" : ".") + std::string(part);
      }
    }
    break;
  }
  for (const LauncherVariables& variables : launchers) {
    ::unsetenv(variables.rank);
    ::unsetenv(variables.ranks);
  }
}

const Launch& this_launch()
{
  return launch();
}

} // namespace wormcast
