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
  Time start; ///< when it asks for its port
};

/// How messages become worms, and who hears of them.
struct WormholeModelOptions {
  EngineChoice engine = EngineChoice::automatic; ///< automatic: "worm" where it is exact from the start, else "flit"
  std::int64_t added_bytes = 0;                  ///< to each message; no message has less than one
  RecordSinks sinks = {};                        ///< all but progress
  std::function<void(const SentMessage&)> sent = {}; ///< may be empty; in the order of the ids
  /// May be empty. Called while an exception is handled that the network has thrown in the midst of a run (InputError:
  /// times that pass 2^62 ps, too many messages); it then leaves SimGrid, which catches nothing.
  std::function<void()> failed = {};
};

/// SimGrid's network model in which every communication between hosts is a worm: all that SimGrid programs send over
/// mailboxes, by Comm::sendto or by MPI (SMPI) becomes a message of docs/network-model.md at the instant at which
/// SimGrid starts it (for mailboxes: when sender and receiver have met).
///
/// Times of SimGrid are rounded to picoseconds, which are exact up to 9007 s. Of messages sent at one instant those of
/// the sender with the lowest id come first, whatever the order in which actors ran. A message within a node takes no
/// time. What the network was given, as a plain message list in the order of the ids, takes the same times in a batch
/// run. A worm under way cannot be stopped: cancel, timeout or the death of an actor end the communication, and the
/// worm goes on; suspend does not change it. Rates and the sharing penalties of communications have no effect.
/// Cost: the engine's; SimGrid itself takes 5 to 20 us a message.
class WormholeModel {
public:
  /// Empty where this build can make a model; else what is missing.
  static std::string_view what_is_missing();

  /// Becomes the network model of the platform, which must outlive it and must not run yet. Throws InputError where
  /// what_is_missing(), or where options.engine is "worm" and does not fit `network`.
  WormholeModel(SimGridPlatform& platform, const NetworkParameters& network, const WormholeModelOptions& options = {});
  ~WormholeModel();
  WormholeModel(const WormholeModel&) = delete;
  WormholeModel& operator=(const WormholeModel&) = delete;

  /// What carries the messages, for its numbers.
  const OnlineNetwork& network() const;
  Time last_delivery() const; ///< 0 before the first one

private:
  class Model;
  std::shared_ptr<Model> model_;
};

} // namespace wormcast
