#include "wormcast/experiments/plugins/printed_schedule.hpp"

#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view program_parameter = "command";
constexpr std::uint64_t most_printed_bytes = std::uint64_t{1} << 32;
constexpr std::int64_t picoseconds_per_millisecond = 1'000'000'000;

/// "python3 mine.py"
std::string title_of(const ScheduleRequest& request)
{
  return fmt::format("{}", fmt::join(request.parameters.texts(program_parameter), " "));
}

[[noreturn]] void fail(const ScheduleRequest& request, std::string_view what)
{
  throw InputError(fmt::format("command \"{}\": {}", title_of(request), what));
}

Operation operation_of(const ScheduleRequest& request)
{
  return request.parameters.has("operation") ? find_operation(request.parameters.text("operation")).value()
                                             : Operation::broadcast;
}

/// All that a schedule says but blocks and messages.
Schedule wanted_schedule(const Topology& topology, const ScheduleRequest& request)
{
  Schedule wanted;
  wanted.topology = topology.description();
  wanted.routing = topology.routing();
  wanted.ports = request.ports;
  wanted.duplex = request.duplex;
  wanted.operation = operation_of(request);
  wanted.source = request.source;
  if (!chooses_blocks(wanted.operation)) {
    wanted.blocks = fixed_blocks(wanted.operation, topology.host_count());
  }
  wanted.message_bytes = request.message_bytes;
  return wanted;
}

/// The last lines of the program's stderr behind a colon, each indented, without what would steer a terminal.
std::string captured_output(const ProcessOutcome& outcome)
{
  std::string_view output = outcome.captured_output;
  while (output.ends_with('\n')) {
    output.remove_suffix(1);
  }
  if (output.empty()) {
    return ", and said nothing on stderr";
  }
  std::string text = ":";
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    text += fmt::format("\n{}{}", line_indent, printable(output.substr(0, end)));
    output.remove_prefix(std::min(end + 1, output.size()));
  }
  return text;
}

void run_program(const ScheduleRequest& request, const std::filesystem::path& input,
                 const std::filesystem::path& output)
{
  const Time limit = request.parameters.time("time_limit");
  const std::string folder = request.folder.empty() ? "." : request.folder.string();
  const std::optional<ProcessOutcome> outcome =
      execute_program(request.parameters.texts(program_parameter), folder,
                      {.input = input,
                       .output = output,
                       .limit = std::chrono::milliseconds(1 + (limit.picoseconds - 1) / picoseconds_per_millisecond),
                       .file_bytes = most_printed_bytes});
  if (!outcome) {
    fail(request, fmt::format("did not end within {}, which algorithm.time_limit can change", format_time(limit)));
  }
  if (outcome->signal == SIGXFSZ) {
    fail(request, fmt::format("printed more than {}", format_bytes(most_printed_bytes)));
  }
  if (outcome->signal != 0) {
    fail(request, fmt::format("was ended by signal {}{}", outcome->signal, captured_output(*outcome)));
  }
  if (!outcome->report.text.empty()) {
    fail(request, fmt::format("cannot be executed ({}), expected a program in PATH or, with a \"/\", in {}",
                              outcome->report.text, folder));
  }
  if (outcome->report.code != 0) {
    fail(request, fmt::format("ended with exit code {}{}", outcome->report.code, captured_output(*outcome)));
  }
}

Schedule read_printed(const Topology& topology, const ScheduleRequest& request, const std::filesystem::path& file)
{
  Schedule schedule;
  try {
    std::ifstream in(file, std::ios::binary);
    schedule = read_schedule(in, "its standard output");
  } catch (const InputError& error) {
    fail(request, error.what());
  }
  if (!(schedule.topology == topology.description())) {
    fail(request, fmt::format("printed a schedule for {}, expected one for {}",
                              make_topology(schedule.topology)->title(), topology.title()));
  }
  if (const Operation wanted = operation_of(request); schedule.operation != wanted) {
    fail(request, fmt::format("printed a schedule with the operation \"{}\", expected \"{}\"",
                              operation_names.text(schedule.operation), operation_names.text(wanted)));
  }
  if (has_source(schedule.operation) && schedule.source != request.source) {
    fail(request,
         fmt::format("printed a schedule with source {}, expected {}", index(schedule.source), index(request.source)));
  }
  return schedule;
}

Schedule make(const Topology& topology, const ScheduleRequest& request)
{
  const ScratchFolder scratch;
  const std::filesystem::path input = scratch.path() / "wanted.json";
  const std::filesystem::path output = scratch.path() / "schedule.json";
  {
    std::ofstream file(input);
    write_schedule(wanted_schedule(topology, request), file);
    if (!file.flush()) {
      throw OutputError(fmt::format("{}: cannot be written", input.string()));
    }
  }
  run_program(request, input, output);
  return read_printed(topology, request, output);
}

} // namespace

Algorithm command_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "command";
  algorithm.summary = "the output of a program that receives the configuration's topology, ports, operation and length";
  algorithm.ports = "any";
  algorithm.topologies = "any";
  algorithm.source = "the program";
  algorithm.parameters = {
      {.name = std::string(program_parameter),
       .type = ParameterType::texts,
       .text = "the program and its arguments, run in the configuration's folder; docs/formats.md describes its input "
               "and output"},
      {.name = "time_limit",
       .type = ParameterType::time,
       .text = "the time after which it is stopped and the run is an error",
       .fallback = Time{60'000 * picoseconds_per_millisecond},
       .minimum = picoseconds_per_millisecond},
      {.name = "label",
       .type = ParameterType::text,
       .text = "what tables and figures call it, instead of its program",
       .optional = true}};
  for (const Operation operation : all_operations()) {
    if (operation != algorithm.operation && operation != Operation::none && operation != Operation::multicast) {
      algorithm.further.push_back(operation);
    }
  }
  algorithm.make = make;
  return algorithm;
}

} // namespace wormcast
