#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/message_words_json.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/run/check_result.hpp"
#include "wormcast/python/bindings.hpp"
#include "wormcast/python/records.hpp"
#include "wormcast/python/values.hpp"
#include "wormcast/python/without_lock.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <pybind11/stl.h>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

namespace py = pybind11;

/// What the verifier found, with the schedule that it looked at: class Report of Python.
struct BoundReport {
  BoundSchedule bound;
  CheckOutcome outcome;
};

/// One value, read as a configuration's key is.
ParameterValue read_key(std::span<const Parameter> declared, std::string_view name, py::handle value)
{
  const auto parameter = std::ranges::find(declared, name, &Parameter::name);
  try {
    return read_parameter(*parameter, raw_value(value));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

Time read_time(std::string_view name, py::handle value)
{
  return std::get<Time>(read_key(network_declarations(), name, value));
}

ScheduleRequest request_of(const Topology& topology, const Algorithm& algorithm, const py::dict& given)
{
  ScheduleRequest request;
  try {
    request.source = node_of(topology, given["source"]);
  } catch (const InputError& error) {
    throw InputError(fmt::format("source: {}", error.what()));
  }
  const auto bytes = read_key(fixed_parameters("message"), "bytes", given["bytes"]);
  request.message_bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(bytes));
  const auto ports = read_key(network_declarations(), "ports", given["ports"]);
  request.ports.count = static_cast<std::uint32_t>(std::get<std::int64_t>(ports));
  const auto duplex = read_key(network_declarations(), "duplex", given["duplex"]);
  request.duplex = duplex_names.read(std::get<std::string>(duplex));
  if (!given["startup"].is_none() && !given["per_byte"].is_none()) {
    request.costs =
        MessageCosts{.startup = read_time("startup", given["startup"]),
                     .per_byte = byte_time_of(read_key(network_declarations(), "per_byte", given["per_byte"])),
                     .per_hop = read_time("per_hop", given["per_hop"])};
  }
  request.parameters = read_parameters(algorithm.parameters, raw_values(given["parameters"].cast<py::dict>()));
  return request;
}

BoundSchedule made_schedule(py::handle name, const std::shared_ptr<Topology>& topology, const py::dict& given)
{
  const Algorithm& algorithm = find_algorithm(text_of(name, "an algorithm"));
  const ScheduleRequest request = request_of(*topology, algorithm, given);
  return without_lock([&]() -> BoundSchedule {
    return {topology, std::make_shared<const Schedule>(make_schedule(algorithm, *topology, request))};
  });
}

BoundSchedule bind(SpokenSchedule read)
{
  const auto kept = std::make_shared<const Schedule>(std::move(read.schedule));
  return {make_topology(kept->topology, kept->routing), kept, std::move(read.words)};
}

BoundSchedule schedule_in_file(const std::string& file)
{
  return without_lock([&] { return bind(read_spoken_schedule(file)); });
}

BoundSchedule schedule_in_text(const std::string& text, const std::string& name)
{
  return without_lock([&] {
    std::istringstream stream(text);
    return bind(read_spoken_schedule(stream, name));
  });
}

std::string schedule_text(const BoundSchedule& bound)
{
  return without_lock([&] {
    std::ostringstream stream;
    write_schedule(*bound.schedule, bound.words.get(), stream);
    return std::move(stream).str();
  });
}

void write_to(const BoundSchedule& bound, const std::string& file)
{
  without_lock([&] {
    OutputFile output(file);
    write_schedule(*bound.schedule, bound.words.get(), output.stream());
    output.commit();
    return true;
  });
}

/// What a schedule of one's own begins with.
std::string empty_schedule(const std::shared_ptr<Topology>& topology)
{
  Schedule schedule;
  schedule.topology = topology->description();
  schedule.routing = topology->routing();
  schedule.operation = Operation::none;
  return schedule_text({topology, std::make_shared<const Schedule>(std::move(schedule))});
}

py::list operations_with_source()
{
  py::list names;
  for (const Operation operation : all_operations()) {
    if (has_source(operation)) {
      names.append(std::string(operation_names.text(operation)));
    }
  }
  return names;
}

py::array sizes(const BoundSchedule& bound)
{
  const Schedule& schedule = *bound.schedule;
  std::vector<std::uint64_t> bytes;
  bytes.reserve(schedule.messages.size());
  if (schedule.operation == Operation::none) {
    for (const PlainMessage& message : schedule.plain) {
      bytes.push_back(message.bytes);
    }
  } else {
    const std::vector<std::uint64_t> of_sets = block_set_bytes(schedule);
    for (const Message& message : schedule.messages) {
      bytes.push_back(of_sets[static_cast<std::uint32_t>(message.blocks)]);
    }
  }
  return array_of(std::move(bytes));
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks_of(const BoundSchedule& bound, py::handle message)
{
  const Schedule& schedule = *bound.schedule;
  const std::uint32_t number = index_of(message, schedule.messages.size(), "message");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> blocks;
  if (schedule.operation != Operation::none) {
    const BlockSetId set = schedule.messages[number].blocks;
    for (const BlockRange range : schedule.block_sets.ranges(set)) {
      blocks.emplace_back(range.begin, range.end);
    }
  }
  return blocks;
}

/// A list of dicts by message; None where nothing is known.
py::object words_of(const BoundSchedule& bound)
{
  if (bound.words == nullptr) {
    return py::none();
  }
  py::list all;
  for (const MessageWords& words : bound.words->messages) {
    all.append(python_json(message_words_json(*bound.words, words)));
  }
  return all;
}

py::object source_of(const BoundSchedule& bound)
{
  const Schedule& schedule = *bound.schedule;
  return has_source(schedule.operation) ? py::object(py::int_(index(schedule.source))) : py::none();
}

py::dict chosen(const BoundSchedule& bound)
{
  py::dict values;
  for (const auto& [name, value] : bound.schedule->chosen.all()) {
    values[py::str(name)] = python_value(value);
  }
  return values;
}

std::string summary(const BoundSchedule& bound)
{
  return fmt::format("{} of {} messages on a {}", operation_names.text(bound.schedule->operation),
                     bound.schedule->messages.size(), bound.topology->title());
}

BoundReport verify(const BoundSchedule& bound, std::size_t most_violations)
{
  return without_lock([&]() -> BoundReport {
    CheckOutcome outcome = {.report =
                                check_schedule(*bound.topology, *bound.schedule, {.max_violations = most_violations})};
    if (bound.schedule->program) {
      outcome.program = check_program(*bound.topology, *bound.schedule);
    }
    return {bound, std::move(outcome)};
  });
}

std::string report_text(const BoundReport& report)
{
  return check_json_text(*report.bound.topology, *report.bound.schedule, report.outcome);
}

template <typename Member> auto report_field(Member member)
{
  return [member](const BoundReport& report) { return report.outcome.report.*member; };
}

template <typename Member> auto cost_field(Member member)
{
  return [member](const BoundReport& report) { return report.outcome.report.costs.*member; };
}

py::list algorithm_names()
{
  py::list names;
  for (const Algorithm& algorithm : algorithms()) {
    names.append(py::make_tuple(algorithm.name, algorithm.summary));
  }
  return names;
}

void bind_report(py::module_& module)
{
  py::class_<BoundReport> type(module, "Report", "What the verifier proved of a schedule, or refuted.");
  type.def_property_readonly(
          "valid", [](const BoundReport& report) { return report.outcome.valid(); },
          "complete, possession, counted_once and ports hold; a program comes to its end")
      .def_property_readonly("complete", report_field(&CheckReport::complete), "every node gets what it must")
      .def_property_readonly("possession", report_field(&CheckReport::possession), "nobody sends what it has not")
      .def_property_readonly("counted_once", report_field(&CheckReport::counted_once),
                             "reductions: nobody combines a contribution twice")
      .def_property_readonly("ports", report_field(&CheckReport::ports), "no step needs more ports than there are")
      .def_property_readonly(
          "contention_free",
          [](const BoundReport& report) -> py::object {
            return report.outcome.knows_contention() ? py::object(py::bool_(report.outcome.report.contention_free))
                                                     : py::none();
          },
          "no two messages of a step share a channel; None where it is not known, as routes are drawn")
      .def_property_readonly("contended_pairs", report_field(&CheckReport::contended_pairs),
                             "pairs of messages of one step that share a channel")
      .def_property_readonly("violation_count", report_field(&CheckReport::violation_count), "of all kinds")
      .def_property_readonly(
          "violations",
          [](const BoundReport& report) -> py::object { return python_json(report_text(report))["violations"]; },
          "the first ones of each kind: dicts with kind, step, messages, nodes, ... and text")
      .def_property_readonly(
          "ports_needed", [](const BoundReport& report) { return python_ports(report.outcome.report.ports_needed); },
          "the fewest ports with which `ports` would hold, an int or \"all\"")
      .def_property_readonly("alpha", cost_field(&ScheduleCosts::alpha), "steps that send anything")
      .def_property_readonly(
          "beta", [](const BoundReport& report) { return python_fraction(report.outcome.report.costs.beta); },
          "sum over the steps of the largest message over the message's length, a Fraction")
      .def_property_readonly(
          "largest_message",
          [](const BoundReport& report) { return python_fraction(report.outcome.report.costs.largest_message); },
          "over the message's length, a Fraction")
      .def_property_readonly("tcd", cost_field(&ScheduleCosts::tcd), "sum of the hops of all messages")
      .def_property_readonly("bytes_sent", cost_field(&ScheduleCosts::bytes_sent), "of all messages")
      .def_property_readonly("max_channel_load", cost_field(&ScheduleCosts::max_channel_load),
                             "most messages that cross one channel; those whose routes are drawn are not counted")
      .def(
          "as_dict", [](const BoundReport& report) { return python_json(report_text(report)); },
          "the object of check --json, format wormcast-check/1")
      .def("__str__",
           [](const BoundReport& report) {
             return python_text(check_table(*report.bound.topology, *report.bound.schedule, report.outcome));
           })
      .def("__repr__", [](const BoundReport& report) {
        return python_text(
            fmt::format("<{}: {}>", report.outcome.valid() ? "valid" : "not valid", summary(report.bound)));
      });
  seal(type, "verify()");
}

} // namespace

void bind_schedule(py::module_& module)
{
  py::class_<BoundSchedule> type(module, "Schedule", "Who sends what to whom in which step, on a topology.");
  type.def_property_readonly(
          "topology", [](const BoundSchedule& bound) { return std::const_pointer_cast<Topology>(bound.topology); },
          "the network that it is for")
      .def_property_readonly(
          "operation",
          [](const BoundSchedule& bound) { return std::string(operation_names.text(bound.schedule->operation)); },
          "broadcast, scatter, ...; none: a plain message list")
      .def_property_readonly("source", source_of, "the source or root, a node id; None where there is none")
      .def_property_readonly(
          "bytes", [](const BoundSchedule& bound) { return bound.schedule->message_bytes; },
          "length of the message, or of a block where every node has its own")
      .def_property_readonly(
          "blocks", [](const BoundSchedule& bound) { return bound.schedule->blocks; }, "parts of the message")
      .def_property_readonly(
          "ports", [](const BoundSchedule& bound) { return python_ports(bound.schedule->ports); },
          "of a node, an int or \"all\"")
      .def_property_readonly(
          "duplex", [](const BoundSchedule& bound) { return duplex_names.text(bound.schedule->duplex); },
          "full or half")
      .def_property_readonly(
          "steps", [](const BoundSchedule& bound) { return step_count(*bound.schedule); }, "the largest step plus one")
      .def_property_readonly("chosen", chosen, "values of parameters that were \"best\"")
      .def_property_readonly(
          "messages",
          [](const py::object& self) {
            return array_of(std::span(self.cast<const BoundSchedule&>().schedule->messages), self);
          },
          ("a read-only view of the messages: " + field_names<Message>() + " (equal sets have equal numbers)").c_str())
      .def_property_readonly("sizes", sizes, "bytes of each message, a new array")
      .def_property_readonly("words", words_of,
                             "what an MPI program says of each message: dicts with sender and receiver (ranks in "
                             "MPI_COMM_WORLD), tag, communicator, and where there are any call, collective and "
                             "region; a new list; None where the messages are of no MPI program")
      .def("blocks_of", blocks_of, py::arg("message"), "half-open ranges of the blocks that a message carries")
      .def(
          "text", [](const BoundSchedule& bound) { return python_text(schedule_text(bound)); },
          "the schedule as a file of format wormcast-schedule/1 has it")
      .def(
          "write", [](const BoundSchedule& bound, py::handle file) { write_to(bound, path_of(file)); }, py::arg("file"),
          "writes it to a file; raises OutputError")
      .def("__len__", [](const BoundSchedule& bound) { return bound.schedule->messages.size(); })
      .def("__repr__", [](const BoundSchedule& bound) { return python_text("<" + summary(bound) + ">"); });
  seal(type, "schedule(), messages() or read_schedule()");
  module.def("schedule", made_schedule, py::arg("algorithm"), py::arg("topology").none(false), py::arg("given"));
  module.def("read_schedule", [](py::handle file) { return schedule_in_file(path_of(file)); });
  module.def("parse_schedule", schedule_in_text);
  module.def("empty_schedule", empty_schedule, py::arg("topology").none(false));
  module.attr("operations_with_source") = operations_with_source();
  module.def("verify", verify);
  module.def("algorithms", algorithm_names);
  bind_report(module);
}

} // namespace wormcast
