#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/study_reading.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>

namespace wormcast {

namespace web {
extern const std::string_view onset_of_depth_contention_runs;
} // namespace web

namespace cang_wu {

namespace {

constexpr std::int64_t microsecond = 1'000'000; // picoseconds

/// Throws std::logic_error where it is no broadcast without contention within its steps: there is nothing to say then.
Schedule step_contention_free(const BroadcastCase& broadcast, const Topology& topology)
{
  Schedule schedule = schedule_of(broadcast, topology);
  const CheckReport report = check_schedule(topology, schedule, {.max_violations = 1});
  if (!report.valid() || !report.contention_free) {
    throw std::logic_error(fmt::format("{} is no broadcast that is free of step contention", title(broadcast)));
  }
  return schedule;
}

struct Waits {
  std::uint64_t count = 0; ///< of headers for a channel that a message of another step holds
  std::int64_t microseconds = 0;
};

std::string waits_text(const Waits& waits)
{
  return waits.count == 0 ? std::string("no waits") : fmt::format("{} waits, {} us", waits.count, waits.microseconds);
}

/// T_s = 150 us, T_c = 0.5 us; one run, or one for each of ten seeds where nodes start late.
struct Conditions {
  Mode mode = Mode::self_timed;
  std::int64_t hop_nanoseconds = 0;
  std::int64_t most_delay_us = 0;
};

std::string conditions_text(const Conditions& conditions)
{
  std::string text = conditions.mode == Mode::lockstep ? "steps start together" : "nodes start together";
  if (conditions.most_delay_us > 0) {
    text = fmt::format("nodes start up to {} us late", conditions.most_delay_us);
  }
  return text + fmt::format(", T_f = {} us", decimal(static_cast<double>(conditions.hop_nanoseconds) / 1000));
}

Waits depth_waits(const Topology& topology, Schedule schedule, const BroadcastCase& broadcast, std::uint64_t bytes,
                  const Conditions& conditions)
{
  NetworkParameters network;
  network.startup = Time{150 * microsecond};
  network.per_byte = Time{microsecond / 2};
  network.per_hop = Time{conditions.hop_nanoseconds * (microsecond / 1000)};
  network.buffer_flits = 64;
  network.duplex = broadcast.duplex;
  schedule.message_bytes = bytes;
  Waits waits;
  for (std::uint64_t seed = 1; seed <= (conditions.most_delay_us > 0 ? 10U : 1U); ++seed) {
    const SimulationResult run = simulate_core(
        topology, schedule, network,
        {.mode = conditions.mode, .seed = seed, .start_jitter = Time{conditions.most_delay_us * microsecond}});
    const ContentionTotals::Kind& depth = run.contention[ContentionKind::depth];
    waits.count += depth.count;
    waits.microseconds += static_cast<std::int64_t>(static_cast<double>(depth.wait.picoseconds) / microsecond);
  }
  return waits;
}

constexpr std::array<std::uint64_t, 3> short_lengths = {1, 16, 64};
constexpr std::array<std::uint64_t, 5> all_lengths = {1, 16, 64, 4096, 65536};

std::vector<Observation> no_waits(const std::vector<BroadcastCase>& broadcasts, std::span<const std::uint64_t> lengths,
                                  const std::vector<Conditions>& all_conditions)
{
  std::vector<Observation> observations;
  for (const BroadcastCase& broadcast : broadcasts) {
    const auto topology = topology_of(broadcast);
    const Schedule schedule = step_contention_free(broadcast, *topology);
    for (const Conditions& conditions : all_conditions) {
      for (const std::uint64_t bytes : lengths) {
        const Waits waits = depth_waits(*topology, schedule, broadcast, bytes, conditions);
        observations.push_back(
            {.what = fmt::format("{}, {} bytes, {}", title(broadcast), bytes, conditions_text(conditions)),
             .expected = "no waits",
             .found = waits_text(waits),
             .holds = waits.count == 0});
      }
    }
  }
  return observations;
}

constexpr std::uint32_t sampled_sources = 16;

/// In two orders of the axes.
std::vector<BroadcastCase> papers_broadcasts()
{
  std::vector<BroadcastCase> broadcasts;
  for (const AxisOrder order : {AxisOrder::paper, AxisOrder::best}) {
    std::ranges::move(from_every_source(through_eyes(3, 2, order)), std::back_inserter(broadcasts));
    std::ranges::move(from_some_sources(through_eyes(3, 3, order), sampled_sources), std::back_inserter(broadcasts));
  }
  return broadcasts;
}

std::string papers_broadcasts_text()
{
  return fmt::format("algorithm 2 from every source of 4 x 4 x 4 and {} of 8 x 8 x 8",
                     of_some_sources(sampled_sources));
}

/// Without step contention, too.
std::vector<BroadcastCase> other_broadcasts()
{
  return {{.dims = square(3, 3), .algorithm = "recursive_doubling", .source = {5, 1, 2}},
          {.dims = square(3, 3), .algorithm = "scatter_collect", .source = {5, 1, 2}},
          {.dims = square(3, 3), .algorithm = "recursion_based", .source = {5, 1, 2}},
          {.dims = {4, 16}, .algorithm = "recursion_based"}};
}

std::vector<BroadcastCase> all_broadcasts()
{
  std::vector<BroadcastCase> broadcasts = papers_broadcasts();
  std::ranges::move(other_broadcasts(), std::back_inserter(broadcasts));
  return broadcasts;
}

Evidence synchronised_and_short()
{
  return by_reading(
      {{"every step starts at the same time in all nodes",
        all_hold("by the definition of lockstep, which keeps steps apart "
                 "whatever the length; simulated for 1 to 65536 bytes",
                 no_waits(all_broadcasts(), all_lengths, {{Mode::lockstep, 500, 0}}), 20)},
       {"all nodes start at the same time and then send as soon as they can",
        all_hold("the simulator, self-timed, 1 to 64 bytes; " + papers_broadcasts_text() + ", and four others",
                 no_waits(as_stated(all_broadcasts(), papers_broadcasts()), short_lengths,
                          {{Mode::self_timed, 0, 0}, {Mode::self_timed, 500, 0}}),
                 20)},
       answered_reading({.study = "onset_of_depth_contention",
                         .runs = web::onset_of_depth_contention_runs,
                         .question = as_stated<std::string>("short_and_together", "whole_messages")})});
}

/// Waits of other broadcasts, which a long message or a late start is to bring about.
Evidence waits_occur()
{
  const auto waits = [](const BroadcastCase& broadcast, std::uint64_t bytes, std::int64_t late) {
    const auto topology = topology_of(broadcast);
    return depth_waits(*topology, step_contention_free(broadcast, *topology), broadcast, bytes,
                       {.most_delay_us = late});
  };
  std::vector<Observation> observations;
  const auto add = [&](const BroadcastCase& broadcast, std::uint64_t bytes, std::int64_t late) {
    const Waits found = waits(broadcast, bytes, late);
    observations.push_back(
        {.what = fmt::format("{}, {} bytes, {}", title(broadcast), bytes, conditions_text({.most_delay_us = late})),
         .expected = "waits",
         .found = waits_text(found),
         .holds = found.count > 0});
  };
  const std::vector<BroadcastCase> others = other_broadcasts();
  add(others[3], 65536, 0);
  add(others[1], 4096, 15000);
  add(others[2], 4096, 15000);
  return all_hold("the simulator, self-timed: a long message, late starts", observations);
}

Evidence long_or_delayed()
{
  const std::vector<Conditions> conditions = {{Mode::self_timed, 0, 0},
                                              {Mode::self_timed, 15000, 0},
                                              {Mode::self_timed, 500, 1500},
                                              {Mode::self_timed, 500, 15000}};
  Evidence never =
      all_hold("the simulator, self-timed, 1 to 65536 bytes, start delays up to 100 T_s; " + papers_broadcasts_text(),
               no_waits(as_measured(papers_broadcasts(), other_broadcasts()), all_lengths, conditions), 20);
  if (never.verdict == Verdict::confirmed) {
    never.verdict = Verdict::refuted;
    never.measured = "it never occurs: " + never.measured;
  } else {
    never.verdict = Verdict::confirmed;
  }
  return by_reading(
      {{"of the paper's broadcasts", std::move(never)}, {"of some broadcasts without step contention", waits_occur()}});
}

/// Messages of a broadcast in which each node is informed once: a message waits for the one that informed its sender
/// and for the sender's earlier ones, so each has one that it follows at once; none for the first of the source.
class Succession {
public:
  Succession(const Schedule& schedule, std::uint32_t node_count) : previous_(schedule.messages.size())
  {
    std::vector<std::optional<MessageId>> last(node_count);
    for (const MessageId id : order_by_step(schedule).order) {
      const Message& message = schedule.messages[index(id)];
      previous_[index(id)] = last[index(message.source)];
      last[index(message.source)] = id;
      last[index(message.destination)] = id;
    }
  }

  bool is_before(MessageId earlier, MessageId later) const
  {
    std::optional<MessageId> at = previous_[index(later)];
    while (at && *at != earlier) {
      at = previous_[index(*at)];
    }
    return at.has_value();
  }

private:
  std::vector<std::optional<MessageId>> previous_;
};

/// Pairs of messages that share a channel, and those of them of which neither has to wait for the other to end.
struct SharingPairs {
  std::int64_t all = 0;
  std::int64_t unordered = 0;
};

SharingPairs sharing_pairs(const Topology& topology, const Schedule& schedule)
{
  const Succession succession(schedule, topology.node_count());
  std::map<ChannelId, std::vector<MessageId>> users;
  std::vector<ChannelId> route;
  SharingPairs pairs;
  for (const MessageId id : order_by_step(schedule).order) {
    const Message& message = schedule.messages[index(id)];
    route.clear();
    topology.append_route(message.source, message.destination, route);
    for (const ChannelId channel : route) {
      for (const MessageId other : users[channel]) {
        ++pairs.all;
        pairs.unordered += succession.is_before(other, id) ? 0 : 1;
      }
      users[channel].push_back(id);
    }
  }
  return pairs;
}

/// From a source that sends more messages than it has links some link carries two.
std::vector<Observation> links_carry_two()
{
  std::vector<Observation> observations;
  for (const BroadcastCase& one : from_every_source(through_eyes(3, 3))) {
    const auto topology = topology_of(one);
    const Schedule schedule = step_contention_free(one, *topology);
    const std::int64_t sent = std::ranges::count(schedule.messages, schedule.source, &Message::source);
    const std::int64_t claimed = as_claimed(std::int64_t{3} * 3);
    const std::uint32_t links = topology->out_degree(schedule.source);
    const std::uint64_t load = schedule_costs(*topology, schedule).max_channel_load;
    observations.push_back({.what = title(one),
                            .expected = fmt::format("{} messages of the source, some link carries two", claimed),
                            .found = fmt::format("{} over {} links, up to {} on a link", sent, links, load),
                            .holds = sent == claimed && sent > links && load > 1});
  }
  return observations;
}

/// The messages that share a link follow one another.
Evidence some_message_waits()
{
  std::int64_t shared = 0;
  std::int64_t unordered = 0;
  for (const BroadcastCase& one : from_every_source(through_eyes(3, 3))) {
    const auto topology = topology_of(one);
    const SharingPairs pairs = sharing_pairs(*topology, step_contention_free(one, *topology));
    shared += pairs.all;
    unordered += pairs.unordered;
  }
  Evidence evidence;
  evidence.verdict = unordered == 0 ? Verdict::refuted : Verdict::confirmed;
  evidence.measured = fmt::format("of {} pairs of messages that share a link, from every source of 8 x 8 x 8, {} could "
                                  "meet; of the others one starts "
                                  "only when the other has left its sender or has arrived",
                                  shared, unordered);
  evidence.correction = "some link is used in two steps, but never by two messages at a time: all messages within a "
                        "submesh follow the one that enters it";
  return evidence;
}

} // namespace

std::vector<Check> depth_checks(const Part& part)
{
  std::vector<Check> checks;
  if (!part.is_3d()) {
    return checks;
  }
  const Demonstration self_timed = {
      config_text(through_eyes(3, 2), 4096, "[run]\nmode = \"self_timed\"\nstart_jitter = \"1500us\"\n"),
      "wormcast run CONFIG"};
  checks.push_back(check_of(part, "depth_contention", [] {
    return by_reading(
        {{"some link carries messages of two steps", all_hold("8 x 8 x 8 from every source", links_carry_two(), 12)},
         {"some message waits for one of another step", some_message_waits()}});
  }));
  checks.push_back(check_of(part, "depth_contention_long_or_delayed", long_or_delayed));
  checks.push_back(check_of(part, "synchronised_and_short", synchronised_and_short));
  for (Check& one : checks) {
    one.demonstration = self_timed;
  }
  return checks;
}

} // namespace cang_wu

} // namespace wormcast
