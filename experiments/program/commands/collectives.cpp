#include "wormcast/experiments/compare/collectives.hpp"

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/collectives_report.hpp"
#include "wormcast/experiments/compare/measured_envelope.hpp"
#include "wormcast/experiments/mpi/rank_map.hpp"
#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/output/plot.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/network_notes.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/program/commands/tuning_options.hpp"
#include "wormcast/experiments/sweep/figure_folder.hpp"
#include "wormcast/experiments/tuning_files/exact_rules.hpp"
#include "wormcast/experiments/tuning_files/tuning_rules.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

struct CollectivesArguments {
  ConfigSource config;
  SharingArguments sharing;
  std::string collective = "bcast";
  std::vector<std::string> algorithms;
  std::string lengths = "64..64KiB";
  std::optional<std::int64_t> ranks;
  std::string map = "block";
  TuningArguments tuning;
  bool exact = false;
  ListingFiles files;
  std::optional<std::int64_t> time_limit;
  std::optional<std::int64_t> jobs;
};

/// "64..64KiB", or "64,4KiB,64KiB".
std::vector<std::uint64_t> read_lengths(const std::string& text)
{
  const std::optional<SearchRange> range = parse_search_range(text);
  const std::vector<std::uint64_t> lengths = range ? lengths_of(*range, range->first) : std::vector<std::uint64_t>();
  if (lengths.empty() || lengths.back() > most_collective_bytes) {
    throw InputError(fmt::format("found \"{}\", expected lengths from 1 to {} bytes, such as 64..64KiB or 64,4KiB",
                                 text, most_collective_bytes));
  }
  return lengths;
}

CollectiveOptions options_of(const CollectivesArguments& arguments)
{
  CollectiveOptions options;
  options.collective = arguments.collective;
  options.algorithms = arguments.algorithms;
  try {
    options.lengths = read_lengths(arguments.lengths);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--lengths: {}", error.what()));
  }
  if (arguments.time_limit) {
    if (*arguments.time_limit < 1) {
      throw InputError(
          fmt::format("--time-limit: found {}, expected a whole number of seconds from 1", *arguments.time_limit));
    }
    options.processor_seconds = static_cast<std::uint64_t>(*arguments.time_limit);
  }
  return options;
}

/// Whether rank r is on node r, and every node has a rank.
bool are_nodes(const std::vector<NodeId>& ranks, std::uint32_t nodes)
{
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    if (index(ranks[rank]) != rank) {
      return false;
    }
  }
  return ranks.size() == nodes;
}

/// Wormcast's algorithms that send what one of the library's sends, and SMPI's do not, are timed as well.
void add_library_rows(const TuningArguments& tuning, CollectiveOptions& options)
{
  const auto library = tuned_library(tuning);
  if (!library || !options.algorithms.empty()) {
    return;
  }
  for (const MeasuredAlgorithm& own : own_in_library(*library, options.collective)) {
    if (!own.values.empty()) {
      options.further.push_back(own.name + " " + parameters_text(own.values));
    }
  }
}

/// What goes to standard output instead of a table that is written at the end: each algorithm's lines when it and those
/// before it are timed, complete lines at once even into a pipe.
class LinesAsTheyCome {
public:
  explicit LinesAsTheyCome(std::unique_ptr<CollectiveLines> lines) : lines_(std::move(lines)) {}

  /// `progress` is cleared before lines are written.
  void timed(const CollectiveTable& table, std::size_t row, ProgressLine& progress)
  {
    std::string text = written_ == 0 ? lines_->begin(table) : std::string();
    text += lines_->row(table, row);
    written_ = row + 1;
    if (!text.empty()) {
      progress.clear();
      write_standard_output(text);
    }
  }

  /// What is not written yet. After an interrupt the timed rows behind those that are not are in it.
  std::string rest(const CollectiveTable& table) const
  {
    std::string text = written_ == 0 ? lines_->begin(table) : std::string();
    for (std::size_t row = written_; row < table.rows.size(); ++row) {
      if (table.rows[row].is_timed) {
        text += lines_->row(table, row);
      }
    }
    return text + lines_->end(table);
  }

private:
  std::unique_ptr<CollectiveLines> lines_;
  std::size_t written_ = 0; // rows
};

int compare_algorithms_of(const CollectivesArguments& arguments, Verbosity verbosity)
{
  check_listing(arguments.files);
  check_tuning(arguments.tuning, arguments.files);
  if (arguments.exact && !arguments.tuning.wanted()) {
    throw InputError("--exact: found no --format, expected one: the rules whose boundaries are searched for");
  }
  const std::size_t jobs = job_count(arguments.jobs);
  CollectiveOptions options = options_of(arguments);
  add_library_rows(arguments.tuning, options);
  const ProgramMachine machine = program_machine(read_single_config(arguments.config, "collectives"));
  say_warnings(warnings_of(machine));
  const std::vector<NodeId> nodes = map_ranks(arguments.map, arguments.ranks, *machine.topology, machine.run.seed);
  const CollectivePlace place = {.ranks = nodes.size(), .map = arguments.map};
  if (arguments.tuning.wanted() && nodes.size() < 2) {
    throw InputError("--format: found 1 rank, expected at least 2: with one there is nothing to choose");
  }

  const auto compute = [&](const WorkPass& pass) {
    const ScratchFolder folder;
    StudyPass study(pass, jobs, verbosity);
    options.tasks = study.tasks();
    const bool is_csv_shown = arguments.files.csv == "-";
    const auto lines =
        std::make_shared<LinesAsTheyCome>(is_csv_shown ? collectives_csv() : collectives_table(machine, place));
    if (!pass.is_shard && pass.part.compute && !arguments.tuning.on_standard_output() && arguments.files.json != "-") {
      options.timed = [&](const CollectiveTable& table, std::size_t row) { lines->timed(table, row, study.line()); };
    }
    CollectiveTable table = compare_collectives(arguments.config, nodes, folder.path(), options);
    const auto time = [&](const std::vector<std::string>& algorithms, const std::vector<std::uint64_t>& lengths) {
      CollectiveOptions some = options;
      some.algorithms = algorithms;
      some.further.clear();
      some.lengths = lengths;
      some.timed = {};
      return compare_collectives(arguments.config, nodes, folder.path(), some);
    };
    const auto library = tuned_library(arguments.tuning);
    ExactRules found;
    if (library && table.interrupted_by == 0 && !table.has_gaps) {
      const bool ranks_are_nodes = are_nodes(nodes, machine.topology->host_count());
      if (arguments.exact) {
        found = exact_rules(*library, table, place.ranks, ranks_are_nodes, time);
      } else {
        found.rules = rules_of_collectives(*library, table, place.ranks, ranks_are_nodes);
      }
      found.rules.place =
          fmt::format("{} ranks on {}, mapped by {}", place.ranks, machine.topology->title(), place.map);
    }
    const int interrupted_by = table.interrupted_by != 0 ? table.interrupted_by : found.interrupted_by;
    PassOutcome ended = study.end(interrupted_by);
    const auto listing_of = [&, lines, is_csv_shown](const CollectiveTable& timed) -> Listing {
      return {.table = [&, lines] { return lines->rest(timed); },
              .json = [&] { return collectives_json_text(machine, place, timed); },
              .csv =
                  [&, lines, is_csv_shown] {
                    return is_csv_shown ? lines->rest(timed) : collectives_text(*collectives_csv(), timed.timed_rows());
                  }};
    };
    const bool has_timed = std::ranges::any_of(table.rows, &CollectiveRow::is_timed);
    if (interrupted_by != 0 && !pass.is_shard && has_timed) {
      table.interrupted_by = interrupted_by;
      ListingFiles files = arguments.files;
      files.pictures.clear();
      write_listing(files, listing_of(table)); // nothing that is timed is lost
    }
    ended.report = [&, library, listing_of, table = std::move(table), rules = std::move(found.rules),
                    store = pass.store]() -> int {
      const auto figure = [&] { return collectives_figure(machine, place, table); };
      if (store != nullptr) {
        keep_figure(*store, "collectives", figure);
      }
      Listing listing = listing_of(table);
      listing.gnuplot_script = [&](const std::string& name) { return gnuplot_script(figure(), name); };
      if (library) {
        write_rules(arguments.tuning, rules, listing);
      }
      write_listing(arguments.files, listing);
      return exit_code::done;
    };
    return ended;
  };
  return share_work(arguments.sharing, {.folder = arguments.sharing.out, .things = "algorithms", .pass = compute});
}

} // namespace

Command collectives_command()
{
  auto arguments = std::make_shared<CollectivesArguments>();
  std::vector<CommandOption> options = {
      {.name = "--collective",
       .target = &arguments->collective,
       .text = "which operation (default: bcast)",
       .choices = {timed_collectives().begin(), timed_collectives().end()}},
      {.name = "--algorithms",
       .target = CommaSeparated{&arguments->algorithms},
       .text = "only these: SMPI's names, and wormcast:NAME (default: all)",
       .value = "NAME,..."},
      {.name = "--lengths",
       .target = &arguments->lengths,
       .text = "message lengths: each twice the one before, or a list such as 64,4KiB (default: 64..64KiB)",
       .value = "FROM..TO|LIST"},
      {.name = "--ranks", .target = &arguments->ranks, .text = "number of ranks (default: one for each node)"},
      {.name = "--map",
       .target = &arguments->map,
       .text = "node of each rank, as of wormcast mpi",
       .value = "MAP",
       .names = rank_map_names}};
  std::ranges::move(tuning_options(arguments->tuning, {"openmpi", "mpich"}), std::back_inserter(options));
  options.push_back({.name = "--exact",
                     .target = &arguments->exact,
                     .text = "of --format: search for the boundaries between --lengths down to the byte"});
  options.push_back(listing_json_option(arguments->files, "all"));
  options.push_back(listing_csv_option(arguments->files, "the times"));
  options.push_back(listing_picture_option(arguments->files, "the fastest"));
  options.push_back({.name = "--time-limit",
                     .target = &arguments->time_limit,
                     .text =
                         "give up an algorithm that takes more processor time than this (state timeout; default: no "
                         "limit)",
                     .value = "SECONDS"});
  options.push_back(jobs_option(arguments->jobs, "programs that run at the same time"));
  return {.name = "collectives",
          .summary = "SMPI's and wormcast's algorithms for a collective, by length",
          .options =
              config_options(arguments->config, with_sharing(std::move(options), arguments->sharing, kept_runs_text)),
          .action = [arguments](Verbosity verbosity) { return compare_algorithms_of(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
