#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/python/bindings.hpp"
#include "wormcast/python/records.hpp"
#include "wormcast/python/values.hpp"
#include "wormcast/python/without_lock.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <optional>
#include <pybind11/stl.h>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace wormcast {

namespace {

namespace py = pybind11;

/// A run with its records: class Result of Python. It never changes, so that arrays can be views of it.
struct BoundRun {
  Experiment experiment;
  BoundSchedule bound;
  RecordedRun run;
  std::vector<DeliveryRecord> deliveries; ///< by message; times are -1 where it was not delivered
  std::vector<ContentionRecord> contention;
  std::optional<std::vector<OccupancyRecord>> occupancy; ///< none: not asked for
};

/// What is kept of a run besides its result.
struct WantedRecords {
  bool contention = true;
  bool occupancy = false;
  bool explanation = false;
};

WantedRecords wanted_of(const py::dict& given)
{
  return {.contention = given["contention"].cast<bool>(),
          .occupancy = given["occupancy"].cast<bool>(),
          .explanation = given["explain"].cast<bool>()};
}

std::vector<DeliveryRecord> undelivered(const Schedule& schedule)
{
  constexpr Time none = {-1};
  std::vector<DeliveryRecord> records;
  records.reserve(schedule.messages.size());
  for (const Message& message : schedule.messages) {
    records.push_back({.message = MessageId{static_cast<std::uint32_t>(records.size())},
                       .step = message.step,
                       .source = message.source,
                       .destination = message.destination,
                       .ready = none,
                       .granted = none,
                       .delivered = none});
  }
  return records;
}

/// Runs without the interpreter's lock.
std::shared_ptr<BoundRun> carry_out(Experiment experiment, BoundSchedule bound, const WantedRecords& wanted)
{
  auto result = std::make_shared<BoundRun>();
  result->experiment = std::move(experiment);
  result->bound = std::move(bound);
  result->deliveries = undelivered(*result->bound.schedule);
  RunRecords records = {.explain = {.detail = wanted.explanation ? PathDetail::all : PathDetail::none},
                        .clock = RunClock::engine};
  records.sinks.delivery = [&result = *result](const DeliveryRecord& record) {
    result.deliveries[index(record.message)] = record;
  };
  if (wanted.contention) {
    records.sinks.contention = [&result = *result](const ContentionRecord& record) {
      result.contention.push_back(record);
    };
  }
  if (wanted.occupancy) {
    result->occupancy.emplace();
    records.sinks.occupancy = [&result = *result](const OccupancyRecord& record) {
      result.occupancy->push_back(record);
    };
  }
  result->run = run_recorded(result->experiment, *result->bound.schedule, records);
  return result;
}

std::shared_ptr<const ProgramWords> told_words(const Experiment& experiment)
{
  return simulated_words(experiment) == nullptr ? nullptr : experiment.words;
}

std::shared_ptr<BoundRun> run(const py::dict& source, const py::dict& wanted)
{
  const ConfigSource config = config_source(source);
  const WantedRecords records = wanted_of(wanted);
  return without_lock([&] {
    Experiment experiment = make_experiment(read_single_config(config, "run"));
    BoundSchedule bound = {experiment.topology, simulated_schedule(experiment), told_words(experiment)};
    return carry_out(std::move(experiment), std::move(bound), records);
  });
}

std::shared_ptr<BoundRun> simulate_schedule(const BoundSchedule& bound, const py::dict& source, const py::dict& wanted)
{
  const ConfigSource config = config_source(source);
  const WantedRecords records = wanted_of(wanted);
  return without_lock([&] {
    Experiment experiment = make_schedule_experiment(read_config(config), *bound.schedule);
    experiment.words = bound.words;
    BoundSchedule simulated = {experiment.topology, simulated_schedule(experiment), told_words(experiment)};
    return carry_out(std::move(experiment), std::move(simulated), records);
  });
}

/// The object of run --json. The schedule itself is part of it where that is no larger than what one reads.
std::string result_json_text(const BoundRun& run)
{
  constexpr std::size_t most_messages_in_config = 100'000;
  return without_lock([&] {
    if (run.bound.schedule->messages.size() > most_messages_in_config) {
      return result_text(run.experiment, run.run.outcome);
    }
    Experiment complete = run.experiment;
    add_schedule(complete);
    return result_text(complete, run.run.outcome);
  });
}

py::dict contention_totals(const BoundRun& run)
{
  py::dict totals;
  for (const ContentionKind kind : all_contention_kinds) {
    const ContentionTotals::Kind& total = run.run.outcome.simulation.contention[kind];
    py::dict entry;
    entry["count"] = total.count;
    entry["wait"] = python_int(total.wait);
    totals[py::str(std::string(contention_kind_names.text(kind)))] = entry;
  }
  return totals;
}

/// The value of a quantity; of times picoseconds.
py::object python_value(const QuantityValue& value)
{
  return std::visit(
      [](const auto& found) -> py::object {
        using Value = std::remove_cvref_t<decltype(found)>;
        if constexpr (std::same_as<Value, std::monostate>) {
          return py::none();
        } else if constexpr (std::same_as<Value, Fraction>) {
          return python_fraction(found);
        } else if constexpr (std::same_as<Value, Time>) {
          return py::int_(found.picoseconds);
        } else if constexpr (std::same_as<Value, TotalTime>) {
          return python_int(found);
        } else if constexpr (std::same_as<Value, std::string>) {
          return python_text(found);
        } else {
          return py::cast(found);
        }
      },
      value);
}

py::object microseconds(const QuantityValue& value)
{
  constexpr double picoseconds_of_one = 1e6;
  const Time* time = std::get_if<Time>(&value);
  return time != nullptr ? py::object(py::float_(static_cast<double>(time->picoseconds) / picoseconds_of_one))
                         : py::none();
}

/// The quantities of runs as properties, times as int picoseconds `NAME` and as `NAME_us`. Those within objects of the
/// result are in as_dict() alone.
void bind_quantities(py::class_<BoundRun, std::shared_ptr<BoundRun>>& type)
{
  for (const auto& [quantity, value] : run_quantities()) {
    if (!object_of(quantity).empty()) {
      continue;
    }
    const auto value_of = [value = value](const BoundRun& run) { return value({run.experiment, run.run.outcome}); };
    const bool is_time = quantity.type == QuantityType::time;
    const std::string name = is_time ? quantity.name.substr(0, quantity.name.rfind("_us")) : quantity.name;
    if (!py::hasattr(type, name.c_str())) { // `deadlock` says who waits for whom
      type.def_property_readonly(
          name.c_str(), [value_of](const BoundRun& run) { return python_value(value_of(run)); },
          (is_time ? quantity.text + "; ps" : quantity.text).c_str());
    }
    if (is_time) {
      type.def_property_readonly(
          quantity.name.c_str(), [value_of](const BoundRun& run) { return microseconds(value_of(run)); },
          (quantity.text + "; in microseconds, rounded to a float").c_str());
    }
  }
}

py::object deadlock_text(const BoundRun& run)
{
  const std::optional<Deadlock>& deadlock = run.run.outcome.simulation.deadlock;
  return deadlock ? py::object(python_text(explain_deadlock(*run.bound.topology, *run.bound.schedule, *deadlock)))
                  : py::none();
}

/// Texts by code, as arrays have the codes.
template <typename Enum, std::size_t count> py::tuple texts_of(const Names<Enum, count>& names)
{
  return py::tuple(py::cast(names.texts()));
}

} // namespace

void bind_simulation(py::module_& module)
{
  py::class_<BoundRun, std::shared_ptr<BoundRun>> type(
      module, "Result", "A simulated run. Times are ints of picoseconds; arrays are read-only views of its records.");
  type.def_property_readonly(
          "schedule", [](const BoundRun& run) { return run.bound; }, "Schedule that ran")
      .def_property_readonly(
          "engine_reason", [](const BoundRun& run) { return run.run.outcome.simulation.engine_reason; },
          "why engine auto did not take worm; else empty")
      .def_property_readonly(
          "warnings",
          [](const BoundRun& run) {
            py::list texts;
            for (const NetworkWarning& warning : warnings_of(run.experiment)) {
              texts.append(python_text(warning.text));
            }
            return texts;
          },
          "what to know of the network before the times are believed; also given as Python warnings")
      .def_property_readonly("contention_totals", contention_totals,
                             "by kind: count of waits, and wait, the sum of their times, ps")
      .def_property_readonly(
          "deliveries",
          [](const py::object& self) { return array_of(std::span(self.cast<const BoundRun&>().deliveries), self); },
          ("by message: " + field_names<DeliveryRecord>() + "; times in ps, -1 where it did not arrive").c_str())
      .def_property_readonly(
          "contention",
          [](const py::object& self) { return array_of(std::span(self.cast<const BoundRun&>().contention), self); },
          ("every wait for a channel: " + field_names<ContentionRecord>() +
           "; times in ps, kind in contention_kinds, cause in wait_causes, channel_kind in channel_kinds")
              .c_str())
      .def_property_readonly(
          "occupancy",
          [](const py::object& self) -> py::object {
            const auto& records = self.cast<const BoundRun&>().occupancy;
            return records ? py::object(array_of(std::span(*records), self)) : py::none();
          },
          ("every channel held: " + field_names<OccupancyRecord>() + "; times in ps; None where not asked for").c_str())
      .def_property_readonly(
          "explanation",
          [](const BoundRun& run) {
            return python_text(run.run.explanation.empty() ? "" : run.run.explanation.substr(1));
          },
          "the critical path, as run --explain=all prints it; empty where not asked for")
      .def_property_readonly("deadlock", deadlock_text, "who waits for whom, a text; None: there is no deadlock")
      .def(
          "as_dict", [](const BoundRun& run) { return python_json(result_json_text(run)); },
          "the object of run --json, format wormcast-result/1")
      .def("__str__", [](const BoundRun& run) { return python_text(run_table(run.experiment, run.run.outcome)); })
      .def("__repr__", [](const BoundRun& run) {
        const SimulationResult& result = run.run.outcome.simulation;
        return python_text(fmt::format("<{}: {} messages on a {}>",
                                       result.latency ? "latency " + format_time(*result.latency) : "deadlock",
                                       run.bound.schedule->messages.size(), run.bound.topology->title()));
      });
  bind_quantities(type);
  seal(type, "run() or simulate()");
  module.attr("contention_kinds") = texts_of(contention_kind_names);
  module.attr("wait_causes") = texts_of(wait_cause_names);
  module.attr("channel_kinds") = texts_of(resource_kind_names);
  module.def("run", run);
  module.def("simulate", simulate_schedule);
}

} // namespace wormcast
