#include "wormcast/experiments/compare/collectives.hpp"

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/mpi/own_broadcast.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/parameter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

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

/// What the task of an algorithm reports: for each length its state, its latency in picoseconds and its error.
TaskReport report_of(const std::vector<CollectiveRun>& runs)
{
  Json result = Json::array();
  for (const CollectiveRun& run : runs) {
    result.push_back({{"state", collective_state_names.text(run.state)},
                      {"latency", run.latency.picoseconds},
                      {"error", one_line(run.error)}});
  }
  return {.state = TaskReport::done, .result = std::move(result)};
}

CollectiveRun read_run(const Json& json)
{
  return {.state = collective_state_names.read(json.at("state").get<std::string>()),
          .latency = Time{json.at("latency").get<std::int64_t>()},
          .error = json.at("error").get<std::string>()};
}

void record(const TaskReport& report, std::vector<CollectiveRun>& runs)
{
  if (report.has_died()) {
    for (CollectiveRun& run : runs) {
      run.error = report.error;
    }
    return;
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i] = read_result(report, [&](const Json& result) { return read_run(result.at(i)); });
  }
}

std::size_t row_of(const Json& parameters)
{
  return parameters.at("row").get<std::size_t>();
}

/// How the rows are timed, with files in `folder`. The parameters of a task are the number of a row and its title.
TaskWork collectives_work(const ConfigSource& config, const std::vector<NodeId>& nodes,
                          const std::filesystem::path& folder, const CollectiveOptions& options)
{
  const RawConfig raw = read_config(config);
  const ProgramMachine machine = program_machine(raw);
  std::vector<std::uint32_t> numbers;
  for (const NodeId node : nodes) {
    numbers.push_back(static_cast<std::uint32_t>(node));
  }
  const std::string fingerprint =
      fmt::format("{}\n{} {} {} {}", json_text(machine.effective, JsonLayout::one_line), options.collective,
                  fmt::join(options.lengths, " "), fmt::join(numbers, " "), options.processor_seconds.value_or(0));
  return {point_key(program_version(), fingerprint, FileContents().of(*machine.topology, {})),
          [&config, &nodes, folder, collective = options.collective, lengths = options.lengths,
           processor_seconds = options.processor_seconds](const Json& parameters) {
            const std::filesystem::path own_folder = folder / fmt::to_string(row_of(parameters));
            std::filesystem::create_directory(own_folder);
            return report_of(time_collective(config, nodes,
                                             {.collective = collective,
                                              .algorithm = parameters.at("algorithm").get<std::string>(),
                                              .lengths = lengths,
                                              .processor_seconds = processor_seconds},
                                             own_folder));
          },
          row_of};
}

} // namespace

CollectiveTable CollectiveTable::timed_rows() const
{
  CollectiveTable timed = *this;
  std::erase_if(timed.rows, [](const CollectiveRow& row) { return !row.is_timed; });
  return timed;
}

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
  std::ranges::transform(options.further, std::back_inserter(table.rows), row_of_text);
  for (CollectiveRow& row : table.rows) {
    row.runs.resize(table.lengths.size());
  }
  const TaskWork work = collectives_work(config, nodes, folder, options);
  Batches batches(work, options.tasks);
  std::vector<Json> tasks;
  for (const CollectiveRow& row : table.rows) {
    tasks.push_back({{"row", tasks.size()}, {"algorithm", row.title()}});
  }
  std::size_t told = 0; // rows
  table.interrupted_by = batches.run(tasks, [&](const TaskOutcome& ended) {
    record(ended.report, table.rows[ended.task].runs);
    table.rows[ended.task].is_timed = true;
    for (; told < table.rows.size() && table.rows[told].is_timed; ++told) {
      if (options.timed) {
        options.timed(table, told);
      }
    }
  });
  table.has_gaps = batches.have_gaps();
  return table;
}

} // namespace wormcast
