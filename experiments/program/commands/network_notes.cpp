#include "wormcast/experiments/program/commands/network_notes.hpp"

#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/experiments/process/launch.hpp"
#include "wormcast/experiments/run/imported_check.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace wormcast {

std::vector<NetworkWarning> warnings_of(const Experiment& experiment)
{
  return experiment.run.fluid ? fluid_warnings(experiment.network, experiment.run)
                              : network_warnings(experiment.network, *experiment.topology);
}

std::vector<NetworkWarning> warnings_of(const ProgramMachine& machine)
{
  return network_warnings(machine.network, *machine.topology);
}

std::vector<NetworkWarning> warnings_of(const SweepPlan& plan, std::string_view point)
{
  const auto checked = static_cast<std::size_t>(
      std::ranges::count_if(plan.points, [](const SweepPoint& planned) { return planned.error.empty(); }));
  std::vector<NetworkWarning> warnings;
  for (const PlannedWarning& warning : plan.warnings) {
    warnings.push_back(warning.first);
    if (checked > 1) {
      warnings.back().text =
          warning.points == checked
              ? fmt::format("all {} {}s, for instance the first: {}", checked, point, warning.first.text)
              : fmt::format("{} of {} {}s, for instance the first of them: {}", warning.points, checked, point,
                            warning.first.text);
    }
  }
  return warnings;
}

void say_warnings(const std::vector<NetworkWarning>& warnings)
{
  if (this_launch().rank > 0) {
    return;
  }
  for (const NetworkWarning& warning : warnings) {
    const bool severe = warning.kind != NetworkWarning::Kind::ring_deadlock;
    spdlog::log(severe ? spdlog::level::warn : spdlog::level::info, "{}", printable(warning.text));
  }
}

void say_refuted(const Experiment& experiment)
{
  const ScheduleFileKind kind = schedule_file_kind(experiment.schedule_file);
  if (this_launch().rank > 0 || !is_imported(kind)) {
    return;
  }
  try {
    const std::vector<Finding> findings = check_imported(experiment.schedule_file, kind).findings;
    if (!findings.empty()) {
      spdlog::warn("{}: check refutes it: {}", experiment.schedule_file.string(),
                   printable(finding_text(findings.front())));
    }
  } catch (const InputError&) { // too large for a proof, not for a run
  }
}

} // namespace wormcast
