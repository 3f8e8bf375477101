#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// Returns, by message, how long its receiver computes with it (docs/network-model.md, "Computation at the nodes"): the
/// time to add the partial results that it carries, or in a plain list PlainMessage::compute. Whole cycles with router
/// "input_queued". Empty: no node computes. Throws InputError as TimeTable::at() and added_bytes().
std::vector<Time> received_work(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                const RunParameters& run);

/// Returns the time that each node spends before it sends: the call, and the copy if nodes copy at the start. Whole
/// cycles with router "input_queued".
Time work_before_start(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                       const RunParameters& run);

/// Returns the time that each node spends after it has received everything: the copy if nodes copy at the end.
Time work_after_end(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                    const RunParameters& run);

/// Returns the bytes that each node copies: the message or vector of the operation, or where every node has a message
/// or a block of its own (gather, scatter, all_gather, all_to_all) those of all nodes together.
std::uint64_t copied_bytes(const Schedule& schedule, std::uint32_t ranks);

/// Sets the completions and totals of computation of a run that has ended, and the latency of one that delivered
/// everything, the last message at `last_delivery`; none: it did not.
void finish_times(SimulationResult& result, const MessageSource& source, std::optional<Time> last_delivery);

/// The time between the delivery of a message and its completion, at which its receiver can use what it carries: the
/// latency of the start-up, then the computation. This is the only place that knows when nodes compute; engines know
/// nothing of it. Memory: 24 bytes a message, nothing where every message is complete at its delivery.
class Completions {
public:
  Completions(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
              const RunParameters& run);

  /// Returns whether every message is complete at its delivery.
  bool immediate() const { return latency_ == 0 && work_.empty(); }

  /// Adds a message that was delivered at `now`; at one time in the order of their ids. Returns whether it is complete.
  bool add(MessageId message, std::int64_t now);

  /// Returns the time of the next completion; `never`: no message is between delivery and completion.
  std::int64_t next_time() const { return pending_.next_time(); }
  /// Appends the messages that are complete at `now` == next_time(), in the order of their ids.
  void pop(std::int64_t now, std::vector<Delivery>& completed);

  ComputedTotals computed() const { return computed_; }

  /// Returns, by message, the time of its completion, for messages that were delivered; empty if immediate().
  std::span<const std::int64_t> times() const { return times_; }

private:
  struct Pending {
    std::int64_t time = 0;
    MessageId message{};
  };

  const Schedule& schedule_;
  std::int64_t latency_; ///< of the start-up
  bool serial_;
  std::vector<Time> work_;              ///< by message
  std::vector<std::int64_t> free_from_; ///< by node: the end of its last addition
  std::vector<std::int64_t> times_;
  ComputedTotals computed_;
  EventQueue<Pending> pending_;
};

} // namespace wormcast
