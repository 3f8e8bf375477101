#include "wormcast/simulator/traffic/warm_up.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace wormcast {

namespace {

constexpr std::size_t pilot_batches = 100; // batches before a test of the warm-up
constexpr int most_pilot_doublings = 4;    // after which the warm-up ends in any case
constexpr double bursts_of_step = 0.5;     // bursts of a node, with their pauses, in a batch of the warm-up
constexpr double bursts_of_batch =
    10; // the same in a batch of the measurement: means of shorter batches depend on each other
constexpr double most_of_step = 5'000; // messages, whatever the bursts
constexpr double most_of_batch = 50'000;

// An estimate over a few messages of every node.
double mean_empty_network_time(const Topology& topology, const NetworkParameters& network,
                               const TrafficClasses::Class& one)
{
  const Pattern& pattern = one.pattern;
  const ChannelTimes times(network, topology);
  std::vector<ChannelId> route;
  double all = 0;
  std::uint64_t count = 0;
  const double flits = one.generation.lengths.mean_flits(network);
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    RandomStream random(0, node);
    for (int i = 0; pattern.sends(NodeId{node}) && i < 4; ++i) {
      const NodeId to = pattern.destination(NodeId{node}, random);
      if (times.equal()) {
        const double hops = topology.mean_route_length(NodeId{node}, to);
        const double most = network.pipeline.routing == GridRouting::valiant ? 2 * hops : hops; // about
        all += empty_network_picoseconds(network, most, flits);
      } else {
        route.clear();
        topology.append_route(NodeId{node}, to, route);
        all += empty_route_picoseconds(network, times, route, flits);
      }
      ++count;
    }
  }
  return all / static_cast<double>(count);
}

} // namespace

LoadTimes load_times(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes,
                     double load, double timeout_factor)
{
  double time_of_message = 1;
  double gap = std::numeric_limits<double>::infinity(); // between messages of the network
  double burst = 0;
  for (const TrafficClasses::Class& one : classes.all()) {
    const MessageGeneration& generation = one.generation;
    const double senders = one.pattern.sender_count();
    const double gap_of_class =
        generation.lengths.mean_bytes() * network.per_byte.nearest() / (load * one.generation.weight) / senders;
    time_of_message = std::max(time_of_message, mean_empty_network_time(topology, network, one));
    gap = std::isinf(gap) ? gap_of_class : gap * gap_of_class / (gap + gap_of_class);
    burst = std::max(burst, generation.arrival == Arrival::on_off ? generation.burst * gap_of_class * senders : 0);
  }
  const auto whole = [](double picoseconds) {
    return static_cast<std::int64_t>(std::min(std::ceil(picoseconds), static_cast<double>(largest_time / 1024)));
  };
  const double step = std::max({time_of_message, 20 * gap, std::min(bursts_of_step * burst, most_of_step * gap)});
  const double batch =
      std::max({10 * time_of_message, 200 * gap, std::min(bursts_of_batch * burst, most_of_batch * gap)});
  return {.step = std::max<std::int64_t>(1, whole(step)),
          .batch = std::max<std::int64_t>(1, whole(batch)),
          .bursts = whole(bursts_of_batch * burst),
          .longest_idle = whole(timeout_factor * 100 * time_of_message)};
}

WarmUp::WarmUp(const Extent& extent, std::int64_t step) : extent_(extent), step_(step), next_check_(step)
{
  if (const Time* time = std::get_if<Time>(&extent)) {
    next_check_ = time->picoseconds;
  }
}

void WarmUp::note_delivered(std::uint64_t latency)
{
  ++batches_.back().delivered;
  batches_.back().latency += latency;
}

bool WarmUp::ends(double backlog, std::uint64_t created, double expected)
{
  if (std::holds_alternative<Time>(extent_)) {
    return true;
  }
  if (const auto* messages = std::get_if<std::uint64_t>(&extent_)) {
    next_check_ += created >= *messages ? 0 : step_;
    return created >= *messages;
  }
  batches_.back().backlog = backlog;
  if (batches_.size() == pilot_batches) {
    std::vector<double> means;
    std::vector<double> backlogs;
    for (const Batch& batch : batches_) {
      backlogs.push_back(batch.backlog);
      if (batch.delivered > 0) {
        means.push_back(static_cast<double>(batch.latency) / static_cast<double>(batch.delivered));
      }
    }
    const bool stationary = !means.empty() && 2 * stationary_from(means) < means.size();
    const std::span<const double> second_half = std::span(backlogs).last(backlogs.size() / 2);
    const bool hopeless = doublings_ > 0 && backlog_grows(second_half, expected / 2);
    if (stationary || hopeless || doublings_ == most_pilot_doublings) {
      return true;
    }
    ++doublings_;
    join_pairs();
    step_ *= 2;
  }
  batches_.emplace_back();
  next_check_ += step_;
  return false;
}

void WarmUp::join_pairs()
{
  for (std::size_t i = 0; i < batches_.size() / 2; ++i) {
    const Batch& first = batches_[2 * i];
    const Batch& second = batches_[2 * i + 1];
    batches_[i] = {.delivered = first.delivered + second.delivered,
                   .latency = first.latency + second.latency,
                   .backlog = second.backlog};
  }
  batches_.resize(batches_.size() / 2);
}

} // namespace wormcast
