#include "wormcast/experiments/run/check_result.hpp"

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/algorithms/verifier/schedule_bounds.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/run/imported_check.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

template <typename Ids> Json ids_json(const Ids& ids)
{
  Json json = Json::array();
  for (const auto id : ids) {
    json.push_back(index(id));
  }
  return json;
}

Json violation_json(const Violation& violation)
{
  Json json = {{"kind", violation_kind_names.text(violation.kind)}};
  if (violation.kind != ViolationKind::coverage) {
    json["step"] = violation.step;
  }
  if (!violation.messages.empty()) {
    json["messages"] = ids_json(violation.messages);
  }
  if (!violation.nodes.empty()) {
    json["nodes"] = ids_json(violation.nodes);
  }
  if (!violation.blocks.empty()) {
    Json& blocks = json["blocks"] = Json::array();
    for (const BlockRange& range : violation.blocks) {
      blocks.push_back({range.begin, range.end});
    }
  }
  if (!violation.contributors.empty()) {
    json["contributors"] = ids_json(violation.contributors);
  }
  if (!violation.channels.empty()) {
    json["channels"] = ids_json(violation.channels);
  }
  json["text"] = violation.text;
  return json;
}

std::string ports_text(PortModel ports)
{
  return ports.count == PortModel::all ? "all" : fmt::to_string(ports.count);
}

std::string operation_text(const Topology& topology, const Schedule& schedule)
{
  const std::string_view name = operation_names.text(schedule.operation);
  return has_source(schedule.operation)
             ? fmt::format("{} {} {}", name, starts_at_source(schedule.operation) ? "from" : "to",
                           topology.node_name(schedule.source))
             : std::string(name);
}

std::string counted_once_text(const CheckReport& report)
{
  return fmt::format("{} (by {})", report.counted_once ? "yes" : "NO",
                     report.contributions == ContributionProof::sets
                         ? "the set of contributors of every partial result"
                         : fmt::format("fingerprints modulo 2^61 - 1, wrong with a probability of at most {:.1e}",
                                       report.error_probability));
}

std::string finishing_text(const Topology& topology, const Schedule& schedule, const ProgramCheck& check)
{
  if (!check.finishes()) {
    const MessageId id = *check.first_never_sent;
    const Message& message = schedule.messages[index(id)];
    return fmt::format("NO: {} messages are never sent, the first is message {} from {} to {} (line {}){}",
                       check.never_sent, index(id), topology.node_name(message.source),
                       topology.node_name(message.destination),
                       schedule.program->actions[schedule.program->sends[index(id)]].line,
                       check.any_order ? "" : ", where every message arrives as soon as it is sent");
  }
  return check.any_order ? "yes, wherever the network delivers every message"
                         : "yes, where every message arrives as soon as it is sent; not proved for other orders: "
                           "which message a receive takes depends on who comes first";
}

/// "12 of 63 messages draw their routes".
std::string drawn_text(const ScheduleCosts& costs)
{
  return fmt::format("{} of {} messages draw their routes", costs.drawn_routes, costs.messages);
}

/// Whether the messages' numbers of hops are known before the run.
bool knows_lengths(const Topology& topology, const ScheduleCosts& costs)
{
  return costs.drawn_routes == 0 || !topology.lengths_differ();
}

std::string contention_text(const CheckOutcome& outcome)
{
  const CheckReport& report = outcome.report;
  const bool drawn = report.costs.drawn_routes > 0;
  if (!outcome.knows_paths()) {
    return fmt::format("not known: routing \"{}\" has no fixed routes", grid_routing_names.text(outcome.routing));
  }
  if (!outcome.knows_contention()) {
    return "not known: " + drawn_text(report.costs);
  }
  return report.contention_free ? "yes"
                                : fmt::format("NO ({}{} pairs)", drawn ? "at least " : "", report.contended_pairs);
}

std::optional<BroadcastBounds> bounds_of(const Topology& topology, const Schedule& schedule,
                                         const CheckOutcome& outcome)
{
  return outcome.valid() && outcome.knows_paths() ? schedule_bounds(topology, schedule, outcome.report.costs)
                                                  : std::nullopt;
}

/// "with 2 virtual channels or more".
std::string freedom_text(const std::optional<std::uint32_t>& channels)
{
  return channels ? fmt::format("with {} or more", counted(*channels, "virtual channel")) : std::string("not proved");
}

/// A load as a fraction of the message length.
std::string load_text(const Schedule& schedule, std::uint64_t bytes)
{
  return format_fraction(Fraction(static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(schedule.message_bytes)));
}

/// "beta 69/128, 23/21 of the best possible; greatest load by step 1/8 1/16 ...".
std::string fair_links_text(const Schedule& schedule, const BroadcastBounds& bounds, const ScheduleCosts& costs)
{
  constexpr std::size_t most_shown = 16;
  std::string loads;
  for (const std::uint64_t load :
       std::span(costs.load_by_step).first(std::min(most_shown, costs.load_by_step.size()))) {
    loads += " " + load_text(schedule, load);
  }
  return fmt::format("beta {}, {} of the best possible; greatest load by step{}{}", format_fraction(costs.fair_beta),
                     format_fraction(congestion_deficiency(bounds, costs)), loads,
                     costs.load_by_step.size() > most_shown ? " ..." : "");
}

/// The least beta with no more steps than the schedule has.
std::string least_beta_text(const Topology& topology, const Schedule& schedule, const CheckReport& report)
{
  return format_fraction(least_beta(topology, schedule.source, schedule.ports, report.costs.alpha));
}

} // namespace

CheckOutcome check_outcome(const Topology& topology, const Schedule& schedule, GridRouting routing,
                           const WorkProgress& progress)
{
  CheckOutcome outcome = {.report = check_schedule(topology, schedule, {.progress = progress}), .routing = routing};
  if (schedule.program) {
    outcome.program = check_program(topology, schedule);
  }
  if (!outcome.knows_paths()) {
    std::erase_if(outcome.report.violations,
                  [](const Violation& violation) { return violation.kind == ViolationKind::contention; });
    outcome.report.violation_count -= outcome.report.contended_pairs;
  }
  return outcome;
}

std::string check_json_text(const Topology& topology, const Schedule& schedule, const CheckOutcome& outcome)
{
  const CheckReport& report = outcome.report;
  const bool has_steps = schedule.operation != Operation::none;
  const auto of_steps = [&](Json value) { return has_steps ? std::move(value) : Json(nullptr); };
  Json json;
  json["format"] = "wormcast-check/1";
  json["valid"] = outcome.valid();
  if (outcome.program) {
    json["finishes"] = outcome.program->finishes();
    json["proved_for_any_order"] = outcome.program->any_order;
    json["never_sent"] = outcome.program->never_sent;
    if (schedule.program->message_bytes) {
      json["findings"] = findings_json(outcome.findings);
    }
  }
  json["complete"] = of_steps(report.complete);
  json["possession"] = of_steps(report.possession);
  if (report.contributions != ContributionProof::none) {
    json["counted_once"] = report.counted_once;
    json["contributions_proved_by"] = contribution_proof_names.text(report.contributions);
    json["error_probability"] = report.error_probability;
  }
  const bool drawn = report.costs.drawn_routes > 0;
  json["ports"] = report.ports_known || !report.ports ? of_steps(report.ports) : Json(nullptr);
  json["ports_needed"] =
      report.ports_known
          ? of_steps(report.ports_needed.count == PortModel::all ? Json("all") : Json(report.ports_needed.count))
          : Json(nullptr);
  json["contention_free"] = outcome.knows_contention() ? of_steps(report.contention_free) : Json(nullptr);
  json["contended_pairs"] = outcome.knows_paths() && !drawn ? of_steps(report.contended_pairs) : Json(nullptr);
  if (outcome.freedom) {
    const auto fewest = [](const std::optional<std::uint32_t>& channels) {
      return channels ? Json(*channels) : Json(nullptr);
    };
    json["deadlock_free_from"] = {{"lockstep", fewest(outcome.freedom->by_step)},
                                  {"self_timed", fewest(outcome.freedom->at_once)}};
  }
  json["alpha"] = of_steps(report.costs.alpha);
  json["beta"] = of_steps(format_fraction(report.costs.beta));
  json["tcd"] = knows_lengths(topology, report.costs) ? Json(report.costs.tcd) : Json(nullptr);
  json["messages"] = report.costs.messages;
  json["largest_message"] = of_steps(format_fraction(report.costs.largest_message));
  json["bounds"] = nullptr;
  if (const auto bounds = bounds_of(topology, schedule, outcome)) {
    json["bounds"] = {{"alpha", bounds->steps}, {"beta", format_fraction(bounds->bytes)}};
    if (schedule.operation == Operation::broadcast) {
      json["bounds"]["beta_within_alpha"] = least_beta_text(topology, schedule, report);
    } else {
      json["fair_beta"] = format_fraction(report.costs.fair_beta);
      json["congestion_deficiency"] = format_fraction(congestion_deficiency(*bounds, report.costs));
      json["load_by_step"] = Json::array();
      for (const std::uint64_t load : report.costs.load_by_step) {
        json["load_by_step"].push_back(load_text(schedule, load));
      }
    }
  }
  json["violations"] = Json::array();
  for (const Violation& violation : report.violations) {
    json["violations"].push_back(violation_json(violation));
  }
  return json_text(json, JsonLayout::indented) + "\n";
}

std::string check_table(const Topology& topology, const Schedule& schedule, const CheckOutcome& outcome)
{
  const CheckReport& report = outcome.report;
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const auto row = [&](std::string_view name, const std::string& value) {
    fmt::format_to(out, "{:<18}{}\n", name, value);
  };
  const auto verdict = [&](std::string_view name, bool holds) { row(name, holds ? "yes" : "NO"); };

  row("topology", topology.title());
  if (!schedule.chosen.all().empty()) {
    row("chosen as best", chosen_text(schedule.chosen));
  }
  if (schedule.operation == Operation::none) {
    row("operation", fmt::format("none: a {}", name_without_steps(schedule)));
    verdict("valid", outcome.valid());
    if (outcome.program) {
      row("finishes", finishing_text(topology, schedule, *outcome.program));
    }
    row("steps", "none: nothing is checked of blocks, ports and contention");
    row("TCD", fmt::format("{}{} hops", knows_lengths(topology, report.costs) ? "" : "at least ", report.costs.tcd));
    row("messages", fmt::to_string(report.costs.messages));
    for (const Finding& finding : outcome.findings) {
      fmt::format_to(out, "{}\n", finding_text(finding));
    }
    return fmt::to_string(text);
  }
  row("operation", operation_text(topology, schedule));
  row("valid", outcome.valid() ? "yes" : report.valid() && !report.ports_known ? "not proved" : "NO");
  verdict("complete", report.complete);
  verdict("possession", report.possession);
  if (report.contributions != ContributionProof::none) {
    row("counted once", counted_once_text(report));
  }
  row("ports", report.ports_known || !report.ports
                   ? fmt::format("{} (has {}, needs {})", report.ports ? "yes" : "NO", ports_text(schedule.ports),
                                 ports_text(report.ports_needed))
                   : "not known: " + drawn_text(report.costs) + ", and with it their ports");
  row("contention-free", contention_text(outcome));
  if (outcome.freedom) {
    row("deadlock-free", fmt::format("lockstep: {}; self-timed: {}", freedom_text(outcome.freedom->by_step),
                                     freedom_text(outcome.freedom->at_once)));
  }
  row("alpha", fmt::to_string(report.costs.alpha));
  row("beta", format_fraction(report.costs.beta));
  row("TCD", fmt::format("{}{} hops", knows_lengths(topology, report.costs) ? "" : "at least ", report.costs.tcd));
  row("messages", fmt::to_string(report.costs.messages));
  row("largest message", fmt::format("{} of the length", format_fraction(report.costs.largest_message)));
  if (const auto bounds = bounds_of(topology, schedule, outcome)) {
    const std::string best = fmt::format("alpha {}, beta {}", bounds->steps, format_fraction(bounds->bytes));
    if (schedule.operation == Operation::broadcast) {
      row("best possible", fmt::format("{}; within {} steps beta {}", best, report.costs.alpha,
                                       least_beta_text(topology, schedule, report)));
    } else {
      row("best possible", best);
      row("fair links", fair_links_text(schedule, *bounds, report.costs));
    }
  }
  for (const Violation& violation : report.violations) {
    fmt::format_to(out, "{}: {}\n", violation_kind_names.text(violation.kind), violation.text);
  }
  if (report.violation_count > report.violations.size()) {
    fmt::format_to(out, "and {} more\n", report.violation_count - report.violations.size());
  }
  return fmt::to_string(text);
}

} // namespace wormcast
