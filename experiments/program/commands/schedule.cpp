#include "wormcast/algorithms/imported/file_kind.hpp"
#include "wormcast/algorithms/imported/msccl_schedule.hpp"
#include "wormcast/algorithms/imported/msccl_writer.hpp"
#include "wormcast/algorithms/schedule/export.hpp"
#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/process/resources.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/tuning_files/msccl_schedules.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>

namespace wormcast {

namespace {

struct ScheduleArguments {
  ConfigSource config;
  std::string format = "json";
  std::string out = "-";
  bool keep_order = false;
};

/// About the bytes of a schedule's file.
std::uint64_t size_of(const Schedule& schedule)
{
  constexpr std::uint64_t bytes_of_message = 56;
  constexpr std::uint64_t bytes_of_range = 14;
  std::vector<std::uint64_t> ranges(schedule.block_sets.count());
  for (std::uint32_t set = 0; set < ranges.size(); ++set) {
    ranges[set] = schedule.block_sets.range_count(BlockSetId{set});
  }
  std::uint64_t size = schedule.messages.size() * bytes_of_message;
  for (const Message& message : schedule.messages) {
    size +=
        schedule.operation == Operation::none ? 0 : ranges[static_cast<std::uint32_t>(message.blocks)] * bytes_of_range;
  }
  return size;
}

/// The schedule of the experiment before it is placed; of MSCCL XML the one that the file is, but for GOAL, which has
/// programs. Throws InputError where it is none.
LogicalSchedule schedule_to_show(const Experiment& experiment, const std::string& format)
{
  const bool is_msccl = experiment.given != nullptr && !experiment.schedule_file.empty() &&
                        schedule_file_kind(experiment.schedule_file) == ScheduleFileKind::msccl;
  if (!is_msccl || format == "goal") {
    return logical_schedule(experiment);
  }
  const ParameterValues& parameters = experiment.request.parameters;
  if (parameters.has("map") || parameters.has("nodes") || experiment.effective.contains("ranks")) {
    throw InputError("algorithm.map, algorithm.nodes, [ranks]: a schedule of blocks has rank r on node r");
  }
  try {
    return {experiment.topology,
            std::make_shared<const Schedule>(schedule_of_msccl(read_msccl(experiment.schedule_file),
                                                               *experiment.topology, experiment.request.message_bytes,
                                                               experiment.network.ports, experiment.network.duplex))};
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", experiment.schedule_file.string(), error.what()));
  }
}

int show_schedule(const ScheduleArguments& arguments, Verbosity verbosity)
{
  const RawConfig config = read_single_config(arguments.config, "schedule");
  const Experiment experiment = make_experiment(config);
  const LogicalSchedule shown = schedule_to_show(experiment, arguments.format);
  const Schedule& schedule = *shown.schedule;
  if (arguments.keep_order && arguments.format != "msccl") {
    throw InputError(fmt::format("--keep-order: found format \"{}\", expected \"msccl\"", arguments.format));
  }
  claim_output(size_of(schedule), "the schedule's file");
  OutputFile output(arguments.out);
  if (arguments.format == "dot") {
    write_schedule_dot(*shown.topology, schedule, output.stream());
  } else if (arguments.format == "goal") {
    write_schedule_goal(*shown.topology, schedule, output.stream());
  } else if (arguments.format == "msccl") {
    const ProvedMsccl proved =
        proved_msccl(schedule, shown.topology->host_count(), experiment.algorithm, arguments.keep_order);
    for (const std::string& warning : proved.warnings) {
      spdlog::warn("{}", warning);
    }
    write_msccl(proved.algorithm, output.stream());
  } else {
    ProgressLine line(verbosity != Verbosity::quiet && arguments.out != "-");
    write_schedule(schedule, output.stream(), line.of_work("messages written"));
  }
  output.commit();
  say_written(arguments.out);
  return exit_code::done;
}

} // namespace

Command schedule_command()
{
  auto arguments = std::make_shared<ScheduleArguments>();
  return {.name = "schedule",
          .summary = "the messages of an algorithm",
          .options = config_options(arguments->config, {{.name = "--format",
                                                         .target = &arguments->format,
                                                         .text = "what to write (default: json)",
                                                         .choices = {"json", "dot", "goal", "msccl"}},
                                                        {.name = "--keep-order",
                                                         .target = &arguments->keep_order,
                                                         .text = "of msccl: a node sends one message after the other"},
                                                        {.name = "--out",
                                                         .target = &arguments->out,
                                                         .text = "write to a file instead of standard output",
                                                         .value = "FILE|-"}}),
          .action = [arguments](Verbosity verbosity) { return show_schedule(*arguments, verbosity); }};
}

} // namespace wormcast
