#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace wormcast {

AllReduceHalves halves_of(Operation operation)
{
  return {.scatters = operation != Operation::multinode_broadcast, .gathers = operation != Operation::reduce_scatter};
}

Operation requested_all_reduce(const ScheduleRequest& request)
{
  return request.parameters.has("operation") ? find_operation(request.parameters.text("operation")).value()
                                             : Operation::all_reduce;
}

namespace {

constexpr std::string_view shares_name = "shares";
constexpr std::int64_t most_shares = 64;

/// Collective `number` of those whose number is given.
ShareCollective collective_of_share(std::vector<std::size_t> dimensions, std::size_t number, MirroredToo mirrored,
                                    ShareOrder order)
{
  const std::size_t count = std::max<std::size_t>(dimensions.size(), 1);
  const bool twins = mirrored == MirroredToo::yes;
  const bool directions_first = twins && order == ShareOrder::directions_first;
  const std::size_t first = (directions_first ? number / 2 : number) % count;
  const bool is_mirrored = twins && (directions_first ? number : number / count) % 2 == 1;
  std::ranges::rotate(dimensions, dimensions.begin() + static_cast<std::ptrdiff_t>(dimensions.empty() ? 0 : first));
  return {std::move(dimensions), is_mirrored};
}

} // namespace

Parameter shares_parameter()
{
  return {.name = std::string(shares_name),
          .type = ParameterType::integer,
          .text = "parts of the message, each with a collective of its own at the same time, which starts with another "
                  "dimension or direction; without it 1, or with all ports one for each dimension and direction",
          .optional = true,
          .minimum = 1,
          .maximum = most_shares};
}

void require_one_share(std::string_view algorithm, const ScheduleRequest& request)
{
  if (request.parameters.has(shares_name) && request.parameters.integer(shares_name) > 1) {
    throw InputError(fmt::format("{}: found shares = {} for total_exchange, expected 1: its blocks are not cut",
                                 algorithm, request.parameters.integer(shares_name)));
  }
}

std::vector<ShareCollective> share_collectives(const Grid& grid, const ScheduleRequest& request, MirroredToo mirrored,
                                               ShareOrder order)
{
  std::vector<std::size_t> dimensions;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    if (grid.sizes()[dimension] > 1) {
      dimensions.push_back(dimension);
    }
  }
  std::vector<ShareCollective> collectives;
  if (request.parameters.has(shares_name)) {
    const auto shares = static_cast<std::size_t>(request.parameters.integer(shares_name));
    for (std::size_t share = 0; share < shares; ++share) {
      collectives.push_back(collective_of_share(dimensions, share, mirrored, order));
    }
    return collectives;
  }
  if (request.ports.count != PortModel::all || dimensions.empty()) {
    return {{dimensions, false}};
  }
  for (std::size_t first = 0; first < dimensions.size(); ++first) {
    collectives.push_back({dimensions, false});
    if (mirrored == MirroredToo::yes) {
      collectives.push_back({dimensions, true});
    }
    std::ranges::rotate(dimensions, dimensions.begin() + 1);
  }
  return collectives;
}

Schedule schedule_of_shares(Operation operation, std::uint32_t nodes, std::size_t collectives)
{
  Schedule schedule;
  schedule.operation = operation;
  schedule.blocks = nodes * std::uint64_t{collectives};
  if (may_share_blocks(operation)) {
    schedule.blocks_per_node = collectives;
  }
  return schedule;
}

NodeId at_coordinate(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t to)
{
  const std::int64_t change = to - grid.coordinate(node, dimension);
  return NodeId{static_cast<std::uint32_t>(index(node) + change * grid.stride(dimension))};
}

void OrderedMessages::take_into(Schedule& schedule)
{
  std::ranges::sort(entries_, {}, [](const Entry& entry) {
    return std::tuple(entry.message.step, index(entry.message.source), entry.collective,
                      index(entry.message.destination));
  });
  schedule.messages.reserve(entries_.size());
  for (const Entry& entry : entries_) {
    schedule.messages.push_back(entry.message);
  }
  entries_.clear();
}

Algorithm torus_all_reduce_algorithm(std::string_view name)
{
  Algorithm algorithm;
  algorithm.name = name;
  algorithm.operation = Operation::all_reduce;
  algorithm.further = {Operation::reduce_scatter, Operation::multinode_broadcast, Operation::broadcast};
  return algorithm;
}

} // namespace wormcast
