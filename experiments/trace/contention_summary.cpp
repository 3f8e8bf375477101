#include "wormcast/experiments/trace/contention_summary.hpp"

#include "wormcast/experiments/trace/heat_map.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>

namespace wormcast {

namespace {

constexpr std::uint32_t no_wait = std::numeric_limits<std::uint32_t>::max();

/// A channel's name without the characters that users write differently.
std::string plain_name(std::string_view name)
{
  std::string plain;
  for (const char character : name) {
    if (character != ' ' && character != '(' && character != ')' && character != '\t') {
      plain += character;
    }
  }
  for (std::size_t arrow = plain.find("->"); arrow != std::string::npos; arrow = plain.find("->")) {
    plain.erase(arrow, 1);
  }
  return plain;
}

/// Returns the part of a wait in the selected time; none if there is none.
std::optional<Time> counted_time(const WaitSelection& selection, const TraceWait& wait)
{
  if (!selection.between) {
    return wait.wait;
  }
  const Time from = std::max(wait.from, selection.between->first);
  const Time to = std::min(wait.to, selection.between->second);
  const bool has_no_length =
      wait.from == wait.to && from == to; // a wait that began with the last event before a deadlock
  return from < to || has_no_length ? std::optional(std::min(to - from, wait.wait)) : std::nullopt;
}

/// Whether a message has a step: those of a load do not.
bool has_step(const MessageOwner& owner)
{
  return !owner.in_series || owner.broadcast;
}

bool asked_for(const WaitSelection& selection, const TraceWait& wait)
{
  return (!selection.kind || *selection.kind == wait.kind) &&
         (!selection.message || *selection.message == wait.waiting || *selection.message == wait.holding) &&
         (!selection.step || (*selection.step == wait.waiting_step && has_step(wait.waiting_owner))) &&
         (!selection.of || wait.waiting_owner.broadcast.has_value() == (*selection.of == SeriesPart::broadcasts)) &&
         (!selection.broadcast || selection.broadcast == wait.waiting_owner.broadcast ||
          selection.broadcast == wait.holding_owner.broadcast) &&
         (selection.channel.empty() || same_channel(selection.channel, wait.resource.name, wait.resource.channel_id));
}

/// Whether a channel or port of the traced network has this name; none: the trace does not hold the whole network.
std::optional<bool> network_has(const TraceHeader& header, std::string_view asked)
{
  if (!has_heat_map(header)) {
    return std::nullopt;
  }
  const std::shared_ptr<const Topology> topology = traced_network(header);
  const ResourceNames one_port(*topology, PortModel{.count = 1});
  const ResourceNames all_ports(*topology, PortModel{.count = PortModel::all});
  for (std::uint32_t channel = 0; channel < topology->channel_count(); ++channel) {
    for (const auto kind : {Resource::Kind::external, Resource::Kind::injection, Resource::Kind::ejection}) {
      const ChannelId id{channel};
      const Resource resource{.kind = kind,
                              .channel = id,
                              .node = kind == Resource::Kind::ejection ? topology->channel_target(id)
                                                                       : topology->channel_source(id)};
      if (same_channel(asked, one_port.name(resource), channel) ||
          same_channel(asked, all_ports.name(resource), channel)) {
        return true;
      }
    }
  }
  return false;
}

void check_name(const TraceHeader& header, std::string_view asked)
{
  const std::optional<bool> known = network_has(header, asked);
  if (!known) {
    throw InputError(fmt::format("--channel: found \"{}\", expected the name or id of a channel or port; no message "
                                 "held or waited for one of this name, and the trace does not hold the whole network",
                                 printable(asked)));
  }
  if (!*known) {
    throw InputError(fmt::format("--channel: found \"{}\", expected the name or id of a channel or port; the traced "
                                 "network has none of this name",
                                 printable(asked)));
  }
}

void check_series(const WaitSelection& selection, const TraceHeader& header)
{
  if (!header.series && (selection.of || selection.broadcast)) {
    throw InputError(fmt::format("{}: the trace is of a single run, "
                                 "expected one of several broadcasts or of one among traffic",
                                 selection.of ? "--of" : "--broadcast"));
  }
  if (selection.of == SeriesPart::load && header.series->messages == header.messages) {
    throw InputError("--of: found load, but no messages but those of broadcasts are in the trace");
  }
  if (selection.broadcast && *selection.broadcast >= header.series->broadcasts) {
    throw InputError(fmt::format("--broadcast: found {}, but the trace has {} broadcasts, numbered from 0",
                                 *selection.broadcast, header.series->broadcasts));
  }
}

void check_selection(const WaitSelection& selection, const TraceHeader& header)
{
  check_series(selection, header);
  if (selection.message && *selection.message >= header.messages) {
    throw InputError(fmt::format("--message: found {}, but the trace has {} messages, numbered from 0",
                                 *selection.message, header.messages));
  }
  const std::optional<std::uint64_t> id = number_of_text<std::uint64_t>(selection.channel);
  if (id && *id >= header.channels) {
    throw InputError(fmt::format("--channel: found {}, but the traced network has {} channels, numbered from 0", *id,
                                 header.channels));
  }
}

WaitingParts parts_of(const Wait& wait)
{
  const std::optional<std::uint32_t>& waiting = wait.waiting_owner.broadcast;
  const std::optional<std::uint32_t>& holding = wait.holding_owner.broadcast;
  if (!waiting) {
    return holding ? WaitingParts::load_for_broadcast : WaitingParts::load_for_itself;
  }
  if (!holding) {
    return WaitingParts::broadcast_for_load;
  }
  return waiting == holding ? WaitingParts::broadcast_for_itself : WaitingParts::broadcast_for_another;
}

/// For every wait the one that its holding message has at the same time, or no_wait.
std::vector<std::uint32_t> next_links(const ContentionTrace& trace)
{
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_message;
  for (std::uint32_t i = 0; i < trace.waits.size(); ++i) {
    if (trace.waits[i].kind != ContentionKind::sharing) {
      of_message[trace.waits[i].waiting].push_back(i);
    }
  }
  std::vector<std::uint32_t> next(trace.waits.size(), no_wait);
  for (std::size_t i = 0; i < trace.waits.size(); ++i) {
    const Wait& wait = trace.waits[i];
    const auto found = of_message.find(wait.holding);
    if (found == of_message.end() || wait.kind == ContentionKind::sharing) {
      continue;
    }
    Time longest{-1};
    for (const std::uint32_t candidate : found->second) {
      const Wait& other = trace.waits[candidate];
      const Time overlap = std::min(wait.to, other.to) - std::max(wait.from, other.from);
      // A deadlock ends all waits at the time of its last event, some at the time at which they began.
      const bool at_once = overlap > Time{} || (overlap == Time{} && wait.to == other.to);
      if (at_once && overlap > longest) {
        longest = overlap;
        next[i] = candidate;
      }
    }
  }
  return next;
}

/// Chains by their first wait.
class Chains {
public:
  explicit Chains(const ContentionTrace& trace) : next_(next_links(trace)), seen_(next_.size(), no_wait) {}

  const std::vector<std::uint32_t>& next() const { return next_; }

  /// Of each cycle its first wait.
  std::vector<std::uint32_t> cycles() const
  {
    std::vector<std::uint32_t> starts;
    std::vector<std::uint32_t> visitor(next_.size(), no_wait); // the start from which a wait was reached first
    for (std::uint32_t start = 0; start < next_.size(); ++start) {
      std::uint32_t wait = start;
      while (wait != no_wait && visitor[wait] == no_wait) {
        visitor[wait] = start;
        wait = next_[wait];
      }
      if (wait != no_wait && visitor[wait] == start) {
        std::uint32_t first = wait;
        for (std::uint32_t link = next_[wait]; link != wait; link = next_[link]) {
          first = std::min(first, link);
        }
        starts.push_back(first);
      }
    }
    return starts;
  }

  /// The waits from `start` on; stops before it reaches a wait again. No two calls have the same start.
  WaitChain follow(std::uint32_t start)
  {
    WaitChain chain;
    std::uint32_t wait = start;
    for (; wait != no_wait && seen_[wait] != start; wait = next_[wait]) {
      seen_[wait] = start;
      chain.waits.push_back(wait);
    }
    chain.cycle = wait == start;
    return chain;
  }

private:
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> seen_; ///< start of the last chain with this wait
};

/// Drops what is told of messages that neither waited nor were waited for.
void keep_waiting_messages(ContentionTrace& trace)
{
  std::unordered_map<std::uint32_t, ToldMessage> kept;
  for (const Wait& wait : trace.waits) {
    for (const std::uint32_t message : {wait.waiting, wait.holding}) {
      if (const auto told = trace.messages.find(message); told != trace.messages.end()) {
        kept.insert(*told);
      }
    }
  }
  trace.messages = std::move(kept);
}

} // namespace

bool same_channel(std::string_view asked, std::string_view name, std::optional<std::uint64_t> id)
{
  const std::optional<std::uint64_t> number = number_of_text<std::uint64_t>(asked);
  return number ? id == number : plain_name(asked) == plain_name(name);
}

void WaitSum::add(Time time)
{
  ++count;
  wait += time;
  longest = std::max(longest, time);
}

ContentionTrace read_contention(const std::filesystem::path& file, const WaitSelection& selection)
{
  ContentionTrace trace;
  std::unordered_map<std::string, std::uint32_t> channel_of_name;
  TraceListener listener;
  listener.wait = [&](const TraceWait& record) {
    const TraceResource& resource = record.resource;
    const auto [entry, is_new] =
        channel_of_name.emplace(resource.name, static_cast<std::uint32_t>(trace.channels.size()));
    if (is_new) {
      trace.channels.push_back({resource.name, resource.channel_id, resource.node, resource.to_node, resource.kind});
    }
    const std::optional<Time> counted = counted_time(selection, record);
    trace.waits.push_back({entry->second, record.waiting, record.waiting_step, record.holding, record.holding_step,
                           record.waiting_owner, record.holding_owner, record.kind,
                           counted && asked_for(selection, record), record.from, record.to, record.wait,
                           counted.value_or(Time{})});
  };
  listener.message = [&](const TraceMessage& message) {
    ToldMessage told{.source = message.source, .destination = message.destination};
    if (message.has_words) {
      told.words = numbered_words(message.words, trace.program);
    }
    trace.messages.emplace(message.id, told);
  };
  if (selection.broadcast) {
    listener.broadcast = [&](const TraceBroadcast& broadcast) {
      if (broadcast.number == *selection.broadcast) {
        trace.broadcast = broadcast;
      }
    };
  }
  bool is_named = selection.channel.empty() || number_of_text<std::uint64_t>(selection.channel).has_value();
  if (!is_named) {
    listener.occupancy = [&](const TraceOccupancy& record) {
      is_named = is_named || same_channel(selection.channel, record.resource.name, record.resource.channel_id);
    };
  }
  const TraceFrame frame = read_trace(file, listener);
  for (const WaitedChannel& channel : trace.channels) {
    is_named = is_named || same_channel(selection.channel, channel.name, channel.id);
  }
  if (!is_named) {
    check_name(frame.header, selection.channel);
  }
  trace.header = frame.header;
  trace.end = frame.end;
  check_selection(selection, trace.header);
  keep_waiting_messages(trace);
  return trace;
}

std::array<WaitSum, all_contention_kinds.size()> totals_by_kind(const ContentionTrace& trace)
{
  std::array<WaitSum, all_contention_kinds.size()> totals;
  for (const Wait& wait : trace.waits) {
    if (wait.selected) {
      totals[static_cast<std::size_t>(wait.kind)].add(wait.counted);
    }
  }
  return totals;
}

std::array<WaitSum, waiting_parts_names.size()> totals_by_parts(const ContentionTrace& trace)
{
  std::array<WaitSum, waiting_parts_names.size()> totals;
  for (const Wait& wait : trace.waits) {
    if (wait.selected) {
      totals[static_cast<std::size_t>(parts_of(wait))].add(wait.counted);
    }
  }
  return totals;
}

std::vector<ChannelWaits> waits_by_channel(const ContentionTrace& trace)
{
  std::vector<ChannelWaits> sums(trace.channels.size());
  for (std::uint32_t channel = 0; channel < sums.size(); ++channel) {
    sums[channel].channel = channel;
  }
  for (const Wait& wait : trace.waits) {
    if (wait.selected) {
      sums[wait.channel].sum.add(wait.counted);
    }
  }
  std::erase_if(sums, [](const ChannelWaits& waits) { return waits.sum.count == 0; });
  std::stable_sort(sums.begin(), sums.end(),
                   [](const ChannelWaits& a, const ChannelWaits& b) { return a.sum.wait > b.sum.wait; });
  return sums;
}

std::vector<StepWaits> waits_by_step(const ContentionTrace& trace)
{
  std::map<std::uint32_t, StepWaits> sums;
  std::map<std::pair<std::uint32_t, std::uint32_t>, TotalTime> by_channel; // of a step and a channel
  for (const Wait& wait : trace.waits) {
    if (wait.selected && has_step(wait.waiting_owner)) {
      StepWaits& step = sums[wait.waiting_step];
      step.step = wait.waiting_step;
      step.sum.add(wait.counted);
      by_channel[{wait.waiting_step, wait.channel}] += wait.counted;
    }
  }
  std::vector<StepWaits> sorted;
  for (auto& [number, step] : sums) {
    step.channel = by_channel.lower_bound({number, 0})->first.second;
    for (auto at = by_channel.lower_bound({number, 0}); at != by_channel.end() && at->first.first == number; ++at) {
      if (at->second > step.channel_wait) {
        step.channel = at->first.second;
        step.channel_wait = at->second;
      }
    }
    sorted.push_back(step);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const StepWaits& a, const StepWaits& b) { return a.sum.wait > b.sum.wait; });
  return sorted;
}

std::vector<MessageWaits> waits_by_message(const ContentionTrace& trace)
{
  std::map<std::uint32_t, MessageWaits> sums;
  for (const Wait& wait : trace.waits) {
    if (wait.selected) {
      MessageWaits& waiting = sums[wait.waiting];
      waiting.owner = wait.waiting_owner;
      waiting.waited.add(wait.counted);
      MessageWaits& holding = sums[wait.holding];
      holding.owner = wait.holding_owner;
      holding.held_up.add(wait.counted);
    }
  }
  std::vector<MessageWaits> sorted;
  for (auto& [message, waits] : sums) {
    waits.message = message;
    sorted.push_back(waits);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const MessageWaits& a, const MessageWaits& b) {
    return a.waited.wait != b.waited.wait ? a.waited.wait > b.waited.wait : a.held_up.wait > b.held_up.wait;
  });
  return sorted;
}

std::vector<std::uint32_t> longest_waits(const ContentionTrace& trace)
{
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < trace.waits.size(); ++i) {
    if (trace.waits[i].selected) {
      order.push_back(i);
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return trace.waits[a].counted > trace.waits[b].counted; });
  return order;
}

std::vector<WaitChain> wait_chains(const ContentionTrace& trace, std::size_t most)
{
  Chains chains(trace);
  const std::vector<std::uint32_t>& next = chains.next();
  std::vector<bool> continues_another(next.size(), false);
  for (const std::uint32_t link : next) {
    if (link != no_wait) {
      continues_another[link] = true;
    }
  }
  std::vector<WaitChain> longest; ///< in order, at most `most`
  const auto comes_before = [&](const WaitChain& a, const WaitChain& b) {
    if (a.cycle != b.cycle) {
      return a.cycle;
    }
    return a.waits.size() != b.waits.size() ? a.waits.size() > b.waits.size()
                                            : trace.waits[a.waits.front()].from < trace.waits[b.waits.front()].from;
  };
  const auto add = [&](std::uint32_t start) {
    WaitChain chain = chains.follow(start);
    const auto selected = [&](std::uint32_t link) { return trace.waits[link].selected; };
    if (chain.waits.size() >= 2 && std::any_of(chain.waits.begin(), chain.waits.end(), selected)) {
      longest.insert(std::upper_bound(longest.begin(), longest.end(), chain, comes_before), std::move(chain));
      longest.resize(std::min(longest.size(), most));
    }
  };
  for (std::uint32_t i = 0; i < next.size(); ++i) {
    if (!continues_another[i]) {
      add(i);
    }
  }
  std::ranges::for_each(chains.cycles(), add);
  return longest;
}

} // namespace wormcast
