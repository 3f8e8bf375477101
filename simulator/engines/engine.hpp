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

/// The input of an engine. The references must outlive the engine.
struct EngineInput {
  const Topology& topology;
  const NetworkParameters& network;
  const RecordSinks& sinks;
  MessageSource& source;
  bool contention_free = false; ///< every external channel is free for every header at any time; only if
                                ///< RouterEngine::runs_contention_free
  std::uint32_t threads = 1;    ///< used as make_engine() says; results and the calls of sinks and source, which one
                                ///< thread makes, do not depend on it
  /// By node, how much work its router has relative to others, for the division among threads; empty: all have the
  /// same. Used only while the engine is made.
  std::span<const std::uint32_t> router_work = {};
};

/// A network in which no message can move.
struct StoppedNetwork {
  std::int64_t since = 0;         ///< time at which the last header stopped or the last message arrived (picoseconds)
  std::vector<WaitingLink> cycle; ///< the message that holds in one link waits in the next; empty: no message waits
};

/// The network model of docs/network-model.md or of docs/routers.md, advanced from delivery to delivery. Times are
/// picoseconds since the start of the run. It does not depend on SimGrid. Memory: that of the channels and of the
/// messages in flight.
class Engine {
public:
  virtual ~Engine() = default;

  /// Returns the time of the next event, which is now() again if the source has received messages for it since; none:
  /// all known messages are delivered, or no message can move.
  virtual std::optional<std::int64_t> next_event_time() const = 0;

  /// Executes the events before `before` in order of time, up to the first time with a delivery. Returns the messages
  /// delivered at now(), ascending by message, valid until the next call; empty: no event is left before `before`.
  virtual std::span<const Delivery> advance(std::int64_t before = never) = 0;

  /// Returns the time of the last executed event; -1 before the first.
  virtual std::int64_t now() const = 0;

  /// Returns the number of messages that have requested their port and are not delivered.
  virtual std::uint64_t in_flight() const = 0;

  virtual const ContentionTotals& contention() const = 0;

  /// Explains why no message moves, when next_event_time() is none with messages in flight. It also makes the records
  /// of all waits that never ended and of all channels that were never released. Call it once.
  virtual StoppedNetwork explain_deadlock(std::int64_t last_delivery) = 0;

  /// Returns the first time at which two worms held virtual channels of one external channel; none: never, or not
  /// observed.
  virtual std::optional<Time> first_shared() const { return std::nullopt; }

  virtual std::uint64_t header_hops() const = 0;
  virtual std::uint64_t flit_hops() const = 0;
};

/// Returns the engine called `name` of a router. Throws std::logic_error if it has none.
const RouterEngine& engine_of(const RouterModel& router, std::string_view name);

/// Makes the engine called `name` of the network's router, on threads if it RouterEngine::runs_on_threads, or if the
/// messages come in batches and it RouterEngine::starts_anew; with the same results on one thread otherwise. Throws as
/// engine_of(), and InputError with why_fewer_threads().
std::unique_ptr<Engine> make_engine(std::string_view name, const EngineInput& input);

/// Returns the engine of the network's router that `choice` names; null: automatic. Throws InputError if the router has
/// none of this name.
const RouterEngine* asked_engine(const NetworkParameters& network, EngineChoice choice);

/// Explains why an engine is not exact on a network, whatever the messages; empty: it is exact, at least as long as no
/// two worms share a channel (RouterEngine::exact_until_shared). Needs resolve_for(network).
std::string why_inexact(const RouterEngine& engine, const NetworkParameters& network);

/// Explains why a run with this router cannot have so many threads; empty: it can. `in_batches`: its messages come in
/// batches (MessageSource::batch_count).
std::string why_fewer_threads(const RouterModel& router, std::uint32_t threads, bool in_batches);

/// Throws InputError: the engine was requested, and is not exact because of `why`.
[[noreturn]] void throw_inexact(const RouterModel& router, const RouterEngine& engine, std::string_view why);

/// Returns the name of the engine for messages that are not known before the run: for `automatic` the fastest engine
/// that is exact for all messages. Throws InputError as asked_engine does, and if the requested engine is not exact for
/// all messages. Needs resolve_for(network).
std::string engine_for_online_messages(const NetworkParameters& network, EngineChoice choice);

/// Throws InputError: the run has reached largest_time.
[[noreturn]] void throw_time_overflow();

} // namespace wormcast
