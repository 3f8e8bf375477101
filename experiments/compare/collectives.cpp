#include "wormcast/experiments/compare/collectives.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

std::vector<std::string> all_algorithms(const std::string& collective, std::vector<std::string> smpi)
{
  if (collective == "bcast") {
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.operation == Operation::broadcast) {
        smpi.push_back(std::string(own_algorithm_prefix) + algorithm.name);
      }
    }
  }
  return smpi;
}

std::vector<std::string> chosen_algorithms(const std::vector<std::string>& all, const CollectiveOptions& options)
{
  for (const std::string& name : options.algorithms) {
    if (std::ranges::find(all, name) == all.end()) {
      const std::string nearest = nearest_name(name, all);
      throw InputError(fmt::format("found \"{}\", which is no algorithm for {}{}", name, options.collective,
                                   nearest.empty() ? fmt::format(", expected one of {}", fmt::join(all, ", "))
                                                   : fmt::format("; did you mean \"{}\"?", nearest)));
    }
  }
  std::vector<std::string> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen), [&](const std::string& name) {
    return options.algorithms.empty() || std::ranges::find(options.algorithms, name) != options.algorithms.end();
  });
  return chosen;
}

std::string one_line(std::string text)
{
  std::ranges::replace(text, '\n', ' ');
  return text;
}

/// What the process of an algorithm sends to its parent: for each length a line with the state, a blank, and the
/// latency in picoseconds or an error text.
TaskReport report_of(const std::vector<CollectiveRun>& runs)
{
  std::string text;
  for (const CollectiveRun& run : runs) {
    text +=
        fmt::format("{} {}\n", static_cast<int>(run.state),
                    run.state == CollectiveState::done ? fmt::to_string(run.latency.picoseconds) : one_line(run.error));
  }
  return {0, std::move(text)};
}

void record(const TaskOutcome& ended, std::vector<CollectiveRun>& runs)
{
  std::istringstream lines(ended.signal == 0 ? ended.report.text : std::string());
  for (CollectiveRun& run : runs) {
    std::string line;
    if (!std::getline(lines, line)) {
      run.error = describe_death(ended);
      continue;
    }
    run.state = static_cast<CollectiveState>(line.front() - '0');
    const std::string rest = line.substr(2);
    if (run.state == CollectiveState::done) {
      run.latency = Time{std::stoll(rest)};
    } else {
      run.error = rest;
    }
  }
}

} // namespace

std::optional<std::size_t> CollectiveTable::fastest(std::size_t length, bool own) const
{
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CollectiveRun& run = rows[i].runs[length];
    if (rows[i].own == own && run.state == CollectiveState::done &&
        (!best || run.latency < rows[*best].runs[length].latency)) {
      best = i;
    }
  }
  return best;
}

TaskWork collectives_work(const ConfigSource& config, const std::vector<NodeId>& nodes,
                          const std::filesystem::path& folder, const CollectiveOptions& options)
{
  const RawConfig raw = read_config(config);
  const ProgramMachine machine = program_machine(raw);
  std::vector<std::uint32_t> numbers;
  for (const NodeId node : nodes) {
    numbers.push_back(static_cast<std::uint32_t>(node));
  }
  const std::string basis = fmt::format("{}\n{} {} {}", json_text(machine.effective, JsonLayout::one_line),
                                        options.collective, fmt::join(options.lengths, " "), fmt::join(numbers, " "));
  return {
      point_key(program_version(), basis, FileContents().of(*machine.topology, {})),
      [&config, &nodes, folder, collective = options.collective, lengths = options.lengths](const std::string& text) {
        const std::filesystem::path own_folder = folder / text;
        std::filesystem::create_directory(own_folder);
        return report_of(time_collective(
            config, nodes, {.collective = collective, .algorithm = text, .lengths = lengths}, own_folder));
      }};
}

CollectiveTable compare_collectives(const ConfigSource& config, const std::vector<NodeId>& nodes,
                                    const std::filesystem::path& folder, const CollectiveOptions& options)
{
  CollectiveTable table;
  table.collective = options.collective;
  table.lengths = options.lengths;
  const std::vector<std::string> all =
      all_algorithms(options.collective, smpi_algorithms(options.collective, config, folder));
  for (const std::string& name : chosen_algorithms(all, options)) {
    table.rows.push_back({.algorithm = name,
                          .own = name.starts_with(own_algorithm_prefix),
                          .runs = std::vector<CollectiveRun>(table.lengths.size())});
  }
  const TaskWork work = collectives_work(config, nodes, folder, options);
  LocalWorkers children(work, options.jobs);
  Batches batches(options.workers != nullptr ? *options.workers : children, options.progress);
  std::vector<std::string> texts;
  for (const CollectiveRow& row : table.rows) {
    texts.push_back(row.algorithm);
  }
  table.interrupted_by =
      batches.run(texts, [&](const TaskOutcome& ended) { record(ended, table.rows[ended.task].runs); });
  return table;
}

} // namespace wormcast
