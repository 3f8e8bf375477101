#include "wormcast/algorithms/verifier/schedule_bounds.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

bool has_reduction_bounds(Operation operation)
{
  return operation == Operation::all_reduce || operation == Operation::multinode_broadcast ||
         operation == Operation::reduce_scatter;
}

BroadcastBounds reduction_bounds(const Topology& topology, Operation operation, PortModel ports)
{
  if (!has_reduction_bounds(operation)) {
    throw InputError(fmt::format("no bounds are known for {}", operation_names.text(operation)));
  }
  const std::int64_t nodes = topology.host_count();
  if (nodes == 1) {
    return {};
  }
  std::int64_t channels = 0;
  std::uint32_t fewest = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t most = 0;
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    const std::uint32_t usable = usable_channels(topology, NodeId{node}, ports);
    channels += usable;
    fewest = std::min(fewest, usable);
    most = std::max<std::uint64_t>(most, usable);
  }
  if (fewest == 0) {
    throw InputError(fmt::format("on the {} some node reaches no other one", topology.title()));
  }
  BroadcastBounds bounds;
  for (std::uint64_t known = 1; known < topology.host_count(); known *= most + 1) {
    ++bounds.steps;
  }
  const bool both_halves = operation == Operation::all_reduce;
  const Fraction sends((both_halves ? 2 : 1) * (nodes - 1), channels);
  const Fraction narrowest = both_halves ? Fraction(1, fewest) : Fraction(nodes - 1, nodes * fewest);
  bounds.bytes = std::max(sends, narrowest);
  if (operation == Operation::multinode_broadcast) {
    bounds.bytes *= nodes;
  }
  return bounds;
}

std::optional<BroadcastBounds> schedule_bounds(const Topology& topology, const Schedule& schedule,
                                               const ScheduleCosts& costs)
{
  if (has_broadcast_bounds(schedule, costs)) {
    return broadcast_bounds(topology, schedule.source, schedule.ports);
  }
  if (has_reduction_bounds(schedule.operation) && schedule.duplex == Duplex::full && costs.ports_excess.empty()) {
    return reduction_bounds(topology, schedule.operation, schedule.ports);
  }
  return std::nullopt;
}

Fraction congestion_deficiency(const BroadcastBounds& bounds, const ScheduleCosts& costs)
{
  return bounds.bytes == Fraction(0) ? Fraction(1) : costs.fair_beta / bounds.bytes;
}

} // namespace wormcast
