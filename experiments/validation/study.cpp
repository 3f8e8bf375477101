#include "wormcast/experiments/validation/study.hpp"

#include "wormcast/experiments/validation/pattern.hpp"
#include "wormcast/experiments/validation/study_table.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace wormcast {

namespace {

FitRule read_fit(const StudyTable& table)
{
  table.check_keys(
      {"collective", "shape", "algorithm", "messages", "per_hop", "per_byte", "short", "ready", "additions_from"});
  FitRule fit{.collective = table.required_text("collective"),
              .shape = table.required_text("shape"),
              .algorithm = table.required_text("algorithm"),
              .messages = table.required_count("messages"),
              .per_hop = table.required_time("per_hop"),
              .per_byte = table.required_byte_time("per_byte"),
              .short_bytes = table.required_sizes("short"),
              .ready_bytes = table.required_bytes("ready"),
              .additions_from = table.required_bytes("additions_from"),
              .origin = table.origin("")};
  if (!std::ranges::is_sorted(fit.short_bytes, std::ranges::less_equal())) {
    table.fail("short", "found sizes that do not ascend");
  }
  if (fit.ready_bytes <= fit.short_bytes.back()) {
    table.fail("ready", fmt::format("found {}, expected more than {}, the last of fit.short",
                                    format_bytes(fit.ready_bytes), format_bytes(fit.short_bytes.back())));
  }
  if (fit.additions_from <= fit.ready_bytes) {
    table.fail("additions_from", fmt::format("found {}, expected more than {}, that of fit.ready",
                                             format_bytes(fit.additions_from), format_bytes(fit.ready_bytes)));
  }
  return fit;
}

ConstantRule read_constant(const StudyTable& table)
{
  const std::optional<std::string> value = table.text("value");
  if (value) {
    table.check_keys({"name", "value"});
  } else {
    table.check_keys({"name", "value", "model", "collective", "shape", "algorithm", "bytes", "entries"});
  }
  ConstantRule constant{.name = table.required_text("name"),
                        .value = value.value_or(""),
                        .model = value ? "" : table.required_text("model"),
                        .rows = table.pattern(),
                        .bytes = table.text("bytes").value_or(""),
                        .entries = table.texts("entries"),
                        .origin = table.origin("")};
  if (!is_plain_name(constant.name)) {
    table.fail("name", fmt::format("found \"{}\", expected a name of a-z, 0-9 and _", printable(constant.name)));
  }
  for (const std::string_view known : {"bytes", "ports", "nodes", "log2_nodes", "dims", "reversed_dims"}) {
    if (constant.name == known) {
      table.fail("name", fmt::format("found {}, which stands for what a row has", known));
    }
  }
  return constant;
}

void check_models(const ValidationStudy& study)
{
  const std::vector<std::string> names = model_names(study);
  for (const ConstantRule& constant : study.constants) {
    if (constant.value.empty() && std::ranges::find(names, constant.model) == names.end()) {
      throw_at(constant.origin, "constant.model",
               fmt::format("found \"{}\", expected the name of a [[model]]", printable(constant.model)));
    }
  }
}

ValidationStudy read_tables(const toml::table& toml, const std::filesystem::path& file)
{
  const StudyTable all(file, toml, "");
  all.check_keys({"measured", "configuration", "set", "fit", "constant", "model", "algorithm"});
  const std::filesystem::path folder = file.parent_path();
  ValidationStudy study;
  study.file = file;
  if (const std::optional<std::string> measured = all.text("measured")) {
    study.measured = folder / *measured;
  }
  study.configuration = folder / all.required_text("configuration");
  study.set = all.changes("set");
  if (const std::optional<StudyTable> fit = all.table("fit")) {
    study.fit = read_fit(*fit);
  }
  for (const StudyTable& table : all.tables("constant", false)) {
    study.constants.push_back(read_constant(table));
  }
  for (const StudyTable& table : all.tables("model")) {
    table.check_keys({"name", "collective", "shape", "algorithm", "set", "without_contention"});
    study.models.push_back({.name = table.required_text("name"),
                            .rows = table.pattern(),
                            .set = table.changes("set"),
                            .without_contention = table.flag("without_contention")});
  }
  for (const StudyTable& table : all.tables("algorithm")) {
    table.check_keys({"collective", "shape", "algorithm", "set"});
    study.algorithms.push_back({.rows = table.pattern(), .set = table.changes("set")});
  }
  check_models(study);
  return study;
}

} // namespace

bool matches(const RowPattern& pattern, const MeasuredCase& of)
{
  return matches_pattern(pattern.collective, of.collective) && matches_pattern(pattern.shape, of.shape) &&
         matches_pattern(pattern.algorithm, of.algorithm);
}

ValidationStudy read_study(const std::filesystem::path& file)
{
  return read_tables(parse_toml_file(file), file);
}

ValidationStudy read_study(std::string_view text, const std::filesystem::path& file)
{
  return read_tables(parse_toml(text, file), file);
}

std::vector<std::string> model_names(const ValidationStudy& study)
{
  std::vector<std::string> names;
  for (const StudiedModel& model : study.models) {
    if (std::ranges::find(names, model.name) == names.end()) {
      names.push_back(model.name);
    }
  }
  return names;
}

std::optional<StudiedRow> configuration_changes(const ValidationStudy& study, const std::string& model,
                                                const MeasuredRow& row, const FittedValues& fitted)
{
  const auto algorithm =
      std::ranges::find_if(study.algorithms, [&](const StudiedAlgorithm& one) { return matches(one.rows, row.of); });
  const auto entry = std::ranges::find_if(
      study.models, [&](const StudiedModel& one) { return one.name == model && matches(one.rows, row.of); });
  if (algorithm == study.algorithms.end() || entry == study.models.end()) {
    return std::nullopt;
  }
  StudiedRow studied{.set = {}, .without_contention = entry->without_contention};
  for (const std::vector<std::string>* changes : {&study.set, &algorithm->set, &entry->set}) {
    for (const std::string& change : *changes) {
      studied.set.push_back(with_row_values(change, row, fitted));
    }
  }
  return studied;
}

} // namespace wormcast
