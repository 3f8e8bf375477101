#pragma once

#include "wormcast/simulator/events/tournament.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// A message of open-loop traffic, in flight.
struct TrafficMessage {
  std::int64_t created = 0; ///< time of its generation (picoseconds); with router "input_queued" the next whole cycle
  std::uint64_t bytes = 0;
  std::uint64_t flits = 1;
  NodeId source{};
  NodeId destination{};
  std::uint32_t tag = 0; ///< free for the listener's use
};

/// Throws InputError "KEY: ..." if a length cannot be simulated, or if messages go to their own sender but
/// serves_self_messages does not hold.
void check_traffic(const NetworkParameters& network, const TrafficParameters& traffic);

/// Returns the largest load of the arrival process: with bernoulli one message of a node in each flit time; else
/// infinite.
double largest_load(const NetworkParameters& network, const TrafficParameters& traffic);

/// Open-loop traffic: each node sends by its own stream of random numbers, a function of (seed, node), independent of
/// the network. A node's numbers are drawn in the order: gap before the message, destination, length. Messages are
/// numbered by (time, node). Memory: the nodes, and the messages in flight.
class TrafficSource final : public MessageSource {
public:
  /// Callbacks; each may be empty.
  struct Listener {
    std::function<void(TrafficMessage&, MessageId)> created = {};
    std::function<void(const TrafficMessage&, const Delivery&)> delivered = {};
  };

  /// `load` is the load of each sending node. `network` needs resolve_for; `pattern` must outlive the source. Throws
  /// InputError as check_traffic does, and if `load` is above largest_load.
  TrafficSource(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                const Pattern& pattern, double load, const RunParameters& run, Listener listener);

  /// Stops the generation of messages.
  void stop();

  std::int64_t next_time() const override { return stopped_ ? never : arrivals_.next_time(); }
  void pop(std::int64_t now, std::vector<NewMessage>& messages) override;
  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override;
  void port_released(MessageId, std::int64_t) override {}
  bool wants_port_releases() const override { return false; }
  std::optional<std::uint64_t> message_count() const override { return std::nullopt; }
  Rest rest() const override { return {}; }

  std::uint64_t created() const { return created_; }

private:
  // Time in 2^-32 picoseconds, so that gaps are not rounded one by one.
  __extension__ using FineTime = unsigned __int128;

  struct Node {
    RandomStream random;
    FineTime next = 0;
  };

  FineTime gap(Node& node, bool first) const;
  /// Draws the time of the node's next message; `never`: not within the time that can be simulated.
  std::int64_t next_arrival(std::uint32_t node, bool first);
  TrafficMessage draw(std::uint32_t node, std::int64_t now);
  NewMessage create(const TrafficMessage& drawn);

  NetworkParameters network_;
  TrafficParameters traffic_;
  RunParameters run_;
  const Pattern& pattern_;
  Listener listener_;
  FineTime mean_gap_ = 0;
  FineTime burst_gap_ = 0; // on_off: mean distance in a burst, and mean pause between bursts
  FineTime pause_ = 0;
  FailuresBeforeSuccess empty_slots_; // bernoulli: flit times without a message
  std::vector<Node> nodes_;
  Tournament arrivals_;                   // by node
  std::vector<TrafficMessage> in_flight_; // by handle
  std::vector<std::uint32_t> free_handles_;
  std::uint64_t created_ = 0;
  bool stopped_ = false;
};

} // namespace wormcast
