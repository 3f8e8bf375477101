#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"

#include "wormcast/values/input_error.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

namespace wormcast {

namespace {

using Exact = boost::multiprecision::cpp_rational;

/// beta is at least `bytes` with at most `steps` steps.
struct Stair {
  std::uint64_t steps = 0;
  Fraction bytes;
};

/// Both windows of least_beta: through the source's channels, and through those of the node with the most.
Fraction both_windows(const Topology& topology, NodeId source, PortModel ports)
{
  std::vector<std::uint32_t> entering(topology.node_count(), 0);
  for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
    ++entering[index(topology.channel_target(ChannelId{channel}))];
  }
  entering.resize(topology.host_count());
  std::uint32_t most = std::ranges::max(entering);
  most = ports.count == PortModel::all ? most : std::min(most, ports.count);
  return Fraction(1, usable_channels(topology, source, ports)) + Fraction(1, most);
}

/// The least beta for increasing numbers of steps, down to the beta that every broadcast needs.
std::vector<Stair> stairs(const Topology& topology, NodeId source, PortModel ports)
{
  const BroadcastBounds bounds = broadcast_bounds(topology, source, ports);
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  std::vector<Stair> all;
  if (bounds.steps >= 1) {
    const Fraction windows = both_windows(topology, source, ports);
    const std::uint32_t nodes = topology.host_count();
    if (ports.count == 1 && std::has_single_bit(nodes)) {
      for (const BetaForSteps entry : one_port_beta_table(static_cast<std::uint32_t>(std::countr_zero(nodes)))) {
        const Fraction bytes(entry.ten_thousandths, 10'000);
        all.push_back({entry.steps, entry.steps + 2 <= 2 * bounds.steps ? std::max(bytes, windows) : bytes});
      }
    }
    if (2 * bounds.steps >= 2 + bounds.steps) {
      all.push_back({2 * std::uint64_t{bounds.steps} - 2, windows});
    }
  }
  std::ranges::stable_sort(all, {}, &Stair::steps);
  all.push_back({any, bounds.bytes});
  for (std::size_t i = all.size() - 1; i-- > 0;) {
    all[i].bytes = std::max(all[i].bytes, all[i + 1].bytes);
  }
  return all;
}

} // namespace

Fraction least_beta(const Topology& topology, NodeId source, PortModel ports, std::uint64_t steps)
{
  const std::vector<Stair> all = stairs(topology, source, ports);
  return std::ranges::find_if(all, [steps](const Stair& stair) { return steps <= stair.steps; })->bytes;
}

BroadcastTimeBound broadcast_time_bound(const Topology& topology, NodeId source, PortModel ports,
                                        std::uint64_t message_bytes, Time startup, ByteTime per_byte)
{
  std::uint64_t steps = broadcast_bounds(topology, source, ports).steps;
  std::optional<Exact> least;
  BroadcastTimeBound bound;
  for (const Stair& stair : stairs(topology, source, ports)) {
    if (stair.steps < steps) {
      continue;
    }
    Exact time = Exact(steps) * startup.picoseconds + Exact(stair.bytes.numerator(), stair.bytes.denominator()) *
                                                          message_bytes *
                                                          Exact(per_byte.picoseconds(), per_byte.bytes());
    if (!least || time < *least) {
      least = std::move(time);
      bound.steps = steps;
      bound.bytes = stair.bytes;
    }
    steps = stair.steps + 1;
  }
  const boost::multiprecision::cpp_int whole = numerator(*least) / denominator(*least);
  if (whole > std::numeric_limits<std::int64_t>::max()) {
    throw InputError("the lower bound of the latency does not fit 64 bits of picoseconds");
  }
  bound.latency = Time{static_cast<std::int64_t>(whole)};
  return bound;
}

} // namespace wormcast
