#include "wormcast/simulator/traffic/node_figures.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace wormcast {

namespace {

constexpr std::uint64_t most_pairs = std::uint64_t{1} << 24;

} // namespace

void CountedFigures::Latencies::add(std::int64_t latency)
{
  ++messages;
  sum += static_cast<double>(latency);
  largest = std::max(largest, latency);
}

LatencyFigures CountedFigures::Latencies::figures() const
{
  return {.messages = messages, .mean = messages == 0 ? 0 : sum / static_cast<double>(messages), .largest = largest};
}

void check_figures(TrafficFigures figures, std::uint32_t nodes)
{
  if (figures == TrafficFigures::pairs && std::uint64_t{nodes} * nodes > most_pairs) {
    throw InputError(
        fmt::format("figures_of: found \"pairs\" of {} nodes, expected at most 4096 nodes, or \"nodes\"", nodes));
  }
}

CountedFigures::CountedFigures(TrafficFigures figures, std::uint32_t nodes) : node_count_(nodes)
{
  check_figures(figures, nodes);
  if (figures == TrafficFigures::network) {
    return;
  }
  nodes_.resize(nodes);
  if (figures == TrafficFigures::pairs) {
    pairs_.resize(std::size_t{nodes} * nodes);
  }
}

void CountedFigures::add_delivered(NodeId source, NodeId destination, std::uint64_t bytes)
{
  if (!nodes_.empty()) {
    nodes_[index(source)].bytes_sent += static_cast<double>(bytes);
    nodes_[index(destination)].bytes_received += static_cast<double>(bytes);
  }
}

void CountedFigures::add_measured(NodeId source, NodeId destination, std::int64_t latency)
{
  if (!nodes_.empty()) {
    nodes_[index(source)].sent.add(latency);
    nodes_[index(destination)].received.add(latency);
  }
  if (!pairs_.empty()) {
    pairs_[std::size_t{index(source)} * node_count_ + index(destination)].add(latency);
  }
}

std::vector<NodeFigures> CountedFigures::nodes(double full_bytes) const
{
  std::vector<NodeFigures> all;
  for (const OfNode& node : nodes_) {
    all.push_back({.sent = node.sent.figures(),
                   .received = node.received.figures(),
                   .accepted = node.bytes_sent / full_bytes,
                   .ejected = node.bytes_received / full_bytes});
  }
  return all;
}

std::vector<PairFigures> CountedFigures::pairs() const
{
  std::vector<PairFigures> all;
  for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
    if (pairs_[pair].messages > 0) {
      all.push_back({.source = NodeId{static_cast<std::uint32_t>(pair / node_count_)},
                     .destination = NodeId{static_cast<std::uint32_t>(pair % node_count_)},
                     .latency = pairs_[pair].figures()});
    }
  }
  return all;
}

} // namespace wormcast
