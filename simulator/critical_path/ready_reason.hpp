#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// The reason why a message became ready at its time.
struct Readiness {
  PathReason reason = PathReason::start;
  std::optional<MessageId> follows = {};     ///< the message at whose end it became ready; none: `start`
  bool port_free = false;                    ///< this end is the release of its port, not its delivery
  PathCause before = PathCause::start_delay; ///< start, program: the cause of the time before
  std::optional<MessageId> earlier =
      {}; ///< start: the message with the delivery that it would have followed if its node had started earlier
};

/// Derives from the times of a finished run why each message became ready: the inverse of make_schedule_source(), under
/// the same rules (docs/network-model.md, "Who sends when"). The references must outlive the object. Construction costs
/// O(messages * hops), a query O(messages of the step, of the port, or of the destination).
class ReadyReasons {
public:
  ReadyReasons(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
               const RunParameters& run, const SimulationResult& result, const PathRecords& records,
               FixedStarts starts);

  /// Returns the reason of a message that requested its port at `ready`. Throws std::logic_error if nothing in the run
  /// explains it.
  Readiness why(MessageId message, Time ready) const;

private:
  std::optional<MessageId> last_before_start(MessageId message, Time ready) const;
  std::optional<MessageId> latest(std::span<const MessageId> messages) const;
  std::span<const MessageId> messages_of_step_before(MessageId message) const;
  Readiness in_lockstep(MessageId message, Time ready) const;
  Readiness self_timed(MessageId message, Time ready) const;
  Readiness in_plain_list(MessageId message, Time ready) const;
  Readiness in_program(MessageId message, Time ready) const;
  void index_parts();
  /// The reason of a message that became ready when `found` of Schedule::after was delivered.
  PathReason reason_of_after(MessageId message, MessageId found) const;
  std::optional<MessageId> delivery_of_blocks(MessageId message, Time ready) const;
  std::optional<MessageId> delivery_before(MessageId message, Time ready) const;
  std::optional<MessageId> release_of_port(MessageId message, Time ready) const;
  bool is_news(MessageId delivery, MessageId message) const;
  std::uint32_t port_of(MessageId id, std::vector<ChannelId>& route) const;
  void index_ports();
  void index_destinations();
  // Returns when its receiver could use it.
  Time delivered(MessageId message) const
  {
    return result_.completed.empty() ? result_.delivered[index(message)].value() : result_.completed[index(message)];
  }
  Time released(MessageId message) const
  {
    return result_.flits.empty() ? records_.sender_ports[index(message)].released
                                 : result_.flits[index(message)].tail_injected + flit_time_;
  }
  const Message& message(MessageId id) const { return schedule_.messages[index(id)]; }

  const Topology& topology_;
  const Schedule& schedule_;
  const SimulationResult& result_;
  const PathRecords& records_;
  NetworkParameters network_;
  PortModel ports_;
  Time flit_time_;
  bool lockstep_;
  bool has_barriers_;
  std::vector<std::int64_t> delays_; ///< by node: when it can send first
  FixedStarts starts_;
  StepOrder steps_;
  MessageLists awaited_;                      ///< self-timed, where the operation combines
  std::vector<MessageId> port_order_;         ///< self-timed: messages by (port, step, id)
  std::vector<std::uint32_t> port_of_;        ///< by message
  std::vector<std::size_t> position_in_port_; ///< by message: in port_order_
  std::vector<std::size_t> port_begin_;       ///< by port: its first message in port_order_
  std::vector<MessageId> deliveries_;         ///< self-timed: messages by (destination, id)
  std::vector<std::size_t> deliveries_begin_; ///< by node
  std::vector<MessageId> parts_;              ///< of a program: messages by (sender or receiver, delivery, id)
  std::vector<std::size_t> parts_begin_;      ///< by node
};

} // namespace wormcast
