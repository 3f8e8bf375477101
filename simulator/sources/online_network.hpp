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

/// The network of docs/network-model.md with messages that nobody knew before: they are sent while it runs. Knows
/// nothing of SimGrid. Times are picoseconds since the start. Memory: what the channels need, and the messages under
/// way.
///
/// Messages that are sent at one instant are numbered by (sender, order of the sender's calls), so that the order in
/// which a caller happens to run its senders does not matter. The number decides who comes first of those that ask for
/// a channel at one instant; what the network gives is what a plain message list in the order of the numbers gives.
class OnlineNetwork {
public:
  struct Delivery {
    MessageId message{};
    void* tag = nullptr; ///< as given to send(); null after drop_tag()
  };

  /// `choice` automatic: the worm engine where it is exact, that is with one virtual channel and closed_form_holds,
  /// else the flit engine. `topology` must outlive the network. Throws InputError where "worm" is asked for and not
  /// exact.
  OnlineNetwork(const Topology& topology, const NetworkParameters& network,
                EngineChoice choice = EngineChoice::automatic, RecordSinks sinks = {});
  ~OnlineNetwork();
  OnlineNetwork(const OnlineNetwork&) = delete;
  OnlineNetwork& operator=(const OnlineNetwork&) = delete;

  /// A message of `bytes` bytes asks for its port at `time`, which is not before now(). Not in the network until
  /// commit(). `from` and `to` are different nodes. Throws InputError where the message takes longer than 2^61 ps, and
  /// where `time` is largest_time or later.
  void send(NodeId from, NodeId to, std::uint64_t bytes, std::int64_t time, void* tag);
  /// Numbers what was sent since the last call. Throws InputError beyond 2^32 - 1 messages.
  void commit();

  /// The next instant at which something happens; none: nothing is under way, or nothing can move any more.
  std::optional<std::int64_t> next_event_time() const;
  /// Carries out next_event_time() and, as long as nothing is delivered, those after it that lie before `before`. What
  /// was delivered at now(), ascending by message; valid until the next call.
  std::span<const Delivery> advance(std::int64_t before = 0);
  /// The last instant carried out; -1 before the first.
  std::int64_t now() const;

  /// Whoever waited for a message under `tag` has gone: its delivery will come with a null tag. Cost O(messages under
  /// way).
  void drop_tag(const void* tag);

  std::uint64_t message_count() const;    ///< committed since the start
  std::uint64_t undelivered() const;      ///< of these
  const std::string& engine_name() const; ///< "worm" or "flit"
  ContentionTotals contention() const;
  std::uint64_t header_hops() const;
  std::uint64_t flit_hops() const;

  /// When next_event_time() is none and undelivered() is not zero: why nothing moves. Call it once, at the end.
  Deadlock explain_deadlock();

private:
  class Sent;
  std::unique_ptr<Sent> sent_;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace wormcast
