#include "wormcast/simulator/traffic.hpp"

#include "wormcast/algorithms/verifier/possession.hpp"

#include <algorithm>
#include <numeric>

namespace wormcast {

namespace {

// A well mixed 64-bit number of (seed, counter): the finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) over a
// Weyl sequence, the same on every platform.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t counter)
{
  std::uint64_t z = seed * 0xd1342543de82ef95ULL + (counter + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// Keeps the order of equal requests apart from the start delays of the same seed.
constexpr std::uint64_t tie_stream = 0x7469655f627265ULL;

class LockstepTraffic final : public Traffic {
public:
  LockstepTraffic(const Schedule& schedule, std::vector<std::int64_t> delays)
      : schedule_(schedule), delays_(std::move(delays)), steps_(order_by_step(schedule))
  {}

  void start(std::vector<ReadyMessage>& ready) override { start_next_step(0, ready); }

  void delivered(std::span<const MessageId> messages, std::int64_t now, std::vector<ReadyMessage>& ready) override
  {
    outstanding_ -= messages.size();
    if (outstanding_ == 0) {
      start_next_step(now, ready);
    }
  }

  void port_released(MessageId, std::int64_t, std::vector<ReadyMessage>&) override {}
  bool wants_port_releases() const override { return false; }

  std::optional<MessageId> first_never_ready() const override
  {
    const std::size_t started = steps_.offsets[next_step_];
    return started < steps_.order.size() ? std::optional(steps_.order[started]) : std::nullopt;
  }

private:
  void start_next_step(std::int64_t now, std::vector<ReadyMessage>& ready)
  {
    while (outstanding_ == 0 && next_step_ + 1 < steps_.offsets.size()) {
      const std::size_t begin = steps_.offsets[next_step_];
      const std::size_t end = steps_.offsets[++next_step_];
      for (std::size_t i = begin; i < end; ++i) {
        const MessageId message = steps_.order[i];
        const NodeId sender = schedule_.messages[index(message)].source;
        ready.push_back({std::max(now, delays_[index(sender)]), message});
      }
      outstanding_ = end - begin;
    }
  }

  const Schedule& schedule_;
  std::vector<std::int64_t> delays_;
  StepOrder steps_;
  std::size_t next_step_ = 0;
  std::size_t outstanding_ = 0;
};

class SelfTimedTraffic final : public Traffic {
public:
  SelfTimedTraffic(const Topology& topology, const Schedule& schedule, PortModel ports,
                   std::vector<std::int64_t> delays)
      : topology_(topology), schedule_(schedule), delays_(std::move(delays)), all_ports_(ports.count == PortModel::all),
        channels_per_port_(all_ports_ ? 1 : ports.count), possession_(schedule, topology.node_count())
  {
    const std::size_t count = schedule.messages.size();
    port_of_.reserve(count);
    std::vector<ChannelId> route;
    for (const Message& message : schedule.messages) {
      if (all_ports_) {
        route.clear();
        topology.append_route(message.source, message.destination, route);
        port_of_.push_back(index(route.front()));
      } else {
        port_of_.push_back(index(message.source));
      }
    }
    // Counting sort of the messages in schedule order by port keeps that order within each port.
    const std::uint32_t ports_in_all = all_ports_ ? topology.channel_count() : topology.node_count();
    next_.assign(ports_in_all + 1, 0);
    for (const std::uint32_t port : port_of_) {
      ++next_[port + 1];
    }
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    queue_end_.assign(next_.begin() + 1, next_.end());
    queue_.resize(count);
    std::vector<std::size_t> place(next_.begin(), next_.end() - 1);
    for (const MessageId message : order_by_step(schedule).order) {
      queue_[place[port_of_[index(message)]]++] = message;
    }
    under_way_.assign(ports_in_all, 0);
  }

  void start(std::vector<ReadyMessage>& ready) override
  {
    for (std::uint32_t port = 0; port < under_way_.size(); ++port) {
      issue(port, 0, ready);
    }
  }

  void delivered(std::span<const MessageId> messages, std::int64_t now, std::vector<ReadyMessage>& ready) override
  {
    for (const MessageId id : messages) {
      const Message& message = schedule_.messages[index(id)];
      possession_.add(message.destination, message.blocks);
    }
    for (const MessageId id : messages) {
      const NodeId node = schedule_.messages[index(id)].destination;
      if (!all_ports_) {
        issue(index(node), now, ready);
        continue;
      }
      const std::uint32_t first = index(topology_.first_channel(node));
      for (std::uint32_t port = first; port < first + topology_.out_degree(node); ++port) {
        issue(port, now, ready);
      }
    }
  }

  void port_released(MessageId message, std::int64_t now, std::vector<ReadyMessage>& ready) override
  {
    const std::uint32_t port = port_of_[index(message)];
    --under_way_[port];
    issue(port, now, ready);
  }

  bool wants_port_releases() const override { return true; }

  std::optional<MessageId> first_never_ready() const override
  {
    for (std::uint32_t port = 0; port < under_way_.size(); ++port) {
      if (next_[port] < queue_end_[port]) {
        return queue_[next_[port]];
      }
    }
    return std::nullopt;
  }

private:
  void issue(std::uint32_t port, std::int64_t now, std::vector<ReadyMessage>& ready)
  {
    while (next_[port] < queue_end_[port] && under_way_[port] < channels_per_port_) {
      const MessageId id = queue_[next_[port]];
      const Message& message = schedule_.messages[index(id)];
      if (!possession_.holds(message.source, message.blocks)) {
        return;
      }
      ready.push_back({std::max(now, delays_[index(message.source)]), id});
      ++next_[port];
      ++under_way_[port];
    }
  }

  const Topology& topology_;
  const Schedule& schedule_;
  std::vector<std::int64_t> delays_;
  bool all_ports_;
  std::uint32_t channels_per_port_;
  Possession possession_;
  std::vector<std::uint32_t> port_of_;   // by message: node, or with all ports the first external channel
  std::vector<MessageId> queue_;         // messages by (port, step, id)
  std::vector<std::size_t> next_;        // by port: its first message in queue_ that is not yet ready
  std::vector<std::size_t> queue_end_;   // by port
  std::vector<std::uint32_t> under_way_; // by port: ready, and the port not yet free of it
};

class PlainTraffic final : public Traffic {
public:
  PlainTraffic(const Schedule& schedule, std::vector<std::int64_t> delays)
      : schedule_(schedule), delays_(std::move(delays))
  {
    const std::size_t count = schedule.messages.size();
    missing_.resize(count);
    first_dependent_.assign(count + 1, 0);
    for (const PlainMessage& message : schedule.plain) {
      for (const MessageId earlier : message.after) {
        ++first_dependent_[index(earlier) + 1];
      }
    }
    std::partial_sum(first_dependent_.begin(), first_dependent_.end(), first_dependent_.begin());
    dependents_.resize(first_dependent_.back());
    std::vector<std::size_t> place(first_dependent_.begin(), first_dependent_.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      missing_[i] = static_cast<std::uint32_t>(schedule.plain[i].after.size());
      for (const MessageId earlier : schedule.plain[i].after) {
        dependents_[place[index(earlier)]++] = MessageId{i};
      }
    }
  }

  void start(std::vector<ReadyMessage>& ready) override
  {
    for (std::uint32_t i = 0; i < missing_.size(); ++i) {
      if (missing_[i] == 0) {
        make_ready(MessageId{i}, 0, ready);
      }
    }
  }

  void delivered(std::span<const MessageId> messages, std::int64_t now, std::vector<ReadyMessage>& ready) override
  {
    for (const MessageId message : messages) {
      for (std::size_t i = first_dependent_[index(message)]; i < first_dependent_[index(message) + 1]; ++i) {
        if (--missing_[index(dependents_[i])] == 0) {
          make_ready(dependents_[i], now, ready);
        }
      }
    }
  }

  void port_released(MessageId, std::int64_t, std::vector<ReadyMessage>&) override {}
  bool wants_port_releases() const override { return false; }

  std::optional<MessageId> first_never_ready() const override
  {
    const auto found = std::ranges::find_if(missing_, [](std::uint32_t missing) { return missing > 0; });
    return found == missing_.end() ? std::nullopt
                                   : std::optional(MessageId{static_cast<std::uint32_t>(found - missing_.begin())});
  }

private:
  void make_ready(MessageId message, std::int64_t now, std::vector<ReadyMessage>& ready) const
  {
    const std::int64_t start = schedule_.plain[index(message)].start.picoseconds;
    const std::int64_t delay = delays_[index(schedule_.messages[index(message)].source)];
    ready.push_back({std::max({now, start, delay}), message});
  }

  const Schedule& schedule_;
  std::vector<std::int64_t> delays_;
  std::vector<std::uint32_t> missing_; // by message: undelivered ones among those it waits for
  std::vector<std::size_t> first_dependent_;
  std::vector<MessageId> dependents_; // by message: those that wait for it
};

} // namespace

std::vector<std::int64_t> start_delays(std::uint32_t node_count, Time jitter, std::uint64_t seed)
{
  std::vector<std::int64_t> delays(node_count, 0);
  if (jitter.picoseconds == 0) {
    return delays;
  }
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t values = static_cast<std::uint64_t>(jitter.picoseconds) + 1;
  for (std::uint32_t node = 0; node < node_count; ++node) {
    delays[node] = static_cast<std::int64_t>((static_cast<Wide>(mixed(seed, node)) * values) >> 64);
  }
  return delays;
}

Time source_start(const Topology& topology, const Schedule& schedule, const RunParameters& run)
{
  if (run.start_jitter == Time{} || schedule.messages.empty()) {
    return {};
  }
  const std::vector<std::int64_t> delays = start_delays(topology.node_count(), run.start_jitter, run.seed);
  if (schedule.operation == Operation::broadcast || schedule.operation == Operation::scatter) {
    return Time{delays[index(schedule.source)]};
  }
  std::int64_t first = delays[index(schedule.messages.front().source)];
  for (const Message& message : schedule.messages) {
    first = std::min(first, delays[index(message.source)]);
  }
  return Time{first};
}

std::vector<std::uint32_t> tie_ranks(const Schedule& schedule, const RunParameters& run)
{
  if (run.tie_break == TieBreak::id) {
    return {};
  }
  const auto key = [&](std::uint32_t message) -> std::uint64_t {
    return run.tie_break == TieBreak::source ? index(schedule.messages[message].source)
                                             : mixed(run.seed ^ tie_stream, message);
  };
  std::vector<std::uint32_t> order(schedule.messages.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, key);
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    ranks[order[rank]] = rank;
  }
  return ranks;
}

std::unique_ptr<Traffic> make_lockstep_traffic(const Schedule& schedule, std::vector<std::int64_t> delays)
{
  return std::make_unique<LockstepTraffic>(schedule, std::move(delays));
}

std::unique_ptr<Traffic> make_self_timed_traffic(const Topology& topology, const Schedule& schedule, PortModel ports,
                                                 std::vector<std::int64_t> delays)
{
  return std::make_unique<SelfTimedTraffic>(topology, schedule, ports, std::move(delays));
}

std::unique_ptr<Traffic> make_plain_traffic(const Schedule& schedule, std::vector<std::int64_t> delays)
{
  return std::make_unique<PlainTraffic>(schedule, std::move(delays));
}

std::unique_ptr<Traffic> make_traffic(const Topology& topology, const Schedule& schedule,
                                      const NetworkParameters& network, const RunParameters& run)
{
  std::vector<std::int64_t> delays = start_delays(topology.node_count(), run.start_jitter, run.seed);
  if (schedule.operation == Operation::none) {
    return make_plain_traffic(schedule, std::move(delays));
  }
  if (run.mode == Mode::lockstep) {
    return make_lockstep_traffic(schedule, std::move(delays));
  }
  return make_self_timed_traffic(topology, schedule, network.ports, std::move(delays));
}

} // namespace wormcast
