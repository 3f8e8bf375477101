#include "wormcast/algorithms/collective/reversal.hpp"

#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/topologies/parallel_links.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace wormcast {

namespace {

// Returns the blocks of `set` that are not in `held`, a node's bits.
std::vector<BlockRange> news_in(const BlockSets& sets, BlockSetId set, std::span<const std::uint64_t> held)
{
  return blocks_where(sets, set, [&](std::uint32_t word) { return ~held[word]; });
}

// Appends messages of `schedule` in the order of their steps, each with the blocks that are new to its receiver.
class NewsOnly {
public:
  NewsOnly(const Schedule& schedule, Possession held) : schedule_(schedule), held_(std::move(held)) {}

  void append(MessageId id, Schedule& result)
  {
    const Message& message = schedule_.messages[index(id)];
    const std::vector<BlockRange> news =
        news_in(schedule_.block_sets, message.blocks, std::as_const(held_).bits(message.destination));
    if (!news.empty()) {
      held_.add(message.destination, news);
      result.messages.push_back(message);
      result.messages.back().blocks = result.block_sets.intern(news);
    }
  }

private:
  const Schedule& schedule_;
  Possession held_;
};

Operation opposite(Operation operation)
{
  switch (operation) {
  case Operation::broadcast:
    return Operation::reduce;
  case Operation::scatter:
    return Operation::gather;
  case Operation::multinode_broadcast:
    return Operation::reduce_scatter;
  default:
    throw std::logic_error("no operation is the reverse of this one");
  }
}

// Takes each block to all nodes from one node by the steps from a given one on, if they do.
class Tail {
public:
  Tail(const Schedule& schedule, std::uint32_t node_count)
      : schedule_(schedule), node_count_(node_count), steps_(order_by_step(schedule))
  {}

  // The last first step from which they do.
  std::uint32_t first_step() const
  {
    const std::uint64_t needed = schedule_.blocks * (node_count_ - 1);
    std::uint64_t carried = 0;
    for (auto step = static_cast<std::uint32_t>(steps_.offsets.size() - 1); step-- > 0;) {
      for (std::size_t i = steps_.offsets[step]; i < steps_.offsets[step + 1]; ++i) {
        carried += schedule_.block_sets.size(schedule_.messages[index(steps_.order[i])].blocks);
      }
      if (carried >= needed && spreads_from(step)) {
        return step;
      }
    }
    if (needed == 0) {
      return 0;
    }
    throw std::logic_error("a broadcast does not bring its blocks to all nodes");
  }

  Schedule messages(std::uint32_t step) const
  {
    Schedule tail = same_operation(schedule_);
    NewsOnly news(schedule_, roots(step));
    for (std::size_t i = steps_.offsets.empty() ? 0 : steps_.offsets[step]; i < steps_.order.size(); ++i) {
      news.append(steps_.order[i], tail);
    }
    return tail;
  }

private:
  // Each block at the node that is the first to send it from this step on.
  Possession roots(std::uint32_t step) const
  {
    Possession held(schedule_, node_count_);
    for (std::uint32_t node = 0; node < node_count_; ++node) {
      std::ranges::fill(held.bits(NodeId{node}), 0);
    }
    std::vector<std::uint64_t> seen((schedule_.blocks + 63) / 64, 0);
    for (std::size_t i = steps_.offsets[step]; i < steps_.order.size(); ++i) {
      const Message& message = schedule_.messages[index(steps_.order[i])];
      for (const BlockRange range : news_in(schedule_.block_sets, message.blocks, seen)) {
        held.add(message.source, std::span(&range, 1));
        for (std::uint32_t block = range.begin; block < range.end; ++block) {
          seen[block / 64] |= std::uint64_t{1} << (block % 64);
        }
      }
    }
    return held;
  }

  bool spreads_from(std::uint32_t first) const
  {
    Possession held = roots(first);
    for (std::size_t step = first; step + 1 < steps_.offsets.size(); ++step) {
      const std::span messages =
          std::span(steps_.order).subspan(steps_.offsets[step], steps_.offsets[step + 1] - steps_.offsets[step]);
      for (const MessageId id : messages) {
        if (!held.holds(schedule_.messages[index(id)].source, schedule_.messages[index(id)].blocks)) {
          return false;
        }
      }
      for (const MessageId id : messages) {
        held.add(schedule_.messages[index(id)].destination, schedule_.messages[index(id)].blocks);
      }
    }
    const BlockRange all{0, static_cast<std::uint32_t>(schedule_.blocks)};
    for (std::uint32_t node = 0; node < node_count_; ++node) {
      if (!held.holds(NodeId{node}, std::span(&all, 1))) {
        return false;
      }
    }
    return true;
  }

  const Schedule& schedule_;
  std::uint32_t node_count_;
  StepOrder steps_;
};

/// The same network with its nodes renumbered so that the reverse of a route there is a route here, and the original
/// numbers.
struct TurnedNetwork {
  std::unique_ptr<Topology> topology; ///< nothing: the network itself
  std::vector<NodeId> original;       ///< by node of `topology`
};

TurnedNetwork turned_grid(const Grid& grid)
{
  TurnedNetwork turned;
  TopologyDescription description = grid.description();
  std::vector<std::int64_t> sizes(grid.sizes().begin(), grid.sizes().end());
  std::ranges::reverse(sizes);
  description.parameters.set("dims", sizes);
  if (description.parameters.has("wrap")) {
    std::vector<std::int64_t> wrap = description.parameters.integers("wrap");
    std::ranges::reverse(wrap);
    description.parameters.set("wrap", std::move(wrap));
  }
  turned.topology = make_topology(description, grid.routing());
  const bool mirrors = grid.wraps() && grid.ties_go_up();
  for (std::uint32_t node = 0; node < grid.host_count(); ++node) {
    std::vector<std::int64_t> place = turned.topology->coordinates(NodeId{node});
    for (std::size_t i = 0; mirrors && i < place.size(); ++i) {
      place[i] = sizes[i] - 1 - place[i];
    }
    std::ranges::reverse(place);
    turned.original.push_back(grid.node_at(place));
  }
  return turned;
}

TurnedNetwork turned_hypercube(const Hypercube& hypercube)
{
  TurnedNetwork turned;
  for (std::uint32_t node = 0; node < hypercube.host_count(); ++node) {
    std::vector<std::int64_t> place = hypercube.coordinates(NodeId{node});
    std::ranges::reverse(place);
    turned.original.push_back(hypercube.node_at(place));
  }
  return turned;
}

// The routes of a hypercube's shortest_path are their own reverse.
TurnedNetwork turned_network(const Topology& topology)
{
  if (const auto* grid = as_kind<Grid>(topology)) {
    return turned_grid(*grid);
  }
  const auto* hypercube = as_kind<Hypercube>(topology);
  if (hypercube != nullptr && topology.routing().routing != "shortest_path") {
    return turned_hypercube(*hypercube);
  }
  return {};
}

Schedule made(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  Schedule schedule = algorithm.make(topology, request);
  schedule.source = request.source;
  schedule.message_bytes = request.message_bytes;
  return schedule;
}

Schedule reduce_by_reversal(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  const BroadcastToReverse broadcast = broadcast_to_reverse(topology, request);
  Schedule reduce = reversed(made(algorithm, broadcast.on(topology), broadcast.request), topology.host_count());
  for (Message& message : reduce.messages) {
    if (!broadcast.original.empty()) {
      message.source = broadcast.original[index(message.source)];
      message.destination = broadcast.original[index(message.destination)];
    }
  }
  return reduce;
}

} // namespace

Schedule same_operation(const Schedule& schedule)
{
  Schedule copy;
  copy.topology = schedule.topology;
  copy.routing = schedule.routing;
  copy.ports = schedule.ports;
  copy.duplex = schedule.duplex;
  copy.operation = schedule.operation;
  copy.source = schedule.source;
  copy.destinations = schedule.destinations;
  copy.blocks = schedule.blocks;
  copy.blocks_per_node = schedule.blocks_per_node;
  copy.message_bytes = schedule.message_bytes;
  return copy;
}

Schedule without_repeats(const Schedule& schedule, std::uint32_t node_count)
{
  Schedule result = same_operation(schedule);
  NewsOnly news(schedule, Possession(schedule, node_count));
  for (const MessageId id : order_by_step(schedule).order) {
    news.append(id, result);
  }
  return result;
}

Schedule reversed(const Schedule& schedule, std::uint32_t node_count)
{
  Schedule result = without_repeats(schedule, node_count);
  const std::uint32_t steps = step_count(result);
  std::ranges::reverse(result.messages);
  for (Message& message : result.messages) {
    message.step = steps - 1 - message.step;
    std::swap(message.source, message.destination);
  }
  result.operation = opposite(schedule.operation);
  return result;
}

Schedule all_reduce_of(const Schedule& schedule, std::uint32_t node_count)
{
  const Tail tail(schedule, node_count);
  const std::uint32_t first = tail.first_step();
  Schedule result = tail.messages(first);
  result.operation = Operation::all_reduce;
  const std::uint32_t steps = step_count(result) - std::min(first, step_count(result));
  const std::vector<Message> collect = std::move(result.messages);
  result.messages.clear();
  result.messages.reserve(2 * collect.size());
  for (auto message = collect.rbegin(); message != collect.rend(); ++message) {
    result.messages.push_back({.step = steps - 1 - (message->step - first),
                               .source = message->destination,
                               .destination = message->source,
                               .blocks = message->blocks});
  }
  for (const Message& message : collect) {
    result.messages.push_back(message);
    result.messages.back().step = steps + (message.step - first);
  }
  return result;
}

Schedule all_reduce_through_root(const Schedule& reduce, const Schedule& broadcast)
{
  Schedule result = reduce;
  result.operation = Operation::all_reduce;
  result.messages.reserve(reduce.messages.size() + broadcast.messages.size());
  const std::uint32_t steps = step_count(reduce);
  BlockSetCopies sets(broadcast.block_sets, result.block_sets);
  for (const Message& message : broadcast.messages) {
    result.messages.push_back(message);
    result.messages.back().step = steps + message.step;
    result.messages.back().blocks = sets.copy(message.blocks);
  }
  return result;
}

bool all_reduces_through_root(const Algorithm& algorithm, Operation operation)
{
  return operation == Operation::all_reduce && algorithm.operation == Operation::broadcast &&
         static_cast<bool>(algorithm.segment_costs);
}

BroadcastToReverse broadcast_to_reverse(const Topology& topology, const ScheduleRequest& request)
{
  TurnedNetwork turned = turned_network(topology);
  BroadcastToReverse broadcast{
      .topology = std::move(turned.topology), .request = request, .original = std::move(turned.original)};
  broadcast.request.parameters.set("operation", std::string(operation_names.text(Operation::broadcast)));
  if (!broadcast.original.empty()) {
    const auto source = std::ranges::find(broadcast.original, request.source);
    broadcast.request.source = NodeId{static_cast<std::uint32_t>(source - broadcast.original.begin())};
  }
  return broadcast;
}

Schedule make_by_reversal(const Algorithm& algorithm, Operation operation, const Topology& topology,
                          const ScheduleRequest& request)
{
  if (operation == Operation::reduce) {
    return reduce_by_reversal(algorithm, topology, request);
  }
  const Schedule schedule = made(algorithm, topology, request);
  if (all_reduces_through_root(algorithm, operation)) {
    return all_reduce_through_root(reduce_by_reversal(algorithm, topology, request), schedule);
  }
  return operation == Operation::all_reduce ? all_reduce_of(schedule, topology.host_count())
                                            : reversed(schedule, topology.host_count());
}

} // namespace wormcast
