#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/message_source.hpp"

#include <cstdint>

namespace wormcast {

/// The data of a message in flight that every engine stores.
struct MessageInFlight {
  std::int64_t ready = 0; ///< time at which it requested its port
  MessageId message{};
  std::uint32_t precedence = 0;
  NodeId source{};
  NodeId destination{};
  std::uint32_t step = 0;
  std::uint32_t handle = 0;
  std::int64_t extra_startup = 0;
  std::uint8_t priority = 0;
  std::uint8_t port = 0; ///< to which it is bound

  MessageInFlight() = default;
  explicit MessageInFlight(const NewMessage& asked)
      : ready(asked.time), message(asked.message), precedence(asked.precedence), source(asked.source),
        destination(asked.destination), step(asked.step), handle(asked.handle), extra_startup(asked.extra_startup),
        priority(asked.priority), port(asked.port)
  {}

  Delivery delivery(std::int64_t granted) const { return {.message = message, .handle = handle, .granted = granted}; }
  DeliveryRecord record(std::int64_t granted, std::int64_t delivered) const
  {
    return {.message = message,
            .step = step,
            .source = source,
            .destination = destination,
            .ready = Time{ready},
            .granted = Time{granted},
            .delivered = Time{delivered}};
  }
};

} // namespace wormcast
