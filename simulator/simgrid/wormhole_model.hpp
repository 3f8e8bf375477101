#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/sources/online_network.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace wormcast {

/// A message that an actor or an MPI rank has sent to another node.
struct SentMessage {
  MessageId message{}; ///< counted from 0 by (start, source, order of its calls)
  NodeId source{};
  NodeId destination{};
  std::uint64_t bytes = 0;
  Time start;             ///< time at which it requests its port
  std::uint32_t note = 0; ///< as WormholeModelOptions::note gave it
};

/// Options of the conversion of messages to worms, and callbacks.
struct WormholeModelOptions {
  EngineChoice engine = EngineChoice::automatic; ///< automatic: "worm" where it is exact from the start, else "flit"
  std::int64_t added_bytes = 0;                  ///< added to the bytes of each message; no message has less than one
  RecordSinks sinks = {};                        ///< all except progress
  std::function<void(const SentMessage&)> sent = {}; ///< called in the order of the ids; may be empty
  std::function<std::uint32_t()> note = {}; ///< called when SimGrid starts a message between nodes; may be empty
  /// Called while an exception of the network is handled during a run (InputError: times above 2^62 ps, too many
  /// messages), which then leaves SimGrid, as SimGrid catches nothing. May be empty.
  std::function<void()> failed = {};
};

/// SimGrid's network model in which every communication between hosts is a worm: each message that SimGrid programs
/// send over mailboxes, by Comm::sendto or by MPI (SMPI) becomes a message of docs/network-model.md at the time at
/// which SimGrid starts it (for mailboxes: when sender and receiver have met).
///
/// Times of SimGrid are rounded to picoseconds, which are exact up to 9007 s. Of messages sent at one time those of the
/// sender with the lowest id are first, whatever the order in which actors ran. A message within a node takes no time.
/// A batch run of the sent messages, as a plain message list in the order of the ids, has the same times. A worm in
/// flight cannot be stopped: cancel, timeout or the death of an actor end the communication, but not the worm; suspend
/// does not change it. Rates and the sharing penalties of communications have no effect. Cost: the engine's; SimGrid
/// itself takes 5 to 20 us a message.
class WormholeModel {
public:
  /// Returns the missing part if this build cannot make a model; else an empty text.
  static std::string_view what_is_missing();

  /// Becomes the network model of the platform, which must outlive it and must not run yet. Throws InputError if
  /// what_is_missing() is not empty, or if options.engine is "worm" and does not fit `network`.
  WormholeModel(SimGridPlatform& platform, const NetworkParameters& network, const WormholeModelOptions& options = {});
  ~WormholeModel();
  WormholeModel(const WormholeModel&) = delete;
  WormholeModel& operator=(const WormholeModel&) = delete;

  /// Returns the network that carries the messages, for its statistics.
  const OnlineNetwork& network() const;
  Time last_delivery() const; ///< 0 before the first one

private:
  class Model;
  std::shared_ptr<Model> model_;
};

} // namespace wormcast
