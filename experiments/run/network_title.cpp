#include "wormcast/experiments/run/network_title.hpp"

#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

namespace wormcast {

namespace {

std::string ports_title(const PortModel& ports)
{
  return ports.count == PortModel::all ? "all ports"
         : ports.count == 1            ? "one port"
                                       : fmt::format("{} ports", ports.count);
}

std::string before_unit_spaced(std::string text)
{
  const auto unit = std::ranges::find_if(text, [](char character) { return character >= 'a' && character <= 'z'; });
  text.insert(unit, ' ');
  return text;
}

template <typename Of> std::string texts_of(const std::vector<Of>& times, std::string (*text)(Of))
{
  std::vector<std::string> texts;
  std::ranges::transform(times, std::back_inserter(texts), text);
  return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace

std::string spaced_time(Time time)
{
  return before_unit_spaced(time == Time{} ? "0us" : short_time(time));
}

std::vector<std::string> network_title(const Topology& topology, const NetworkParameters& network,
                                       const VariesInFigure& varies)
{
  const bool is_default = network.router == &default_router();
  std::vector<std::string> parts;
  const auto add = [&](std::string_view key, bool told, const std::string& text) {
    if (told && !varies(key)) {
      parts.push_back(text);
    }
  };
  add("topology.", true, topology.title());
  add("network.ports", true, ports_title(network.ports));
  add("network.router", !is_default, fmt::format("router {}", network.router->name));
  add("network.virtual_channels", !is_default || network.virtual_channels != 1,
      fmt::format("V = {}", network.virtual_channels));
  add("network.buffer_flits", !is_default, fmt::format("buffers of {} flits", network.buffer_flits));
  add("network.flit_bytes", network.flit_bytes != 1, fmt::format("flits of {}", format_bytes(network.flit_bytes)));
  add("network.switching", network.switching != Switching::wormhole,
      std::string(switching_names.text(network.switching)));
  add("network.startup", is_default || network.startup != Time{},
      fmt::format("T_s = {}", spaced_time(network.startup)));
  add("network.per_hop", is_default, fmt::format("T_f = {}", spaced_time(network.per_hop)));
  add("network.per_byte", true,
      fmt::format("T_c = {} per byte", before_unit_spaced(short_byte_time(network.per_byte))));
  add("network.link_per_hop", !network.link_per_hop.empty(),
      fmt::format("T_f of links {}", texts_of(network.link_per_hop, short_time)));
  add("network.link_per_byte", !network.link_per_byte.empty(),
      fmt::format("T_c of links {}", texts_of(network.link_per_byte, short_byte_time)));
  add("network.port_per_byte", network.port_per_byte.has_value(),
      fmt::format("T_c of ports {}", short_byte_time(port_byte_time(network))));
  return parts;
}

std::vector<std::string> traffic_title(const TrafficParameters& traffic, const VariesInFigure& varies)
{
  std::vector<std::string> parts;
  if (!traffic.classes.empty()) {
    std::vector<std::string> names;
    std::ranges::transform(traffic.classes, std::back_inserter(names), &TrafficClass::name);
    return {fmt::format("traffic of classes {}", fmt::join(names, ", "))};
  }
  if (!varies("traffic.pattern")) {
    parts.push_back(traffic.pattern + " traffic");
  }
  if (!varies("traffic.bytes")) {
    const double mean = traffic.lengths.mean_bytes();
    const bool fixed = mean == static_cast<double>(traffic.lengths.largest());
    parts.push_back(fixed ? fmt::format("messages of {}", format_bytes(traffic.lengths.largest()))
                          : fmt::format("messages of {:.6g} B on average", mean));
  }
  return parts;
}

} // namespace wormcast
