#include "wormcast/experiments/process/launch.hpp"

#include "wormcast/values/number_text.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
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

/// The variables that note_launch() removes, by name.
std::map<std::string, std::string>& taken_variables()
{
  static std::map<std::string, std::string> taken;
  return taken;
}

} // namespace

void note_launch()
{
  for (const LauncherVariables& variables : launchers) {
    for (const char* variable : {variables.rank, variables.ranks}) {
      if (const char* const value = std::getenv(variable); value != nullptr) {
        taken_variables().insert_or_assign(variable, value);
      }
    }
  }
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
  for (const auto& [variable, value] : taken_variables()) {
    ::unsetenv(variable.c_str());
  }
}

void restore_launch()
{
  for (const auto& [variable, value] : taken_variables()) {
    ::setenv(variable.c_str(), value.c_str(), 1);
  }
}

const Launch& this_launch()
{
  return launch();
}

} // namespace wormcast
