#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/commands/network_notes.hpp"
#include "wormcast/experiments/python/bindings.hpp"
#include "wormcast/experiments/python/records.hpp"
#include "wormcast/experiments/python/values.hpp"
#include "wormcast/experiments/python/without_lock.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <pybind11/stl.h>
#include <utility>
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
  RunRecords records = {.explain = wanted.explanation, .clock = RunClock::engine};
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

std::shared_ptr<BoundRun> run(const py::dict& source, const py::dict& wanted)
{
  const ConfigSource config = config_source(source);
  const WantedRecords records = wanted_of(wanted);
  return without_lock([&] {
    Experiment experiment = make_experiment(read_single_config(config, "run"));
    BoundSchedule bound = {experiment.topology, shared_schedule(experiment)};
    return carry_out(std::move(experiment), std::move(bound), records);
  });
}

std::shared_ptr<BoundRun> simulate_schedule(const BoundSchedule& bound, const py::dict& source, const py::dict& wanted)
{
  const ConfigSource config = config_source(source);
  const WantedRecords records = wanted_of(wanted);
  return without_lock([&] {
    Experiment experiment = make_schedule_experiment(read_config(config), *bound.schedule);
    BoundSchedule simulated = {experiment.topology, experiment.given};
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

py::object picoseconds(const std::optional<Time>& time)
{
  return time ? py::object(py::int_(time->picoseconds)) : py::none();
}

py::dict contention_totals(const BoundRun& run)
{
  py::dict totals;
  for (const ContentionKind kind : all_contention_kinds) {
    const ContentionTotals::Kind& total = run.run.outcome.simulation.contention[kind];
    py::dict entry;
    entry["count"] = total.count;
    entry["wait"] = python_int(total.wait);
    totals[py::str(std::string(contention_kind_name(kind)))] = entry;
  }
  return totals;
}

template <typename Make> auto where_there_are_steps(Make make)
{
  return [make](const BoundRun& run) -> py::object {
    return run.run.outcome.has_steps ? py::object(make(run.run.outcome)) : py::none();
  };
}

py::object microseconds(const std::optional<Time>& latency)
{
  constexpr double picoseconds_of_one = 1e6;
  return latency ? py::object(py::float_(static_cast<double>(latency->picoseconds) / picoseconds_of_one)) : py::none();
}

py::object deadlock_text(const BoundRun& run)
{
  const std::optional<Deadlock>& deadlock = run.run.outcome.simulation.deadlock;
  return deadlock ? py::object(python_text(explain_deadlock(*run.bound.topology, *run.bound.schedule, *deadlock)))
                  : py::none();
}

/// Names by code, as arrays have them.
template <typename Values>
py::tuple names_of(const Values& values, std::string_view (*name)(typename Values::value_type))
{
  py::list names;
  for (const auto value : values) {
    names.append(std::string(name(value)));
  }
  return py::tuple(names);
}

} // namespace

void bind_simulation(py::module_& module)
{
  py::class_<BoundRun, std::shared_ptr<BoundRun>> type(
      module, "Result", "A simulated run. Times are ints of picoseconds; arrays are read-only views of its records.");
  type.def_property_readonly(
          "schedule", [](const BoundRun& run) { return run.bound; }, "Schedule that ran")
      .def_property_readonly(
          "latency", [](const BoundRun& run) { return picoseconds(run.run.outcome.simulation.latency); },
          "from 0 to the last delivery, ps; None after a deadlock")
      .def_property_readonly(
          "latency_us", [](const BoundRun& run) { return microseconds(run.run.outcome.simulation.latency); },
          "the same in microseconds, rounded to a float")
      .def_property_readonly(
          "latency_from_source",
          [](const BoundRun& run) { return picoseconds(run.run.outcome.simulation.latency_from_source()); },
          "from the source's own start to the last delivery, ps; None after a deadlock")
      .def_property_readonly(
          "latency_from_source_us",
          [](const BoundRun& run) { return microseconds(run.run.outcome.simulation.latency_from_source()); },
          "the same in microseconds, rounded to a float")
      .def_property_readonly(
          "predicted", [](const BoundRun& run) { return picoseconds(run.run.outcome.prediction.time); },
          "alpha * startup + beta * bytes * per_byte, ps; None for plain message lists, and where a step asks a node "
          "for more ports than it has")
      .def_property_readonly(
          "predicted_is",
          [](const BoundRun& run) -> py::object {
            const Prediction& prediction = run.run.outcome.prediction;
            return prediction.time ? py::object(py::str(std::string(prediction_kind_name(prediction.kind))))
                                   : py::none();
          },
          "what that is of latency_from_source: exact, lower_bound (hops and what else takes time are left out) or "
          "estimate; None where nothing is predicted")
      .def_property_readonly(
          "alpha", where_there_are_steps([](const RunOutcome& outcome) { return py::int_(outcome.costs.alpha); }),
          "steps that send anything; None for plain message lists")
      .def_property_readonly(
          "beta", where_there_are_steps([](const RunOutcome& outcome) { return python_fraction(outcome.costs.beta); }),
          "sum over the steps of the largest message over the message's length, a Fraction; None for plain lists")
      .def_property_readonly(
          "tcd", [](const BoundRun& run) { return run.run.outcome.costs.tcd; }, "sum of the hops of all messages")
      .def_property_readonly(
          "bytes_sent", [](const BoundRun& run) { return run.run.outcome.costs.bytes_sent; }, "of all messages")
      .def_property_readonly(
          "max_channel_load", [](const BoundRun& run) { return run.run.outcome.costs.max_channel_load; },
          "most messages that cross one channel")
      .def_property_readonly(
          "complete", [](const BoundRun& run) { return run.run.outcome.completeness.complete; },
          "whether the schedule does its operation (False only with unchecked=True); None for plain message lists")
      .def_property_readonly(
          "engine", [](const BoundRun& run) { return run.run.outcome.simulation.engine; }, "worm, flit or cycle")
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
          "by message: message, step, source, destination; ready, granted and time, ps, -1 where it did not arrive")
      .def_property_readonly(
          "contention",
          [](const py::object& self) { return array_of(std::span(self.cast<const BoundRun&>().contention), self); },
          "every wait for a channel: kind (of contention_kinds), cause (of wait_causes), channel_kind (of "
          "channel_kinds), channel, node, waiting, waiting_step, holding, holding_step; from, to and wait, ps")
      .def_property_readonly(
          "occupancy",
          [](const py::object& self) -> py::object {
            const auto& records = self.cast<const BoundRun&>().occupancy;
            return records ? py::object(array_of(std::span(*records), self)) : py::none();
          },
          "every channel held: channel_kind, channel, node, message, step; from and to, ps; None where not asked for")
      .def_property_readonly(
          "explanation",
          [](const BoundRun& run) {
            return python_text(run.run.explanation.empty() ? "" : run.run.explanation.substr(1));
          },
          "the critical path, as run --explain prints it; empty where not asked for")
      .def_property_readonly("deadlock", deadlock_text, "who waits for whom, a text; None: there is no deadlock")
      .def(
          "as_dict", [](const BoundRun& run) { return python_json(result_json_text(run)); },
          "the object of run --json, format wormcast-result/1")
      .def("__str__", [](const BoundRun& run) { return python_text(run_table(run.experiment, run.run.outcome)); });
  seal(type, "run() or simulate()");
  module.attr("contention_kinds") = names_of(all_contention_kinds, contention_kind_name);
  module.attr("wait_causes") = names_of(std::array{WaitCause::channel, WaitCause::queue, WaitCause::virtual_channel,
                                                   WaitCause::slot, WaitCause::crossbar},
                                        wait_cause_name);
  module.attr("channel_kinds") = py::make_tuple("external", "injection", "ejection");
  module.def("run", run);
  module.def("simulate", simulate_schedule);
}

} // namespace wormcast
