#include "wormcast/simulator/traffic/load_verdict.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/expected_load.hpp"

#include <algorithm>
#include <limits>

namespace wormcast {

double accepted_load(double offered, double created, double delivered, bool stable)
{
  return stable ? offered : std::min(offered, delivered * offered / std::max(offered, created));
}

double correlation_picoseconds(const Topology& topology, const NetworkParameters& network,
                               const TrafficClasses& classes, double load)
{
  double flits = 0; // means of all messages
  double bytes = 0;
  double squares = 0;
  bool periodic = true;
  for (const TrafficClasses::Class& one : classes.all()) {
    const MessageLengths& lengths = one.generation.lengths;
    flits += one.message_share * lengths.mean_flits(network);
    bytes += one.message_share * lengths.mean_bytes();
    squares += one.message_share * lengths.mean_square_bytes();
    periodic = periodic && one.generation.arrival == Arrival::periodic;
  }
  const double service = static_cast<double>(network.startup.picoseconds) +
                         flits * static_cast<double>(slowest_flit_time(network).picoseconds);
  const bool many_routes = network.pipeline.routing == GridRouting::romm;
  const double capacity = many_routes ? 1 : expected_capacity(topology, network, classes);
  const double idle = 1 - load / capacity;
  if (idle <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  const double variation = (periodic ? 0 : 1) + squares / (bytes * bytes) - 1;
  return service * std::max(1.0, variation / (idle * idle));
}

double fewest_correlation_times(std::uint64_t senders)
{
  return 80 + 440 / static_cast<double>(std::max<std::uint64_t>(1, senders));
}

std::size_t most_means_of(double correlation_times, std::uint64_t senders)
{
  const double enough = correlation_times / fewest_correlation_times(senders);
  return enough < 1 ? 0 : enough < 3 ? fewest_means : enough < 12 ? 2 * fewest_means : 4 * fewest_means;
}

} // namespace wormcast
