#include "tests/equality/run_checks.hpp"

#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace wormcast::testing {

namespace {

void expect(bool right, Mismatches& found, const std::string& otherwise)
{
  if (!right) {
    found.push_back(otherwise);
  }
}

bool waits_for_blocks(const Scenario& scenario)
{
  return scenario.schedule.operation != Operation::none && scenario.run.mode == Mode::self_timed;
}

void check_cycle(const Deadlock& deadlock, const SimulationResult& result, Mismatches& found)
{
  for (std::size_t i = 0; i < deadlock.cycle.size(); ++i) {
    const WaitingLink& link = deadlock.cycle[i];
    const WaitingLink& next = deadlock.cycle[(i + 1) % deadlock.cycle.size()];
    expect(link.holding == next.waiting, found, "deadlock: the cycle is not closed");
    expect(!result.delivered[index(link.waiting)], found, "deadlock: a delivered message is in the cycle");
  }
}

/// Dally and Seitz' theorem is on worms that wait for external channels; half-duplex ports are a way to wait besides.
bool proved_free_of_cycles(const Scenario& scenario)
{
  return scenario.network.duplex == Duplex::full &&
         check_deadlock(channel_dependencies(*scenario.topology, scenario.network.virtual_channels)).deadlock_free();
}

/// The external channels that a delivered message crossed, in any order.
std::vector<ChannelId> crossed(const Scenario& scenario, const Observation& run, std::size_t id)
{
  std::vector<ChannelId> channels;
  if (scenario.topology->headers_choose()) {
    for (const OccupancyRecord& record : run.occupancy) {
      if (index(record.message) == id && record.resource.kind == Resource::Kind::external) {
        channels.push_back(record.resource.channel);
      }
    }
    return channels;
  }
  const Message& message = scenario.schedule.messages[id];
  scenario.topology->append_drawn_route(message.source, message.destination, route_draw(scenario.network, id),
                                        channels);
  return channels;
}

/// T_s + d*T_f + F*tau (T_s not for packets after the first), or with store-and-forward T_s + d*(T_f + F*tau); with
/// exact last flits ceil(L*T_c) for F*tau.
Time alone(const Scenario& scenario, const Observation& run, std::size_t id)
{
  const NetworkParameters& network = scenario.network;
  const std::vector<ChannelId> route = crossed(scenario, run, id);
  Time hop_times;
  for (const ChannelId channel : route) {
    hop_times +=
        network.link_per_hop.empty() ? network.per_hop : network.link_per_hop[scenario.topology->link_class(channel)];
  }
  const std::uint64_t bytes = message_bytes(scenario.schedule, id);
  const auto flits =
      static_cast<std::int64_t>(std::max<std::uint64_t>(1, (bytes + network.flit_bytes - 1) / network.flit_bytes));
  const std::int64_t divisor = network.per_byte.bytes();
  const Time all_flits =
      network.last_flit == LastFlit::exact && bytes > 0
          ? Time{(static_cast<std::int64_t>(bytes) * network.per_byte.picoseconds() + divisor - 1) / divisor}
          : flits * network.flit_time();
  const bool has_startup = scenario.schedule.packets.empty() || scenario.schedule.packets[id] == 0;
  const Time startup = has_startup ? network.startup : Time{};
  if (network.switching == Switching::store_and_forward) {
    return startup + hop_times + static_cast<std::int64_t>(route.size()) * all_flits;
  }
  return startup + hop_times + all_flits;
}

/// When each message becomes ready, where that follows from deliveries; none where it never does.
class ReadyTimes {
public:
  ReadyTimes(const Scenario& scenario, const SimulationResult& result)
      : schedule_(scenario.schedule), result_(result),
        delays_(start_delays(scenario.topology->host_count(), scenario.run.start_jitter, scenario.run.seed)),
        call_(scenario.run.computation.call)
  {
    if (schedule_.operation == Operation::none) {
      return;
    }
    for (std::size_t id = 0; id < schedule_.messages.size(); ++id) {
      std::optional<Time>& end = step_end_.try_emplace(schedule_.messages[id].step, Time{}).first->second;
      end = end && result.delivered[id] ? std::optional(std::max(*end, usable(id))) : std::nullopt;
    }
  }

  std::optional<Time> operator()(std::size_t id) const
  {
    const Time delay = Time{delays_[index(schedule_.messages[id].source)]} + call_;
    std::optional<Time> ready = schedule_.operation == Operation::none ? in_list(id) : in_lockstep(id);
    return ready ? std::optional(std::max(*ready, delay)) : std::nullopt;
  }

private:
  // Of a delivered message.
  Time usable(std::size_t id) const
  {
    return result_.completed.empty() ? *result_.delivered[id] : result_.completed[id];
  }

  std::optional<Time> in_list(std::size_t id) const
  {
    Time ready = schedule_.plain[id].start;
    for (const MessageId before : schedule_.after[id]) {
      if (!result_.delivered[index(before)]) {
        return std::nullopt;
      }
      ready = std::max(ready, usable(index(before)));
    }
    return ready;
  }

  std::optional<Time> in_lockstep(std::size_t id) const
  {
    Time ready;
    for (const auto& [step, end] : step_end_) {
      if (step == schedule_.messages[id].step) {
        break;
      }
      if (!end) {
        return std::nullopt;
      }
      ready = std::max(ready, *end);
    }
    return ready;
  }

  const Schedule& schedule_;
  const SimulationResult& result_;
  std::vector<std::int64_t> delays_;
  Time call_;
  std::map<std::uint32_t, std::optional<Time>> step_end_; ///< last delivery of the step; none: not all delivered
};

/// By message: when it was granted its port, its first channel.
std::map<std::size_t, Time> port_grants(const Observation& run)
{
  std::map<std::size_t, Time> grants;
  for (const OccupancyRecord& record : run.occupancy) {
    Time& grant = grants.try_emplace(index(record.message), record.from).first->second;
    grant = std::min(grant, record.from);
  }
  return grants;
}

void check_sum_of_steps(const Scenario& scenario, const Observation& run, Mismatches& found, Tally& tally)
{
  std::map<std::uint32_t, Time> steps;
  for (std::size_t id = 0; id < scenario.schedule.messages.size(); ++id) {
    Time& longest = steps[scenario.schedule.messages[id].step];
    longest = std::max(longest, alone(scenario, run, id) + scenario.network.startup_latency);
  }
  Time sum;
  for (const auto& [step, longest] : steps) {
    sum += longest;
  }
  ++tally["lockstep without contention = sum of the steps"];
  expect(run.result.latency == sum, found, "no records in lockstep, but the latency is not the sum over the steps");
}

/// A run and its explanation, from which the records of waits with the numbers in `lost` are kept.
std::optional<CriticalPath> explain(const Scenario& scenario, const RunParameters& run, SimulationResult& result,
                                    const std::set<std::size_t>& lost)
{
  PathRecorder recorder(*scenario.topology, scenario.schedule, scenario.network);
  std::size_t count = 0;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) {
    if (!lost.contains(count++)) {
      recorder.contention(record);
    }
  };
  sinks.occupancy = [&](const OccupancyRecord& record) { recorder.occupancy(record); };
  result = simulate_core(*scenario.topology, scenario.schedule, scenario.network, run, sinks);
  return critical_path(*scenario.topology, scenario.schedule, scenario.network, run, result, recorder.finish());
}

} // namespace

void check_parts(const CriticalPath& path, Time latency, Mismatches& found)
{
  Time sum;
  for (const Time part : path.sums) {
    sum += part;
  }
  expect(sum == latency && path.latency == latency, found, "explanation: the parts do not add up to the latency");
  Time now;
  bool has_gap = false;
  for (const PathMessage& message : path.messages) {
    for (const PathSegment& segment : message.segments) {
      has_gap = has_gap || segment.from != now || segment.to < segment.from;
      now = segment.to;
    }
  }
  expect(!has_gap && now == latency, found, "explanation: the parts leave a gap");
}

void check_totals(const Observation& run, Mismatches& found)
{
  ContentionTotals totals;
  for (const ContentionRecord& record : run.contention) {
    totals.add(record.kind, record.wait);
  }
  expect(totals == run.result.contention, found, "totals are not the sums of the records");
  expect(run.contention.empty() == run.result.contention.none(), found, "totals and records disagree on contention");
}

void check_deadlock_report(const Scenario& scenario, const Observation& run, Mismatches& found, Tally& tally)
{
  const SimulationResult& result = run.result;
  const auto undelivered =
      static_cast<std::uint64_t>(std::ranges::count(result.delivered, std::optional<Time>(std::nullopt)));
  expect((undelivered > 0) == result.deadlock.has_value(), found,
         fmt::format("{} messages are left, but {} deadlock", undelivered, result.deadlock ? "a" : "no"));
  expect(result.latency.has_value() != result.deadlock.has_value(), found, "deadlock and latency");
  tally["deadlock"] += result.deadlock ? 1U : 0U;
  if (!result.deadlock) {
    return;
  }
  const Deadlock& deadlock = *result.deadlock;
  expect(deadlock.undelivered == undelivered, found, "deadlock: wrong number of messages left");
  check_cycle(deadlock, result, found);
  if (deadlock.cycle.empty()) {
    ++tally["deadlock by blocks that never come"];
    expect(deadlock.first_never_ready.has_value(), found, "deadlock: neither a cycle nor a message never ready");
    expect(waits_for_blocks(scenario), found, "deadlock: no cycle, though nothing waits for blocks");
  } else {
    expect(!proved_free_of_cycles(scenario), found, "deadlock: a cycle where the dependency graph has none");
  }
}

void count_choices(const Scenario& scenario, const Observation& run, Tally& tally)
{
  for (std::size_t id = 0; scenario.topology->headers_choose() && id < run.result.delivered.size(); ++id) {
    const Message& message = scenario.schedule.messages[id];
    if (run.result.delivered[id] && scenario.topology->draws_route(message.source, message.destination)) {
      const bool longer =
          crossed(scenario, run, id).size() > scenario.topology->distance(message.source, message.destination);
      ++tally[longer ? "headers that chose the longer route" : "headers that chose the shortest route"];
    }
  }
}

void check_unrecorded(const Scenario& scenario, const Observation& run, Mismatches& found, Tally& tally)
{
  tally["with contention"] += run.contention.empty() ? 0U : 1U;
  if (!closed_form_holds(scenario.network)) { // buffers hold up every message, with or without others
    return;
  }
  std::set<std::size_t> held_up;
  for (const ContentionRecord& record : run.contention) {
    held_up.insert(index(record.waiting));
  }
  const ReadyTimes ready(scenario, run.result);
  for (const auto& [id, granted] : port_grants(run)) {
    if (held_up.contains(id) || !run.result.delivered[id]) {
      continue;
    }
    ++tally[scenario.network.virtual_channels > 1 ? "messages without record, V > 1"
                                                  : "messages without record, V = 1"];
    expect(granted + alone(scenario, run, id) == *run.result.delivered[id], found,
           fmt::format("message {} was held up without a record", id));
    expect(waits_for_blocks(scenario) || ready(id) == granted, found,
           fmt::format("message {} waited for its port without a record", id));
  }
  const bool in_lockstep = scenario.schedule.operation != Operation::none && scenario.run.mode == Mode::lockstep;
  if (in_lockstep && run.contention.empty() && scenario.run.start_jitter == Time{} && !run.result.deadlock &&
      !scenario.run.computation.any()) {
    check_sum_of_steps(scenario, run, found, tally);
  }
}

void check_explanation(const Scenario& scenario, EngineChoice engine, bool loses_wait, Mismatches& found, Tally& tally)
{
  RunParameters run = scenario.run;
  run.engine = engine;
  std::set<std::size_t> lost;
  if (loses_wait) {
    const std::size_t waits = observe(scenario, engine).contention.size();
    lost.insert(waits - std::min<std::size_t>(waits, 1));
  }
  SimulationResult result;
  const std::optional<CriticalPath> path = explain(scenario, run, result, lost);
  expect(path.has_value() != result.deadlock.has_value(), found, "explanation: none, or one of a deadlock");
  if (path && result.latency) {
    ++tally["explanation adds up"];
    check_parts(*path, *result.latency, found);
  }
}

} // namespace wormcast::testing
