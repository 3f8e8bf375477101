#include "wormcast/simulator/traffic/traffic_classes.hpp"

#include <algorithm>

namespace wormcast {

namespace {

double channel_bytes(const NetworkParameters& network, std::int64_t picoseconds)
{
  return static_cast<double>(picoseconds) / network.per_byte.nearest();
}

} // namespace

TrafficClasses::TrafficClasses(const Topology& topology, const TrafficParameters& traffic, std::uint64_t seed)
    : part_of_(topology.host_count())
{
  for (TrafficClass& generation : classes_of(traffic)) {
    Pattern pattern(topology, generation, seed);
    classes_.push_back({.generation = std::move(generation), .pattern = std::move(pattern)});
  }
  for (const Class& one : classes_) {
    const double weight = one.generation.weight;
    parts_ += weight * one.pattern.sender_count();
    for (std::uint32_t node = 0; node < part_of_.size(); ++node) {
      part_of_[node] += one.pattern.sends(NodeId{node}) ? weight : 0;
    }
  }
  const auto rate = [](const Class& one) { // of messages
    return one.generation.weight * one.pattern.sender_count() / one.generation.lengths.mean_bytes();
  };
  double rates = 0;
  for (const Class& one : classes_) {
    rates += rate(one);
  }
  for (Class& one : classes_) {
    one.message_share = rate(one) / rates;
  }
  senders_ = static_cast<std::uint32_t>(std::ranges::count_if(part_of_, [](double part) { return part > 0; }));
}

double full_load_bytes(const NetworkParameters& network, const TrafficClasses& classes, std::int64_t picoseconds)
{
  return channel_bytes(network, picoseconds) * classes.parts();
}

double full_load_bytes(const NetworkParameters& network, const TrafficClasses::Class& one, std::int64_t picoseconds)
{
  return channel_bytes(network, picoseconds) * one.pattern.sender_count();
}

} // namespace wormcast
