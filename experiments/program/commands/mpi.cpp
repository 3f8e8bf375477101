#include "wormcast/algorithms/imported/time_independent.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"
#include "wormcast/experiments/mpi/channel_load.hpp"
#include "wormcast/experiments/mpi/collective_run.hpp"
#include "wormcast/experiments/mpi/mpi_report.hpp"
#include "wormcast/experiments/mpi/mpi_run.hpp"
#include "wormcast/experiments/mpi/rank_map.hpp"
#include "wormcast/experiments/mpi/rank_timeline.hpp"
#include "wormcast/experiments/mpi/rank_traffic.hpp"
#include "wormcast/experiments/mpi/waiting_report.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/run/imported_check.hpp"
#include "wormcast/experiments/run/recorded_run.hpp"
#include "wormcast/experiments/trace/writer.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

struct MpiArguments {
  ConfigSource config;
  std::vector<std::string> program;
  std::string replay;
  std::optional<std::int64_t> ranks;
  std::string map = "block";
  std::map<std::string, std::string> algorithms; // by collective; empty: not given
  std::string json;
  std::vector<std::string> traces;
  std::string messages;
  std::string write_map;
  std::string explain;
  std::vector<std::string> matrices;
  std::vector<std::string> timelines;
};

/// What options say of the [mpi] section, as --set would.
std::vector<std::string> overrides_of(const MpiArguments& arguments)
{
  std::vector<std::string> overrides = arguments.config.overrides;
  if (arguments.config.unchecked) { // the program's processes read the configuration by themselves
    overrides.emplace_back("run.unchecked=true");
  }
  for (const auto& [collective, algorithm] : arguments.algorithms) {
    if (!algorithm.empty()) {
      overrides.push_back(fmt::format("mpi.{}={}", collective, algorithm));
    }
  }
  return overrides;
}

/// The program or the replay in messages.
std::string program_name(const MpiArguments& arguments)
{
  return arguments.replay.empty() && !arguments.program.empty() ? arguments.program.front()
                                                                : "the replay of " + arguments.replay;
}

/// The program without its folder, or the replay, in pictures.
std::string program_title(const MpiArguments& arguments)
{
  return arguments.program.empty() ? program_name(arguments)
                                   : std::filesystem::path(arguments.program.front()).filename().string();
}

/// The files of one run, opened before it.
struct MpiOutputs {
  std::optional<OutputFile> json;
  std::list<OutputFile> traces; ///< in the order of the arguments
  std::optional<OutputFile> messages;
  std::optional<OutputFile> map;

  explicit MpiOutputs(const MpiArguments& arguments)
  {
    const auto open = [](std::optional<OutputFile>& output, const char* option, const std::string& file) {
      refuse_standard_output(option, file);
      if (!file.empty()) {
        output.emplace(file);
      }
    };
    open(json, "--json", arguments.json);
    for (const std::string& trace : arguments.traces) {
      refuse_standard_output("--trace", trace);
      traces.emplace_back(trace);
    }
    open(messages, "--messages", arguments.messages);
    open(map, "--write-map", arguments.write_map);
  }

  void commit()
  {
    for (OutputFile& trace : traces) {
      trace.commit();
    }
    for (auto* output : {&json, &messages, &map}) {
      if (output->has_value()) {
        (*output)->commit();
      }
    }
  }

private:
  static void refuse_standard_output(const char* option, const std::string& file)
  {
    if (file == "-") {
      throw InputError(fmt::format("{}: found \"-\", but standard output is the program's; expected a file", option));
    }
  }
};

bool is_csv(const std::string& file)
{
  return std::filesystem::path(file).extension() == ".csv";
}

void check_matrix_name(const std::string& file)
{
  try {
    check_picture_name(file);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--matrix: {}, or in .csv for a table", error.what()));
  }
}

/// Finds out before the run whether these pictures can be drawn.
void check_pictures(const MpiArguments& arguments, const RankRows& rows)
{
  for (const std::string& file : arguments.matrices) {
    if (!is_csv(file)) {
      check_matrix_name(file);
      check_drawable(rows, "--matrix");
    }
  }
  for (const std::string& file : arguments.timelines) {
    check_picture_name(file);
    check_drawable(rows, "--timeline");
  }
}

void write_matrices(const MpiArguments& arguments, const RankTraffic& traffic, const std::string& title)
{
  std::vector<std::string> pictures;
  for (const std::string& file : arguments.matrices) {
    if (is_csv(file)) {
      write_output(file, traffic_csv(traffic));
    } else {
      pictures.push_back(file);
    }
  }
  if (!pictures.empty()) {
    const MatrixFigure figure = traffic_figure(traffic, title);
    write_pictures([&](const std::string& name) { return gnuplot_script(figure, name); }, pictures);
  }
}

/// Throws std::logic_error where the list of what was sent does not take the times that the program met.
void check_times(const SimulationResult& simulation, const ProgramEnd& end)
{
  if (simulation.latency ? *simulation.latency != end.last_delivery
                         : simulation.deadlock->undelivered != end.undelivered) {
    throw std::logic_error("the program's messages take other times in a run of their own");
  }
}

/// The exit code of a program that did not end well; 0 where it did.
int report_failure(const MpiRun& run, const std::string& program)
{
  if (run.exit.signal != 0) {
    spdlog::error("{} was ended by signal {}", program, run.exit.signal);
    return exit_code::other;
  }
  if (run.exit.code != 0) {
    spdlog::error("{} ended with exit code {}", program, run.exit.code);
  } else if (!run.end) {
    spdlog::error("{} ended without having run on the network", program);
    return exit_code::other;
  }
  return run.exit.code;
}

/// Reads the trace that is to be replayed and writes a list of its files to `folder`. Throws InputError where it cannot
/// be replayed.
TimeIndependentTrace prepare_replay(const MpiArguments& arguments, MpiProgram& program,
                                    const std::filesystem::path& folder)
{
  if (!arguments.program.empty()) {
    throw InputError(
        fmt::format("--replay: found beside the program {}, expected one of both", arguments.program.front()));
  }
  TimeIndependentTrace trace = read_time_independent(std::filesystem::path(arguments.replay));
  const std::vector<Finding> findings = trace.findings.all();
  if (!findings.empty()) {
    throw InputError(fmt::format("{}: {}", arguments.replay, finding_text(findings.front())));
  }
  if (arguments.ranks && *arguments.ranks != trace.ranks) {
    throw InputError(
        fmt::format("--ranks: found {}, but {} has {} ranks", *arguments.ranks, arguments.replay, trace.ranks));
  }
  program.trace = arguments.replay;
  program.replay_list = write_replay_list(trace, folder);
  return trace;
}

/// Runs the program mapped by block, and puts its ranks on the nodes that its communication says. None where this run
/// did not end on the network; `failed` is then the exit code.
std::optional<PlacementGain> place_ranks(const MpiArguments& arguments, const ProgramMachine& machine,
                                         MpiProgram& program, const std::filesystem::path& folder, int& failed)
{
  std::filesystem::create_directory(folder);
  MpiProgram first = program;
  first.process.output = folder / "output";
  const MpiRun run = run_mpi_program(machine, first, folder);
  if (!run.end) {
    failed = report_failure(run, fmt::format("the first run of {}, mapped by block,", program_name(arguments)));
    return std::nullopt;
  }
  const Communication communication(run.messages, program.nodes);
  PlacementGain gain{.block_byte_hops = byte_hops(*machine.topology, communication, program.nodes),
                     .block_busiest_channel_bytes =
                         busiest_channel_bytes(*machine.topology, communication, program.nodes),
                     .block_end = run.end->clock,
                     .block_last_delivery = run.end->last_delivery};
  program.nodes = map_by_communication(arguments.map, *machine.topology, communication, program.nodes);
  gain.byte_hops = byte_hops(*machine.topology, communication, program.nodes);
  gain.busiest_channel_bytes = busiest_channel_bytes(*machine.topology, communication, program.nodes);
  return gain;
}

int run_mpi(const MpiArguments& arguments, Verbosity verbosity)
{
  MpiOutcome outcome;
  outcome.program.config = arguments.config;
  outcome.program.config.overrides = overrides_of(arguments);
  outcome.program.program = arguments.program;
  outcome.map = arguments.map;
  const RawConfig config = read_single_config(outcome.program.config, "mpi");
  const ProgramMachine machine = program_machine(config);
  say_warnings(warnings_of(machine));
  const ScratchFolder folder; // for the files between this program and SimGrid's
  std::optional<std::int64_t> ranks = arguments.ranks;
  if (!arguments.replay.empty()) {
    ranks = prepare_replay(arguments, outcome.program, folder.path()).ranks;
  }
  const std::string name = program_name(arguments);
  const bool is_placed = needs_communication(arguments.map);
  outcome.program.nodes = map_ranks(is_placed ? "block" : arguments.map, ranks, *machine.topology, machine.run.seed);
  check_pictures(arguments, rank_rows(*machine.topology, outcome.program.nodes));
  check_smpi_algorithms(machine.mpi, outcome.program.config, folder.path());
  MpiOutputs outputs(arguments);
  if (is_placed) {
    int failed = exit_code::other;
    outcome.placement = place_ranks(arguments, machine, outcome.program, folder.path() / "block", failed);
    if (!outcome.placement) {
      return failed;
    }
  }
  if (outputs.map) {
    outputs.map->stream() << hosts_text(outcome.program.nodes);
  }
  MpiRun run = run_mpi_program(machine, outcome.program, folder.path());
  if (!run.end) {
    return report_failure(run, name);
  }
  outcome.end = *run.end;
  outcome.exit = run.exit;
  outcome.calls = rank_call_uses(outcome.end.calls, run.messages, run.words.get());
  if (outcome.end.messages == 0) {
    run.messages.topology = machine.topology->description();
    run.messages.operation = Operation::none;
  }
  const Experiment experiment = message_experiment(machine, run.messages, run.words);
  std::vector<std::unique_ptr<TraceWriter>> writers;
  for (OutputFile& file : outputs.traces) {
    writers.push_back(make_trace_writer(arguments.traces[writers.size()], experiment, run.messages, file.stream()));
  }
  const std::unique_ptr<TraceWriter> trace = make_joint_writer(std::move(writers));
  const RankRows rows = rank_rows(*machine.topology, outcome.program.nodes);
  RankTimeline timeline(rows, run.messages, machine.network.startup);
  const bool is_drawn = !arguments.timelines.empty();
  RecordSinks sinks;
  if (is_drawn) {
    sinks.occupancy = [&](const OccupancyRecord& record) { timeline.occupancy(record); };
  }
  RecordedRun recorded = run_recorded(
      experiment, run.messages,
      {.trace = trace.get(),
       .explain = {.detail = path_detail(arguments.explain),
                   .groupings = rank_groupings(experiment, run.messages, outcome.program.nodes, run.words.get())},
       .path = is_drawn,
       .starts = FixedStarts::by_program,
       .sinks = sinks});
  outcome.network = std::move(recorded.outcome);
  check_times(outcome.network.simulation, outcome.end);
  if (outputs.json) {
    outputs.json->stream() << mpi_result_text(experiment, outcome);
  }
  if (outputs.messages) {
    write_schedule(run.messages, run.words.get(), outputs.messages->stream());
  }
  outputs.commit();
  const std::string title = fmt::format("{}, {} ranks", program_title(arguments), outcome.program.nodes.size());
  write_matrices(arguments, rank_traffic(run.messages, rows), title);
  if (is_drawn) {
    if (recorded.path) {
      timeline.critical_path(*recorded.path);
    }
    write_pictures([&](const std::string& file) { return timeline.gnuplot_script(file, title, outcome.end.clock); },
                   arguments.timelines);
  }
  if (verbosity != Verbosity::quiet) {
    write_standard_output("\n" + mpi_table(experiment, outcome) + recorded.explanation);
  }
  if (outcome.network.simulation.deadlock) {
    spdlog::error("{}", explain_deadlock(*machine.topology, run.messages, *outcome.network.simulation.deadlock));
    return exit_code::deadlock;
  }
  if (outcome.end.stuck) {
    spdlog::error("{} came to a stop at {} us: {}", name, format_microseconds(outcome.end.clock),
                  waiting_text(outcome.end.waiting));
    return exit_code::deadlock;
  }
  if (outcome.end.aborted) {
    spdlog::error("{} called MPI_Abort, or its ranks were killed, and ended at {} us", name,
                  format_microseconds(outcome.end.clock));
    return exit_code::other;
  }
  return report_failure(run, name);
}

std::vector<CommandOption> mpi_options(MpiArguments& arguments)
{
  std::vector<CommandOption> options = {
      {.name = "PROGRAM",
       .target = &arguments.program,
       .text = "MPI program made by smpicc or smpicxx, with its arguments; behind \"--\""},
      {.name = "--replay",
       .target = &arguments.replay,
       .text = "replay a time-independent trace of SimGrid in place of a program (docs/formats-of-others.md)",
       .value = "TRACE"},
      {.name = "--ranks", .target = &arguments.ranks, .text = "number of ranks (default: one for each node)"},
      {.name = "--map",
       .target = &arguments.map,
       .text =
           "node of each rank: block (default), round_robin, order, random, greedy, refine, channel_load, scotch, or a "
           "file with a node a line",
       .value = "MAP",
       .names = program_map_names},
      {.name = "--write-map",
       .target = &arguments.write_map,
       .text = "write the node of each rank, as --map takes it",
       .value = "FILE"}};
  for (const std::string& collective : mpi_collectives()) {
    options.push_back({.name = "--" + collective,
                       .target = &arguments.algorithms[collective],
                       .text = fmt::format("algorithm of {}, as mpi.{} in the configuration", collective, collective),
                       .value = "NAME"});
  }
  options.push_back({.name = "--json", .target = &arguments.json, .text = "write the result as JSON", .value = "FILE"});
  options.push_back({.name = "--trace",
                     .target = &arguments.traces,
                     .text = "write contention and channel occupancy: JSON lines, or trace events for *.perfetto.json; "
                             "may be given several times",
                     .value = "FILE"});
  options.push_back({.name = "--messages",
                     .target = &arguments.messages,
                     .text = "write what was sent as a plain message list, which wormcast run takes",
                     .value = "FILE"});
  options.push_back(explain_option(arguments.explain));
  options.push_back({.name = "--matrix",
                     .target = &arguments.matrices,
                     .text =
                         "write the bytes and messages from each rank to each other one into a file that ends in .csv, "
                         ".svg, .png, .pdf or .gnuplot; may be given several times",
                     .value = "FILE"});
  options.push_back(
      {.name = "--timeline",
       .target = &arguments.timelines,
       .text = "draw when each rank starts up, sends and receives, and the critical path, into a file that ends "
               "in .svg, .png, .pdf or .gnuplot; may be given several times",
       .value = "FILE"});
  options.push_back({.name = "--unchecked",
                     .target = &arguments.config.unchecked,
                     .text = "also run a broadcast (--bcast wormcast:NAME) whose schedule lacks messages, as "
                             "run.unchecked = true"});
  return options;
}

} // namespace

Command mpi_command()
{
  auto arguments = std::make_shared<MpiArguments>();
  return {.name = "mpi",
          .summary = "an MPI program on the network, by SimGrid's SMPI",
          .options = config_options(arguments->config, mpi_options(*arguments)),
          .action = [arguments](Verbosity verbosity) { return run_mpi(*arguments, verbosity); }};
}

} // namespace wormcast
