#include "wormcast/experiments/mpi/mpi_run.hpp"

#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/mpi/own_broadcast.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/installed.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/simulator/simgrid/platform_routes.hpp"
#include "wormcast/simulator/simgrid/platform_topology.hpp"
#include "wormcast/simulator/simgrid/wormhole_model.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

// With guard pages, two memory maps a rank, Linux allows about 32,000 of them.
constexpr std::size_t ranks_with_guard_pages = 16'384;

std::string smpirun()
{
  const auto found = find_program("smpirun");
  if (!found) {
    throw InputError("smpirun: not found in PATH, but MPI programs need it (Debian: libsimgrid-dev)");
  }
  return found->string();
}

// smpirun is a shell script that does not quote.
void check_word(std::string_view what, const std::string& word)
{
  if (word.empty() || word.find_first_of(" \t\r\n*?[") != std::string::npos) {
    throw InputError(fmt::format("found {} \"{}\", but smpirun passes no words that are empty, "
                                 "or have blanks, \"*\", \"?\" or \"[\"",
                                 what, word));
  }
}

bool is_for_simgrid(std::string_view argument)
{
  return argument.starts_with("--cfg=") || argument.starts_with("--log=") || argument == "--help" ||
         argument.starts_with("--help-") || argument == "--cfg-help" || argument == "--version" || argument == "--cite";
}

// Whether it is a program in machine code, but not one of SMPI's compilers: SMPI would end it with a backtrace.
bool is_made_for_another_library(const std::filesystem::path& file)
{
  const std::string contents = read_whole_file(file, any_length);
  return contents.starts_with("\x7f"
                              "ELF") &&
         contents.find("libsimgrid") == std::string::npos;
}

// The program with the file that is meant, and its arguments.
std::vector<std::string> checked_program(std::vector<std::string> program)
{
  if (program.empty()) {
    throw InputError("no program, expected one behind \"--\" (wormcast mpi CONFIG -- PROGRAM ARGUMENTS)");
  }
  const auto file = find_program(program.front());
  if (!file) {
    throw InputError(fmt::format("{}: no such program, or not one that can be executed", program.front()));
  }
  program.front() = file->string();
  for (const std::string& argument : program) {
    check_word("the argument", argument);
    if (is_for_simgrid(argument)) {
      throw InputError(fmt::format("found the argument \"{}\", which SimGrid would take for its own", argument));
    }
  }
  return program;
}

// Loads the library before SMPI, whose functions it records, but not into smpirun's shell; and the libraries that the
// user loads.
std::string preload(const std::string& library)
{
  const char* const loaded = std::getenv("LD_PRELOAD");
  std::string libraries = library;
  if (loaded != nullptr && *loaded != '\0') {
    libraries += ":" + std::string(loaded);
    std::ranges::replace(libraries, ' ', ':'); // both part the names
  }
  check_word("in LD_PRELOAD", libraries);
  return "env LD_PRELOAD=" + libraries;
}

// "recursion_based" of mpi.bcast = "wormcast:recursion_based". Throws InputError where another collective is to be one
// of wormcast's.
std::optional<std::string> own_broadcast(const MpiParameters& mpi)
{
  std::optional<std::string> own;
  for (const auto& [collective, algorithm] : mpi.algorithms) {
    if (!algorithm.starts_with(own_algorithm_prefix)) {
      continue;
    }
    if (collective != "bcast") {
      throw InputError(fmt::format("mpi.{}: found \"{}\", but of wormcast's own algorithms only broadcasts run in MPI "
                                   "programs (mpi.bcast); expected one of SMPI's",
                                   collective, algorithm));
    }
    own = algorithm.substr(own_algorithm_prefix.size());
  }
  return own;
}

// Throws InputError where the algorithm's schedules are not for ranks on these nodes.
void check_own_broadcast(const ProgramMachine& machine, const std::string& text, std::span<const NodeId> nodes)
{
  const OwnBroadcast broadcast = read_own_broadcast(text);
  if (machine.mpi.measured) {
    throw InputError(fmt::format("mpi.computation: found \"measured\" with mpi.bcast = \"{}{}\", whose planning "
                                 "would count as computing, expected \"off\"",
                                 own_algorithm_prefix, text));
  }
  check_one_rank_a_node(nodes, machine.topology->host_count(), broadcast.algorithm);
  constexpr std::uint64_t bytes = 4096;
  ScheduleRequest request = broadcast_request(machine, nodes.front(), bytes);
  request.parameters = broadcast.parameters;
  require_complete_broadcast(machine, broadcast.algorithm,
                             make_schedule(find_algorithm(broadcast.algorithm), *machine.topology, request));
}

// Seconds as SimGrid reads them, exact to the picosecond.
std::string seconds_text(Time time)
{
  return fmt::format("{}e-12", time.picoseconds);
}

// The computing of a trace is data: SMPI leaves it out where computing is not simulated.
std::vector<std::string> simgrid_settings(const MpiParameters& mpi, std::size_t ranks, bool is_replay)
{
  std::vector<std::string> settings = {
      fmt::format("smpi/simulate-computation:{}", mpi.measured || is_replay ? "yes" : "no"),
      fmt::format("smpi/host-speed:{}f", mpi.flops),
      fmt::format("smpi/async-small-thresh:{}", mpi.eager),
      fmt::format("smpi/coll-selector:{}", mpi.selector),
      fmt::format("smpi/send-is-detached-thresh:{}", mpi.detached),
      fmt::format("smpi/test:{}", seconds_text(mpi.test)),
      fmt::format("smpi/iprobe:{}", seconds_text(mpi.probe)),
      "smpi/grow-injected-times:no",
      fmt::format("smpi/os:0:{}:0", seconds_text(mpi.send_overhead)),
      fmt::format("smpi/ois:0:{}:0", seconds_text(mpi.send_overhead)),
      fmt::format("smpi/or:0:{}:0", seconds_text(mpi.receive_overhead)),
  };
  if (!mpi.measured && !is_replay) {
    // What SMPI_SAMPLE_* measure is no time of the program either.
    settings.emplace_back("smpi/cpu-threshold:1e300");
  }
  for (const auto& [collective, algorithm] : mpi.algorithms) {
    if (collective == "bcast" && own_broadcast(mpi)) {
      continue;
    }
    settings.push_back(fmt::format("smpi/{}:{}", collective, algorithm));
  }
  if (ranks > ranks_with_guard_pages) {
    settings.emplace_back("contexts/guard-size:0");
  }
  settings.insert(settings.end(), mpi.simgrid.begin(), mpi.simgrid.end());
  return settings;
}

// Lines of the program's source, where it has debug information and there is addr2line, which compilers bring along.
void find_locations(std::vector<WaitingRank>& ranks, const std::string& program, const std::filesystem::path& folder)
{
  constexpr std::size_t most_places = 256;
  std::map<std::uint64_t, std::string> places;
  for (const WaitingRank& rank : ranks) {
    if (rank.address && places.size() < most_places) {
      places.emplace(*rank.address, "");
    }
  }
  const auto tool = find_program("addr2line");
  if (places.empty() || !tool) {
    return;
  }
  std::vector<std::string> arguments = {tool->string(), "-s", "-e", program};
  for (const auto& [address, place] : places) {
    arguments.push_back(fmt::format("{:#x}", address));
  }
  const std::filesystem::path output = folder / "locations";
  if (const ProgramExit exit = run_in_foreground(arguments, {}, {.output = output});
      exit.code != 0 || exit.signal != 0) {
    return;
  }
  std::istringstream lines(read_whole_file(output));
  for (auto& [address, place] : places) {
    std::string line;
    std::getline(lines, line);
    line = line.substr(0, line.find(" (discriminator"));
    if (!line.starts_with("??") && !line.ends_with(":?") && !line.ends_with(":0")) {
      place = line;
    }
  }
  for (WaitingRank& rank : ranks) {
    if (const auto found = rank.address ? places.find(*rank.address) : places.end(); found != places.end()) {
      rank.location = found->second;
    }
  }
}

std::string joined_lines(const std::vector<std::string>& lines)
{
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

} // namespace

MpiRun run_mpi_program(const ProgramMachine& machine, const MpiProgram& program, const std::filesystem::path& folder)
{
  if (const std::string_view missing = WormholeModel::what_is_missing(); !missing.empty()) {
    throw InputError(std::string(missing));
  }
  const bool is_replay = !program.trace.empty();
  const std::vector<std::string> words = is_replay ? std::vector<std::string>() : checked_program(program.program);
  const std::optional<std::string> broadcast = own_broadcast(machine.mpi);
  if (broadcast && is_replay) {
    throw InputError(fmt::format("mpi.bcast: found \"{}{}\", but the broadcasts of a trace are SMPI's, expected one of "
                                 "its algorithms",
                                 own_algorithm_prefix, *broadcast));
  }
  if (broadcast) {
    check_own_broadcast(machine, *broadcast, program.nodes);
  }
  if (!is_replay && is_made_for_another_library(words.front())) {
    throw InputError(fmt::format("{}: the program does not use SimGrid's library (libsimgrid), expected one that "
                                 "smpicc, smpicxx or smpif90 made",
                                 program.program.front()));
  }
  const std::filesystem::path hosts = folder / "hosts";
  const std::filesystem::path messages = folder / "messages.json";
  const std::filesystem::path end = folder / "end.json";
  const std::string library = installed_beside("libwormcast_platform.so", "MPI programs need it");
  check_word("the folder for temporary files (TMPDIR)", folder);
  check_word("the library", library);
  write_output(hosts, hosts_text(program.nodes));
  std::vector<std::string> arguments = {smpirun(),   "-quiet", "-np",       fmt::to_string(program.nodes.size()),
                                        "-platform", library,  "-hostfile", hosts};
  if (is_replay) {
    check_word("the list of the trace", program.replay_list);
    arguments.insert(arguments.end(), {"-replay", program.replay_list});
  }
  for (const std::string& setting : simgrid_settings(machine.mpi, program.nodes.size(), is_replay)) {
    check_word("the setting", setting);
    arguments.push_back("--cfg=" + setting);
  }
  for (const std::string& setting : program.settings) {
    arguments.push_back("--cfg=" + setting);
  }
  arguments.emplace_back("--log=root.thres:warning");
  arguments.insert(arguments.begin() + 1, {"-wrapper", preload(library)});
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::vector<std::pair<std::string, std::string>> environment = {
      {program_config_variable, std::filesystem::absolute(program.config.file)},
      {program_overrides_variable, joined_lines(program.config.overrides)},
      {program_removals_variable, joined_lines(program.config.removals)},
      {program_hosts_variable, hosts},
      {program_messages_variable, program.list_messages ? messages.string() : std::string()},
      {program_end_variable, end}};
  if (broadcast) {
    environment.emplace_back(program_broadcast_variable, *broadcast);
  }
  const TopologyDescription& topology = machine.topology->description();
  if (topology.kind == platform_kind().name) { // which SimGrid could not load there beside this one
    const std::filesystem::path routes = folder / "routes";
    write_output(routes, packed_platform_routes(topology.parameters.text("file")));
    environment.emplace_back(program_routes_variable, routes);
  }

  MpiRun run;
  run.exit = run_in_foreground(arguments, environment, program.process);
  if (std::filesystem::exists(end)) {
    run.end = read_program_end(end);
    if (!is_replay) {
      find_locations(run.end->waiting, words.front(), folder);
    }
    if (program.list_messages && run.end->messages > 0) {
      SpokenSchedule spoken = read_spoken_schedule(messages);
      run.messages = std::move(spoken.schedule);
      run.words = std::move(spoken.words);
    }
  }
  return run;
}

} // namespace wormcast
