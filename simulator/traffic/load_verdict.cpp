#include "wormcast/simulator/traffic/load_verdict.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/expected_load.hpp"

#include <algorithm>
#include <limits>

namespace wormcast {

double correlation_picoseconds(const Topology& topology, const NetworkParameters& network,
                               const TrafficParameters& traffic, const Pattern& pattern, double load)
{
  const double service =
      static_cast<double>(network.startup.picoseconds) +
      traffic.lengths.mean_flits(network) * static_cast<double>(slowest_flit_time(network).picoseconds);
  const bool many_routes = network.pipeline.routing == GridRouting::romm;
  const double capacity = many_routes ? 1 : expected_capacity(topology, network, traffic, pattern);
  const double idle = 1 - load / capacity;
  if (idle <= 0) {
    return std::numeric_limits<double>::infinity();
  }
  const double mean = traffic.lengths.mean_bytes();
  const double variation =
      (traffic.arrival == Arrival::periodic ? 0 : 1) + traffic.lengths.mean_square_bytes() / (mean * mean) - 1;
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
