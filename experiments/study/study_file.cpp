#include "wormcast/experiments/study/study_file.hpp"

#include "wormcast/experiments/config/config_table.hpp"
#include "wormcast/experiments/config/file_tables.hpp"
#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/config/toml_file.hpp"
#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>

namespace wormcast {

namespace {

constexpr std::string_view seed_key = "run.seed";
constexpr std::array<std::string_view, 4> study_sections = {"study", "question", "quick", "full"};

bool is_study_section(std::string_view name)
{
  return std::ranges::find(study_sections, name) != study_sections.end();
}

/// The keys of one table of a study.
class StudyKeys {
public:
  StudyKeys(const std::filesystem::path& file, const toml::table& table, std::string name)
      : file_(file), table_(table), name_(std::move(name))
  {}

  [[noreturn]] void fail(std::string_view key, std::string_view text) const
  {
    throw_at(origin(key), fmt::format("{}.{}", name_, key), text);
  }

  Origin origin(std::string_view key) const
  {
    const toml::node* node = table_.get(key);
    return toml_origin(file_, (node == nullptr ? static_cast<const toml::node&>(table_) : *node).source());
  }

  void check(std::initializer_list<std::string_view> known) const
  {
    const std::vector<std::string> names(known.begin(), known.end());
    for (const auto& [key, node] : table_) {
      if (std::ranges::find(names, key.str()) == names.end()) {
        throw_at(
            toml_origin(file_, key.source()), fmt::format("{}.{}", name_, key.str()),
            fmt::format("unknown key, expected one of {}{}", fmt::join(names, ", "), suggestion(key.str(), names)));
      }
    }
  }

  bool has(std::string_view key) const { return table_.get(key) != nullptr; }
  const toml::node* node(std::string_view key) const { return table_.get(key); }

  /// Empty where it is missing and may be.
  std::string text(std::string_view key, std::string_view expected, bool required = true) const
  {
    const toml::node* node = table_.get(key);
    if (node == nullptr && !required) {
      return {};
    }
    if (node == nullptr) {
      fail(key, fmt::format("missing, expected {}", expected));
    }
    if (!node->is_string() || node->as_string()->get().empty()) {
      fail(key, fmt::format("found {}, expected {}", describe(*node), expected));
    }
    return node->as_string()->get();
  }

  /// A list of texts; empty where it is missing.
  std::vector<std::string> texts(std::string_view key, std::string_view expected) const
  {
    const toml::node* node = table_.get(key);
    std::vector<std::string> found;
    if (node == nullptr) {
      return found;
    }
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) {
      fail(key, fmt::format("found {}, expected {}", describe(*node), expected));
    }
    for (const toml::node& element : *array) {
      if (!element.is_string()) {
        throw_at(toml_origin(file_, element.source()), fmt::format("{}.{}", name_, key),
                 fmt::format("found {}, expected {}", describe(element), expected));
      }
      found.push_back(element.as_string()->get());
    }
    return found;
  }

  /// One of the names of an enumeration.
  template <typename Names> auto choice(std::string_view key, const Names& names, std::string_view fallback) const
  {
    const std::string expected = fmt::format("one of {}", fmt::join(names.texts(), ", "));
    const std::string found = fallback.empty() || has(key) ? text(key, expected) : std::string(fallback);
    const auto value = names.find(found);
    if (!value) {
      fail(key, fmt::format("found \"{}\", expected {}", found, expected));
    }
    return *value;
  }

  /// A number with the unit `unit`: "5 %".
  StudyNumber number(std::string_view key, const std::string& unit) const
  {
    const std::string expected =
        unit.empty() ? "a number, such as 0.05" : fmt::format("a number with its unit, such as \"5 {}\"", unit);
    const toml::node* node = table_.get(key);
    if (node == nullptr) {
      fail(key, fmt::format("missing, expected {}", expected));
    }
    StudyNumber found{.value = 0, .unit = unit, .written = {}};
    std::string digits;
    if (node->is_number() && unit.empty()) {
      found.value = *node->value<double>();
      found.written = fmt::format("{}", found.value);
      return found;
    }
    if (node->is_string()) {
      found.written = node->as_string()->get();
      digits = found.written;
      if (!unit.empty() && digits.ends_with(unit)) {
        digits.resize(digits.size() - unit.size());
        digits.resize(digits.find_last_not_of(' ') + 1);
      } else if (!unit.empty()) {
        digits.clear();
      }
    }
    const std::optional<CellNumber> value = read_cell(digits);
    if (!value || value->unit != CellUnit::none) {
      fail(key, fmt::format("found {}, expected {}", describe(*node), expected));
    }
    found.value = decimal_value(value->decimal);
    return found;
  }

private:
  const std::filesystem::path& file_;
  const toml::table& table_;
  std::string name_;
};

/// A value as it is in tables: "tail", "[16,16]".
std::string level_text(const StudyKeys& keys, std::string_view key, const toml::node& node)
{
  const std::optional<RawValue> value = raw_value(node);
  if (!value) {
    keys.fail(key, fmt::format("found {}, expected values of the factor", describe(node)));
  }
  return raw_value_text(*value);
}

void read_where(const std::filesystem::path& file, const StudyKeys& keys, StudyQuestion& question)
{
  const toml::node* node = keys.node("where");
  if (node == nullptr) {
    return;
  }
  if (!node->is_table()) {
    keys.fail("where", fmt::format("found {}, expected a table of factors and their values, such as "
                                   "{{ \"network.hold\" = \"tail\" }}",
                                   describe(*node)));
  }
  for (const auto& [factor, values] : *node->as_table()) {
    std::vector<std::string> levels;
    const toml::array* array = values.as_array();
    // A list of whole numbers is one value: the sizes of a mesh.
    if (array != nullptr && !array->is_homogeneous(toml::node_type::integer)) {
      for (const toml::node& value : *array) {
        levels.push_back(level_text(keys, "where", value));
      }
    } else {
      levels.push_back(level_text(keys, "where", values));
    }
    question.factors.push_back({.name = std::string(factor.str()),
                                .key = "question.where",
                                .origin = toml_origin(file, factor.source()),
                                .must_vary = false});
    question.where.emplace_back(factor.str(), std::move(levels));
  }
}

std::vector<std::string> read_factors(const StudyKeys& keys, std::string_view key, bool must_vary,
                                      StudyQuestion& question)
{
  std::vector<std::string> factors = keys.texts(key, "a list of factors, such as [\"network.hold\"]");
  for (const std::string& factor : factors) {
    question.factors.push_back(
        {.name = factor, .key = fmt::format("question.{}", key), .origin = keys.origin(key), .must_vary = must_vary});
  }
  return factors;
}

void read_pairs(const StudyKeys& keys, StudyQuestion& question)
{
  question.between = keys.text("between", "a factor, whose values tell the runs of a pair", false);
  if (question.between.empty()) {
    for (const std::string_view key : {"first", "second", "paired_on", "difference"}) {
      if (keys.has(key)) {
        keys.fail(key, "only pairs have this key, and there is no between, the factor that tells their runs");
      }
    }
    return;
  }
  question.factors.push_back(
      {.name = question.between, .key = "question.between", .origin = keys.origin("between"), .must_vary = true});
  question.first = keys.text("first", "the value of between in the run that is subtracted");
  question.second = keys.text("second", "the value of between in the run from which it is subtracted");
  question.paired_on = read_factors(keys, "paired_on", true, question);
  if (question.paired_on.empty()) {
    keys.fail("paired_on", "missing, expected the factors that are the same in a pair, such as [\"run.seed\"]");
  }
  const std::string difference = keys.text("difference", "\"relative\" or \"absolute\"");
  if (difference != "relative" && difference != "absolute") {
    keys.fail("difference", fmt::format("found \"{}\", expected \"relative\" or \"absolute\"", difference));
  }
  question.relative = difference == "relative";
}

RunExpression read_expression(const StudyKeys& keys, std::string_view key, std::string_view expected)
{
  const std::string text = keys.text(key, expected);
  try {
    return RunExpression(text);
  } catch (const InputError& error) {
    keys.fail(key, error.what());
  }
}

void read_statistic(const StudyKeys& keys, StudyQuestion& question)
{
  question.statistic = keys.choice("statistic", study_statistic_names, "");
  const bool is_share = question.statistic == StudyStatistic::share_above;
  const bool is_quantile = question.statistic == StudyStatistic::quantile;
  if (is_quantile) {
    question.quantile = keys.number("quantile", "%").value / 100;
    if (question.quantile <= 0 || question.quantile >= 1) {
      keys.fail("quantile",
                fmt::format("found \"{}\", expected above 0 % and below 100 %", keys.number("quantile", "%").written));
    }
  } else if (keys.has("quantile")) {
    keys.fail("quantile", "only statistic = \"quantile\" has this key");
  }
  if (is_share) {
    question.bound = keys.number("bound", question.unit);
  } else if (keys.has("bound")) {
    keys.fail("bound", "only statistic = \"share_above\" has this key");
  }
  if (question.statistic == StudyStatistic::slope) {
    question.on = read_expression(keys, "on", "columns of results.csv, such as \"tcd / messages\"");
    question.on_origin = keys.origin("on");
    if (!question.between.empty()) {
      keys.fail("statistic", "a slope is of single runs, and between makes pairs");
    }
  } else if (keys.has("on")) {
    keys.fail("on", "only statistic = \"slope\" has this key");
  }
  question.threshold = keys.number("threshold", is_share ? "%" : question.unit);
  question.side = keys.choice("side", threshold_side_names, "");
  question.needed = keys.choice("cells", cells_needed_names, "every");
}

StudyQuestion read_question(const std::filesystem::path& file, const toml::table& table)
{
  const StudyKeys keys(file, table, "question");
  keys.check({"name", "text", "value", "unit", "where", "each", "between", "first", "second", "paired_on", "difference",
              "statistic", "quantile", "bound", "on", "threshold", "side", "cells"});
  StudyQuestion question;
  question.origin = toml_origin(file, table.source());
  question.name = keys.text("name", "a name");
  question.text = keys.text("text", "the question in words");
  question.value = read_expression(keys, "value", "columns of results.csv, such as \"latency_from_source_us\"");
  read_where(file, keys, question);
  question.each = read_factors(keys, "each", false, question);
  read_pairs(keys, question);
  question.unit = keys.text("unit", "the unit of the value, such as \"us\" or \"%\"", false);
  if (question.relative && question.unit != "%") {
    keys.fail("unit", fmt::format("found {}, expected \"%\": relative differences are shares",
                                  question.unit.empty() ? "none" : "\"" + question.unit + "\""));
  }
  read_statistic(keys, question);
  return question;
}

StudyDesign read_design(const std::filesystem::path& file, const toml::table& all, StudyScale scale)
{
  const toml::node* study = all.get("study");
  if (study == nullptr || !study->is_table()) {
    throw InputError(fmt::format("{}: [study]: missing, expected a study with its question{}", file.string(),
                                 all.contains("sweep") ? "; \"wormcast sweep\" runs a sweep" : ""));
  }
  const StudyKeys keys(file, *study->as_table(), "study");
  keys.check({"question", "background", "limits", "cluster", "seeds"});
  StudyDesign design;
  design.file = file;
  design.name = file.stem().string();
  design.scale = scale;
  design.question = keys.text("question", "the question in words");
  design.background = keys.text("background", "a text", false);
  design.limits = keys.texts("limits", "a list of texts");
  design.cluster =
      keys.text("cluster", "the factor of which runs with the same value hang together, such as \"algorithm.source\"");
  design.cluster_origin = keys.origin("cluster");
  if (const toml::node* seeds = keys.node("seeds")) {
    const std::optional<std::int64_t> count = seeds->value_exact<std::int64_t>();
    constexpr std::int64_t most_seeds = 10'000;
    if (!count || *count < 1 || *count > most_seeds) {
      keys.fail("seeds", fmt::format("found {}, expected how many runs there are of each {}, from 1 to {}",
                                     describe(*seeds), design.cluster, most_seeds));
    }
    design.seeds = static_cast<std::size_t>(*count);
  }
  const toml::node* questions = all.get("question");
  if (questions == nullptr || !questions->is_array_of_tables()) {
    throw_at(questions == nullptr ? Origin{.file = file.string()} : toml_origin(file, questions->source()),
             "[[question]]",
             questions == nullptr ? "missing, expected at least one"
                                  : fmt::format("found {}, expected tables [[question]]", describe(*questions)));
  }
  for (const toml::node& question : *questions->as_array()) {
    StudyQuestion read = read_question(file, *question.as_table());
    if (std::ranges::find(design.questions, read.name, &StudyQuestion::name) != design.questions.end()) {
      throw_at(read.origin, "question.name", fmt::format("\"{}\" is the name of another question", read.name));
    }
    design.questions.push_back(std::move(read));
  }
  return design;
}

/// Moves entries, which keeps their places in the file, and replaces those that are there; tables are merged.
void merge(toml::table& into, toml::table& from, int depth = 0)
{
  constexpr int deepest = 4;
  for (auto&& [key, node] : from) {
    toml::node* there = into.get(key.str());
    if (there != nullptr && there->is_table() && node.is_table() && depth < deepest) {
      merge(*there->as_table(), *node.as_table(), depth + 1);
    } else {
      node.visit([&into, &name = key](auto& value) { into.insert_or_assign(name, std::move(value)); });
    }
  }
}

std::size_t parts_of_scale(const std::filesystem::path& file, const toml::table& all, StudyScale scale)
{
  const std::string name(study_scale_names.text(scale));
  const toml::node* node = all.get(name);
  if (node != nullptr && node->is_table()) {
    return 1;
  }
  if (node != nullptr && node->is_array_of_tables()) {
    return node->as_array()->size();
  }
  throw_at(node == nullptr ? Origin{.file = file.string()} : toml_origin(file, node->source()),
           fmt::format("[{}]", name),
           fmt::format("{}, expected the factors and levels of this scale",
                       node == nullptr ? "missing" : "found " + describe(*node)));
}

/// The sweep that a part of a scale is, as one configuration. The text is read anew for each, for nodes that are copied
/// lose their places.
RawConfig read_part(std::string_view text, const std::filesystem::path& file, StudyScale scale, std::size_t part)
{
  toml::table all = parse_toml(text, file);
  toml::table config;
  for (auto&& [key, node] : all) {
    if (!is_study_section(key.str())) {
      node.visit([&config, &name = key](auto& value) { config.insert_or_assign(name, std::move(value)); });
    }
  }
  toml::node& scaled = *all.get(study_scale_names.text(scale));
  merge(config, scaled.is_table() ? *scaled.as_table() : *scaled.as_array()->get(part)->as_table());
  RawConfig read = read_config_table(file, config);
  if (read.sweep.empty()) {
    throw_at(toml_origin(file, scaled.source()), fmt::format("[{}]", study_scale_names.text(scale)),
             "found no factor, expected [sweep] or [[case]] there or in the file");
  }
  return read;
}

/// Gives each level of the factor `cluster` seeds of its own: runs of different levels would otherwise share what is
/// random, and not be independent. The same level has the same seeds in all sweeps, so that its runs can be paired.
void give_seeds(const StudyDesign& design, std::vector<RawConfig>& sweeps)
{
  if (design.cluster == seed_key) {
    return;
  }
  std::map<std::string, std::size_t> levels;
  for (RawConfig& sweep : sweeps) {
    for (const SweepAxis& axis : sweep.sweep) {
      if (axis.key == seed_key) {
        throw_at(axis.origin, "sweep.run.seed",
                 fmt::format("each {} has seeds of its own, expected study.seeds, how many", design.cluster));
      }
    }
    const auto axis = std::ranges::find(sweep.sweep, design.cluster, &SweepAxis::key);
    if (axis == sweep.sweep.end() || !axis->sets.empty()) {
      continue;
    }
    const std::vector<RawValue> values = std::move(axis->values);
    axis->values.clear();
    for (const RawValue& value : values) {
      const std::size_t level = levels.emplace(raw_value_text(value), levels.size()).first->second;
      for (std::size_t i = 0; i < design.seeds; ++i) {
        const auto seed = static_cast<std::int64_t>(1 + level * design.seeds + i);
        axis->values.push_back(value);
        axis->sets.push_back({{design.cluster, {value, axis->origin}}, {std::string(seed_key), {seed, axis->origin}}});
      }
    }
  }
}

void check_sections(const std::filesystem::path& file, const toml::table& all)
{
  std::vector<std::string> known(study_sections.begin(), study_sections.end());
  known.insert(known.end(), config_sections().begin(), config_sections().end());
  known.insert(known.end(), {"sweep", "case"});
  for (const auto& [key, node] : all) {
    if (std::ranges::find(known, key.str()) == known.end()) {
      throw_at(toml_origin(file, key.source()), fmt::format("[{}]", key.str()),
               fmt::format("unknown section of a study, expected one of {}{}", fmt::join(known, ", "),
                           suggestion(key.str(), known)));
    }
  }
}

} // namespace

StudyFile read_study_file(std::string_view text, const std::filesystem::path& file, StudyScale scale)
{
  const toml::table all = parse_toml(text, file);
  StudyFile study{.design = read_design(file, all, scale), .sweeps = {}};
  check_sections(file, all);
  const std::size_t parts = parts_of_scale(file, all, scale);
  for (std::size_t part = 0; part < parts; ++part) {
    study.sweeps.push_back(read_part(text, file, scale, part));
  }
  give_seeds(study.design, study.sweeps);
  return study;
}

} // namespace wormcast
