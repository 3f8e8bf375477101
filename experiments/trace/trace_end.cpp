#include "wormcast/experiments/trace/trace_end.hpp"

namespace wormcast {

namespace {

TraceEnd end_of(std::optional<Time> latency, const std::optional<Deadlock>& deadlock)
{
  TraceEnd end{.latency = latency, .deadlock = {}};
  if (deadlock) {
    end.deadlock = deadlock->at;
    end.undelivered = deadlock->undelivered;
  }
  return end;
}

} // namespace

TraceEnd trace_end(const SimulationResult& simulation)
{
  return end_of(simulation.latency, simulation.deadlock);
}

TraceEnd trace_end(const SeriesResult& result)
{
  TraceEnd end = end_of({}, result.deadlock);
  end.in_series = true;
  end.saturated = result.saturated;
  return end;
}

} // namespace wormcast
