#include "tests/equality/observation.hpp"

#include "wormcast/simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace wormcast::testing {

namespace {

Observation observe_by(decltype(simulate)& simulate_scenario, const Scenario& scenario, EngineChoice engine)
{
  Observation observation;
  RunParameters run = scenario.run;
  run.engine = engine;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { observation.contention.push_back(record); };
  sinks.occupancy = [&](const OccupancyRecord& record) { observation.occupancy.push_back(record); };
  observation.result = simulate_scenario(*scenario.topology, scenario.schedule, scenario.network, run, sinks);
  sort_records(observation.occupancy);
  return observation;
}

std::string when(const std::optional<Time>& delivered)
{
  return delivered ? std::to_string(delivered->picoseconds) : "never";
}

std::string describe_resource(const Resource& resource)
{
  constexpr std::array kinds = {"channel", "injection", "ejection"};
  return fmt::format("{} {} at node {}", kinds[static_cast<std::size_t>(resource.kind)], index(resource.channel),
                     index(resource.node));
}

std::string describe_record(const ContentionRecord& record)
{
  return fmt::format("message {} waits for {}, held by {}, from {} to {}, {} ps ({})", index(record.waiting),
                     describe_resource(record.resource), index(record.holding), record.from.picoseconds,
                     record.to.picoseconds, record.wait.picoseconds, contention_kind_names.text(record.kind));
}

std::string describe_record(const OccupancyRecord& record)
{
  return fmt::format("message {} holds {} from {} to {}", index(record.message), describe_resource(record.resource),
                     record.from.picoseconds, record.to.picoseconds);
}

template <typename Record>
std::string first_difference(const std::vector<Record>& one, const std::vector<Record>& other)
{
  for (std::size_t i = 0; i < std::max(one.size(), other.size()); ++i) {
    const std::string here = i < one.size() ? describe_record(one[i]) : "nothing";
    const std::string there = i < other.size() ? describe_record(other[i]) : "nothing";
    if (i >= one.size() || i >= other.size() || !(one[i] == other[i])) {
      return fmt::format("record {}: {}; and: {}", i, here, there);
    }
  }
  return {};
}

std::string deadlock_difference(const std::optional<Deadlock>& one, const std::optional<Deadlock>& other)
{
  if (one.has_value() != other.has_value()) {
    return "only one ends in a deadlock";
  }
  if (!one) {
    return {};
  }
  if (one->at != other->at) {
    return fmt::format("deadlock at {} and {} ps", one->at.picoseconds, other->at.picoseconds);
  }
  return one->undelivered == other->undelivered && one->cycle.empty() == other->cycle.empty()
             ? ""
             : "the deadlocks are different";
}

} // namespace

Observation observe(const Scenario& scenario, EngineChoice engine)
{
  return observe_by(simulate_core, scenario, engine);
}

Observation observe_on_simgrid(const Scenario& scenario, EngineChoice engine)
{
  return observe_by(simulate, scenario, engine);
}

void sort_records(std::vector<ContentionRecord>& records)
{
  std::ranges::sort(records, {}, [](const ContentionRecord& record) {
    const Resource& resource = record.resource;
    return std::tuple(record.waiting, record.from, record.to, resource.kind, resource.channel, resource.node,
                      record.holding);
  });
}

void sort_records(std::vector<OccupancyRecord>& records)
{
  std::ranges::sort(records, {}, [](const OccupancyRecord& record) {
    const Resource& resource = record.resource;
    return std::tuple(record.message, record.from, record.to, resource.kind, resource.channel, resource.node);
  });
}

std::string delivery_difference(const std::vector<std::optional<Time>>& one,
                                const std::vector<std::optional<Time>>& other)
{
  if (one.size() != other.size()) {
    return fmt::format("{} and {} messages", one.size(), other.size());
  }
  for (std::size_t id = 0; id < one.size(); ++id) {
    if (one[id] != other[id]) {
      return fmt::format("message {}: delivered at {} and {} ps", id, when(one[id]), when(other[id]));
    }
  }
  return {};
}

std::string record_difference(const std::vector<ContentionRecord>& one, const std::vector<ContentionRecord>& other)
{
  return first_difference(one, other);
}

std::string record_difference(const std::vector<OccupancyRecord>& one, const std::vector<OccupancyRecord>& other)
{
  return first_difference(one, other);
}

std::string difference(const Observation& one, const Observation& other)
{
  const SimulationResult& a = one.result;
  const SimulationResult& b = other.result;
  for (const std::string& found :
       {delivery_difference(a.delivered, b.delivered), deadlock_difference(a.deadlock, b.deadlock),
        record_difference(one.contention, other.contention)}) {
    if (!found.empty()) {
      return found;
    }
  }
  if (!a.deadlock && !(one.occupancy == other.occupancy)) {
    return "occupancy " + record_difference(one.occupancy, other.occupancy);
  }
  if (a.latency != b.latency || a.source_start != b.source_start) {
    return "latency or start of the source";
  }
  return a.contention == b.contention ? "" : "totals of contention";
}

} // namespace wormcast::testing
