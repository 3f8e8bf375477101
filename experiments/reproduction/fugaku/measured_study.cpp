#include "wormcast/experiments/reproduction/fugaku/measured_study.hpp"

#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/validation/error_measures.hpp"
#include "wormcast/experiments/validation/predicted_rows.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

namespace wormcast {

namespace web {
extern const std::string_view fugaku_study;
extern const std::string_view fugaku_machine;
} // namespace web

namespace fugaku {

namespace {

Time predict_by(RunClock clock, const StudiedRow& studied)
{
  return predict_row({.file = "configs/validation/fugaku/machine.toml", .text = std::string(web::fugaku_machine)},
                     studied, clock);
}

Time predict(const StudiedRow& studied)
{
  return predict_by(RunClock::engine, studied);
}

StudiedRow studied_row(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row)
{
  std::optional<StudiedRow> studied = configuration_changes(measured.study, model, row, measured.constants.values);
  if (!studied) {
    throw InputError(fmt::format("the study does not predict {}", case_text(row.of)));
  }
  return *std::move(studied);
}

} // namespace

bool has_rows()
{
  const char* file = std::getenv(rows_variable); // NOLINT(concurrency-mt-unsafe): nothing sets it
  return file != nullptr && std::filesystem::is_regular_file(file);
}

Evidence without_rows(const std::string& rows)
{
  return {.measured = fmt::format("not testable here: {} are not part of the project ({} names their file)", rows,
                                  rows_variable),
          .verdict = Verdict::not_testable};
}

const MeasuredStudy& measured_study()
{
  static std::map<std::string, MeasuredStudy> studies; // by the file of rows
  const char* file = std::getenv(rows_variable);       // NOLINT(concurrency-mt-unsafe): nothing sets it
  if (file == nullptr) {
    throw InputError(fmt::format("{} names no file of measured rows", rows_variable));
  }
  if (const auto known = studies.find(file); known != studies.end()) {
    return known->second;
  }
  MeasuredStudy measured{.study = read_study(web::fugaku_study, "configs/validation/fugaku/study.toml"),
                         .rows = read_measured_rows(file),
                         .constants = {}};
  measured.constants = fit_study(measured.study, measured.rows, predict);
  return studies.emplace(file, std::move(measured)).first->second;
}

void prepare_measured_study()
{
  if (!has_rows()) {
    return;
  }
  try {
    measured_study();
  } catch (const InputError&) { // each claim that needs it says so
  }
}

bool is_of_first_stage(const MeasuredRow& row)
{
  const std::string& algorithm = row.of.algorithm;
  const bool ring = algorithm.starts_with("RING-");
  if (algorithm.find("-UTOFU-0-") == std::string::npos) {
    return false; // in segments
  }
  return row.of.collective == "allreduce" || (row.of.collective == "reduce_scatter" && !ring) ||
         (row.of.collective == "allgather" && algorithm.find("_CONT_PERMUTE-") != std::string::npos && !ring) ||
         (row.of.collective == "bcast" && algorithm.find("_TMPBUF-") != std::string::npos);
}

bool is_predicted(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row)
{
  return configuration_changes(measured.study, model, row, measured.constants.values).has_value();
}

std::vector<MeasuredRow> rows_if_any(const MeasuredStudy& measured, const std::string& collective,
                                     const std::string& shape, const std::string& algorithm, std::uint64_t least_bytes)
{
  std::vector<MeasuredRow> some;
  for (const MeasuredRow& row : measured.rows) {
    if (row.of.collective == collective && row.of.shape == shape && row.of.algorithm == algorithm &&
        row.of.bytes >= least_bytes) {
      some.push_back(row);
      some.back().median = as_measured(row.median, Time{row.median.picoseconds / 5 * 6});
    }
  }
  std::ranges::sort(some, {}, [](const MeasuredRow& row) { return row.of.bytes; });
  return some;
}

std::vector<MeasuredRow> rows_of(const MeasuredStudy& measured, const std::string& collective, const std::string& shape,
                                 const std::string& algorithm, std::uint64_t least_bytes)
{
  std::vector<MeasuredRow> some = rows_if_any(measured, collective, shape, algorithm, least_bytes);
  if (some.empty()) {
    throw InputError(fmt::format("found no measured row of {} on {} by {}", collective, shape, algorithm));
  }
  return some;
}

Time predicted(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row,
               const std::vector<std::string>& further)
{
  StudiedRow studied = studied_row(measured, model, row);
  studied.set.insert(studied.set.end(), further.begin(), further.end());
  return predict(studied);
}

Time predicted_by_fluid(const MeasuredStudy& measured, const std::string& model, const MeasuredRow& row)
{
  StudiedRow studied = studied_row(measured, model, row);
  studied.set.emplace_back("run.model=fluid");
  return predict_by(RunClock::simgrid, studied);
}

std::vector<double> errors(const MeasuredStudy& measured, const std::string& model,
                           const std::vector<MeasuredRow>& rows)
{
  std::vector<double> all;
  for (const MeasuredRow& row : rows) {
    all.push_back(PredictedRow{.measured = &row, .predicted = predicted(measured, model, row)}.error());
  }
  return all;
}

} // namespace fugaku

} // namespace wormcast
