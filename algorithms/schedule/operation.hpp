#pragma once

#include "wormcast/values/names.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace wormcast {

/// The operation, which determines the blocks that every node must hold at the end. In the first group blocks are
/// copied; in the second, the reductions, every node contributes a vector of L bytes, and vectors are combined.
enum class Operation : std::uint8_t {
  broadcast,           ///< all nodes hold all blocks of the source
  scatter,             ///< node v holds block v, all of which start at the source
  gather,              ///< block v starts at node v, the source (here the root) holds all blocks
  multicast,           ///< the destinations hold all blocks of the source
  multinode_broadcast, ///< block v starts at node v, all nodes hold all blocks; also called all_gather
  total_exchange,      ///< block u*N + v goes from node u to node v; also called all_to_all

  reduce,         ///< the source (here the root) holds the combination of all nodes' vectors
  reduce_scatter, ///< node v holds block v of it
  all_reduce,     ///< all nodes hold it
  barrier,        ///< all nodes know of the arrival of all nodes

  none ///< a plain message list with sizes in bytes: nothing to hold
};

/// All operations, in the order of the listing.
std::span<const Operation> all_operations();

/// "broadcast", ...: the name in files.
inline constexpr auto operation_names = names<Operation>({{Operation::broadcast, "broadcast"},
                                                          {Operation::scatter, "scatter"},
                                                          {Operation::gather, "gather"},
                                                          {Operation::multicast, "multicast"},
                                                          {Operation::multinode_broadcast, "multinode_broadcast"},
                                                          {Operation::total_exchange, "total_exchange"},
                                                          {Operation::reduce, "reduce"},
                                                          {Operation::reduce_scatter, "reduce_scatter"},
                                                          {Operation::all_reduce, "all_reduce"},
                                                          {Operation::barrier, "barrier"},
                                                          {Operation::none, "none"}});

/// The text of an enumerator.
[[deprecated("use operation_names.text()")]] inline std::string_view operation_name(Operation operation)
{
  return operation_names.text(operation);
}

/// The other name of an operation ("all_gather", "all_to_all"); empty where it has none.
std::string_view other_operation_name(Operation operation);

/// The operation of either name; nothing for any other text.
std::optional<Operation> find_operation(std::string_view name);

/// Whether one node is the source, or the root: broadcast, multicast, scatter, gather and reduce.
bool has_source(Operation operation);

/// Whether everything starts at the source: broadcast, multicast and scatter.
bool starts_at_source(Operation operation);

/// Whether a message of L bytes, or every node's vector of L bytes, is cut into blocks. In the others each block has
/// `message_bytes` bytes.
bool cuts_message(Operation operation);

/// Whether the number of blocks is free: broadcast, multicast, reduce and all_reduce.
bool chooses_blocks(Operation operation);

/// Whether a node can have several blocks: scatter, gather, multinode_broadcast and reduce_scatter. Block b is then
/// that of node b mod N, and there are C*N of them.
bool may_share_blocks(Operation operation);

/// Number of blocks of an operation that does not choose them, on N nodes: 1, N, or N*N for a total exchange; where
/// may_share_blocks(operation), the least.
std::uint64_t fixed_blocks(Operation operation, std::uint64_t nodes);

/// Returns whether messages carry partial results (reduce, reduce_scatter, all_reduce), or in a barrier the reports of
/// arrivals: the content of a send then depends on everything that its node has received before.
bool combines(Operation operation);

} // namespace wormcast
