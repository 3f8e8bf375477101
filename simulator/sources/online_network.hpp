#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace wormcast {

/// The network of docs/network-model.md with messages that are not known before the run: they are sent while it runs.
/// It does not depend on SimGrid. Times are picoseconds since the start. Memory: that of the channels and of the
/// messages in flight.
///
/// Messages that are sent at one time are numbered by (sender, order of the sender's calls), so that the order in which
/// a caller runs its senders does not matter. The number determines the order of requests for a channel at one time;
/// the results are those of a plain message list in the order of the numbers.
class OnlineNetwork {
public:
  struct Delivery {
    MessageId message{};
    void* tag = nullptr; ///< as given to send(); null after drop_tag()
  };

  /// `choice` automatic: the worm engine if it is exact, that is with one virtual channel and closed_form_holds, else
  /// the flit engine. `topology` must outlive the network. Throws InputError if "worm" is requested and not exact.
  OnlineNetwork(const Topology& topology, const NetworkParameters& network,
                EngineChoice choice = EngineChoice::automatic, RecordSinks sinks = {});
  ~OnlineNetwork();
  OnlineNetwork(const OnlineNetwork&) = delete;
  OnlineNetwork& operator=(const OnlineNetwork&) = delete;

  /// Sends a message of `bytes` bytes, which requests its port at `time`, not before now(). It is in the network after
  /// commit(). `from` and `to` are different nodes. Throws InputError if the message takes longer than 2^61 ps, and if
  /// `time` is largest_time or later.
  void send(NodeId from, NodeId to, std::uint64_t bytes, std::int64_t time, void* tag);
  /// Numbers the messages sent since the last call. Throws InputError beyond 2^32 - 1 messages.
  void commit();

  /// Returns the time of the next event; none: no message is in flight, or none can move.
  std::optional<std::int64_t> next_event_time() const;
  /// Executes the events of next_event_time() and, as long as no message is delivered, all later events before
  /// `before`. Returns the messages delivered at now(), ascending by message, valid until the next call.
  std::span<const Delivery> advance(std::int64_t before = 0);
  /// Returns the time of the last executed event; -1 before the first.
  std::int64_t now() const;

  /// Drops `tag`, for a caller that no longer waits: the message is delivered with a null tag. Cost O(messages in
  /// flight).
  void drop_tag(const void* tag);

  std::uint64_t message_count() const;    ///< committed since the start
  std::uint64_t undelivered() const;      ///< of these
  const std::string& engine_name() const; ///< "worm" or "flit"
  ContentionTotals contention() const;
  std::uint64_t header_hops() const;
  std::uint64_t flit_hops() const;

  /// Explains why no message moves, when next_event_time() is none and undelivered() is not zero. Call it once, at the
  /// end.
  Deadlock explain_deadlock();

private:
  class Sent;
  std::unique_ptr<Sent> sent_;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
