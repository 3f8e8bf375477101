#include "wormcast/experiments/run/imported_check.hpp"

#include "wormcast/algorithms/imported/forestcoll.hpp"
#include "wormcast/algorithms/imported/msccl_check.hpp"
#include "wormcast/algorithms/imported/msccl_writer.hpp"
#include "wormcast/algorithms/imported/te_ccl.hpp"
#include "wormcast/experiments/run/trace_check.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>

namespace wormcast {

namespace {

using FactsJson = nlohmann::ordered_json;

std::uint64_t sum_of(const std::vector<std::uint64_t>& numbers)
{
  return std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0});
}

std::string operation_text(const MscclAlgorithm& algorithm)
{
  if (!algorithm.operation) {
    return fmt::format("none: nothing is known of what collective '{}' has to achieve", algorithm.collective);
  }
  const std::string_view other = other_operation_name(*algorithm.operation);
  return std::string(other.empty() ? operation_names.text(*algorithm.operation) : other);
}

FactsJson use_json(const MscclAlgorithm& algorithm, const MscclUse& use)
{
  const auto none = [&](FindingKind kind) { return use.findings.count(kind) == 0; };
  FactsJson json;
  json["in_place"] = use.in_place;
  json["complete"] = algorithm.operation ? FactsJson(none(FindingKind::coverage)) : FactsJson(nullptr);
  json["free_of_races"] = none(FindingKind::race);
  json["races"] = use.findings.count(FindingKind::race);
  json["possession"] = none(FindingKind::possession);
  json["counted_once"] = none(FindingKind::counting);
  if (use.root) {
    json["root"] = *use.root;
  }
  if (!use.in_place) {
    json["writes_to_input"] = use.writes_to_input;
  }
  json["findings"] = findings_json(use.findings.all());
  return json;
}

std::string use_text(const MscclAlgorithm& algorithm, const MscclUse& use)
{
  const auto verdict = [&](FindingKind kind, std::string_view what) {
    return fmt::format("{}: {}", what, use.findings.count(kind) == 0 ? "yes" : "NO");
  };
  return fmt::format("{}, {}, {}, {}",
                     algorithm.operation ? verdict(FindingKind::coverage, "complete") +
                                               (use.root ? fmt::format(" (root {})", *use.root) : std::string())
                                         : std::string("complete: not known"),
                     verdict(FindingKind::race, "free of races"),
                     verdict(FindingKind::possession, "reads only what is there"),
                     verdict(FindingKind::counting, "counted once"));
}

std::vector<std::string> msccl_warnings(const MscclAlgorithm& algorithm, const MscclReport& report)
{
  std::vector<std::string> warnings;
  if (algorithm.max_bytes != 0 && algorithm.max_bytes < algorithm.min_bytes) {
    warnings.push_back(fmt::format("maxBytes {} is below minBytes {}: no length uses the algorithm",
                                   algorithm.max_bytes, algorithm.min_bytes));
  }
  if (report.order.slots_needed > most_msccl_slots) {
    warnings.push_back(
        fmt::format("a connection must hold {} messages, where NCCL holds {} chunks with protocol Simple",
                    report.order.slots_needed, most_msccl_slots));
  }
  if (std::ranges::any_of(report.uses, &MscclUse::writes_to_input)) {
    warnings.emplace_back("used out of place it writes to its input, which callers do not expect");
  }
  if (std::ranges::any_of(report.uses, [](const MscclUse& use) { return use.findings.count(FindingKind::race) > 0; })) {
    warnings.emplace_back("with races the contents depend on the run: what is said of them holds in one order");
  }
  return warnings;
}

ImportedCheck msccl_result(const std::filesystem::path& file)
{
  const MscclAlgorithm algorithm = read_msccl(file);
  const MscclReport report = check_msccl(algorithm);
  ImportedCheck check;
  check.format = "MSCCL XML";
  check.findings = report.findings();
  check.warnings = msccl_warnings(algorithm, report);

  const bool is_ordered = report.order.findings.empty();
  const std::uint64_t messages = sum_of(report.messages_by_rank);
  const std::uint64_t chunks = sum_of(report.chunks_by_rank);
  FactsJson& facts = *check.facts;
  facts["name"] = algorithm.name;
  facts["operation"] = algorithm.operation ? FactsJson(operation_text(algorithm)) : FactsJson(nullptr);
  facts["collective"] = algorithm.collective;
  facts["ranks"] = algorithm.gpus.size();
  facts["chunks"] = algorithm.chunks;
  facts["channels"] = algorithm.channels;
  facts["thread_blocks"] = algorithm.blocks.size();
  facts["steps"] = algorithm.steps.size();
  std::map<std::string, std::uint64_t> by_type;
  for (const MscclStep& step : algorithm.steps) {
    ++by_type[std::string(msccl_type_names.text(step.type))];
  }
  facts["steps_by_type"] = by_type;
  facts["messages"] = messages;
  facts["messages_by_rank"] = report.messages_by_rank;
  facts["chunks_sent"] = chunks;
  facts["chunks_sent_by_rank"] = report.chunks_by_rank;
  facts["longest_chain_of_messages"] = is_ordered ? FactsJson(report.order.longest_chain) : FactsJson(nullptr);
  facts["slots_needed"] = is_ordered ? FactsJson(report.order.slots_needed) : FactsJson(nullptr);
  facts["uses"] = FactsJson::array();
  for (const MscclUse& use : report.uses) {
    facts["uses"].push_back(use_json(algorithm, use));
  }

  check.rows = {{"name", algorithm.name},
                {"operation", operation_text(algorithm)},
                {"ranks", fmt::format("{}, with {} in all; {} chunks each", algorithm.gpus.size(),
                                      counted(algorithm.blocks.size(), "thread block"), algorithm.chunks)},
                {"messages", fmt::format("{}, with {}", messages, counted(chunks, "chunk"))}};
  if (is_ordered) {
    check.rows.emplace_back("order", fmt::format("free of deadlock; at most {} one behind the other",
                                                 counted(report.order.longest_chain, "message")));
    check.rows.emplace_back("slots needed", fmt::format("{} of a connection", report.order.slots_needed));
  }
  for (const MscclUse& use : report.uses) {
    check.rows.emplace_back(use.in_place ? "in place" : "out of place", use_text(algorithm, use));
  }
  return check;
}

/// What becomes of a schedule's switches, where it has some.
void add_switches(bool has_switches, const std::string& switches, ImportedCheck& check)
{
  if (has_switches) {
    check.rows.emplace_back("switches", fmt::format("{}: messages take the routes of the topology instead", switches));
  }
}

ImportedCheck forestcoll_result(const std::filesystem::path& file)
{
  const Forest forest = read_forestcoll(file);
  const ForestReport report = check_forestcoll(forest);
  ImportedCheck check;
  check.format = "ForestColl trees";
  check.findings = report.findings.all();
  const std::string operation = forest.is_all_gather() ? "all_gather" : "broadcasts";
  const std::uint64_t chunks = sum_of(report.chunks_by_rank);
  FactsJson& facts = *check.facts;
  facts["operation"] = operation;
  facts["ranks"] = forest.names.size();
  facts["names"] = forest.names;
  facts["switches"] = forest.switches;
  facts["trees"] = forest.trees.size();
  facts["chunks_of_a_root"] = forest.chunks;
  facts["messages"] = report.messages;
  facts["chunks_sent"] = chunks;
  facts["chunks_sent_by_rank"] = report.chunks_by_rank;
  facts["longest_chain_of_messages"] = report.longest_chain;
  check.rows = {{"operation", operation},
                {"ranks", fmt::format("{}, from {} to {}", forest.names.size(), printable(forest.names.front()),
                                      printable(forest.names.back()))},
                {"trees", fmt::format("{}, for {} of each root", forest.trees.size(), counted(forest.chunks, "chunk"))},
                {"messages", fmt::format("{}, with {}; at most {} one behind the other", report.messages,
                                         counted(chunks, "chunk"), report.longest_chain)}};
  add_switches(!forest.switches.empty(), fmt::to_string(forest.switches.size()), check);
  return check;
}

ImportedCheck te_ccl_result(const std::filesystem::path& file)
{
  const TecclSchedule schedule = read_te_ccl(file);
  ImportedCheck check;
  check.format = "TE-CCL";
  check.findings = schedule.findings.all();
  const std::string operation = schedule.all_to_all ? "all_to_all" : "all_gather";
  FactsJson& facts = *check.facts;
  facts["operation"] = operation;
  facts["ranks"] = schedule.ids.size();
  facts["ids"] = schedule.ids;
  facts["switches"] = schedule.switches;
  facts["epoch_duration_s"] = schedule.epoch_duration;
  facts["epochs"] = schedule.epochs;
  facts["flows"] = schedule.flows;
  facts["messages"] = schedule.sends.size();
  facts["longest_chain_of_messages"] = schedule.longest_chain;
  check.rows = {{"operation", operation},
                {"ranks", fmt::format("{} ({} to {})", schedule.ids.size(), schedule.ids.front(), schedule.ids.back())},
                {"epochs", fmt::format("{} of {} s", schedule.epochs, schedule.epoch_duration)},
                {"messages", fmt::format("{}, of {}; at most {} one behind the other", schedule.sends.size(),
                                         counted(schedule.flows, "flow"), schedule.longest_chain)}};
  add_switches(!schedule.switches.empty(), fmt::format("{}", fmt::join(schedule.switches, ", ")), check);
  return check;
}

} // namespace

ImportedCheck::ImportedCheck() : facts(std::make_unique<nlohmann::ordered_json>()) {}
ImportedCheck::ImportedCheck(ImportedCheck&&) noexcept = default;
ImportedCheck& ImportedCheck::operator=(ImportedCheck&&) noexcept = default;
ImportedCheck::~ImportedCheck() = default;

bool is_imported(ScheduleFileKind kind)
{
  return kind != ScheduleFileKind::schedule && kind != ScheduleFileKind::goal;
}

ImportedCheck check_imported(const std::filesystem::path& file, ScheduleFileKind kind)
{
  try {
    if (kind == ScheduleFileKind::msccl) {
      return msccl_result(file);
    }
    if (kind == ScheduleFileKind::te_ccl) {
      return te_ccl_result(file);
    }
    if (kind == ScheduleFileKind::forestcoll) {
      return forestcoll_result(file);
    }
    if (kind == ScheduleFileKind::time_independent) {
      return check_time_independent(file);
    }
    if (kind == ScheduleFileKind::netrace) {
      return check_netrace(file);
    }
    if (kind == ScheduleFileKind::chakra) {
      return check_chakra_files(file);
    }
  } catch (const InputError& error) {
    const std::string text = error.what();
    throw InputError(text.starts_with(file.string()) ? text : fmt::format("{}: {}", file.string(), text));
  }
  throw std::logic_error("a kind of file without a check");
}

std::string finding_text(const Finding& finding)
{
  return fmt::format("{}: {}{}{}", finding_kind_names.text(finding.kind),
                     finding.line > 0 ? fmt::format("line {}: ", finding.line) : std::string(), finding.text,
                     finding.count > 1 ? fmt::format(" (and {} more)", finding.count - 1) : std::string());
}

nlohmann::ordered_json findings_json(const std::vector<Finding>& findings)
{
  FactsJson json = FactsJson::array();
  for (const Finding& finding : findings) {
    json.push_back({{"kind", finding_kind_names.text(finding.kind)},
                    {"line", finding.line > 0 ? FactsJson(finding.line) : FactsJson(nullptr)},
                    {"count", finding.count},
                    {"text", finding.text}});
  }
  return json;
}

std::string imported_check_json(const ImportedCheck& check)
{
  FactsJson json;
  json["format"] = "wormcast-file-check/1";
  json["file_format"] = check.format;
  json["valid"] = check.findings.empty();
  json.update(*check.facts);
  json["warnings"] = check.warnings;
  json["findings"] = findings_json(check.findings);
  return json_text(json, JsonLayout::indented) + "\n";
}

std::string imported_check_table(const ImportedCheck& check)
{
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{:<18}{}\n{:<18}{}\n", "format", check.format, "valid", check.findings.empty() ? "yes" : "NO");
  for (const auto& [name, value] : check.rows) {
    fmt::format_to(out, "{:<18}{}\n", name, value);
  }
  for (const Finding& finding : check.findings) {
    fmt::format_to(out, "{}\n", finding_text(finding));
  }
  for (const std::string& warning : check.warnings) {
    fmt::format_to(out, "warning: {}\n", warning);
  }
  return fmt::to_string(text);
}

} // namespace wormcast
