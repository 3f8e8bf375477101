#include "wormcast/experiments/compare/collectives.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/formats/json_text.hpp"
#include "wormcast/experiments/mpi/own_broadcast.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

namespace wormcast {

namespace {

CollectiveRow own_row(const std::string& algorithm, nlohmann::ordered_json values)
{
  CollectiveRow row{
      .algorithm = std::string(own_algorithm_prefix) + algorithm, .own = true, .values = std::move(values)};
  row.parameters = parameters_text(row.values);
  return row;
}

/// Wormcast's broadcasts with the parameters that `compare` and `choose` take.
std::vector<CollectiveRow> own_rows(const ProgramMachine& machine, NodeId root)
{
  Experiment experiment;
  experiment.topology = machine.topology;
  experiment.network = machine.network;
  experiment.run = machine.run;
  experiment.request = broadcast_request(machine, root, 1);
  std::vector<CollectiveRow> rows;
  for (const Candidate& one : candidates(experiment, {}, Operation::broadcast, BestValues::kept)) {
    rows.push_back(own_row(one.shown.name, one.shown.values));
  }
  return rows;
}

/// The algorithm with the parameters that its text has, and no others.
CollectiveRow row_of_text(const std::string& text)
{
  const OwnBroadcast own = read_own_broadcast(text.substr(own_algorithm_prefix.size()));
  return own_row(own.algorithm, parameters_json(find_algorithm(own.algorithm).parameters, own.parameters));
}

[[noreturn]] void throw_unknown_row(const std::string& name, const std::string& collective,
                                    const std::vector<CollectiveRow>& all)
{
  std::vector<std::string> names;
  for (const CollectiveRow& row : all) {
    if (std::ranges::find(names, row.algorithm) == names.end()) {
      names.push_back(row.algorithm);
    }
  }
  const std::string nearest = nearest_name(name, names);
  throw InputError(fmt::format("found \"{}\", which is no algorithm for {}{}", name, collective,
                               nearest.empty() ? fmt::format(", expected one of {}", fmt::join(names, ", "))
                                               : fmt::format("; did you mean \"{}\"?", nearest)));
}

/// Those of `all` that the options name, and what they name with parameters of its own.
std::vector<CollectiveRow> chosen_rows(std::vector<CollectiveRow> all, const CollectiveOptions& options)
{
  if (options.algorithms.empty()) {
    return all;
  }
  std::vector<bool> chosen(all.size());
  std::vector<CollectiveRow> further;
  for (const std::string& name : options.algorithms) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool named = all[i].algorithm == name || all[i].title() == name;
      chosen[i] = chosen[i] || named;
      found = found || named;
    }
    const bool own = options.collective == "bcast" && name.starts_with(own_algorithm_prefix);
    const std::string algorithm = name.substr(0, name.find(' '));
    const bool exists = own && std::ranges::find(algorithms(), algorithm.substr(own_algorithm_prefix.size()),
                                                 &Algorithm::name) != algorithms().end();
    if (!found && exists) {
      further.push_back(row_of_text(name));
    } else if (!found) {
      throw_unknown_row(name, options.collective, all);
    }
  }
  std::vector<CollectiveRow> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) {
      rows.push_back(std::move(all[i]));
    }
  }
  std::ranges::move(further, std::back_inserter(rows));
  return rows;
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

/// How the rows are timed, with files in `folder`. Texts are a row's number and title.
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
        const std::size_t blank = text.find(' ');
        const std::filesystem::path own_folder = folder / text.substr(0, blank);
        std::filesystem::create_directory(own_folder);
        return report_of(time_collective(
            config, nodes, {.collective = collective, .algorithm = text.substr(blank + 1), .lengths = lengths},
            own_folder));
      },
      [](const std::string& text) { return std::stoul(text); }};
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

CollectiveTable compare_collectives(const ConfigSource& config, const std::vector<NodeId>& nodes,
                                    const std::filesystem::path& folder, const CollectiveOptions& options)
{
  CollectiveTable table;
  table.collective = options.collective;
  table.lengths = options.lengths;
  std::vector<CollectiveRow> all;
  for (const std::string& name : smpi_algorithms(options.collective, config, folder)) {
    all.push_back({.algorithm = name});
  }
  if (options.collective == "bcast") {
    std::ranges::move(own_rows(program_machine(read_config(config)), nodes.front()), std::back_inserter(all));
  }
  table.rows = chosen_rows(std::move(all), options);
  for (CollectiveRow& row : table.rows) {
    row.runs.resize(table.lengths.size());
  }
  const TaskWork work = collectives_work(config, nodes, folder, options);
  LocalWorkers children(work, options.jobs);
  const std::unique_ptr<Workers> before = options.before ? options.before(work, children) : nullptr;
  Batches batches(before ? *before : children, options.progress);
  std::vector<std::string> texts;
  for (const CollectiveRow& row : table.rows) {
    texts.push_back(fmt::format("{} {}", texts.size(), row.title())); // which folder, and what
  }
  table.interrupted_by =
      batches.run(texts, [&](const TaskOutcome& ended) { record(ended, table.rows[ended.task].runs); });
  table.has_gaps = batches.have_gaps();
  return table;
}

} // namespace wormcast
