#include "wormcast/simulator/model/network_fields.hpp"

#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wormcast {

namespace {

constexpr const char* automatic = "auto"; // value of buffer_flits

std::int64_t picoseconds_of(Time time)
{
  return time.picoseconds;
}

std::int64_t picoseconds_of(ByteTime time)
{
  return time.picoseconds();
}

Field<NetworkParameters> buffer_field()
{
  return {
      {.name = "buffer_flits",
       .type = ParameterType::integer,
       .text =
           "B: input buffer of each virtual channel, in flits; \"auto\": the flits that a channel needs for its full "
           "rate, per_hop / (flit_bytes * per_byte), at least 2",
       .fallback = std::string(automatic),
       .minimum = 1,
       .choices = {automatic}},
      [](NetworkParameters& network, const ParameterValue* value) {
        network.automatic_buffers = std::holds_alternative<std::string>(*value);
        if (!network.automatic_buffers) {
          take_value(network.buffer_flits, *value);
        }
      },
      [](const NetworkParameters& network) { return parameter_value(network.buffer_flits); }};
}

Field<NetworkParameters> byte_time_field()
{
  return {{.name = "per_byte",
           .type = ParameterType::byte_time,
           .text = "T_c: time per byte on a channel",
           .minimum = 1,
           .maximum = largest_delay},
          [](NetworkParameters& network, const ParameterValue* value) { network.per_byte = byte_time_of(*value); },
          [](const NetworkParameters& network) { return byte_time_value(network.per_byte); }};
}

// A choice that the configuration in effect names only where it is not `fallback`.
template <typename Enum, std::size_t count>
Field<NetworkParameters> choice_field(const char* name, Enum NetworkParameters::* member,
                                      const Names<Enum, count>& names, Enum fallback, const char* text)
{
  return {{.name = name, .type = ParameterType::choice, .text = text, .optional = true, .choices = names.texts()},
          [member, &names](NetworkParameters& network, const ParameterValue* value) {
            if (value != nullptr) {
              network.*member = names.read(std::get<std::string>(*value));
            }
          },
          [member, &names, fallback](const NetworkParameters& network) -> std::optional<ParameterValue> {
            if (network.*member == fallback) {
              return std::nullopt;
            }
            return std::string(names.text(network.*member));
          }};
}

// Times by class of links, as texts; without them the configuration in effect does not have the key.
template <typename Of>
Field<NetworkParameters> field_by_link_class(const char* name, const char* text,
                                             std::vector<Of> NetworkParameters::* list, Of (*parse)(std::string_view),
                                             std::string (*format)(Of), std::int64_t least)
{
  return {{.name = name, .type = ParameterType::texts, .text = text, .optional = true},
          [list, parse, least](NetworkParameters& network, const ParameterValue* value) {
            if (value == nullptr) {
              return;
            }
            for (const std::string& of_class : std::get<std::vector<std::string>>(*value)) {
              const Of time = parse(of_class);
              if (picoseconds_of(time) < least || picoseconds_of(time) > largest_delay) {
                throw InputError(fmt::format("found \"{}\", expected times {} up to {}s (2^61 ps)", of_class,
                                             least > 0 ? "above 0s" : "from 0s", largest_delay / 1'000'000'000'000));
              }
              (network.*list).push_back(time);
            }
          },
          [list, format](const NetworkParameters& network) -> std::optional<ParameterValue> {
            std::vector<std::string> texts;
            for (const Of time : network.*list) {
              texts.push_back(format(time));
            }
            return texts.empty() ? std::nullopt : std::optional<ParameterValue>(std::move(texts));
          }};
}

Field<NetworkParameters> port_byte_time_field()
{
  return {{.name = "port_per_byte",
           .type = ParameterType::byte_time,
           .text = "T_c of the channels between nodes and their routers (injection and ejection); by default per_byte",
           .optional = true,
           .minimum = 1,
           .maximum = largest_delay},
          [](NetworkParameters& network, const ParameterValue* value) {
            if (value != nullptr) {
              network.port_per_byte = byte_time_of(*value);
            }
          },
          [](const NetworkParameters& network) {
            return network.port_per_byte ? std::optional(byte_time_value(*network.port_per_byte)) : std::nullopt;
          }};
}

// Without it the configuration in effect does not have the key.
Field<NetworkParameters> latency_field()
{
  return {{.name = "startup_latency",
           .type = ParameterType::time,
           .text = "L: the part of the start-up that holds no port: the receiver can use a message so long after its "
                   "delivery; by default none",
           .optional = true,
           .maximum = largest_delay},
          [](NetworkParameters& network, const ParameterValue* value) {
            if (value != nullptr) {
              take_value(network.startup_latency, *value);
            }
          },
          [](const NetworkParameters& network) {
            return network.startup_latency == Time{} ? std::nullopt : parameter_value(network.startup_latency);
          }};
}

// Its value in effect is the routing that the router executes itself, the requested one, or none for the topology's
// default.
Field<NetworkParameters> routing_field()
{
  return {{.name = "routing",
           .type = ParameterType::choice,
           .text = "the routing; by default that of the topology. Router \"input_queued\" has more (docs/routers.md)",
           .optional = true,
           .choices = {"dimension_order", "shortest_path", "up_down", "d_mod_k", "random", "minimal", "valiant",
                       "ugal_l", "given"}},
          [](NetworkParameters& network, const ParameterValue* value) {
            if (value != nullptr) {
              take_value(network.routing.routing, *value);
            }
          },
          [](const NetworkParameters& network) -> std::optional<ParameterValue> {
            if (network.router->has_grid_routings) {
              return std::string(grid_routing_names.text(network.pipeline.routing));
            }
            return network.routing.routing.empty() ? std::nullopt : parameter_value(network.routing.routing);
          }};
}

} // namespace

const Fields<NetworkParameters>& network_fields()
{
  // Without a router: the declarations of routers are made from these.
  static const NetworkParameters defaults = {
      .startup = {}, .per_hop = {}, .per_byte = {}, .ports = {}, .routing = {}, .router = nullptr};
  using Network = NetworkParameters;
  static const Fields<Network> fields({
      field("startup", &Network::startup, "T_s: software start-up of one message").at_most(largest_delay),
      latency_field(),
      field("per_hop", &Network::per_hop, "T_f: time for a flit to pass one router and its output channel")
          .at_most(largest_delay)
          .otherwise(defaults),
      field_by_link_class<Time>("link_per_hop",
                                "T_f by class of links: times in the order of the classes that docs/network-model.md "
                                "lists for each topology; by default per_hop for all",
                                &Network::link_per_hop, parse_time, format_time, 0),
      byte_time_field(),
      field_by_link_class<ByteTime>("link_per_byte",
                                    "T_c by class of links: times per byte in the order of the classes; by default "
                                    "per_byte for all",
                                    &Network::link_per_byte, parse_byte_time, format_byte_time, 1),
      port_byte_time_field(),
      field("flit_bytes", &Network::flit_bytes, "b: size of a flit")
          .as(ParameterType::bytes)
          .at_least(1)
          .otherwise(defaults),
      choice_field(
          "last_flit", &Network::last_flit, last_flit_names, LastFlit::padded,
          "the last flit of a message: by default \"padded\" to flit_bytes; \"exact\": it takes the time of the "
          "bytes that are left"),
      buffer_field(),
      field("virtual_channels", &Network::virtual_channels, "V: virtual channels per external channel")
          .at_least(1)
          .at_most(16)
          .otherwise(defaults),
      field("ports", &PortModel::count, "internal channels per direction between a node and its router")
          .as(ParameterType::ports)
          .at_most(64)
          .in(&Network::ports)
          .otherwise(defaults),
      choice_field("port_choice", &Network::port_choice, port_choice_names, PortChoice::first_free,
                   "which of several ports a message uses at its sender and its receiver: by default the one that is "
                   "\"first_free\"; \"of_message\": the one to which its share of the message, or the key \"port\" of "
                   "a list, binds it"),
      field("duplex", &Network::duplex, duplex_names,
            "whether a port sends and receives at once or one of both at a time")
          .otherwise(defaults),
      field("switching", &Network::switching, switching_names,
            "how a router forwards a message; cut-through and store-and-forward buffers hold a whole message")
          .otherwise(defaults),
      field("hold", &Network::hold, hold_names, "whether each channel is released behind the tail, or all at delivery")
          .otherwise(defaults),
      routing_field(),
      field("tie", &RoutingChoice::tie, tie_names,
            "the direction at exactly half a torus ring: without the wrap-around link, upwards, or drawn for each "
            "message by the seed")
          .in(&Network::routing)
          .otherwise(defaults),
  });
  return fields;
}

ParameterValues network_in_effect(const NetworkParameters& network, ParameterValues values)
{
  network_fields().write(network, values);
  if (network.router->complete) {
    network.router->complete(network, values);
  }
  return values;
}

} // namespace wormcast
