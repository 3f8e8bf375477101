#include "wormcast/simulator/network.hpp"

#include "wormcast/simulator/routers.hpp"
#include "wormcast/simulator/seeded_random.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::int64_t largest_delay = std::int64_t{1} << 61; // picoseconds

constexpr std::int64_t most_cycles_of_delay = 1000;

constexpr const char* automatic = "auto"; // value of buffer_flits

std::vector<Parameter> declare_wormhole_keys()
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
                 .text =
                     "B: input buffer behind each virtual channel, in flits; \"auto\" is what a channel needs for its "
                     "full rate, per_hop / (flit_bytes * per_byte), at least 2",
                 .fallback = std::string(automatic),
                 .minimum = 1,
                 .choices = {automatic}});
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
                 .text =
                     "how a header finds its way; by default what suits the topology. Router \"input_queued\" has more "
                     "(docs/routers.md)",
                 .optional = true,
                 .choices = {"dimension_order", "shortest_path"}});
  all.push_back({.name = "tie",
                 .type = ParameterType::choice,
                 .text =
                     "the way at exactly half a torus ring: without the wrap-around link, upwards, or drawn for each "
                     "message, as the seed says",
                 .fallback = std::string("no_wrap"),
                 .choices = {"no_wrap", "positive", "random"}});
  return all;
}

Parameter cycles_key(std::string name, std::string text, std::int64_t minimum, std::optional<ParameterValue> fallback)
{
  const bool optional = !fallback;
  return {.name = std::move(name),
          .type = ParameterType::integer,
          .text = std::move(text),
          .fallback = std::move(fallback),
          .optional = optional,
          .minimum = minimum,
          .maximum = most_cycles_of_delay};
}

// Those of the wormhole router without the ones that an input-queued router does not have, and its own.
std::vector<Parameter> declare_input_queued_keys()
{
  std::vector<Parameter> all = declare_wormhole_keys();
  std::erase_if(all, [](const Parameter& key) { return key.name == "per_hop" || key.name == "hold"; });
  for (Parameter& key : all) {
    if (key.name == "buffer_flits") {
      key.text = "B: input buffer behind each virtual channel, in flits; \"auto\" is what a channel needs for its full "
                 "rate, 2 * (1 + link_delay) + switch_delay + credit_delay, at least 8";
      key.maximum = std::int64_t{1} << 30;
    }
  }
  const auto routing = std::ranges::find(all, "routing", &Parameter::name);
  routing->text =
      "how a header finds its way; \"west_first\" and \"odd_even\" are for meshes of two dimensions (docs/routers.md)";
  routing->choices = {grid_routing_names().begin(), grid_routing_names().end()};
  const std::vector<std::string> kinds = {"islip", "separable_input_first", "separable_output_first"};
  all.push_back({.name = "speculative",
                 .type = ParameterType::boolean,
                 .text = "a header bids for the crossbar while it asks for its virtual channel",
                 .fallback = false});
  all.push_back({.name = "vc_allocator",
                 .type = ParameterType::choice,
                 .text = "who gives headers their virtual channels; by default \"islip\", and with speculative = true "
                         "\"piggyback\": the crossbar's grant gives the virtual channel, too",
                 .optional = true,
                 .choices = {"piggyback", "islip", "separable_input_first", "separable_output_first"}});
  all.push_back({.name = "allocator",
                 .type = ParameterType::choice,
                 .text = "who gives flits the crossbar",
                 .fallback = std::string("islip"),
                 .choices = kinds});
  all.push_back({.name = "islip_iterations",
                 .type = ParameterType::integer,
                 .text = "iterations of islip in each cycle",
                 .fallback = std::int64_t{1},
                 .minimum = 1,
                 .maximum = 16});
  all.push_back({.name = "priority",
                 .type = ParameterType::choice,
                 .text = "who comes first in the separable allocators: nobody, the flit that came earlier into its "
                         "buffer, or that of the message that was ready earlier",
                 .fallback = std::string("none"),
                 .choices = {"none", "local_age", "age"}});
  all.push_back({.name = "release",
                 .type = ParameterType::choice,
                 .text = "whether a virtual channel is given back when its tail has been sent, or when the tail's "
                         "credit has come back",
                 .fallback = std::string("tail_sent"),
                 .choices = {"tail_sent", "tail_credit"}});
  all.push_back(
      cycles_key("routing_delay", "cycles until the route of a header at the front is known", 0, std::int64_t{0}));
  all.push_back(cycles_key("switch_delay", "cycles that a flit needs through the crossbar", 1, std::int64_t{1}));
  all.push_back(
      cycles_key("credit_delay", "cycles until a router knows of a credit that has come", 0, std::int64_t{0}));
  all.push_back(cycles_key("link_delay",
                           "cycles that a flit or a credit needs over an external channel; by default 1 "
                           "on a mesh and 2 on a torus",
                           1, std::nullopt));
  return all;
}

AllocatorKind allocator_kind(const std::string& name)
{
  return name == "separable_input_first"    ? AllocatorKind::separable_input_first
         : name == "separable_output_first" ? AllocatorKind::separable_output_first
                                            : AllocatorKind::islip;
}

PipelineParameters pipeline_parameters(const ParameterValues& values)
{
  PipelineParameters pipeline;
  const auto cycles = [&](std::string_view name) { return static_cast<std::uint32_t>(values.integer(name)); };
  pipeline.speculative = values.boolean("speculative");
  const std::string allocator = values.has("vc_allocator") ? values.text("vc_allocator")
                                : pipeline.speculative     ? "piggyback"
                                                           : "islip";
  pipeline.piggyback = allocator == "piggyback";
  if (pipeline.piggyback && !pipeline.speculative) {
    throw InputError("vc_allocator: \"piggyback\" needs speculative = true");
  }
  pipeline.virtual_channel_allocator = allocator_kind(allocator);
  pipeline.switch_allocator = allocator_kind(values.text("allocator"));
  pipeline.islip_iterations = cycles("islip_iterations");
  const std::string& priority = values.text("priority");
  pipeline.priority = priority == "none"        ? FlitPriority::none
                      : priority == "local_age" ? FlitPriority::local_age
                                                : FlitPriority::age;
  pipeline.releases_at_credit = values.text("release") == "tail_credit";
  pipeline.routing_delay = cycles("routing_delay");
  pipeline.switch_delay = cycles("switch_delay");
  pipeline.credit_delay = cycles("credit_delay");
  pipeline.link_delay = values.has("link_delay") ? cycles("link_delay") : 0;
  return pipeline;
}

void check_input_queued(const NetworkParameters& network)
{
  const auto refuse = [](std::string_view key, std::string_view found, std::string_view expected) {
    throw InputError(fmt::format("{}: found {}, but router \"input_queued\" has {} only", key, found, expected));
  };
  if (network.ports.count != 1) {
    refuse("ports", network.ports.count == PortModel::all ? "\"all\"" : fmt::to_string(network.ports.count), "1");
  }
  if (network.duplex != Duplex::full) {
    refuse("duplex", "\"half\"", "\"full\"");
  }
  if (network.switching != Switching::wormhole) {
    refuse("switching", network.switching == Switching::cut_through ? "\"cut_through\"" : "\"store_and_forward\"",
           "\"wormhole\"");
  }
  check_whole_cycles(network, "startup", network.startup);
}

} // namespace

const Parameter& router_declaration()
{
  const auto router_names = [] {
    std::vector<std::string> names;
    for (const Router router : all_routers()) {
      names.emplace_back(router_name(router));
    }
    return names;
  };
  static const Parameter declaration = {.name = "router",
                                        .type = ParameterType::choice,
                                        .text = "the model of a router (docs/routers.md), "
                                                "which says what other keys there are",
                                        .fallback = std::string("wormhole"),
                                        .choices = router_names()};
  return declaration;
}

std::vector<Router> all_routers()
{
  std::vector<Router> all;
  for (std::size_t i = 0; i < first_registered_router + registered_routers().size(); ++i) {
    all.push_back(static_cast<Router>(i));
  }
  return all;
}

std::string_view router_name(Router router)
{
  if (is_registered(router)) {
    return router_model(router).name;
  }
  return router == Router::wormhole ? "wormhole" : "input_queued";
}

Router router_of(std::string_view name)
{
  const std::vector<Router> all = all_routers();
  const auto found = std::ranges::find(all, name, router_name);
  return found == all.end() ? Router::wormhole : *found;
}

std::span<const Parameter> network_declarations(Router router)
{
  static const std::vector<Parameter> wormhole = declare_wormhole_keys();
  static const std::vector<Parameter> input_queued = declare_input_queued_keys();
  static std::map<Router, std::vector<Parameter>> registered;
  if (!is_registered(router)) {
    return router == Router::wormhole ? wormhole : input_queued;
  }
  std::vector<Parameter>& keys = registered[router];
  if (keys.empty()) {
    keys = wormhole;
    const std::vector<Parameter>& own = router_model(router).parameters;
    keys.insert(keys.end(), own.begin(), own.end());
  }
  return keys;
}

void check_whole_cycles(const NetworkParameters& network, std::string_view what, Time time)
{
  const std::int64_t cycle = network.flit_time().picoseconds;
  if (time.picoseconds % cycle == 0) {
    return;
  }
  const Time before{time.picoseconds / cycle * cycle};
  throw InputError(fmt::format(
      "{}: found {}, expected a whole number of cycles of flit_bytes * per_byte = {}, such as {} or "
      "{} (router \"input_queued\")",
      what, format_time(time), format_time(Time{cycle}), format_time(before), format_time(before + Time{cycle})));
}

Time first_instant(const NetworkParameters& network, Time time)
{
  if (network.router != Router::input_queued) {
    return time;
  }
  const std::int64_t cycle = network.flit_time().picoseconds;
  return Time{(time.picoseconds + cycle - 1) / cycle * cycle};
}

bool serves_self_messages(const NetworkParameters& network)
{
  return network.ports.count != PortModel::all && network.duplex == Duplex::full;
}

double empty_network_picoseconds(const NetworkParameters& network, double hops, double flits)
{
  if (is_registered(network.router)) {
    return router_model(network.router).empty_network_picoseconds(network, hops, flits);
  }
  const auto tau = static_cast<double>(network.flit_time().picoseconds);
  const auto startup = static_cast<double>(network.startup.picoseconds);
  if (network.router == Router::input_queued) {
    const auto cycles = static_cast<double>(network.pipeline.end_cycles());
    return startup + (cycles + hops * static_cast<double>(network.pipeline.hop_cycles()) + flits - 1) * tau;
  }
  const auto hop = static_cast<double>(network.per_hop.picoseconds);
  const double stored = network.switching == Switching::store_and_forward && hops > 0 ? hops - 1 : 0;
  return startup + hops * hop + (1 + stored) * flits * tau;
}

void suit_to_topology(NetworkParameters& network, const Topology& topology)
{
  if (is_registered(network.router) && router_model(network.router).check) {
    router_model(network.router).check(network, topology);
  }
  if (network.router != Router::input_queued) {
    return;
  }
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) {
    throw InputError(
        fmt::format("router: \"input_queued\" cannot be used on a {}, expected a mesh or a torus{}", topology.title(),
                    topology.description().kind == "hypercube" ? "; a hypercube of up to 8 dimensions is the mesh with "
                                                                 "dims = [2, 2, ...]"
                                                               : ""));
  }
  check_input_queued(network);
  PipelineParameters& pipeline = network.pipeline;
  check_grid_routing(pipeline.routing, *grid,
                     {.virtual_channels = network.virtual_channels, .releases_at_credit = pipeline.releases_at_credit});
  if (pipeline.link_delay == 0) {
    pipeline.link_delay = grid->wraps() ? 2 : 1;
  }
  if (network.automatic_buffers) {
    network.buffer_flits = std::max(flits_for_full_rate(network), fewest_automatic_flits(network.router));
  }
  if (__builtin_mul_overflow(pipeline.hop_cycles(), network.flit_time().picoseconds, &network.per_hop.picoseconds)) {
    throw InputError("flit_bytes: the time of a hop, the pipeline's cycles times flit_bytes * per_byte, is too long");
  }
}

NetworkParameters network_parameters(const ParameterValues& values, Router router)
{
  NetworkParameters network;
  network.router = router;
  network.startup = values.time("startup");
  network.per_byte = values.time("per_byte");
  network.flit_bytes = static_cast<std::uint64_t>(values.integer("flit_bytes"));
  network.automatic_buffers = values.value("buffer_flits") == ParameterValue(std::string(automatic));
  if (!network.automatic_buffers) {
    network.buffer_flits = static_cast<std::uint64_t>(values.integer("buffer_flits"));
  }
  network.virtual_channels = static_cast<std::uint32_t>(values.integer("virtual_channels"));
  network.ports.count = static_cast<std::uint32_t>(values.integer("ports"));
  network.duplex = values.text("duplex") == "half" ? Duplex::half : Duplex::full;
  const std::string& switching = values.text("switching");
  network.switching = switching == "wormhole"      ? Switching::wormhole
                      : switching == "cut_through" ? Switching::cut_through
                                                   : Switching::store_and_forward;
  if (values.has("routing")) {
    network.routing.routing = values.text("routing");
  }
  network.routing.tie = values.text("tie");
  if (network.flit_bytes > static_cast<std::uint64_t>(largest_delay / network.per_byte.picoseconds)) {
    throw InputError(fmt::format("flit_bytes: flit_bytes * per_byte, the time of one flit, is more than {}",
                                 format_time(Time{largest_delay})));
  }
  if (router != Router::input_queued) {
    network.per_hop = values.time("per_hop");
    if (network.automatic_buffers) {
      network.buffer_flits = std::max(flits_for_full_rate(network), fewest_automatic_flits(router));
    }
    network.hold = values.text("hold") == "path" ? Hold::path : Hold::tail;
    if (is_registered(router)) {
      for (const Parameter& own : router_model(router).parameters) {
        if (values.has(own.name)) {
          network.own.set(own.name, values.value(own.name));
        }
      }
    }
  } else {
    network.pipeline = pipeline_parameters(values);
    if (values.has("routing")) {
      // The topology has the one by which all others are named ways.
      network.pipeline.routing = grid_routing_of(network.routing.routing);
      network.routing.routing = grid_routing_name(GridRouting::dimension_order);
    }
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

std::uint64_t route_draw(const NetworkParameters& network, std::uint64_t message)
{
  return seeded_number(network.routing_seed, message);
}

std::uint64_t fewest_automatic_flits(Router router)
{
  return router == Router::input_queued ? 8 : 2;
}

std::uint64_t flits_for_full_rate(const NetworkParameters& network)
{
  if (network.router == Router::input_queued) {
    const PipelineParameters& pipeline = network.pipeline;
    return 2 * (std::uint64_t{1} + pipeline.link_delay) + pipeline.switch_delay + pipeline.credit_delay;
  }
  const std::int64_t flit = network.flit_time().picoseconds;
  const std::int64_t hop = network.per_hop.picoseconds;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(hop / flit + (hop % flit != 0 ? 1 : 0), 1));
}

namespace {

// 100 * part / whole for people: "0.67", "10", "99": never 0, and never 100.
std::string percentage(double part, double whole)
{
  const double percent = 100 * part / whole;
  return percent >= 10 ? fmt::format("{:.0f}", std::floor(percent)) : fmt::format("{:.2g}", percent);
}

} // namespace

std::string slow_channels(const NetworkParameters& network)
{
  const std::uint64_t needed = flits_for_full_rate(network);
  if (is_registered(network.router) || network.switching != Switching::wormhole || network.buffer_flits >= needed) {
    return {};
  }
  const auto slots = static_cast<double>(network.buffer_flits);
  if (network.router == Router::input_queued) {
    return fmt::format("buffers do not cover the way of a flit and of its credit: buffer_flits = {} < 2 * (1 + "
                       "link_delay) + switch_delay + credit_delay = {}, so that one message reaches {} % of a "
                       "channel's rate; with buffer_flits = {} it reaches all of it",
                       network.buffer_flits, needed, percentage(slots, static_cast<double>(needed)), needed);
  }
  // A channel has sent as many flits as fit into the buffer when the first of them is through.
  const Time covered = static_cast<std::int64_t>(network.buffer_flits) * network.flit_time();
  return fmt::format(
      "buffers do not cover the hop latency: buffer_flits * flit_bytes * per_byte = {} < per_hop = {}, "
      "so that one message reaches {} % of a channel's rate; with buffer_flits = {} it reaches all of it",
      format_time(covered), format_time(network.per_hop),
      percentage(static_cast<double>(covered.picoseconds), static_cast<double>(network.per_hop.picoseconds)), needed);
}

bool closed_form_holds(const NetworkParameters& network)
{
  if (is_registered(network.router)) {
    return false;
  }
  if (network.switching != Switching::wormhole) {
    return true;
  }
  std::int64_t covered = 0;
  const bool huge = __builtin_mul_overflow(network.buffer_flits, network.flit_time().picoseconds, &covered);
  return huge || covered >= network.per_hop.picoseconds;
}

} // namespace wormcast
