#pragma once

#include "wormcast/simulator/engines/arbiter.hpp"
#include "wormcast/simulator/message_source.hpp"
#include "wormcast/simulator/network.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace wormcast {

/// What an engine simulates. The references must outlive the engine.
struct EngineInput {
  const Topology& topology;
  const NetworkParameters& network;
  const RecordSinks& sinks;
  MessageSource& source;
};

/// The network model of docs/network-model.md, advanced from delivery to delivery. Times are picoseconds since the
/// start of the run. Knows nothing of SimGrid. Memory: what the channels need, and the messages under way.
class Engine {
public:
  virtual ~Engine() = default;

  /// Time of the next instant at which something happens, the last one again where the source has got messages for it
  /// since; none: all that is known is delivered, or nothing can move any more.
  virtual std::optional<std::int64_t> next_instant() const = 0;

  /// Carries out instant after instant, as long as they lie before `before`, up to the first one that delivers
  /// something. Returns what was delivered at now(), ascending by message, valid until the next call; empty: nothing
  /// is left to do before `before`.
  virtual std::span<const Delivery> advance(std::int64_t before = never) = 0;

  /// The last instant carried out; -1 before the first.
  virtual std::int64_t now() const = 0;

  /// Messages that have asked for their port and are not delivered.
  virtual std::uint64_t under_way() const = 0;

  virtual Arbiter& arbiter() = 0;
  virtual std::uint64_t header_hops() const = 0;
  virtual std::uint64_t flit_hops() const = 0;
};

/// One event per header hop, whatever the message length. Needs closed_form_holds(network); with several virtual
/// channels its times are right up to arbiter().first_shared().
std::unique_ptr<Engine> make_worm_engine(const EngineInput& input);

/// Every flit moved on its own, rule 4 literally; serves any number of virtual channels.
std::unique_ptr<Engine> make_flit_engine(const EngineInput& input);

/// Throws InputError: the run has come to last_instant.
[[noreturn]] void throw_time_overflow();

} // namespace wormcast
