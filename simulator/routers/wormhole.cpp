#include "wormcast/simulator/critical_path/message_passage.hpp"
#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/routers/built_in.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

namespace wormcast {

namespace {

double time_of_worm(const NetworkParameters& network, double hops, double flits)
{
  const auto tau = static_cast<double>(network.flit_time().picoseconds);
  const auto startup = static_cast<double>(network.startup.picoseconds);
  const auto hop = static_cast<double>(network.per_hop.picoseconds);
  const double stored = network.switching == Switching::store_and_forward && hops > 0 ? hops - 1 : 0;
  return startup + hops * hop + (1 + stored) * flits * tau;
}

std::uint64_t flits_in_hop(const NetworkParameters& network)
{
  return flits_to_cover_hops(network);
}

// Why engine `worm` is not exact; empty: it is.
std::string why_not_one_event_per_hop(const NetworkParameters& network)
{
  if (has_equal_channels(network)) {
    return slow_channels(network);
  }
  return closed_form_holds(network) ? std::string() : std::string(unequal_channels);
}

// A header that arrives where it chooses its channel must not arrive earlier or later for one of them.
void check_choice(const NetworkParameters& network, const Topology& topology)
{
  const std::vector<ByteTime>& rates = network.link_per_byte;
  if (topology.headers_choose() && std::ranges::adjacent_find(rates, std::ranges::not_equal_to{}) != rates.end()) {
    throw InputError(fmt::format("link_per_byte: found different rates with routing \"{}\", whose headers choose their "
                                 "routes, expected one rate for all links",
                                 topology.routing().routing));
  }
}

// A channel has sent as many flits as fit into the buffer when the first of them has passed the router.
SlowChannel channel_with_short_buffers(const NetworkParameters& network)
{
  if (!has_equal_channels(network)) {
    return {.why = "buffers do not cover the latency of all links", .percent = least_covered_percent(network)};
  }
  const Time covered = static_cast<std::int64_t>(network.buffer_flits) * network.flit_time();
  return {.why = fmt::format("buffers do not cover the hop latency: buffer_flits * flit_bytes * per_byte = {} < "
                             "per_hop = {}",
                             format_time(covered), format_time(network.per_hop)),
          .percent = 100 * static_cast<double>(covered.picoseconds) / static_cast<double>(network.per_hop.picoseconds)};
}

ChannelMemory memory_of_channels(const NetworkParameters& network, const Topology& topology)
{
  constexpr std::uint64_t bytes_of_channel = 48; // holder and queue
  constexpr std::uint64_t bytes_of_passage = 64; // in engine flit, which several virtual channels need
  const std::uint64_t channels =
      std::uint64_t{topology.channel_count()} * network.virtual_channels + 2 * port_count(network, topology);
  const std::uint64_t bytes = bytes_of_channel + (network.virtual_channels > 1 ? bytes_of_passage : 0);
  return {.channels = channels, .bytes = channels * bytes};
}

} // namespace

RouterModel wormhole_router()
{
  RouterModel router;
  router.name = "wormhole";
  router.summary = "worms in continuous time, by T_s, T_f and T_c";
  router.page = "docs/network-model.md";
  router.engines = {
      {.name = "worm",
       .make = make_worm_engine,
       .why_inexact = why_not_one_event_per_hop,
       .exact_on_slow_channels = true,
       .says_why = true,
       .exact_until_shared = [](const NetworkParameters& network) { return network.virtual_channels > 1; },
       .limits = "with several virtual channels, with buffers that do not cover the hop latency, or with rates or "
                 "latencies of their own for links or ports",
       .runs_contention_free = true,
       .starts_anew = true},
      {.name = "flit", .make = make_flit_engine}};
  router.check = check_choice;
  router.memory = memory_of_channels;
  router.empty_network_picoseconds = time_of_worm;
  router.flits_for_full_rate = flits_in_hop;
  router.slow_channel = channel_with_short_buffers;
  router.startup_holds_port = true;
  router.has_exact_last_flits = true;
  router.has_channel_times = true;
  router.lets_headers_choose = true;
  router.bounded_by_formula = true;
  router.has_fluid_models = true;
  router.passage = worm_passage;
  router.channel_dependencies = [](const Topology& topology, GridRouting, std::uint32_t virtual_channels) {
    return channel_dependencies(topology, virtual_channels);
  };
  return router;
}

} // namespace wormcast
