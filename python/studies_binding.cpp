#include "wormcast/experiments/compare/choose_report.hpp"
#include "wormcast/experiments/compare/compare_report.hpp"
#include "wormcast/experiments/load/load_repetitions.hpp"
#include "wormcast/experiments/load/load_report.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/experiments/run/explanation.hpp"
#include "wormcast/experiments/run/series_result.hpp"
#include "wormcast/experiments/sweep/plots.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/view/view.hpp"
#include "wormcast/experiments/view/view_configuration.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/python/bindings.hpp"
#include "wormcast/python/mapped_workers.hpp"
#include "wormcast/python/values.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <pybind11/stl.h>
#include <sstream>
#include <sys/prctl.h>
#include <utility>

namespace wormcast {

namespace {

namespace py = pybind11;

/// A study that a process of its own carries out: it forks, which a process with threads must not. What its kind does
/// not ask for stays as it is here.
struct Study {
  ConfigSource config;
  std::filesystem::path folder;
  bool resume = false;
  std::optional<std::int64_t> jobs;
  std::optional<std::int64_t> repeat;
  std::vector<std::string> algorithms; ///< of a comparison
  std::optional<std::string> lengths;
  bool fluid = false;
  bool explain = false;               ///< of a series
  std::optional<std::int64_t> round;  ///< of a series that is viewed
  std::optional<py::object> exchange; ///< of MappedWorkers; none: children of this process compute
};

template <typename Value> void read_given(const py::dict& given, const char* name, Value& value)
{
  if (given.contains(name)) {
    value = given[name].cast<Value>();
  }
}

Study study_of(const py::dict& given)
{
  Study study;
  study.config = config_source(given);
  if (given.contains("folder")) {
    study.folder = path_of(given["folder"]);
  }
  read_given(given, "resume", study.resume);
  read_given(given, "jobs", study.jobs);
  read_given(given, "repeat", study.repeat);
  read_given(given, "algorithms", study.algorithms);
  read_given(given, "lengths", study.lengths);
  read_given(given, "fluid", study.fluid);
  read_given(given, "explain", study.explain);
  read_given(given, "round", study.round);
  read_given(given, "exchange", study.exchange);
  return study;
}

TaskOptions tasks_of(const Study& study)
{
  TaskOptions options{.jobs = job_count(study.jobs)};
  if (study.exchange) {
    options.before = [exchange = *study.exchange](const TaskWork& work, Workers& /*children*/) {
      return std::make_unique<MappedWorkers>(exchange, work);
    };
  }
  return options;
}

ResultStore open_store(const Study& study)
{
  return {study.folder, study.resume ? ResultStore::Opening::resume : ResultStore::Opening::fresh};
}

nlohmann::ordered_json interrupted(int signal, const std::string& rest = "")
{
  return {{"type", "Error"}, {"error", fmt::format("interrupted ({}){}", ::strsignal(signal), rest)}};
}

nlohmann::ordered_json interrupted(int signal, const ResultStore& store)
{
  return interrupted(signal, fmt::format(": what is finished is kept in {}", store.file().string()));
}

nlohmann::ordered_json texts_of(const std::vector<NetworkWarning>& warnings)
{
  nlohmann::ordered_json texts = nlohmann::ordered_json::array();
  for (const NetworkWarning& warning : warnings) {
    texts.push_back(warning.text);
  }
  return texts;
}

nlohmann::ordered_json sweep(const Study& study)
{
  const RawConfig config = read_config(study.config, study.repeat);
  SweepPicture picture;
  picture.plan = plan_sweep(config);
  picture.title = sweep_title(config, picture.plan);
  picture.plots = config.plots;
  const InterruptGuard interrupts;
  ResultStore store = open_store(study);
  const SweepOutcome outcome = run_sweep(config, picture.plan, store, {.tasks = tasks_of(study)});
  if (outcome.interrupted_by != 0) {
    return interrupted(outcome.interrupted_by, store);
  }
  const RunTable table = run_table(picture.plan, outcome.points);
  keep_picture(store, picture, table);
  return {{"axes", picture.plan.axes},
          {"csv", sweep_csv(table, false)},
          {"computed", outcome.computed},
          {"kept", outcome.kept},
          {"warnings", texts_of(warnings_of(picture.plan))}};
}

nlohmann::ordered_json load(const Study& study)
{
  const RawConfig config = read_config(study.config, study.repeat);
  const SweepPlan plan = plan_curves(config);
  const InterruptGuard interrupts;
  ResultStore store = open_store(study);
  const LoadCurves curves = measure_curves(config, plan, store, {.tasks = tasks_of(study)});
  if (curves.interrupted_by != 0) {
    return interrupted(curves.interrupted_by, store);
  }
  return {{"axes", curves.axes},
          {"csv", load_csv(curves)},
          {"json", json_text(load_json(curves), JsonLayout::one_line)},
          {"computed", curves.computed},
          {"kept", curves.kept},
          {"warnings", texts_of(warnings_of(plan, "curve"))}};
}

nlohmann::ordered_json compare(const Study& study)
{
  CompareOptions options;
  options.algorithms = study.algorithms;
  options.tasks = tasks_of(study);
  options.fluid = study.fluid;
  options.repeat = study.repeat;
  if (study.lengths) {
    try {
      options.lengths = parse_search_range(*study.lengths);
    } catch (const InputError& error) {
      throw InputError(fmt::format("lengths: {}", error.what()));
    }
  }
  const RawConfig config = read_single_config(study.config, "compare");
  const Experiment experiment = make_experiment(config);
  options.without_faults = experiment_without_faults(config, experiment);
  const InterruptGuard interrupts;
  const Comparison comparison = compare_algorithms(experiment, options);
  if (comparison.interrupted_by != 0) {
    return interrupted(comparison.interrupted_by);
  }
  require_runs(comparison);
  return {{"axes", {"algorithm", "parameters"}},
          {"csv", comparison_csv(comparison)},
          {"json", comparison_json_text(experiment, comparison)},
          {"text", comparison_text(experiment, comparison)},
          {"warnings", texts_of(warnings_of(experiment))}};
}

SearchRange choice_range(const Study& study)
{
  try {
    if (const std::optional<SearchRange> range = parse_search_range(study.lengths.value_or(""))) {
      return *range;
    }
  } catch (const InputError& error) {
    throw InputError(fmt::format("lengths: {}", error.what()));
  }
  throw InputError(
      fmt::format("lengths: found \"{}\", expected two lengths, such as 64..1MiB", study.lengths.value_or("")));
}

nlohmann::ordered_json choose(const Study& study)
{
  const SearchRange lengths = choice_range(study);
  const Experiment experiment = make_experiment(read_single_config(study.config, "choose"));
  const InterruptGuard interrupts;
  const Choice choice =
      choose_algorithms(experiment, study.algorithms, lengths, {.tasks = tasks_of(study), .repeat = study.repeat});
  if (choice.interrupted_by != 0) {
    return interrupted(choice.interrupted_by);
  }
  return {{"axes", {"from_bytes"}},
          {"csv", choice_csv(choice)},
          {"json", choice_json_text(experiment, choice)},
          {"text", choice_text(experiment, choice)},
          {"warnings", texts_of(warnings_of(experiment))}};
}

nlohmann::ordered_json view(const Study& study)
{
  nlohmann::ordered_json report = {{"warnings", nlohmann::ordered_json::array()}};
  std::ostringstream page;
  const ViewRequest request = {
      .round = study.round,
      .begin = [&](const Experiment& experiment) { report["warnings"] = texts_of(warnings_of(experiment)); },
      .show =
          [&](const ViewedRun& run) {
            write_view_page(page, view_data(run));
            report["title"] = run.title;
            report["notes"] = view_notes(run);
          }};
  report["deadlock"] = view_configuration(read_single_config(study.config, "view"), request);
  report["page"] = std::move(page).str();
  return report;
}

nlohmann::ordered_json series(const Study& study)
{
  const RawConfig config = read_single_config(study.config, "run");
  if (!is_series(config)) {
    throw InputError("found neither [broadcast] nor [traffic] beside [algorithm], expected one of them: a single "
                     "operation is simulated by wormcast.run");
  }
  const SeriesExperiment experiment = make_series_experiment(config);
  const SeriesResult result = run_series(experiment);
  std::optional<SeriesPaths> followed;
  if (study.explain && !result.deadlock && !result.saturated) {
    followed = series_paths(series_setting(experiment), result);
  }
  return {{"json", series_text(experiment, result, followed ? explanation_json(experiment, *followed) : nullptr)},
          {"text", series_table(experiment, result)},
          {"explanation", followed ? explanation_text(experiment, *followed, {.detail = PathDetail::all}) : ""},
          {"deadlock", result.deadlock ? nlohmann::ordered_json(series_deadlock(experiment, result)) : nullptr},
          {"warnings", texts_of(warnings_of(experiment.single))}};
}

/// The report of one point, which this process alone computes.
nlohmann::ordered_json point(const py::dict& given)
{
  py::dict own = given;
  own["own_process"] = true;
  const py::object points = py::module_::import("wormcast._core").attr("points")(own);
  return {{"report", points.attr("compute")(given["task"]).cast<std::string>()}, {"warnings", nlohmann::json::array()}};
}

nlohmann::ordered_json failure(const char* type, const std::exception& error)
{
  return {{"type", type}, {"error", printable(error.what())}};
}

/// The study's tables as JSON, or the type and text of what went wrong.
template <typename Work> std::string carry_out(Work&& work)
{
  ::prctl(PR_SET_PDEATHSIG, SIGTERM); // where the process that asked for it ends
  nlohmann::ordered_json report;
  try {
    report = work();
  } catch (const OutputError& error) {
    report = failure("OutputError", error);
  } catch (const FileError& error) {
    report = failure("FileError", error);
  } catch (const IncompleteSchedule& error) {
    report = failure("IncompleteSchedule", error);
  } catch (const InputError& error) {
    report = failure("InputError", error);
  } catch (const std::bad_alloc&) {
    report = {{"type", "Error"}, {"error", "out of memory"}};
  } catch (const std::exception& error) {
    report = failure("Error", error);
  }
  return report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

void bind_studies(py::module_& module)
{
  module.def("work_on_point", [](const py::dict& given) { return carry_out([&] { return point(given); }); });
  module.def("work_on_sweep", [](const py::dict& given) { return carry_out([&] { return sweep(study_of(given)); }); });
  module.def("work_on_load", [](const py::dict& given) { return carry_out([&] { return load(study_of(given)); }); });
  module.def("work_on_compare",
             [](const py::dict& given) { return carry_out([&] { return compare(study_of(given)); }); });
  module.def("work_on_choose",
             [](const py::dict& given) { return carry_out([&] { return choose(study_of(given)); }); });
  module.def("work_on_view", [](const py::dict& given) { return carry_out([&] { return view(study_of(given)); }); });
  module.def("work_on_series",
             [](const py::dict& given) { return carry_out([&] { return series(study_of(given)); }); });
}

} // namespace wormcast
