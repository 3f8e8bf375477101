#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/config_options.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/program/commands/sharing.hpp"
#include "wormcast/experiments/program/commands/study_pass.hpp"
#include "wormcast/experiments/validation/fit.hpp"
#include "wormcast/experiments/validation/predicted_rows.hpp"
#include "wormcast/experiments/validation/row_filter.hpp"
#include "wormcast/experiments/validation/study.hpp"
#include "wormcast/experiments/validation/validation.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

struct ValidateArguments {
  std::string measured; ///< or a study
  std::vector<std::string> predicted;
  std::string rows;      ///< measured rows in the place of the study's
  std::string held_back; ///< rows that alone are predicted
  std::vector<std::string> set;
  std::vector<std::string> only;
  bool common = false;
  std::optional<std::int64_t> top = 5;
  std::string predictions;
  SharingArguments sharing;
  ListingFiles files;
  std::optional<std::int64_t> jobs;
};

/// Leaves out what is about measured rows that --only leaves out.
std::vector<PredictedTime> without_left_out(std::vector<PredictedTime> predictions,
                                            std::span<const MeasuredRow> measured, std::span<const MeasuredRow> kept)
{
  std::set<MeasuredCase> left_out;
  for (const MeasuredRow& row : measured) {
    left_out.insert(row.of);
  }
  for (const MeasuredRow& row : kept) {
    left_out.erase(row.of);
  }
  std::erase_if(predictions, [&](const PredictedTime& prediction) { return left_out.contains(prediction.of); });
  return predictions;
}

/// The measured rows that models are compared with, and of them those that --only keeps.
struct Measured {
  std::vector<MeasuredRow> all;
  std::vector<MeasuredRow> kept;
};

Measured read_measured(const std::filesystem::path& file, const ValidateArguments& arguments)
{
  Measured measured{.all = read_measured_rows(file), .kept = {}};
  try {
    measured.kept = filtered_rows(measured.all, arguments.only);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", arguments.only.empty() ? file.string() : "--only", error.what()));
  }
  return measured;
}

std::vector<PredictedTime> read_files(const ValidateArguments& arguments)
{
  std::vector<PredictedTime> predictions;
  for (const std::string& file : arguments.predicted) {
    std::vector<PredictedTime> some = read_predicted_times(file);
    std::ranges::move(some, std::back_inserter(predictions));
  }
  return predictions;
}

/// Throws InputError where a row that was held back is among the others.
void check_held_back(const ValidateArguments& arguments, const std::filesystem::path& known_file,
                     std::span<const MeasuredRow> known, std::span<const MeasuredRow> held_back)
{
  std::set<MeasuredCase> cases;
  for (const MeasuredRow& row : known) {
    cases.insert(row.of);
  }
  for (const MeasuredRow& row : held_back) {
    if (cases.contains(row.of)) {
      throw InputError(fmt::format("--held-back: {}: {} is also in {}, so that it was not held back",
                                   arguments.held_back, case_text(row.of), known_file.string()));
    }
  }
}

int write_validation(const ValidateArguments& arguments, const Measured& measured,
                     std::vector<PredictedTime> predictions, const FittedConstants& constants, const std::string& notes)
{
  std::set<MeasuredCase> fitted;
  for (const FittedConstant& constant : constants.found) {
    fitted.insert(constant.rows.begin(), constant.rows.end());
  }
  Validation validation =
      validate(measured.kept, predictions, arguments.common ? ComparedRows::common : ComparedRows::each, fitted);
  validation.held_back = !arguments.held_back.empty();
  write_listing(
      arguments.files,
      {.table =
           [&] {
             return validation_table(validation, static_cast<std::size_t>(*arguments.top)) + fitted_table(constants) +
                    notes;
           },
       .json =
           [&] { return validation_json_text(validation, constants.found.empty() ? nullptr : fitted_json(constants)); },
       .csv = [&] { return validation_csv(validation); },
       .gnuplot_script = [&](const std::string& name) { return gnuplot_script(validation_figure(validation), name); }});
  return exit_code::done;
}

/// Refuses options of studies.
int validate_files(const ValidateArguments& arguments)
{
  const std::pair<std::string_view, bool> of_studies[] = {
      {"--measured", !arguments.rows.empty()},   {"--held-back", !arguments.held_back.empty()},
      {"--set", !arguments.set.empty()},         {"--predictions", !arguments.predictions.empty()},
      {"--out", !arguments.sharing.out.empty()}, {"--jobs", arguments.jobs.has_value()}};
  for (const auto& [option, given] : of_studies) {
    if (given) {
      throw InputError(fmt::format("{}: found with the measured rows {}, expected a study (.toml), which the program "
                                   "simulates",
                                   option, arguments.measured));
    }
  }
  if (arguments.predicted.empty()) {
    throw InputError(
        fmt::format("{}: found no file of predictions behind it, expected one or more", arguments.measured));
  }
  const Measured measured = read_measured(arguments.measured, arguments);
  return write_validation(arguments, measured, without_left_out(read_files(arguments), measured.all, measured.kept), {},
                          "");
}

std::string errors_text(const StudyPredictions& predicted)
{
  std::string text = predicted.errors.empty() ? "" : "\nno prediction\n";
  for (const auto& [error, count] : predicted.errors) {
    text += fmt::format("  {} of {}: {}\n", count, predicted.predictions.size(), error);
  }
  return text;
}

/// Throws InputError with the most frequent reason where no row could be predicted.
void check_predicted(const ValidationStudy& study, const StudyPredictions& predicted)
{
  const bool none = std::ranges::none_of(predicted.predictions,
                                         [](const PredictedTime& prediction) { return prediction.time.has_value(); });
  if (none && !predicted.errors.empty()) {
    const auto& [error, count] = *std::ranges::max_element(
        predicted.errors, {}, [](const std::pair<const std::string, std::size_t>& one) { return one.second; });
    throw InputError(fmt::format("{}: found no row that could be predicted: {} (of {} predictions)",
                                 study.file.string(), error, count));
  }
}

std::filesystem::path measured_file(const ValidateArguments& arguments, const ValidationStudy& study)
{
  if (!arguments.rows.empty()) {
    return arguments.rows;
  }
  if (!study.measured) {
    throw InputError(
        fmt::format("{}: measured: missing: --measured FILE gives the measured rows", study.file.string()));
  }
  return *study.measured;
}

int validate_study(const ValidateArguments& arguments, Verbosity verbosity)
{
  const std::size_t jobs = job_count(arguments.jobs);
  const ValidationStudy study = read_study(arguments.measured);
  const std::filesystem::path file = measured_file(arguments, study);
  const std::vector<MeasuredRow> known = read_measured_rows(file);
  const Measured measured =
      read_measured(arguments.held_back.empty() ? file : std::filesystem::path(arguments.held_back), arguments);
  if (!arguments.held_back.empty()) {
    check_held_back(arguments, file, known, measured.all);
  }
  const FittedConstants constants = fit_study(study, known, [&](StudiedRow studied) {
    studied.set.insert(studied.set.end(), arguments.set.begin(), arguments.set.end());
    return predict_row({.file = study.configuration.string()}, studied, RunClock::engine);
  });
  const std::vector<PredictedTime> others = without_left_out(read_files(arguments), measured.all, measured.kept);
  const auto pass = [&](const WorkPass& work) {
    StudyPass progress(work, jobs, verbosity);
    StudyPredictions predicted = predict_rows(study, measured.kept, constants.values, arguments.set, progress.tasks());
    PassOutcome ended = progress.end(predicted.interrupted_by);
    ended.report = [&, predicted = std::move(predicted)]() -> int {
      if (!arguments.predictions.empty()) {
        write_output(arguments.predictions, predicted_times_csv(predicted.predictions));
      }
      if (others.empty()) {
        check_predicted(study, predicted);
      }
      std::vector<PredictedTime> all = predicted.predictions;
      all.insert(all.end(), others.begin(), others.end());
      return write_validation(arguments, measured, std::move(all), constants, errors_text(predicted));
    };
    return ended;
  };
  return share_work(arguments.sharing, {.folder = arguments.sharing.out, .things = "predictions", .pass = pass});
}

int validate_rows(const ValidateArguments& arguments, Verbosity verbosity)
{
  if (*arguments.top < 0) {
    throw InputError(fmt::format("--top: found {}, expected a whole number from 0", *arguments.top));
  }
  check_listing(arguments.files);
  return std::filesystem::path(arguments.measured).extension() == ".toml" ? validate_study(arguments, verbosity)
                                                                          : validate_files(arguments);
}

} // namespace

Command validate_command()
{
  auto arguments = std::make_shared<ValidateArguments>();
  std::vector<CommandOption> options = {
      {.name = "MEASURED",
       .target = &arguments->measured,
       .text = "CSV: what was measured; or a study in TOML, whose rows the program simulates (docs/validation.md)",
       .required = true},
      {.name = "PREDICTED", .target = &arguments->predicted, .text = "CSV: what models predict; any number of files"},
      {.name = "--only",
       .target = &arguments->only,
       .text = "leave out all other measured rows; a column of collective, shape, algorithm (* stands for any "
               "characters), ports, bytes (1MiB, 1MiB..8MiB); may be given several times",
       .value = "COLUMN=VALUE"},
      {.name = "--common",
       .target = &arguments->common,
       .text = "compare all models on the rows that all of them predict"},
      {.name = "--top",
       .target = &arguments->top,
       .text = "how many of the largest errors of each model are listed (default 5)",
       .value = "N"},
      {.name = "--measured",
       .target = &arguments->rows,
       .text = "of a study: measured rows in the place of those that it names",
       .value = "FILE"},
      {.name = "--held-back",
       .target = &arguments->held_back,
       .text = "of a study: predict these rows alone, of which none may be among the measured ones, from which the "
               "constants are found",
       .value = "FILE"},
      {.name = "--set",
       .target = &arguments->set,
       .text = "of a study: set a key of all configurations; may be given several times",
       .value = "KEY=VALUE"},
      {.name = "--predictions",
       .target = &arguments->predictions,
       .text = "of a study: write what is predicted as CSV, in the form of PREDICTED",
       .value = "FILE|-"},
      listing_json_option(arguments->files, "measures and rows"),
      listing_csv_option(arguments->files, "the rows"),
      listing_picture_option(arguments->files, "predicted over measured times"),
      jobs_option(arguments->jobs, "of a study: simulations at the same time")};
  return {.name = "validate",
          .summary = "Compare predicted with measured times of collectives on a real machine: errors, order, choice",
          .options = with_sharing(std::move(options), arguments->sharing, kept_runs_text),
          .action = [arguments](Verbosity verbosity) { return validate_rows(*arguments, verbosity); },
          .for_ranks = true};
}

} // namespace wormcast
