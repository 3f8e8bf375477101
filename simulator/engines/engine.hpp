#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What an engine simulates. The references must outlive the engine.
struct EngineInput {
  const Topology& topology;
  const NetworkParameters& network;
  const RecordSinks& sinks;
  MessageSource& source;
  bool contention_free = false; ///< every external channel is free for every header at any time; only where
                                ///< RouterEngine::runs_contention_free
};

/// A network in which nothing moves any more.
struct StoppedNetwork {
  std::int64_t since = 0;         ///< the last header stopped, or the last message arrived (picoseconds)
  std::vector<WaitingLink> cycle; ///< each link's holding message is the next link's waiting one; empty: none waits
};

/// The network model of docs/network-model.md or of docs/routers.md, advanced from delivery to delivery. Times are
/// picoseconds since the start of the run. Knows nothing of SimGrid. Memory: what the channels need, and the messages
/// under way.
class Engine {
public:
  virtual ~Engine() = default;

  /// Time of the next instant at which something happens, the last one again where the source has got messages for it
  /// since; none: all that is known is delivered, or nothing can move any more.
  virtual std::optional<std::int64_t> next_event_time() const = 0;

  /// Carries out instant after instant, as long as they lie before `before`, up to the first one that delivers
  /// something. Returns what was delivered at now(), ascending by message, valid until the next call; empty: nothing
  /// is left to do before `before`.
  virtual std::span<const Delivery> advance(std::int64_t before = never) = 0;

  /// The last instant carried out; -1 before the first.
  virtual std::int64_t now() const = 0;

  /// Messages that have asked for their port and are not delivered.
  virtual std::uint64_t in_flight() const = 0;

  virtual const ContentionTotals& contention() const = 0;

  /// After next_event_time() is none with messages under way: why nothing moves. Also makes the records of all waits
  /// that never ended and of all channels that were never given back. Call it once.
  virtual StoppedNetwork explain_deadlock(std::int64_t last_delivery) = 0;

  /// Since when two worms have held virtual channels of one external channel at the same time; none: never, or not
  /// looked at.
  virtual std::optional<Time> first_shared() const { return std::nullopt; }

  virtual std::uint64_t header_hops() const = 0;
  virtual std::uint64_t flit_hops() const = 0;
};

/// The engine called `name` of the network's router. Throws std::logic_error where it has none.
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineInput& input);

/// The engine of the network's router that `choice` names; null: automatic. Throws InputError where the router has none
/// of this name.
const RouterEngine* asked_engine(const NetworkParameters& network, EngineChoice choice);

/// Why an engine is not exact on a network, whatever the messages; empty: it is, at least as long as no two worms share
/// a channel (RouterEngine::exact_until_shared). Needs resolve_for(network).
std::string why_inexact(const RouterEngine& engine, const NetworkParameters& network);

/// Throws InputError: the engine was asked for, and is not exact for the reason `why`.
[[noreturn]] void throw_inexact(const RouterModel& router, const RouterEngine& engine, std::string_view why);

/// The engine for messages that nobody knows before: for `automatic` the fastest one that is exact whatever comes.
/// Throws InputError as asked_engine does, and where one is asked for that is not exact for all messages. Needs
/// resolve_for(network).
std::string engine_for_online_messages(const NetworkParameters& network, EngineChoice choice);

/// Throws InputError: the run has come to largest_time.
[[noreturn]] void throw_time_overflow();

} // namespace wormcast
