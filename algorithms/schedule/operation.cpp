#include "wormcast/algorithms/schedule/operation.hpp"

#include <algorithm>
#include <array>

namespace wormcast {

std::span<const Operation> all_operations()
{
  static constexpr std::array all = {
      Operation::broadcast,           Operation::scatter,        Operation::gather, Operation::multicast,
      Operation::multinode_broadcast, Operation::total_exchange, Operation::reduce, Operation::reduce_scatter,
      Operation::all_reduce,          Operation::barrier,        Operation::none};
  return all;
}

std::string_view operation_name(Operation operation)
{
  switch (operation) {
  case Operation::broadcast:
    return "broadcast";
  case Operation::scatter:
    return "scatter";
  case Operation::gather:
    return "gather";
  case Operation::multicast:
    return "multicast";
  case Operation::multinode_broadcast:
    return "multinode_broadcast";
  case Operation::total_exchange:
    return "total_exchange";
  case Operation::reduce:
    return "reduce";
  case Operation::reduce_scatter:
    return "reduce_scatter";
  case Operation::all_reduce:
    return "all_reduce";
  case Operation::barrier:
    return "barrier";
  case Operation::none:
    return "none";
  }
  return "";
}

std::string_view other_operation_name(Operation operation)
{
  switch (operation) {
  case Operation::multinode_broadcast:
    return "all_gather";
  case Operation::total_exchange:
    return "all_to_all";
  default:
    return "";
  }
}

std::optional<Operation> find_operation(std::string_view name)
{
  const auto found = std::ranges::find_if(all_operations(), [&](Operation operation) {
    return !name.empty() && (name == operation_name(operation) || name == other_operation_name(operation));
  });
  return found == all_operations().end() ? std::nullopt : std::optional(*found);
}

bool has_source(Operation operation)
{
  return starts_at_source(operation) || operation == Operation::gather || operation == Operation::reduce;
}

bool starts_at_source(Operation operation)
{
  return operation == Operation::broadcast || operation == Operation::multicast || operation == Operation::scatter;
}

bool cuts_message(Operation operation)
{
  return operation == Operation::broadcast || operation == Operation::multicast || combines(operation);
}

bool chooses_blocks(Operation operation)
{
  return operation == Operation::broadcast || operation == Operation::multicast || operation == Operation::reduce ||
         operation == Operation::all_reduce;
}

std::uint64_t fixed_blocks(Operation operation, std::uint64_t nodes)
{
  if (operation == Operation::total_exchange) {
    return nodes * nodes;
  }
  return operation == Operation::barrier ? 1 : nodes;
}

bool combines(Operation operation)
{
  return operation == Operation::reduce || operation == Operation::reduce_scatter ||
         operation == Operation::all_reduce || operation == Operation::barrier;
}

} // namespace wormcast
