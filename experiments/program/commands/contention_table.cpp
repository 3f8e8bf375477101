#include "wormcast/experiments/program/commands/contention_table.hpp"

#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <unistd.h>

namespace wormcast {

namespace {

std::string microseconds(Time time)
{
  return format_microseconds(time);
}

std::string microseconds(TotalTime time)
{
  return format_microseconds(time);
}

std::vector<std::string> sum_line(std::string_view name, const WaitSum& sum)
{
  return {std::string(name), fmt::to_string(sum.count), microseconds(sum.wait), microseconds(sum.longest)};
}

std::string totals_table(const ContentionTrace& trace)
{
  std::vector<std::vector<std::string>> lines = {{"kind", "waits", "waiting time (us)", "longest (us)"}};
  const auto totals = totals_by_kind(trace);
  for (const ContentionKind kind : kinds_of(trace.header)) {
    lines.push_back(sum_line(contention_kind_names.text(kind), totals[static_cast<std::size_t>(kind)]));
  }
  return aligned(lines);
}

std::string_view parts_title(WaitingParts parts)
{
  switch (parts) {
  case WaitingParts::broadcast_for_itself:
    return "a broadcast for itself";
  case WaitingParts::broadcast_for_another:
    return "a broadcast for another one";
  case WaitingParts::broadcast_for_load:
    return "a broadcast for the load";
  case WaitingParts::load_for_broadcast:
    return "the load for a broadcast";
  case WaitingParts::load_for_itself:
    return "the load for itself";
  }
  return "";
}

/// Of a series.
std::string parts_table(const ContentionTrace& trace)
{
  if (!trace.header.series) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {
      {"whose messages waited", "waits", "waiting time (us)", "longest (us)"}};
  const auto totals = totals_by_parts(trace);
  for (const WaitingParts parts : waiting_parts_names.all()) {
    lines.push_back(sum_line(parts_title(parts), totals[static_cast<std::size_t>(parts)]));
  }
  return "\n" + aligned(lines);
}

/// "... and 12 more" where not all are shown.
std::string rest(std::size_t all, std::size_t shown)
{
  return all > shown ? fmt::format("... and {} more\n", all - shown) : std::string();
}

std::string channel_table(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<ChannelWaits> channels = waits_by_channel(trace);
  std::vector<std::vector<std::string>> lines = {{"channel", "id", "waits", "waiting time (us)", "longest (us)"}};
  for (const ChannelWaits& waits : channels) {
    if (lines.size() > top) {
      break;
    }
    const WaitedChannel& channel = trace.channels[waits.channel];
    lines.push_back({channel.name, channel.id ? fmt::to_string(*channel.id) : "-", fmt::to_string(waits.sum.count),
                     microseconds(waits.sum.wait), microseconds(waits.sum.longest)});
  }
  return "channels that were waited for longest\n" + aligned(lines) + rest(channels.size(), top);
}

/// Empty where a run has one step or none with waits.
std::string step_table(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<StepWaits> steps = waits_by_step(trace);
  if (steps.size() < 2) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {
      {"step", "waits", "waiting time (us)", "longest (us)", "most for", "of this time (us)"}};
  for (const StepWaits& waits : steps) {
    if (lines.size() > top) {
      break;
    }
    lines.push_back({fmt::to_string(waits.step), fmt::to_string(waits.sum.count), microseconds(waits.sum.wait),
                     microseconds(waits.sum.longest), trace.channels[waits.channel].name,
                     microseconds(waits.channel_wait)});
  }
  return "steps whose messages waited longest\n" + aligned(lines) + rest(steps.size(), top);
}

/// Names of the nodes of a trace: of grids coordinates, of other networks, which the trace does not hold, numbers.
class NodeNames {
public:
  explicit NodeNames(const TraceHeader& header)
  {
    if (header.dims.empty()) {
      return;
    }
    try {
      topology_ = traced_network(header);
    } catch (const InputError&) { // a kind with other parameters, too
      topology_ = nullptr;
    }
  }

  std::string operator()(std::uint32_t node) const
  {
    return topology_ != nullptr && node < topology_->node_count() ? topology_->node_name(NodeId{node})
                                                                  : fmt::to_string(node);
  }

private:
  std::shared_ptr<const Topology> topology_;
};

std::string message_table(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<MessageWaits> messages = waits_by_message(trace);
  const NodeNames names(trace.header);
  const bool has_words =
      std::ranges::any_of(trace.messages, [](const auto& told) { return told.second.words.has_value(); });
  std::vector<std::vector<std::string>> lines = {
      {"message", "waits", "waited (us)", "waits of others for it", "held up others (us)", "from", "to"}};
  if (has_words) {
    lines.front().emplace_back("sent by");
  }
  for (const MessageWaits& waits : messages) {
    if (lines.size() > top) {
      break;
    }
    lines.push_back({message_name(waits.message, waits.owner), fmt::to_string(waits.waited.count),
                     microseconds(waits.waited.wait), fmt::to_string(waits.held_up.count),
                     microseconds(waits.held_up.wait)});
    const auto told = trace.messages.find(waits.message);
    const bool is_told = told != trace.messages.end();
    lines.back().push_back(is_told ? names(told->second.source) : "-");
    lines.back().push_back(is_told ? names(told->second.destination) : "-");
    if (has_words) {
      lines.back().push_back(
          is_told && told->second.words ? trace.program.group_name(*told->second.words, WordGroup::collective) : "-");
    }
  }
  return "messages that waited longest\n" + aligned(lines) + rest(messages.size(), top);
}

/// "message 5 (step 2, (0, 0) to (3, 1))"; messages of a load have no steps, and those of MPI programs have words
/// instead: "message 5 ((0, 0) to (3, 1), MPI_Isend from rank 0 to rank 13, tag 7, MPI_COMM_WORLD)".
std::string titled(const ContentionTrace& trace, const NodeNames& names, std::uint32_t message,
                   const MessageOwner& owner, std::uint32_t step)
{
  const auto told = trace.messages.find(message);
  const bool is_told = told != trace.messages.end();
  const bool has_words = is_told && told->second.words;
  std::vector<std::string> parts;
  if (!has_words && (!owner.in_series || owner.broadcast)) {
    parts.push_back(fmt::format("step {}", step));
  }
  if (is_told) {
    parts.push_back(fmt::format("{} to {}", names(told->second.source), names(told->second.destination)));
  }
  if (has_words) {
    parts.push_back(trace.program.text(*told->second.words));
  }
  return fmt::format("message {}{}", message_name(message, owner),
                     parts.empty() ? std::string() : fmt::format(" ({})", fmt::join(parts, ", ")));
}

std::string wait_line(const ContentionTrace& trace, const NodeNames& names, const Wait& wait)
{
  const std::string waiting = titled(trace, names, wait.waiting, wait.waiting_owner, wait.waiting_step);
  const std::string holding = titled(trace, names, wait.holding, wait.holding_owner, wait.holding_step);
  const std::string& channel = trace.channels[wait.channel].name;
  const std::string_view kind = contention_kind_names.text(wait.kind);
  if (wait.kind == ContentionKind::sharing) {
    return fmt::format("{} lost {} us, from {} to {}, on {} to others, first to {}: {}", waiting,
                       microseconds(wait.wait), microseconds(wait.from), microseconds(wait.to), channel, holding, kind);
  }
  return fmt::format("{} waited {} us, from {} to {}, for {}, held by {}: {}", waiting, microseconds(wait.wait),
                     microseconds(wait.from), microseconds(wait.to), channel, holding, kind);
}

std::string wait_list(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<std::uint32_t> waits = longest_waits(trace);
  const NodeNames names(trace.header);
  std::string text = "longest waits\n";
  for (std::size_t i = 0; i < waits.size() && i < top; ++i) {
    text += "  " + wait_line(trace, names, trace.waits[waits[i]]) + "\n";
  }
  return text + rest(waits.size(), top);
}

std::string chain_list(const ContentionTrace& trace, std::size_t top)
{
  std::string text;
  const NodeNames names(trace.header);
  for (const WaitChain& chain : wait_chains(trace, top)) {
    text += text.empty() ? "longest chains: who waited for whom at the same time\n" : "";
    text +=
        fmt::format("  {} messages{}\n", chain.waits.size() + (chain.cycle ? 0 : 1), chain.cycle ? " in a cycle" : "");
    for (const std::uint32_t wait : chain.waits) {
      text += "    " + wait_line(trace, names, trace.waits[wait]) + "\n";
    }
  }
  return text;
}

std::string series_heading(const TraceSeries& series, std::uint64_t messages)
{
  return fmt::format("{} broadcasts with messages below {}, {} messages of the load{}\n", series.broadcasts,
                     series.messages, messages - series.messages,
                     series.round ? fmt::format("; records of round {} alone", *series.round) : "");
}

} // namespace

std::span<const ContentionKind> kinds_of(const TraceHeader& header)
{
  return header.series ? std::span<const ContentionKind>(all_contention_kinds) : own_contention_kinds;
}

std::string trace_heading(const TraceHeader& header, const TraceEnd& end)
{
  const std::string network = network_title(header);
  std::string text =
      fmt::format("{}, {} nodes, {} channels, {} messages\n", network, header.nodes, header.channels, header.messages);
  if (header.series) {
    text += series_heading(*header.series, header.messages);
  }
  text += end.saturated ? "\nSATURATED: the load is more than the network carries; what follows is what happened until "
                          "that was clear\n\n"
                        : "\n";
  if (end.undelivered > 0) {
    text += fmt::format("DEADLOCK{}: {} of {} messages never arrived; what follows is what happened until then\n\n",
                        end.deadlock ? fmt::format(" at {} us", microseconds(*end.deadlock)) : "", end.undelivered,
                        header.messages);
  }
  return text;
}

std::string heat_maps(const TraceHeader& header, std::string_view wanted, const std::function<HeatMap()>& of_nodes,
                      const std::function<std::vector<HeatMap>()>& of_directions)
{
  if (wanted == "none" || !has_heat_map(header)) {
    return {};
  }
  const bool colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  std::string text;
  for (const HeatMap& map : wanted == "nodes" ? std::vector{of_nodes()} : of_directions()) {
    text += (text.empty() ? "" : "\n") + draw_heat_map(map, colour);
  }
  return text;
}

std::string contention_table(const ContentionTrace& trace, std::size_t top, std::string_view map)
{
  std::string text = trace_heading(trace.header, trace.end);
  if (const std::optional<TraceBroadcast>& broadcast = trace.broadcast) {
    text += fmt::format("broadcast {} in round {} from node {}: from {} us on, took {} us\n\n", broadcast->number,
                        broadcast->round, broadcast->source, microseconds(broadcast->start),
                        microseconds(broadcast->latency));
  }
  text += totals_table(trace) + parts_table(trace);
  if (longest_waits(trace).empty()) {
    return text + (trace.waits.empty() ? "\nno contention\n" : "\nno such waits\n");
  }
  for (const std::string& part :
       {step_table(trace, top), channel_table(trace, top), message_table(trace, top), wait_list(trace, top),
        chain_list(trace, top),
        heat_maps(
            trace.header, map, [&] { return node_heat_map(trace); }, [&] { return direction_heat_maps(trace); })}) {
    text += part.empty() ? "" : "\n" + part;
  }
  return text;
}

} // namespace wormcast
