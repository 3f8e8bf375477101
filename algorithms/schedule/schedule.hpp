#pragma once

#include "wormcast/algorithms/schedule/block_sets.hpp"
#include "wormcast/algorithms/schedule/message_lists.hpp"
#include "wormcast/algorithms/schedule/operation.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

/// Whether a port can send and receive at once.
enum class Duplex {
  full, ///< a port sends and receives at once
  half  ///< a port does one of both at a time
};

/// Values of network.duplex, and of "duplex" in files.
inline constexpr auto duplex_names = names<Duplex>({{Duplex::full, "full"}, {Duplex::half, "half"}});

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

/// The data of a message in a plain message list (operation `none`) in addition to its ends and Schedule::after.
struct PlainMessage {
  std::uint64_t bytes = 0;
  Time start;                ///< earliest time at which it is ready
  Time compute = {};         ///< how long its receiver computes with it; messages that wait for it wait for this, too
  std::uint8_t priority = 0; ///< of routers that go by it: the highest comes first
};

struct Program;

/// A schedule: the messages of each step. It is the output of an algorithm and the input of verifier and simulator.
struct Schedule {
  TopologyDescription topology;
  RoutingChoice routing;
  PortModel ports;
  Duplex duplex = Duplex::full;
  Operation operation = Operation::broadcast;
  NodeId source{};                  ///< where has_source(operation); the root of a gather or reduce
  std::vector<NodeId> destinations; ///< multicast only: at least one, different, without the source
  std::uint64_t blocks = 1;         ///< parts of the message where chooses_blocks(operation), else fixed_blocks
  /// C, where may_share_blocks(operation), else 1: node v has the blocks v, v + N, ..., C in all
  std::uint64_t blocks_per_node = 1;
  std::uint64_t message_bytes = 1; ///< L: of the whole message where cuts_message(operation), else of the
                                   ///< blocks_per_node blocks of a node together
  std::vector<Message> messages;   ///< by id; steps in any order
  BlockSets block_sets;
  ParameterValues chosen;          ///< the values that the algorithm chose for its parameters that were "best", by name
  std::vector<PlainMessage> plain; ///< operation none: as many as messages; else empty
  /// A message is not ready before these are delivered, and complete: in plain lists, and in self-timed runs of
  /// operations in addition to what its sender has to hold (with_ready_messages(), with_barriers()).
  MessageLists after;
  /// By message the port of its sender and of its receiver to which it is bound, modulo their number of ports
  /// (PortChoice::of_message). Empty: no message is bound.
  std::vector<std::uint8_t> ports_of_messages = {};
  /// By message which packet of the cut message it is (with_packets()): 0, 1, ... Its packets have consecutive ids, and
  /// only packet 0 has a start-up. Empty: no message is cut into packets.
  std::vector<std::uint32_t> packets = {};
  /// operation none: the other actions of the nodes, and their order (program.hpp); `plain` has no starts then, and
  /// `after` is empty. Null: there is none.
  std::shared_ptr<const Program> program = {};
};

/// Throws InputError if a multicast has no destinations, or if they occur twice, include the source or are no nodes.
void check_destinations(std::span<const std::int64_t> destinations, NodeId source, std::uint32_t node_count);

/// Returns the bytes of blocks begin .. end-1 if cuts_message(operation): the message of L bytes is cut at
/// floor(i*L/blocks).
std::uint64_t block_bytes(const Schedule& schedule, BlockRange range);

/// Where may_share_blocks(operation): the blocks v, v + N, ... that node v starts with (multinode broadcast, gather) or
/// needs at the end (scatter; reduce_scatter: complete).
std::vector<BlockRange> blocks_of_node(const Schedule& schedule, NodeId node);

/// Into how many parts `message_bytes` is cut: with a multiple of so many bytes all blocks are equally large.
std::uint64_t parts_of_message(const Schedule& schedule);

/// Bytes of every block set of a schedule, by BlockSetId. Throws InputError where a size passes 2^62.
std::vector<std::uint64_t> block_set_bytes(const Schedule& schedule);

/// Returns the port to which a message is bound at nodes with `count` ports (Schedule::ports_of_messages); 0 where none
/// is.
inline std::uint32_t port_of_message(const Schedule& schedule, MessageId message, std::uint32_t count)
{
  return schedule.ports_of_messages.empty() ? 0 : schedule.ports_of_messages[index(message)] % count;
}

/// Returns the first packet of the message that was cut into packets, of which `message` is one; `message` itself where
/// none was cut.
inline MessageId first_packet(const Schedule& schedule, MessageId message)
{
  return schedule.packets.empty() ? message : MessageId{index(message) - schedule.packets[index(message)]};
}

/// Returns the number of messages without blocks, by which nodes report that they are ready (with_ready_messages()) or
/// come to a barrier (with_barriers()); 0 for a plain list.
std::uint64_t count_without_blocks(const Schedule& schedule);

/// Returns the number of steps: the largest step of a message plus one; 0 without messages.
std::uint32_t step_count(const Schedule& schedule);

/// Message ids ordered by (step, id), with the offset of each step's first: step s is
/// order[offsets[s]] .. order[offsets[s+1] - 1]. Cost O(messages + steps).
struct StepOrder {
  std::vector<MessageId> order;
  std::vector<std::size_t> offsets;
};
StepOrder order_by_step(const Schedule& schedule);

} // namespace wormcast
