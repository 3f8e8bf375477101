#include "tests/equality/picosecond_engine.hpp"

#include "tests/equality/picosecond_computation.hpp"
#include "tests/equality/picosecond_traffic.hpp"
#include "tests/equality/scenario.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

namespace wormcast::testing {

namespace {

using Picoseconds = std::int64_t;

/// What a header asks for: an external channel, or the internal channels of a port.
struct SlowChannel {
  struct Request {
    Picoseconds arrival;
    std::size_t rank;
    std::size_t worm;
    std::size_t held_by; ///< when the header arrived

    friend auto operator<=>(const Request&, const Request&) = default;
  };
  Resource resource;
  std::uint32_t port = 0; ///< of several of a node, where messages are bound to ports
  std::size_t capacity = 1;
  std::vector<std::size_t> holders = {}; ///< in the order of the grants
  std::vector<Request> queue = {};
};

struct SlowPath {
  std::vector<std::size_t> path = {};    ///< c_0 .. c_{d+1}
  std::vector<Picoseconds> tau = {};     ///< of the channels of the path
  std::vector<Picoseconds> hop = {};     ///< T_f of the channels of the path, 0 of ports
  std::vector<Picoseconds> latency = {}; ///< from s_i(f) to the flit's arrival at c_{i+1}
};

struct SlowWorm : SlowPath {
  std::size_t rank = 0;
  std::size_t flits = 1;
  Picoseconds missing = 0;                           ///< by so much flit F-1 is shorter than the others
  std::optional<SlowPath> shortest = {};             ///< between which and its own its header still chooses
  std::vector<std::vector<Picoseconds>> starts = {}; ///< s_i(f) of the channels that it was granted
  std::vector<Picoseconds> granted = {};             ///< when c_i was granted
  std::optional<Picoseconds> asks_at = {};           ///< when its header asks for the next channel
  bool delivered = false;
};

class SlowNetwork {
public:
  SlowNetwork(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
              const RunParameters& run)
      : topology_(topology), schedule_(schedule), network_(network)
  {
    outcome_.delivered.resize(schedule.messages.size());
    make_worms();
    rank_worms(run);
    std::vector<std::size_t> port_of;
    for (const SlowWorm& worm : worms_) {
      port_of.push_back(worm.path.front());
    }
    const bool one_each = network.ports.count == PortModel::all || network.port_choice == PortChoice::of_message;
    const std::uint32_t ports = one_each ? 1 : network.ports.count;
    std::vector<std::int64_t> delays = start_delays(topology.host_count(), run.start_jitter, run.seed);
    for (std::int64_t& delay : delays) {
      delay += run.computation.call.picoseconds;
    }
    traffic_.emplace(schedule, run, delays, port_of, ports);
    computation_.emplace(schedule, network, run, topology.host_count());
    expect_something(traffic_->last_start());
  }

  std::optional<PicosecondOutcome> run(Picoseconds most_picoseconds)
  {
    for (now_ = 0; now_ <= expected_until_; ++now_) {
      if (now_ > most_picoseconds) {
        return std::nullopt;
      }
      bool something_ended = deliver_and_release();
      for (const std::size_t id : computation_->complete(now_)) {
        traffic_->deliver(id);
        something_ended = true;
      }
      if (something_ended || now_ <= traffic_->last_start()) {
        traffic_->find_ready(now_, [this](std::size_t worm, Picoseconds at) {
          worms_[worm].asks_at = at;
          expect_something(at);
        });
      }
      serve_queues();
      serve_requests();
      move_flits();
    }
    return std::move(outcome_);
  }

private:
  // --- the network ---

  std::size_t channel(const Resource& resource, std::size_t capacity, std::uint32_t port = 0)
  {
    const auto known = std::ranges::find_if(
        channels_, [&](const SlowChannel& one) { return one.resource == resource && one.port == port; });
    if (known != channels_.end()) {
      return static_cast<std::size_t>(known - channels_.begin());
    }
    channels_.push_back({.resource = resource, .port = port, .capacity = capacity});
    return channels_.size() - 1;
  }

  /// The channels from one node to another, by id.
  std::vector<ChannelId> between(NodeId from, NodeId to) const
  {
    std::vector<ChannelId> channels;
    for (std::uint32_t id = 0; id < topology_.channel_count(); ++id) {
      if (topology_.channel_source(ChannelId{id}) == from && topology_.channel_target(ChannelId{id}) == to) {
        channels.push_back(ChannelId{id});
      }
    }
    return channels;
  }

  /// Of parallel links the first channel of one direction is opposite to the first of the other, and so on.
  std::optional<ChannelId> opposite(ChannelId wanted) const
  {
    const NodeId from = topology_.channel_source(wanted);
    const NodeId to = topology_.channel_target(wanted);
    const std::vector<ChannelId> same = between(from, to);
    const std::vector<ChannelId> back = between(to, from);
    const auto number = static_cast<std::size_t>(std::ranges::find(same, wanted) - same.begin());
    return number < back.size() ? std::optional(back[number]) : std::nullopt;
  }

  /// The channels of a port on one side of a node, or the one of an external channel.
  std::size_t port_channel(Resource::Kind kind, NodeId node, ChannelId external, std::size_t message)
  {
    if (network_.ports.count == PortModel::all) {
      return channel({kind, external, node}, 1);
    }
    if (network_.port_choice == PortChoice::of_message) {
      return channel({kind, ChannelId{}, node}, 1, schedule_.ports_of_messages[message] % network_.ports.count);
    }
    return channel({kind, ChannelId{}, node}, network_.ports.count);
  }

  std::size_t injection(NodeId node, ChannelId first, std::size_t message)
  {
    return port_channel(Resource::Kind::injection, node, first, message);
  }

  /// With half duplex the same channels as for injection: those of the node, or of the link by which the worm comes.
  std::size_t ejection(NodeId node, ChannelId last, std::size_t message)
  {
    if (network_.duplex == Duplex::half && network_.ports.count != PortModel::all) {
      return injection(node, last, message);
    }
    const std::optional<ChannelId> back = opposite(last);
    if (network_.duplex == Duplex::half && back) {
      return injection(node, *back, message);
    }
    return port_channel(Resource::Kind::ejection, node, last, message);
  }

  Picoseconds time_of_flit(ByteTime per_byte) const
  {
    return static_cast<Picoseconds>(network_.flit_bytes) * per_byte.picoseconds() / per_byte.bytes();
  }

  /// By how much the last flit is shorter than the others, which are alike on all channels then: the message takes
  /// ceil(L*T_c) on a channel, and its other flits tau each.
  Picoseconds missing_in_last_flit(std::uint64_t bytes, std::size_t flits) const
  {
    if (network_.last_flit == LastFlit::padded || bytes == 0) {
      return 0;
    }
    const Picoseconds divisor = network_.per_byte.bytes();
    const Picoseconds all = (static_cast<Picoseconds>(bytes) * network_.per_byte.picoseconds() + divisor - 1) / divisor;
    return static_cast<Picoseconds>(flits) * time_of_flit(network_.per_byte) - all;
  }

  /// Each channel has a time of its own for a flit, and a flit goes on to a faster channel only when it does not run
  /// dry there: its end crosses no channel before it has crossed the one before.
  void set_times(SlowPath& worm, std::span<const ChannelId> route) const
  {
    const Picoseconds of_port = time_of_flit(network_.port_per_byte ? *network_.port_per_byte : network_.per_byte);
    std::vector<Picoseconds> hop(route.size() + 2, 0);
    worm.tau.assign(route.size() + 2, of_port);
    for (std::size_t i = 1; i <= route.size(); ++i) {
      const std::uint32_t of = topology_.link_class(route[i - 1]);
      worm.tau[i] = time_of_flit(network_.link_per_byte.empty() ? network_.per_byte : network_.link_per_byte[of]);
      hop[i] = (network_.link_per_hop.empty() ? network_.per_hop : network_.link_per_hop[of]).picoseconds;
    }
    worm.latency = hop;
    for (std::size_t i = 0; i <= route.size(); ++i) {
      const Picoseconds end_here = hop[i] + worm.tau[i]; // of the flit, from its start over c_i
      worm.latency[i] = std::max(hop[i], end_here - worm.tau[i + 1]);
    }
    worm.hop = std::move(hop);
  }

  void make_worms()
  {
    for (std::size_t id = 0; id < schedule_.messages.size(); ++id) {
      const Message& message = schedule_.messages[id];
      std::vector<ChannelId> route;
      topology_.append_drawn_route(message.source, message.destination, route_draw(network_, id), route);
      SlowWorm worm;
      lay_out(worm, route, id);
      if (topology_.headers_choose() && topology_.draws_route(message.source, message.destination)) {
        route.clear();
        topology_.append_route(message.source, message.destination, route);
        lay_out(worm.shortest.emplace(), route, id);
      }
      worm.flits =
          std::max<std::size_t>(1, (message_bytes(schedule_, id) + network_.flit_bytes - 1) / network_.flit_bytes);
      worm.missing = missing_in_last_flit(message_bytes(schedule_, id), worm.flits);
      worms_.push_back(std::move(worm));
    }
  }

  void lay_out(SlowPath& worm, std::span<const ChannelId> route, std::size_t id)
  {
    const Message& message = schedule_.messages[id];
    set_times(worm, route);
    worm.path.push_back(injection(message.source, route.front(), id));
    for (const ChannelId external : route) {
      worm.path.push_back(channel({Resource::Kind::external, external, topology_.channel_source(external)}, 1));
    }
    worm.path.push_back(ejection(message.destination, route.back(), id));
  }

  /// Which packet of a cut message it is.
  std::size_t packet(std::size_t id) const { return schedule_.packets.empty() ? 0 : schedule_.packets[id]; }

  void rank_worms(const RunParameters& run)
  {
    const auto precedence = [&](std::size_t id) -> std::uint32_t {
      const NodeId sender = schedule_.messages[id].source;
      if (run.tie_break == TieBreak::seeded) {
        const std::size_t first = id - packet(id); // packets have the draw of the first one
        return tie_precedence(run, MessageId{static_cast<std::uint32_t>(first)}, sender);
      }
      return run.tie_break == TieBreak::source ? index(sender) : 0;
    };
    std::vector<std::pair<std::uint32_t, std::size_t>> order;
    for (std::size_t id = 0; id < worms_.size(); ++id) {
      order.emplace_back(precedence(id), id);
    }
    std::ranges::sort(order);
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
      worms_[order[rank].second].rank = rank;
    }
  }

  // --- rule 4's terms ---

  std::uint64_t buffer() const
  {
    return network_.switching == Switching::wormhole ? network_.buffer_flits
                                                     : std::numeric_limits<std::uint64_t>::max();
  }

  /// Whether s_i(f) has come, and was at least `ago` before now.
  bool started(const SlowWorm& worm, std::size_t i, std::size_t f, Picoseconds ago) const
  {
    return i < worm.starts.size() && f < worm.starts[i].size() && worm.starts[i][f] + ago <= now_;
  }

  // --- what happens in a picosecond, in this order ---

  /// Rules 5 to 7. True if something was delivered or released.
  bool deliver_and_release()
  {
    bool something = false;
    for (std::size_t id = 0; id < worms_.size(); ++id) {
      SlowWorm& worm = worms_[id];
      if (worm.delivered) {
        continue;
      }
      const std::size_t last = worm.path.size() - 1;
      const bool arrived = tail_has_left(worm, last);
      for (std::size_t i = 0; i <= last; ++i) {
        const bool freed = network_.hold == Hold::path || i == last ? arrived : tail_has_left(worm, i + 1);
        if (freed && release(id, i)) {
          something = true;
        }
      }
      if (arrived) {
        worm.delivered = something = true;
        outcome_.delivered[id] = Time{now_};
        computation_->deliver(id, now_);
        expect_something(now_ + computation_->longest());
      }
    }
    return something;
  }

  /// Whether the tail has crossed c_i: s_i(F-1) and its time.
  bool tail_has_left(const SlowWorm& worm, std::size_t i) const
  {
    return started(worm, i, worm.flits - 1, worm.tau[i] - worm.missing);
  }

  /// False if it was released before.
  bool release(std::size_t id, std::size_t i)
  {
    const SlowWorm& worm = worms_[id];
    SlowChannel& held = channels_[worm.path[i]];
    const auto place = std::ranges::find(held.holders, id);
    if (place == held.holders.end()) {
      return false;
    }
    held.holders.erase(place);
    outcome_.occupancy.push_back({.resource = held.resource,
                                  .message = MessageId{static_cast<std::uint32_t>(id)},
                                  .step = schedule_.messages[id].step,
                                  .from = Time{worm.granted[i]},
                                  .to = Time{now_}});
    if (i == 0) {
      traffic_->release_port(id);
    }
    return true;
  }

  /// Rule 3: first come, first served.
  void serve_queues()
  {
    for (SlowChannel& wanted : channels_) {
      std::ranges::sort(wanted.queue);
      while (!wanted.queue.empty() && wanted.holders.size() < wanted.capacity) {
        const SlowChannel::Request request = wanted.queue.front();
        wanted.queue.erase(wanted.queue.begin());
        record_wait(wanted, request);
        grant(request.worm);
      }
    }
  }

  /// Rule 3: of those who ask now, the lowest rank first. A grant can make the same header ask again at once.
  void serve_requests()
  {
    while (const std::optional<std::size_t> id = lowest_that_asks()) {
      SlowWorm& worm = worms_[*id];
      if (worm.starts.size() == 2 && worm.shortest) {
        choose_path(worm);
      }
      SlowChannel& wanted = channels_[worm.path[worm.starts.size()]];
      worm.asks_at.reset();
      if (wanted.holders.size() < wanted.capacity) {
        grant(*id);
      } else {
        wanted.queue.push_back({now_, worm.rank, *id, wanted.holders.front()});
      }
    }
  }

  /// By the messages that are in the way at c_2, times the external channels that are left.
  void choose_path(SlowWorm& worm)
  {
    const auto cost = [&](const SlowPath& way) {
      const SlowChannel& next = channels_[way.path[2]];
      return (next.holders.size() + next.queue.size()) * (way.path.size() - 3);
    };
    if (cost(*worm.shortest) <= cost(worm)) {
      static_cast<SlowPath&>(worm) = *worm.shortest;
    }
    worm.shortest.reset();
  }

  std::optional<std::size_t> lowest_that_asks() const
  {
    std::optional<std::size_t> lowest;
    for (std::size_t id = 0; id < worms_.size(); ++id) {
      if (worms_[id].asks_at == now_ && (!lowest || worms_[id].rank < worms_[*lowest].rank)) {
        lowest = id;
      }
    }
    return lowest;
  }

  /// Rules 1 and 2: the header starts, and is known to ask for the channel behind.
  void grant(std::size_t id)
  {
    SlowWorm& worm = worms_[id];
    const std::size_t i = worm.starts.size();
    const Picoseconds start = now_ + (i == 0 && packet(id) == 0 ? network_.startup.picoseconds : 0);
    channels_[worm.path[i]].holders.push_back(id);
    worm.granted.push_back(now_);
    worm.starts.push_back({start});
    expect_something(start + worm.latency[i] + worm.tau[i]);
    if (i + 1 == worm.path.size()) {
      return;
    }
    if (!takes_all_in(worm, i)) {
      worm.asks_at = start + worm.latency[i];
      expect_something(*worm.asks_at);
    } else if (worm.flits == 1) {
      ask_with_all_flits(worm, i, start);
    }
  }

  /// Whether the router behind c_i sends the header on only when it has the whole message.
  bool takes_all_in(const SlowWorm& worm, std::size_t i) const
  {
    return network_.switching == Switching::store_and_forward && i >= 1 && i + 2 < worm.path.size();
  }

  /// The last flit starts over c_i.
  void ask_with_all_flits(SlowWorm& worm, std::size_t i, Picoseconds last_start)
  {
    worm.asks_at = last_start + worm.tau[i] - worm.missing + worm.hop[i];
    expect_something(*worm.asks_at);
  }

  void record_wait(const SlowChannel& wanted, const SlowChannel::Request& request)
  {
    const std::uint32_t waiting_step = schedule_.messages[request.worm].step;
    const std::uint32_t holding_step = schedule_.messages[request.held_by].step;
    const ContentionKind kind = wanted.resource.kind != Resource::Kind::external ? ContentionKind::port
                                : waiting_step == holding_step                   ? ContentionKind::step
                                                                                 : ContentionKind::depth;
    outcome_.contention.push_back({.resource = wanted.resource,
                                   .waiting = MessageId{static_cast<std::uint32_t>(request.worm)},
                                   .holding = MessageId{static_cast<std::uint32_t>(request.held_by)},
                                   .waiting_step = waiting_step,
                                   .holding_step = holding_step,
                                   .kind = kind,
                                   .from = Time{request.arrival},
                                   .to = Time{now_},
                                   .wait = Time{now_ - request.arrival}});
  }

  /// Rule 4, until no flit can start any more now.
  void move_flits()
  {
    for (SlowWorm& worm : worms_) {
      if (worm.delivered) {
        continue;
      }
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < worm.starts.size(); ++i) {
          moved = move_flit(worm, i) || moved;
        }
      }
    }
  }

  /// Starts the next flit on c_i if it may.
  bool move_flit(SlowWorm& worm, std::size_t i)
  {
    const std::size_t f = worm.starts[i].size();
    if (f == worm.flits || !started(worm, i, f - 1, worm.tau[i])) {
      return false;
    }
    const bool is_here = i == 0 || started(worm, i - 1, f, worm.latency[i - 1]);
    const bool has_room = i + 1 == worm.path.size() || f < buffer() || started(worm, i + 1, f - buffer(), 0);
    if (!is_here || !has_room) {
      return false;
    }
    worm.starts[i].push_back(now_);
    expect_something(now_ + worm.latency[i] + worm.tau[i]);
    if (f + 1 == worm.flits && takes_all_in(worm, i)) {
      ask_with_all_flits(worm, i, now_);
    }
    return true;
  }

  /// Something may still happen at `moment`; when no such moment is left nothing can move any more.
  void expect_something(Picoseconds moment) { expected_until_ = std::max(expected_until_, moment); }

  const Topology& topology_;
  const Schedule& schedule_;
  const NetworkParameters& network_;
  std::vector<SlowChannel> channels_;
  std::vector<SlowWorm> worms_; ///< by message id
  std::optional<PicosecondTraffic> traffic_;
  std::optional<PicosecondComputation> computation_;
  PicosecondOutcome outcome_;
  Picoseconds now_ = 0;
  Picoseconds expected_until_ = 0;
};

} // namespace

std::optional<PicosecondOutcome> simulate_picoseconds(const Topology& topology, const Schedule& schedule,
                                                      const NetworkParameters& network, const RunParameters& run,
                                                      std::int64_t most_picoseconds)
{
  return SlowNetwork(topology, schedule, network, run).run(most_picoseconds);
}

} // namespace wormcast::testing
