#include "wormcast/algorithms/schedule/operation.hpp"

#include <algorithm>
#include <array>

namespace wormcast {

std::span<const Operation> all_operations()
{
  static constexpr std::array all = operation_names.all();
  return all;
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
    return !name.empty() && (name == operation_names.text(operation) || name == other_operation_name(operation));
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

bool may_share_blocks(Operation operation)
{
  return operation == Operation::multinode_broadcast || operation == Operation::reduce_scatter ||
         operation == Operation::scatter || operation == Operation::gather;
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
