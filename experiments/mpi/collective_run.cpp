#include "wormcast/experiments/mpi/collective_run.hpp"

#include "wormcast/experiments/mpi/own_broadcast.hpp"
#include "wormcast/experiments/process/installed.hpp"
#include "wormcast/formats/whole_file.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/parameter.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

// examples/collectives.cpp, made by smpicxx.
std::filesystem::path timing_program()
{
  return installed_beside("wormcast/collectives", "timing collectives needs it, and it was made with smpicxx");
}

struct EndOfCase {
  MpiRun run;
  std::string said; // the output of the process
};

// `lengths` in this order; they may repeat.
EndOfCase run_case(const ConfigSource& config, const std::vector<NodeId>& nodes, const CollectiveCase& which,
                   std::span<const std::uint64_t> lengths, const std::filesystem::path& folder)
{
  ConfigSource chosen = config;
  chosen.overrides.push_back(fmt::format("mpi.{}={}", which.collective, which.algorithm));
  const ProgramMachine machine = program_machine(read_config(chosen));
  const std::filesystem::path output = folder / "output";
  MpiProgram program = {.config = std::move(chosen),
                        .nodes = nodes,
                        .program = {timing_program(), which.collective},
                        .list_messages = false,
                        .settings = {"smpi/wtime:0"},
                        .process = {.output = output, .processor_seconds = which.processor_seconds}};
  for (const std::uint64_t length : lengths) {
    program.program.push_back(fmt::to_string(length));
  }
  EndOfCase end{.run = run_mpi_program(machine, program, folder), .said = {}};
  end.said = read_whole_file(output);
  return end;
}

std::string between(const std::string& text, std::string_view before, std::string_view after)
{
  const std::size_t begin = text.find(before);
  if (begin == std::string::npos) {
    return {};
  }
  const std::size_t end = text.find(after, begin + before.size());
  return end == std::string::npos ? std::string() : text.substr(begin + before.size(), end - begin - before.size());
}

// The lines of the timing program, one for each length that it completed.
std::vector<CollectiveRun> printed_runs(const CollectiveCase& which, std::size_t ranks, const std::string& said)
{
  std::vector<CollectiveRun> runs;
  std::istringstream lines(said);
  const std::string middle = fmt::format(" bytes among {} ranks: ", ranks);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t found = line.find(middle);
    if (!line.starts_with(which.collective + " of ") || found == std::string::npos) {
      continue;
    }
    const std::string time = line.substr(found + middle.size());
    if (time.ends_with(" us")) {
      runs.push_back(
          {.state = CollectiveState::done, .latency = parse_time(time.substr(0, time.size() - 3) + "us"), .error = {}});
    } else {
      runs.push_back(
          {.state = CollectiveState::wrong, .latency = {}, .error = "not every rank gets what it must have"});
    }
  }
  return runs;
}

// SimGrid's reason for its end, or else the last line.
std::string last_words(const std::string& said)
{
  std::istringstream lines(said);
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t critical = line.find("/CRITICAL] "); critical != std::string::npos) {
      return line.substr(line.find("] ", critical) + 2);
    }
    if (!line.empty() && !line.starts_with("Execution failed with code")) {
      last = line;
    }
  }
  return last;
}

// The reason why it stopped.
CollectiveRun failure(const CollectiveCase& which, const EndOfCase& end)
{
  const ProgramExit& exit = end.run.exit;
  if (which.processor_seconds && is_out_of_time(exit)) {
    return {.state = CollectiveState::timeout,
            .latency = {},
            .error = fmt::format("took more than {} s of processor time", *which.processor_seconds)};
  }
  if (end.run.end && end.run.end->undelivered > 0) {
    return {.state = CollectiveState::deadlock,
            .latency = {},
            .error = fmt::format("deadlock of the network: {} messages never arrive", end.run.end->undelivered)};
  }
  if (end.run.end && end.run.end->stuck) {
    return {.state = CollectiveState::deadlock, .latency = {}, .error = "deadlock: ranks wait for each other"};
  }
  const std::string how = exit.signal != 0 ? fmt::format("ended by signal {}", exit.signal)
                                           : fmt::format("ended with exit code {}", exit.code);
  const std::string why = last_words(end.said);
  return {.state = CollectiveState::died, .latency = {}, .error = why.empty() ? how : fmt::format("{}: {}", how, why)};
}

// Appends the results of one process for the remaining lengths, the first of which it tried twice, up to the first one
// that fails: messages left over from it may meet later ones.
void append_trusted(std::vector<CollectiveRun> printed, const CollectiveRun& failure, std::vector<CollectiveRun>& runs,
                    std::size_t lengths)
{
  const auto is_wrong = [](const CollectiveRun& run) { return run.state != CollectiveState::done; };
  if (printed.size() < 1 + lengths - runs.size()) {
    printed.push_back(failure);
  }
  if (!is_wrong(printed.front())) {
    printed.erase(printed.begin());
  }
  const auto wrong = std::ranges::find_if(printed, is_wrong);
  runs.insert(runs.end(), printed.begin(), wrong == printed.end() ? wrong : wrong + 1);
}

} // namespace

std::span<const std::string> timed_collectives()
{
  static const std::vector<std::string> names = {"bcast", "allreduce", "alltoall"};
  return names;
}

std::vector<std::string> smpi_algorithms(const std::string& collective, const ConfigSource& config,
                                         const std::filesystem::path& folder)
{
  static constexpr std::array<std::uint64_t, 1> one_byte = {1};
  // SMPI answers a wrong name with the right ones.
  const EndOfCase end = run_case(config, {NodeId{0}}, {.collective = collective, .algorithm = "unknown", .lengths = {}},
                                 one_byte, folder);
  std::istringstream names(between(end.said, "Valid algorithms: ", ".\n"));
  std::vector<std::string> algorithms;
  for (std::string name; names >> name;) {
    if (name.ends_with(',')) {
      name.pop_back();
    }
    if (name != "automatic") {
      algorithms.push_back(name);
    }
  }
  if (algorithms.empty()) {
    throw std::runtime_error(
        fmt::format("SMPI does not name its algorithms for {}: {}", collective, last_words(end.said)));
  }
  return algorithms;
}

void check_smpi_algorithms(const MpiParameters& mpi, const ConfigSource& config, const std::filesystem::path& folder)
{
  for (const auto& [collective, algorithm] : mpi.algorithms) {
    if (algorithm.starts_with(own_algorithm_prefix)) {
      continue;
    }
    // SMPI would name those of another collective first.
    ConfigSource alone = config;
    for (const auto& [other, ignored] : mpi.algorithms) {
      if (other != collective) {
        alone.overrides.push_back(fmt::format("mpi.{}=default", other));
      }
    }
    const std::vector<std::string> names = smpi_algorithms(collective, alone, folder);
    if (algorithm != "automatic" && std::ranges::find(names, algorithm) == names.end()) {
      const std::string nearest = nearest_name(algorithm, names);
      throw InputError(fmt::format("mpi.{}: found \"{}\", expected one of {}{}", collective, algorithm,
                                   fmt::join(names, ", "),
                                   nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
    }
  }
}

std::vector<CollectiveRun> time_collective(const ConfigSource& config, const std::vector<NodeId>& nodes,
                                           const CollectiveCase& which, const std::filesystem::path& folder)
{
  std::vector<CollectiveRun> runs;
  while (runs.size() < which.lengths.size()) {
    const std::span<const std::uint64_t> left = std::span(which.lengths).subspan(runs.size());
    std::vector<std::uint64_t> lengths(left.begin(), left.end());
    lengths.insert(lengths.begin(), lengths.front()); // the first time prepares
    try {
      const EndOfCase end = run_case(config, nodes, which, lengths, folder);
      append_trusted(printed_runs(which, nodes.size(), end.said), failure(which, end), runs, which.lengths.size());
      if (runs.back().state == CollectiveState::timeout) {
        runs.resize(which.lengths.size(), runs.back());
      }
    } catch (const InputError& error) {
      runs.resize(which.lengths.size(), {.state = CollectiveState::left_out, .latency = {}, .error = error.what()});
    }
  }
  return runs;
}

} // namespace wormcast
