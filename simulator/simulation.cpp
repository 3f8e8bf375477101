#include "wormcast/simulator/simulation.hpp"

#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/prepared_simulation.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

// Why an engine that is exact until worms share a channel is not exact for these messages; empty: it is. It runs alone
// until they do.
std::string sharing_in_trial_run(const RouterEngine& with, const Topology& topology, const Schedule& schedule,
                                 const NetworkParameters& network, const RunParameters& run)
{
  const RecordSinks no_sinks;
  const std::unique_ptr<MessageSource> source = make_schedule_source(topology, schedule, network, run);
  const std::unique_ptr<Engine> engine = with.make({topology, network, no_sinks, *source});
  bool goes_on = true;
  while (goes_on && !engine->first_shared()) {
    goes_on = !engine->advance().empty();
  }
  const std::optional<Time> shared = engine->first_shared();
  return shared ? fmt::format("two worms share a physical channel from {} us on (virtual_channels = {})",
                              format_microseconds(*shared), network.virtual_channels)
                : std::string();
}

void claim_for_engine(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                      std::uint32_t threads)
{
  constexpr std::uint64_t bytes_of_message = 90; // when it may start, when it was delivered, what depends on it
  const ChannelMemory memory = network.router->memory(network, topology);
  const bool for_each_thread = std::ranges::any_of(network.router->engines, &RouterEngine::starts_anew);
  reserve_memory(
      (for_each_thread ? threads : 1) * memory.bytes + schedule.messages.size() * bytes_of_message,
      fmt::format("a simulation of {} messages over {} channels and ports", schedule.messages.size(), memory.channels));
}

// Its name, and why it is not an earlier one.
std::pair<std::string, std::string> chosen_engine(const Topology& topology, const Schedule& schedule,
                                                  const NetworkParameters& network, const RunParameters& run,
                                                  EngineUse use)
{
  const auto why_not = [&](const RouterEngine& engine) {
    const bool whatever_buffers =
        use == EngineUse::fastest && run.engine == EngineChoice::automatic && engine.exact_on_slow_channels;
    std::string why = why_inexact(engine, network);
    if (whatever_buffers && why == slow_channels(network)) {
      why.clear();
    }
    if (why.empty() && engine.exact_until_shared && engine.exact_until_shared(network)) {
      why = sharing_in_trial_run(engine, topology, schedule, network, run);
    }
    return why;
  };
  const RouterModel& router = *network.router;
  if (const RouterEngine* asked = asked_engine(network, run.engine)) {
    if (const std::string why = why_not(*asked); !why.empty()) {
      throw_inexact(router, *asked, why);
    }
    return {asked->name, ""};
  }
  std::string reason;
  for (const RouterEngine& engine : router.engines) {
    const std::string why = why_not(engine);
    if (why.empty()) {
      return {engine.name, reason};
    }
    reason = reason.empty() && engine.says_why ? why : reason;
  }
  throw std::logic_error(fmt::format("no engine of router \"{}\" is exact", router.name));
}

std::string contention_free_engine(const NetworkParameters& network)
{
  const auto engine_of = [](const RouterModel& router) {
    const auto found = std::ranges::find_if(router.engines, &RouterEngine::runs_contention_free);
    return found == router.engines.end() ? nullptr : &*found;
  };
  const RouterEngine* engine = engine_of(*network.router);
  if (engine == nullptr) {
    std::vector<std::string> others;
    for (const RouterModel& router : routers()) {
      if (engine_of(router) != nullptr) {
        others.push_back(fmt::format("\"{}\"", router.name));
      }
    }
    throw InputError(
        fmt::format("run.paired: router \"{}\" cannot be run without contention for its channels, expected {}",
                    network.router->name, fmt::join(others, " or ")));
  }
  if (const std::string why = why_inexact(*engine, network); !why.empty()) {
    throw InputError(fmt::format("run.paired: {}", why));
  }
  return engine->name;
}

} // namespace

std::unique_ptr<PreparedSimulation> prepare_simulation(const Topology& topology, const Schedule& schedule,
                                                       const NetworkParameters& network, const RunParameters& run,
                                                       const RecordSinks& sinks, EngineUse use)
{
  const bool contention_free = use == EngineUse::contention_free;
  auto prepared = std::make_unique<PreparedSimulation>();
  prepared->network = network;
  resolve_for(prepared->network, topology);
  claim_for_engine(topology, schedule, prepared->network, run.threads);
  SimulationResult& result = prepared->result;
  if (contention_free) {
    result.engine = contention_free_engine(prepared->network);
  } else {
    std::tie(result.engine, result.engine_reason) = chosen_engine(topology, schedule, prepared->network, run, use);
  }
  result.source_start = source_start(topology, schedule, network, run);
  result.delivered.resize(schedule.messages.size());
  const bool reports_flits = network.router->reports_flits;
  result.flits.resize(reports_flits ? schedule.messages.size() : 0);
  prepared->sinks = sinks;
  prepared->sinks.delivery = [&result, reports_flits, wanted = sinks.delivery](const DeliveryRecord& record) {
    // A whole optional is only written; to give one a value reads it first, and waits for memory.
    result.delivered[index(record.message)] = std::optional(record.delivered);
    if (record.flits && reports_flits) {
      result.flits[index(record.message)] = *record.flits;
    }
    if (wanted) {
      wanted(record);
    }
  };
  prepared->source = make_schedule_source(topology, schedule, prepared->network, run);
  prepared->engine = make_engine(
      result.engine, {topology, prepared->network, prepared->sinks, *prepared->source, contention_free, run.threads});
  return prepared;
}

SimulationResult finish_simulation(PreparedSimulation& prepared)
{
  SimulationResult result = std::move(prepared.result);
  Time last;
  for (const std::optional<Time>& time : result.delivered) {
    last = std::max(last, time.value_or(Time{}));
  }
  const MessageSource::Rest rest = prepared.source->rest();
  const std::uint64_t undelivered = prepared.engine->in_flight() + rest.messages;
  finish_times(result, *prepared.source, undelivered == 0 ? std::optional(last) : std::nullopt);
  if (undelivered > 0) {
    Deadlock deadlock;
    StoppedNetwork stopped = prepared.engine->explain_deadlock(last.picoseconds);
    deadlock.at = Time{stopped.since};
    deadlock.cycle = std::move(stopped.cycle);
    deadlock.undelivered = undelivered;
    deadlock.first_never_ready = rest.first;
    result.deadlock = std::move(deadlock);
  }
  result.contention = prepared.engine->contention();
  result.header_hops = prepared.engine->header_hops();
  result.flit_hops = prepared.engine->flit_hops();
  return result;
}

namespace {

// The result, without SimGrid's clock.
SimulationResult ended(PreparedSimulation& prepared)
{
  while (!prepared.engine->advance().empty()) {
  }
  return finish_simulation(prepared);
}

} // namespace

SimulationResult simulate_contention_free(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& network, const RunParameters& run)
{
  return ended(*prepare_simulation(topology, schedule, network, run, {}, EngineUse::contention_free));
}

SimulationResult simulate_core(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const RecordSinks& sinks)
{
  return ended(*prepare_simulation(topology, schedule, network, run, sinks));
}

SimulationResult simulate_fastest(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                  const RunParameters& run, const RecordSinks& sinks)
{
  return ended(*prepare_simulation(topology, schedule, network, run, sinks, EngineUse::fastest));
}

} // namespace wormcast
