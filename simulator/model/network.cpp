#include "wormcast/simulator/model/network.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/network_fields.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/random/seeded_random.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace wormcast {

const Parameter& router_declaration()
{
  const auto router_names = [] {
    std::vector<std::string> names;
    std::ranges::transform(routers(), std::back_inserter(names), &RouterModel::name);
    return names;
  };
  static const Parameter declaration = {.name = "router",
                                        .type = ParameterType::choice,
                                        .text =
                                            "the model of a router (docs/routers.md), which determines the other keys",
                                        .fallback = default_router().name,
                                        .choices = router_names()};
  return declaration;
}

std::span<const Parameter> network_keys()
{
  static const std::vector<Parameter> keys = network_fields().declarations();
  return keys;
}

void check_whole_cycles(const NetworkParameters& network, std::string_view what, Time time)
{
  const std::int64_t cycle = network.router->cycle(network).picoseconds;
  if (time.picoseconds % cycle == 0) {
    return;
  }
  const Time before{time.picoseconds / cycle * cycle};
  throw InputError(
      fmt::format("{}: found {}, expected a whole number of cycles of flit_bytes * per_byte = {}, such as {} or "
                  "{} (router \"{}\")",
                  what, format_time(time), format_time(Time{cycle}), format_time(before),
                  format_time(before + Time{cycle}), network.router->name));
}

Time next_whole_cycle(const NetworkParameters& network, Time time)
{
  if (!network.router->cycle) {
    return time;
  }
  const std::int64_t cycle = network.router->cycle(network).picoseconds;
  return Time{(time.picoseconds + cycle - 1) / cycle * cycle};
}

bool serves_self_messages(const NetworkParameters& network)
{
  return network.ports.count != PortModel::all && network.duplex == Duplex::full;
}

bool paths_are_chosen(const NetworkParameters& network, const Topology& topology)
{
  return network.pipeline.routing != GridRouting::dimension_order || topology.headers_choose();
}

std::uint64_t port_count(const NetworkParameters& network, const Topology& topology)
{
  return network.ports.count == PortModel::all ? topology.channel_count()
                                               : std::uint64_t{topology.host_count()} * network.ports.count;
}

double empty_network_picoseconds(const NetworkParameters& network, double hops, double flits)
{
  return network.router->empty_network_picoseconds(network, hops, flits);
}

void resolve_for(NetworkParameters& network, const Topology& topology)
{
  take_described_links(network, topology);
  check_link_classes(network, topology);
  const RouterModel& router = *network.router;
  if (topology.headers_choose() && !router.lets_headers_choose) {
    throw InputError(fmt::format("routing: router \"{}\" has no headers that choose their routes, as \"{}\" needs, "
                                 "expected another routing, or router \"{}\"",
                                 router.name, topology.routing().routing, default_router().name));
  }
  if (router.check) {
    router.check(network, topology);
  }
  if (router.resolve) {
    router.resolve(network, topology);
  }
}

GridRouting take_grid_routing(const RouterModel& router, RoutingChoice& choice)
{
  if (!router.has_grid_routings || choice.routing.empty()) {
    return GridRouting::dimension_order;
  }
  const GridRouting routing = grid_routing_names.read(choice.routing);
  choice.routing = grid_routing_names.text(GridRouting::dimension_order);
  return routing;
}

NetworkParameters network_parameters(const ParameterValues& values, const RouterModel& router)
{
  NetworkParameters network;
  network.router = &router;
  network_fields().read(network, values);
  check_flit_time(network);
  check_channel_times(network);
  if (network.port_choice == PortChoice::of_message && network.ports.count == PortModel::all) {
    throw InputError("port_choice: found \"of_message\" with ports = \"all\", expected a number of ports");
  }
  if (router.read) {
    router.read(network, values);
  } else {
    for (const Parameter& own : router.parameters) {
      if (values.has(own.name)) {
        network.model_parameters.set(own.name, values.value(own.name));
      }
    }
  }
  network.pipeline.routing = take_grid_routing(router, network.routing);
  if (network.automatic_buffers) {
    network.buffer_flits = automatic_buffer_flits(network);
  }
  return network;
}

void check_flit_time(const NetworkParameters& network)
{
  const auto check = [&](std::string_view key, ByteTime per_byte) {
    const auto bytes = static_cast<std::uint64_t>(per_byte.bytes());
    if (network.flit_bytes % bytes != 0) {
      throw InputError(fmt::format("flit_bytes: found {}, but with {} = {} a flit takes a whole number of picoseconds "
                                   "only if it has a multiple of {} bytes; expected flit_bytes such as {}",
                                   network.flit_bytes, key, format_byte_time(per_byte), bytes,
                                   (network.flit_bytes / bytes + 1) * bytes));
    }
    if (network.flit_bytes / bytes > static_cast<std::uint64_t>(largest_delay / per_byte.picoseconds())) {
      throw InputError(fmt::format("flit_bytes: flit_bytes * {}, the time of one flit, is more than {}", key,
                                   format_time(Time{largest_delay})));
    }
  };
  check("per_byte", network.per_byte);
  for (const ByteTime of_class : network.link_per_byte) {
    check("link_per_byte", of_class);
  }
  if (network.port_per_byte) {
    check("port_per_byte", *network.port_per_byte);
  }
}

std::int64_t last_flit_shortfall(const NetworkParameters& network, std::uint64_t bytes)
{
  const std::uint64_t last = bytes % network.flit_bytes;
  if (network.last_flit == LastFlit::padded || last == 0) {
    return 0; // a message without bytes is a header flit
  }
  return (network.flit_time() - time_of_bytes(network.per_byte, last).value()).picoseconds;
}

std::uint64_t flit_count(const NetworkParameters& network, std::uint64_t bytes)
{
  return bytes == 0 ? 1 : (bytes - 1) / network.flit_bytes + 1;
}

std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits)
{
  std::int64_t time = 0;
  const Time tau = slowest_flit_time(network);
  const bool overflow = __builtin_mul_overflow(flits, tau.picoseconds, &time);
  if (overflow || time > largest_time / 2) {
    throw InputError(fmt::format("a message of {} flits at {} per flit takes longer than {}, the most that can be "
                                 "simulated for one message",
                                 flits, format_time(tau), format_time(Time{largest_time / 2})));
  }
  return time;
}

std::uint64_t route_draw(const NetworkParameters& network, std::uint64_t message)
{
  return seeded_number(network.routing_seed, message);
}

std::uint64_t automatic_buffer_flits(const NetworkParameters& network)
{
  return std::max(flits_for_full_rate(network), network.router->fewest_buffer_flits);
}

std::uint64_t flits_for_full_rate(const NetworkParameters& network)
{
  return network.router->flits_for_full_rate(network);
}

std::string slow_channels(const NetworkParameters& network)
{
  const std::uint64_t needed = flits_for_full_rate(network);
  if (!network.router->slow_channel || network.switching != Switching::wormhole || network.buffer_flits >= needed) {
    return {};
  }
  const SlowChannel slow = network.router->slow_channel(network);
  // "0.67", "10", "99": never 0, and never 100.
  const std::string percent =
      slow.percent >= 10 ? fmt::format("{:.0f}", std::floor(slow.percent)) : fmt::format("{:.2g}", slow.percent);
  return fmt::format(
      "{}, so that one message reaches {} % of a channel's rate; with buffer_flits = {} it reaches all of it", slow.why,
      percent, needed);
}

bool closed_form_holds(const NetworkParameters& network)
{
  Time longest = network.per_hop;
  if (!has_equal_channels(network)) {
    NetworkParameters without_hops = network;
    without_hops.link_per_hop.clear();
    if (!has_equal_channels(without_hops)) {
      return false;
    }
    longest = std::ranges::max(network.link_per_hop);
  }
  if (network.switching != Switching::wormhole) {
    return true;
  }
  std::int64_t covered = 0;
  const bool huge = __builtin_mul_overflow(network.buffer_flits, network.flit_time().picoseconds, &covered);
  return huge || covered >= longest.picoseconds;
}

} // namespace wormcast
