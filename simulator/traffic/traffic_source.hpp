#pragma once

#include "wormcast/simulator/events/tournament.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"

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
  std::uint32_t traffic_class = 0; ///< index in TrafficClasses::all()
  std::uint32_t tag = 0;           ///< free for the listener's use
};

/// Throws InputError "KEY: ..." if a length cannot be simulated, or if messages go to their own sender but
/// serves_self_messages does not hold.
void check_traffic(const NetworkParameters& network, const TrafficParameters& traffic);

/// Returns the largest load of the arrival processes: with bernoulli one message of a node and class in each flit time;
/// else infinite.
double largest_load(const NetworkParameters& network, const TrafficParameters& traffic);

/// Open-loop traffic: each node sends messages of a class by their own stream of random numbers, a function of (seed,
/// node, class), independent of the network. Its numbers are drawn in the order: gap before the message, destination,
/// length. Messages are numbered by (time, class, node). Memory: the nodes of all classes, and the messages in flight.
class TrafficSource final : public MessageSource {
public:
  /// Callbacks; each may be empty.
  struct Listener {
    std::function<void(TrafficMessage&, MessageId)> created = {};
    std::function<void(const TrafficMessage&, const Delivery&)> delivered = {};
  };

  /// `load` is the load of each node that sends messages of all classes. `network` needs resolve_for; `classes` must
  /// outlive the source. Throws InputError as check_traffic does, and if `load` is above largest_load.
  TrafficSource(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                const TrafficClasses& classes, double load, const RunParameters& run, Listener listener);

  /// Stops the generation of messages.
  void stop();

  std::int64_t next_time() const override { return stopped_ ? never : arrivals_.next_time(); }
  void pop(std::int64_t now, std::vector<NewMessage>& messages) override;
  void delivered(std::span<const Delivery> deliveries, std::int64_t now) override;
  void port_released(MessageId, std::int64_t) override {}
  bool wants_port_releases() const override { return false; }
  bool has_one_step() const override { return true; }
  std::optional<std::uint64_t> message_count() const override { return std::nullopt; }
  Rest rest() const override { return {}; }

  std::uint64_t created() const { return created_; }

private:
  // Time in 2^-32 picoseconds, so that gaps are not rounded one by one.
  __extension__ using FineTime = unsigned __int128;

  /// The gaps between a node's messages of a class.
  struct Gaps {
    FineTime mean = 0;
    FineTime in_burst = 0; // on_off: mean distance in a burst, and mean pause between bursts
    FineTime pause = 0;
    FailuresBeforeSuccess empty_slots; // bernoulli: flit times without a message
  };
  /// The messages of a class that a node sends.
  struct Sender {
    RandomStream random;
    FineTime next = 0;
  };

  Gaps gaps_of(const TrafficClasses::Class& one, double load) const;
  FineTime gap(Sender& sender, std::uint32_t of_class, bool first) const;
  /// Draws the time of the sender's next message; `never`: not within the time that can be simulated.
  std::int64_t next_arrival(std::uint32_t sender, bool first);
  void draw(std::uint32_t sender, std::int64_t now, TrafficMessage& message);
  void create(std::uint32_t sender, std::int64_t now, NewMessage& message);
  std::uint32_t free_handle();

  NetworkParameters network_;
  RunParameters run_;
  const TrafficClasses& classes_;
  Listener listener_;
  std::uint32_t nodes_;
  std::vector<Gaps> gaps_;                // by class
  std::vector<Sender> senders_;           // by class and node
  Tournament arrivals_;                   // the same
  std::vector<TrafficMessage> in_flight_; // by handle
  std::vector<std::uint32_t> free_handles_;
  std::uint64_t created_ = 0;
  bool stopped_ = false;
};

} // namespace wormcast
