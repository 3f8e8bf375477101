#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/validation/row_filter.hpp"
#include "wormcast/experiments/validation/validation.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

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
  std::string measured;
  std::vector<std::string> predicted;
  std::vector<std::string> only;
  bool common = false;
  std::optional<std::int64_t> top = 5;
  ListingFiles files;
};

/// Leaves out what is about measured rows that --only leaves out.
std::vector<Prediction> without_left_out(std::vector<Prediction> predictions, std::span<const MeasuredRow> measured,
                                         std::span<const MeasuredRow> kept)
{
  std::set<MeasuredCase> left_out;
  for (const MeasuredRow& row : measured) {
    left_out.insert(row.of);
  }
  for (const MeasuredRow& row : kept) {
    left_out.erase(row.of);
  }
  std::erase_if(predictions, [&](const Prediction& prediction) { return left_out.contains(prediction.of); });
  return predictions;
}

std::vector<MeasuredRow> kept_rows(const std::vector<MeasuredRow>& measured, const ValidateArguments& arguments)
{
  try {
    return filtered_rows(measured, arguments.only);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", arguments.only.empty() ? arguments.measured : "--only", error.what()));
  }
}

int validate_files(const ValidateArguments& arguments)
{
  if (*arguments.top < 0) {
    throw InputError(fmt::format("--top: found {}, expected a whole number from 0", *arguments.top));
  }
  check_listing(arguments.files);
  const std::vector<MeasuredRow> measured = read_measured_rows(arguments.measured);
  std::vector<Prediction> predictions;
  for (const std::string& file : arguments.predicted) {
    std::vector<Prediction> some = read_predictions(file);
    predictions.insert(predictions.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  const std::vector<MeasuredRow> kept = kept_rows(measured, arguments);
  const Validation validation = validate(kept, without_left_out(std::move(predictions), measured, kept),
                                         arguments.common ? ComparedRows::common : ComparedRows::each);
  write_listing(
      arguments.files,
      {.table = [&] { return validation_table(validation, static_cast<std::size_t>(*arguments.top)); },
       .json = [&] { return validation_json_text(validation); },
       .csv = [&] { return validation_csv(validation); },
       .gnuplot_script = [&](const std::string& name) { return gnuplot_script(validation_figure(validation), name); }});
  return exit_code::done;
}

} // namespace

Command validate_command()
{
  auto arguments = std::make_shared<ValidateArguments>();
  return {.name = "validate",
          .summary = "Compare predicted with measured times of collectives on a real machine: errors, order, choice",
          .options = {{.name = "MEASURED",
                       .target = &arguments->measured,
                       .text = "CSV: what was measured (docs/validation.md)",
                       .required = true},
                      {.name = "PREDICTED",
                       .target = &arguments->predicted,
                       .text = "CSV: what models predict; one or more files",
                       .required = true},
                      {.name = "--only",
                       .target = &arguments->only,
                       .text = "leave out all other measured rows; a column of collective, shape, algorithm (* stands "
                               "for any characters), ports, bytes (1MiB, 1MiB..8MiB); may be given several times",
                       .value = "COLUMN=VALUE"},
                      {.name = "--common",
                       .target = &arguments->common,
                       .text = "compare all models on the rows that all of them predict"},
                      {.name = "--top",
                       .target = &arguments->top,
                       .text = "how many of the largest errors of each model are listed (default 5)",
                       .value = "N"},
                      listing_json_option(arguments->files, "measures and rows"),
                      listing_csv_option(arguments->files, "the rows"),
                      listing_picture_option(arguments->files, "predicted over measured times")},
          .action = [arguments](Verbosity) { return validate_files(*arguments); }};
}

} // namespace wormcast
