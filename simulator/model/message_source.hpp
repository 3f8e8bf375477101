#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// Later than every instant of a run (picoseconds).
inline constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

/// A message that asks for its port. That is all an engine ever knows of it.
struct NewMessage {
  std::int64_t time = 0;        ///< at which it asks (picoseconds since the start of the run)
  std::uint64_t flits = 1;      ///< at least the header
  MessageId message{};          ///< names it in records and deliveries
  std::uint32_t precedence = 0; ///< of those that ask at one instant the lowest (precedence, message) comes first
  NodeId source{};
  NodeId destination{};           ///< another node than `source`, or `source` itself where serves_self_messages()
  std::uint32_t step = 0;         ///< what tells step contention from depth contention
  std::uint32_t handle = 0;       ///< the source's own number for it; comes back with the delivery
  std::int64_t extra_startup = 0; ///< how much longer than T_s its start-up takes (picoseconds); with router
                                  ///< "input_queued" whole cycles
};

/// A message has arrived. The engine has forgotten it.
struct Delivery {
  MessageId message{};
  std::uint32_t handle = 0; ///< of its NewMessage
  std::int64_t granted = 0; ///< when it got its port, as DeliveryRecord::granted (picoseconds)
};

/// Who sends when (docs/network-model.md). An engine takes messages from it as they come into being, tells it of
/// deliveries and free ports, and forgets what is delivered: memory grows with the messages under way.
///
/// At each instant an engine first reports what has ended (port_released, delivered), then takes the messages that ask
/// at this instant.
class MessageSource {
public:
  virtual ~MessageSource() = default;

  /// The first time at which a message asks for its port, as far as that is known before the next delivery or free
  /// port; `never` if none is known. Not before the last instant reported.
  virtual std::int64_t next_time() const = 0;
  /// Appends the messages that ask at `now` == next_time() and takes them for under way.
  virtual void pop(std::int64_t now, std::vector<NewMessage>& messages) = 0;

  /// These have arrived at `now`; ascending by message.
  virtual void delivered(std::span<const Delivery> deliveries, std::int64_t now) = 0;
  /// The sender's port is free of `message`. Called only if wants_port_releases().
  virtual void port_released(MessageId message, std::int64_t now) = 0;
  virtual bool wants_port_releases() const = 0;

  /// How many messages there are in all, numbered from 0; none: not known, or without end.
  virtual std::optional<std::uint64_t> message_count() const = 0;

  /// After a run that stopped: how many messages there are that have not been taken, and one of them.
  struct Rest {
    std::uint64_t messages = 0;
    std::optional<MessageId> first;
  };
  virtual Rest rest() const = 0;
};

} // namespace wormcast
