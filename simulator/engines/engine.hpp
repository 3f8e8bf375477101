#pragma once

#include "wormcast/simulator/engines/arbiter.hpp"
#include "wormcast/simulator/network.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// What an engine simulates. The references must outlive the engine.
struct EngineInput {
  const Topology& topology;
  const Schedule& schedule;
  const NetworkParameters& network;
  const RecordSinks& sinks;
  Traffic& traffic;
  std::span<const std::uint32_t> ranks = {}; ///< by message id: who comes first of those that ask at the same instant,
                                             ///< all different; empty: the id itself
};

/// A request as engines sort those of one instant: by rank; the worm in the lower half.
inline std::uint64_t place_of_request(std::span<const std::uint32_t> ranks, MessageId message, std::uint32_t worm)
{
  const std::uint64_t rank = ranks.empty() ? index(message) : ranks[index(message)];
  return rank << 32 | worm;
}

/// The network model of docs/network-model.md, advanced one instant at a time. Times are picoseconds since the start of
/// the run. Knows nothing of SimGrid.
class Engine {
public:
  virtual ~Engine() = default;

  /// Time of the next instant at which something happens; none: all is delivered, or nothing can move any more.
  virtual std::optional<std::int64_t> next_instant() const = 0;

  /// Carries out everything that happens at next_instant(). Returns the messages delivered at it, in ascending order,
  /// valid until the next call.
  virtual std::span<const MessageId> advance() = 0;

  /// Delivery time by message id, -1 where not delivered (yet).
  virtual std::span<const std::int64_t> delivery_times() const = 0;

  virtual Arbiter& arbiter() = 0;
  virtual std::uint64_t header_hops() const = 0;
  virtual std::uint64_t flit_hops() const = 0;
};

/// One event per header hop, whatever the message length. Needs closed_form_holds(network); with several virtual
/// channels its times are right as long as arbiter().physical_channel_was_shared() stays false.
std::unique_ptr<Engine> make_worm_engine(const EngineInput& input);

/// Every flit moved on its own, rule 4 literally; serves any number of virtual channels.
std::unique_ptr<Engine> make_flit_engine(const EngineInput& input);

/// Time of all flits of a message on a channel. Throws InputError where it passes 2^61 ps.
std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits);

/// Throws InputError: the run has come to 2^62 ps, beyond which sums of times could overflow.
[[noreturn]] void throw_time_overflow();

/// Instants from here on end the run with throw_time_overflow().
inline constexpr std::int64_t last_instant = std::int64_t{1} << 62;

} // namespace wormcast
