#include "wormcast/experiments/commands/config_options.hpp"
#include "wormcast/experiments/commands/network_notes.hpp"
#include "wormcast/experiments/config/config_reader.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/python/bindings.hpp"
#include "wormcast/experiments/python/records.hpp"
#include "wormcast/experiments/python/values.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <pybind11/stl.h>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

namespace py = pybind11;

/// Lets Python handle signals during a run that does not hold its lock: Ctrl-C becomes an exception that ends the run.
class SignalWatch {
public:
  void look()
  {
    constexpr std::uint32_t records_between = 16;
    constexpr std::chrono::milliseconds time_between(50);
    if (++records_ % records_between != 0) {
      return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < time_between) {
      return;
    }
    last_ = now;
    const py::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) {
      throw py::error_already_set();
    }
  }

private:
  std::uint32_t records_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

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
  SignalWatch signals;
  RunRecords records = {.explain = wanted.explanation, .clock = RunClock::engine};
  records.sinks.delivery = [&result = *result, &signals](const DeliveryRecord& record) {
    result.deliveries[index(record.message)] = record;
    signals.look();
  };
  if (wanted.contention) {
    records.sinks.contention = [&result = *result, &signals](const ContentionRecord& record) {
      result.contention.push_back(record);
      signals.look();
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
  const py::gil_scoped_release released;
  Experiment experiment = make_experiment(read_single_config(config, "run"));
  BoundSchedule bound = {experiment.topology, shared_schedule(experiment)};
  return carry_out(std::move(experiment), std::move(bound), records);
}

/// [network] and [run] of a schedule that is there: what they do not give of ports, duplex and routing, it gives.
Experiment machine_for(const BoundSchedule& bound, const RawConfig& config)
{
  const ConfigReader reader(config, {});
  Experiment experiment;
  Schedule schedule = *bound.schedule;
  const Router router = reader.read_router();
  ParameterValues network = reader.read_network(router);
  experiment.network = network_parameters(network, router);
  if (reader.has("network.ports")) {
    schedule.ports = experiment.network.ports;
  }
  if (reader.has("network.duplex")) {
    schedule.duplex = experiment.network.duplex;
  }
  if (reader.has("network.routing")) {
    schedule.routing.routing = experiment.network.routing.routing;
  }
  if (reader.has("network.tie")) {
    schedule.routing.tie = experiment.network.routing.tie;
  }
  experiment.network.ports = schedule.ports;
  experiment.network.duplex = schedule.duplex;
  experiment.network.routing = schedule.routing;
  experiment.topology =
      schedule.routing == bound.schedule->routing ? bound.topology : make_topology(schedule.topology, schedule.routing);
  suit_to_topology(experiment.network, *experiment.topology);
  for (const PlainMessage& message : schedule.plain) {
    if (router == Router::input_queued) {
      check_whole_cycles(experiment.network, "start_us", message.start);
    }
  }
  const ParameterValues run = reader.read_all("run", run_declarations());
  experiment.run = run_parameters(run);
  experiment.network.routing_seed = experiment.run.seed;
  experiment.algorithm = schedule_algorithm;
  experiment.schedule_file = "in memory";
  experiment.request.source = schedule.source;
  experiment.request.message_bytes = schedule.message_bytes;

  network.set("ports", std::int64_t{schedule.ports.count});
  network.set("duplex", std::string(schedule.duplex == Duplex::half ? "half" : "full"));
  network.set("buffer_flits", static_cast<std::int64_t>(experiment.network.buffer_flits));
  nlohmann::ordered_json& effective = experiment.effective;
  effective["topology"]["kind"] = schedule.topology.kind;
  effective["topology"].update(
      parameters_json(selected_parameters("topology.kind", schedule.topology.kind), schedule.topology.parameters));
  effective["network"] = parameters_json(network_declarations(router), network);
  effective["algorithm"]["name"] = experiment.algorithm;
  effective["run"] = parameters_json(run_declarations(), run);
  experiment.given = std::make_shared<const Schedule>(std::move(schedule));
  return experiment;
}

std::shared_ptr<BoundRun> simulate_schedule(const BoundSchedule& bound, const py::dict& source, const py::dict& wanted)
{
  const ConfigSource config = config_source(source);
  const WantedRecords records = wanted_of(wanted);
  const py::gil_scoped_release released;
  Experiment experiment = machine_for(bound, read_config(config));
  BoundSchedule simulated = {experiment.topology, experiment.given};
  return carry_out(std::move(experiment), std::move(simulated), records);
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
  return deadlock ? py::object(py::str(explain_deadlock(*run.bound.topology, *run.bound.schedule, *deadlock)))
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
  py::class_<BoundRun, std::shared_ptr<BoundRun>>(
      module, "Result", "A simulated run. Times are ints of picoseconds; arrays are read-only views of its records.")
      .def_property_readonly(
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
            std::vector<std::string> texts;
            for (const NetworkWarning& warning : warnings_of(run.experiment)) {
              texts.push_back(warning.text);
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
          [](const BoundRun& run) { return run.run.explanation.empty() ? "" : run.run.explanation.substr(1); },
          "the critical path, as run --explain prints it; empty where not asked for")
      .def_property_readonly("deadlock", deadlock_text, "who waits for whom, a text; None: there is no deadlock")
      .def(
          "as_dict", [](const BoundRun& run) { return python_json(result_text(run.experiment, run.run.outcome)); },
          "the object of run --json, format wormcast-result/1")
      .def("__str__", [](const BoundRun& run) { return run_table(run.experiment, run.run.outcome); });
  module.attr("contention_kinds") = names_of(all_contention_kinds, contention_kind_name);
  module.attr("wait_causes") = names_of(std::array{WaitCause::channel, WaitCause::queue, WaitCause::virtual_channel,
                                                   WaitCause::slot, WaitCause::crossbar},
                                        wait_cause_name);
  module.attr("channel_kinds") = py::make_tuple("external", "injection", "ejection");
  module.def("run", run);
  module.def("simulate", simulate_schedule);
}

} // namespace wormcast
