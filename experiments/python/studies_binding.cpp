#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/load/load_report.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/python/bindings.hpp"
#include "wormcast/experiments/python/values.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/printable.hpp"

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <optional>
#include <pybind11/stl.h>
#include <sys/prctl.h>
#include <utility>

namespace wormcast {

namespace {

namespace py = pybind11;

/// A study that a process of its own carries out: it forks, which a process with threads must not.
struct Study {
  ConfigSource config;
  std::filesystem::path folder;
  bool resume = false;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
};

Study study_of(const py::dict& given)
{
  return {.config = config_source(given),
          .folder = given["folder"].cast<std::string>(),
          .resume = given["resume"].cast<bool>(),
          .jobs = given["jobs"].cast<std::optional<std::int64_t>>(),
          .repeat = given["repeat"].cast<std::optional<std::int64_t>>()};
}

ResultStore open_store(const Study& study)
{
  return {study.folder, study.resume ? ResultStore::Opening::resume : ResultStore::Opening::fresh};
}

nlohmann::ordered_json interrupted(int signal, const ResultStore& store)
{
  return {{"type", "Error"},
          {"error", fmt::format("interrupted ({}): what is finished is kept in {}", ::strsignal(signal),
                                store.file().string())}};
}

nlohmann::ordered_json sweep(const Study& study)
{
  const SweepOptions options = {.jobs = job_count(study.jobs)};
  RawConfig config = read_config(study.config);
  if (study.repeat) {
    set_repetitions(config, *study.repeat);
  }
  SweepPicture picture;
  picture.plan = plan_sweep(config);
  picture.title = sweep_title(config, picture.plan);
  picture.plots = config.plots;
  const InterruptGuard interrupts;
  ResultStore store = open_store(study);
  const SweepOutcome outcome = run_sweep(config, picture.plan, store, options);
  if (outcome.interrupted_by != 0) {
    return interrupted(outcome.interrupted_by, store);
  }
  const RunTable table = run_table(picture.plan, outcome.points);
  keep_picture(store, picture, table);
  return {{"axes", picture.plan.axes},
          {"csv", sweep_csv(table, false)},
          {"computed", outcome.computed},
          {"kept", outcome.kept}};
}

nlohmann::ordered_json load(const Study& study)
{
  const SweepOptions options = {.jobs = job_count(study.jobs)};
  const RawConfig config = read_config(study.config);
  const SweepPlan plan = plan_curves(config);
  const InterruptGuard interrupts;
  ResultStore store = open_store(study);
  const LoadCurves curves = measure_curves(config, plan, store, options);
  if (curves.interrupted_by != 0) {
    return interrupted(curves.interrupted_by, store);
  }
  return {{"axes", curves.axes},
          {"csv", load_csv(curves)},
          {"json", json_text(load_json(curves), JsonLayout::one_line)},
          {"computed", curves.computed},
          {"kept", curves.kept}};
}

nlohmann::ordered_json failure(const char* type, const std::exception& error)
{
  return {{"type", type}, {"error", printable(error.what())}};
}

/// The study's tables as JSON, or the type and text of what went wrong.
std::string carry_out(const py::dict& given, nlohmann::ordered_json (*study)(const Study&))
{
  ::prctl(PR_SET_PDEATHSIG, SIGTERM); // where the process that asked for it ends
  nlohmann::ordered_json report;
  try {
    report = study(study_of(given));
  } catch (const OutputError& error) {
    report = failure("OutputError", error);
  } catch (const FileError& error) {
    report = failure("FileError", error);
  } catch (const InputError& error) {
    report = failure("InputError", error);
  } catch (const std::exception& error) {
    report = failure("Error", error);
  }
  return report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

void bind_studies(py::module_& module)
{
  module.def("work_on_sweep", [](const py::dict& given) { return carry_out(given, sweep); });
  module.def("work_on_load", [](const py::dict& given) { return carry_out(given, load); });
}

} // namespace wormcast
