#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/network.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// A message asks for its port at `time` (picoseconds).
struct ReadyMessage {
  std::int64_t time = 0;
  MessageId message{};
};

/// Who sends when (docs/network-model.md): decides from deliveries and free ports when each message becomes ready. An
/// engine calls it and puts the messages that it appends to `ready` into its own events; no time lies before `now`.
class Traffic {
public:
  virtual ~Traffic() = default;

  /// Messages that are ready without waiting for any other.
  virtual void start(std::vector<ReadyMessage>& ready) = 0;
  /// `messages` were delivered at `now`; in ascending order.
  virtual void delivered(std::span<const MessageId> messages, std::int64_t now, std::vector<ReadyMessage>& ready) = 0;
  /// The sender's port is free of `message`. Called only if wants_port_releases().
  virtual void port_released(MessageId message, std::int64_t now, std::vector<ReadyMessage>& ready) = 0;
  virtual bool wants_port_releases() const = 0;
  /// After a run that stopped: a message that never became ready, if there is one.
  virtual std::optional<MessageId> first_never_ready() const = 0;
};

/// Steps one after the other: a step's messages become ready when all earlier messages are delivered.
std::unique_ptr<Traffic> make_lockstep_traffic(const Schedule& schedule, std::vector<std::int64_t> start_delays);

/// Every sender on its own: a message becomes ready when its sender holds its blocks and fewer messages of its port are
/// on their way out than the port has channels; messages of a port keep the order (step, id).
std::unique_ptr<Traffic> make_self_timed_traffic(const Topology& topology, const Schedule& schedule, PortModel ports,
                                                 std::vector<std::int64_t> start_delays);

/// A plain message list: ready at `start`, or when all of `after` are delivered if that is later.
std::unique_ptr<Traffic> make_plain_traffic(const Schedule& schedule, std::vector<std::int64_t> start_delays);

/// The traffic that `run` asks for.
std::unique_ptr<Traffic> make_traffic(const Topology& topology, const Schedule& schedule,
                                      const NetworkParameters& network, const RunParameters& run);

/// By node: a delay uniform in [0, jitter], a function of seed and node id alone.
std::vector<std::int64_t> start_delays(std::uint32_t node_count, Time jitter, std::uint64_t seed);

/// SimulationResult::source_start: the start delay of the schedule's source; the least of all senders where the
/// operation has no source.
Time source_start(const Topology& topology, const Schedule& schedule, const RunParameters& run);

/// By message id its place among messages that ask at the same instant (RunParameters::tie_break); empty: the id.
std::vector<std::uint32_t> tie_ranks(const Schedule& schedule, const RunParameters& run);

} // namespace wormcast
