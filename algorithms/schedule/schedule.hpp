#pragma once

#include "wormcast/algorithms/schedule/block_sets.hpp"
#include "wormcast/algorithms/schedule/message_lists.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

/// What every node must hold at the end.
enum class Operation {
  broadcast,           ///< all nodes hold all blocks of the source
  scatter,             ///< node v holds block v, all of which start at the source
  multinode_broadcast, ///< block v starts at node v, all nodes hold all blocks
  total_exchange,      ///< block u*N + v goes from node u to node v
  none                 ///< a plain message list with sizes in bytes: nothing to hold
};

std::string_view operation_name(Operation operation);

enum class Duplex {
  full, ///< a port sends and receives at once
  half  ///< a port does one of both at a time
};

/// Internal channels per direction between a node and its router.
struct PortModel {
  static constexpr std::uint32_t all = 0;
  std::uint32_t count = 1; ///< 1, 2, ... or `all`: one per external channel

  friend bool operator==(PortModel, PortModel) = default;
};

/// One message of a schedule.
struct Message {
  std::uint32_t step = 0; ///< 0, 1, ...; without meaning in a plain message list
  NodeId source{};
  NodeId destination{};
  BlockSetId blocks{}; ///< without meaning in a plain message list
};

/// What a plain message list (operation `none`) says of a message besides its ends and Schedule::after.
struct PlainMessage {
  std::uint64_t bytes = 0;
  Time start; ///< not ready before
};

/// Who sends what to whom in which step: the output of an algorithm, the input of verifier and simulator.
struct Schedule {
  TopologyDescription topology;
  RoutingChoice routing;
  PortModel ports;
  Duplex duplex = Duplex::full;
  Operation operation = Operation::broadcast;
  NodeId source{};                 ///< broadcast and scatter only
  std::uint64_t blocks = 1;        ///< broadcast: parts of the message; else given by the operation (N or N*N)
  std::uint64_t message_bytes = 1; ///< L: of the whole message (broadcast), else of each block
  std::vector<Message> messages;   ///< by id; steps in any order
  BlockSets block_sets;
  ParameterValues chosen;          ///< what the algorithm chose for its parameters that were "best", by name
  std::vector<PlainMessage> plain; ///< operation none: as many as messages; else empty
  MessageLists after;              ///< operation none: a message is not ready before these are delivered
};

/// Bytes of a broadcast's blocks begin .. end-1: the message of L bytes is cut at floor(i*L/blocks).
std::uint64_t block_bytes(const Schedule& schedule, BlockRange range);

/// Bytes of every block set of a schedule, by BlockSetId. Throws InputError where a size passes 2^62.
std::vector<std::uint64_t> block_set_bytes(const Schedule& schedule);

/// Number of steps: the largest step of a message plus one; 0 without messages.
std::uint32_t step_count(const Schedule& schedule);

/// Message ids ordered by (step, id), with the offset of each step's first: step s is
/// order[offsets[s]] .. order[offsets[s+1] - 1]. Cost O(messages + steps).
struct StepOrder {
  std::vector<MessageId> order;
  std::vector<std::size_t> offsets;
};
StepOrder order_by_step(const Schedule& schedule);

} // namespace wormcast
