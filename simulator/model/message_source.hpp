#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/computation.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// Later than every time of a run (picoseconds).
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// A message that requests its port. An engine knows nothing else of it.
struct NewMessage {
  std::int64_t time = 0;        ///< time of the request (picoseconds since the start of the run)
  std::uint64_t flits = 1;      ///< at least the header
  MessageId message{};          ///< its number in records and deliveries
  std::uint32_t precedence = 0; ///< of the requests at one time the lowest (precedence, message) is served first
  NodeId source{};
  NodeId destination{};           ///< another node than `source`, or `source` itself where serves_self_messages()
  std::uint32_t step = 0;         ///< distinguishes step contention from depth contention
  std::uint32_t handle = 0;       ///< the source's own number for it, returned with the delivery
  std::int64_t extra_startup = 0; ///< time by which its start-up exceeds T_s (picoseconds), at least -T_s; with router
                                  ///< "input_queued" whole cycles
  std::int64_t shortfall = 0; ///< time by which its last flit is shorter than tau (picoseconds): last_flit_shortfall()
  std::uint8_t priority = 0;  ///< with FlitPriority::message: the highest comes first
  std::uint8_t port = 0;      ///< the port that it uses with PortChoice::of_message, below the number of ports
};

/// A delivered message, which the engine has retired.
struct Delivery {
  MessageId message{};
  std::uint32_t handle = 0; ///< handle of its NewMessage
  std::int64_t granted = 0; ///< time at which it was granted its port, as DeliveryRecord::granted (picoseconds)
};

/// Determines which node sends when (docs/network-model.md). An engine pops messages as they are generated, reports
/// deliveries and free ports, and retires delivered messages, so that memory grows with the messages in flight.
///
/// At each time step an engine first calls port_released() and delivered(), then pops the messages that request their
/// ports at that time.
class MessageSource {
public:
  virtual ~MessageSource() = default;

  /// Returns the first time at which a message requests its port, as far as it is known before the next delivery or
  /// free port; `never` if none is known. It is not before the last time reported.
  virtual std::int64_t next_time() const = 0;
  /// Appends the messages that request their ports at `now` == next_time(); they count as in flight from then on.
  virtual void pop(std::int64_t now, std::vector<NewMessage>& messages) = 0;

  /// The engine calls this for the messages delivered at `now`, ascending by message.
  virtual void delivered(std::span<const Delivery> deliveries, std::int64_t now) = 0;
  /// The engine calls this when `message` releases the sender's port, only if wants_port_releases().
  virtual void port_released(MessageId message, std::int64_t now) = 0;
  virtual bool wants_port_releases() const = 0;

  /// Returns, by message, when its receiver could use it (Completions); empty: every message at its delivery.
  virtual std::span<const std::int64_t> completions() const { return {}; }

  /// Returns what nodes have computed.
  virtual ComputedTotals computed() const { return {}; }

  /// Returns the end of a finished run, whose last delivery was at `last_delivery`: the end of all that nodes compute.
  virtual std::int64_t end(std::int64_t last_delivery) const { return last_delivery; }

  /// Returns whether no message follows those that have been popped before all of them are delivered.
  virtual bool waits_for_deliveries() const { return false; }

  /// Returns whether all messages have the same step: then their kinds of contention depend on the channels alone.
  virtual bool has_one_step() const { return false; }

  /// Returns the number of batches if all messages come in batches that are known beforehand: all messages of one are
  /// ready at the same time, and those of the next one when all of them are delivered, or later. 0: they do not.
  virtual std::size_t batch_count() const { return 0; }
  /// Returns the number of messages of the largest batch.
  virtual std::size_t largest_batch() const { return 0; }
  /// Appends the messages of a batch as pop() does, whose times are without meaning.
  virtual void append_batch(std::size_t /*batch*/, std::vector<NewMessage>& /*messages*/) const {}

  /// Returns the total number of messages, which are numbered from 0; none: unknown or unbounded.
  virtual std::optional<std::uint64_t> message_count() const = 0;

  /// After a run that stopped: the number of messages that were not popped, and one of them.
  struct Rest {
    std::uint64_t messages = 0;
    std::optional<MessageId> first;
  };
  virtual Rest rest() const = 0;
};

} // namespace wormcast
