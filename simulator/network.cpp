#include "wormcast/simulator/network.hpp"

#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

namespace wormcast {

namespace {

constexpr std::int64_t largest_delay = std::int64_t{1} << 61; // picoseconds

std::vector<Parameter> declare_network_keys()
{
  const ParameterValue zero = Time{0};
  std::vector<Parameter> all;
  all.push_back({.name = "startup",
                 .type = ParameterType::time,
                 .text = "T_s: software start-up of one message",
                 .maximum = largest_delay});
  all.push_back({.name = "per_hop",
                 .type = ParameterType::time,
                 .text = "T_f: time for a flit to pass one router and the external channel behind it",
                 .fallback = zero,
                 .maximum = largest_delay});
  all.push_back({.name = "per_byte",
                 .type = ParameterType::time,
                 .text = "T_c: time per byte on a channel",
                 .minimum = 1,
                 .maximum = largest_delay});
  all.push_back({.name = "flit_bytes",
                 .type = ParameterType::bytes,
                 .text = "b: size of a flit",
                 .fallback = std::int64_t{1},
                 .minimum = 1});
  all.push_back({.name = "buffer_flits",
                 .type = ParameterType::integer,
                 .text = "B: input buffer behind each virtual channel, in flits",
                 .fallback = std::int64_t{2},
                 .minimum = 1});
  all.push_back({.name = "virtual_channels",
                 .type = ParameterType::integer,
                 .text = "V: virtual channels per external channel",
                 .fallback = std::int64_t{1},
                 .minimum = 1,
                 .maximum = 16});
  all.push_back({.name = "ports",
                 .type = ParameterType::ports,
                 .text = "internal channels per direction between a node and its router",
                 .fallback = std::int64_t{1},
                 .maximum = 64});
  all.push_back({.name = "duplex",
                 .type = ParameterType::choice,
                 .text = "whether a port sends and receives at once or one of both at a time",
                 .fallback = std::string("full"),
                 .choices = {"full", "half"}});
  all.push_back(
      {.name = "switching",
       .type = ParameterType::choice,
       .text = "what a router does with a message; cut-through and store-and-forward buffers hold a whole one",
       .fallback = std::string("wormhole"),
       .choices = {"wormhole", "cut_through", "store_and_forward"}});
  all.push_back({.name = "hold",
                 .type = ParameterType::choice,
                 .text = "whether channels are given back behind the tail or all at delivery",
                 .fallback = std::string("tail"),
                 .choices = {"tail", "path"}});
  all.push_back({.name = "routing",
                 .type = ParameterType::choice,
                 .text = "how a header finds its way; by default what suits the topology",
                 .optional = true,
                 .choices = {"dimension_order", "shortest_path"}});
  all.push_back({.name = "tie",
                 .type = ParameterType::choice,
                 .text = "the way at exactly half a torus ring: without the wrap-around link, or upwards",
                 .fallback = std::string("no_wrap"),
                 .choices = {"no_wrap", "positive"}});
  return all;
}

} // namespace

std::span<const Parameter> network_declarations()
{
  static const std::vector<Parameter> declarations = declare_network_keys();
  return declarations;
}

NetworkParameters network_parameters(const ParameterValues& values)
{
  NetworkParameters network;
  network.startup = values.time("startup");
  network.per_hop = values.time("per_hop");
  network.per_byte = values.time("per_byte");
  network.flit_bytes = static_cast<std::uint64_t>(values.integer("flit_bytes"));
  network.buffer_flits = static_cast<std::uint64_t>(values.integer("buffer_flits"));
  network.virtual_channels = static_cast<std::uint32_t>(values.integer("virtual_channels"));
  network.ports.count = static_cast<std::uint32_t>(values.integer("ports"));
  network.duplex = values.text("duplex") == "half" ? Duplex::half : Duplex::full;
  const std::string& switching = values.text("switching");
  network.switching = switching == "wormhole"      ? Switching::wormhole
                      : switching == "cut_through" ? Switching::cut_through
                                                   : Switching::store_and_forward;
  network.hold = values.text("hold") == "path" ? Hold::path : Hold::tail;
  if (values.has("routing")) {
    network.routing.routing = values.text("routing");
  }
  network.routing.tie = values.text("tie");
  if (network.flit_bytes > static_cast<std::uint64_t>(largest_delay / network.per_byte.picoseconds)) {
    throw InputError(
        fmt::format("flit_bytes * per_byte, the time of one flit, is more than {}", format_time(Time{largest_delay})));
  }
  return network;
}

std::uint64_t flit_count(const NetworkParameters& network, std::uint64_t bytes)
{
  return bytes == 0 ? 1 : (bytes - 1) / network.flit_bytes + 1;
}

std::int64_t transfer_time(const NetworkParameters& network, std::uint64_t flits)
{
  std::int64_t time = 0;
  const bool overflow = __builtin_mul_overflow(flits, network.flit_time().picoseconds, &time);
  if (overflow || time > last_instant / 2) {
    throw InputError(fmt::format("a message of {} flits at {} per flit takes longer than {}, the most that can be "
                                 "simulated for one message",
                                 flits, format_time(network.flit_time()), format_time(Time{last_instant / 2})));
  }
  return time;
}

bool closed_form_holds(const NetworkParameters& network)
{
  if (network.switching != Switching::wormhole) {
    return true;
  }
  std::int64_t covered = 0;
  const bool huge = __builtin_mul_overflow(network.buffer_flits, network.flit_time().picoseconds, &covered);
  return huge || covered >= network.per_hop.picoseconds;
}

} // namespace wormcast
