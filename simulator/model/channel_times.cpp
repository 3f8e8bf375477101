#include "wormcast/simulator/model/channel_times.hpp"

#include "wormcast/simulator/model/network_fields.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/described_links.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>

namespace wormcast {

namespace {

// The number of classes in the lists; 1 where all links have the same times.
std::uint32_t classes_of_lists(const NetworkParameters& network)
{
  return static_cast<std::uint32_t>(
      std::max({network.link_per_byte.size(), network.link_per_hop.size(), std::size_t{1}}));
}

// Exact: products of two times per byte fit 128 bits.
bool is_shorter(ByteTime one, ByteTime other)
{
  __extension__ using Wide = __int128;
  return Wide{one.picoseconds()} * other.bytes() < Wide{other.picoseconds()} * one.bytes();
}

struct LinkTimes {
  std::int64_t flit = 0; // tau
  std::int64_t way = 0;  // the longest time from a flit's start to its start on the next channel
};

std::vector<LinkTimes> links_by_class(const NetworkParameters& network)
{
  const std::int64_t fastest = with_fastest_channels(network).flit_time().picoseconds;
  std::vector<LinkTimes> links;
  for (std::uint32_t of_class = 0; of_class < classes_of_lists(network); ++of_class) {
    const std::int64_t flit = network.flit_time(link_byte_time(network, of_class)).picoseconds;
    const std::int64_t hop = link_hop_time(network, of_class).picoseconds;
    links.push_back({.flit = flit, .way = hop + ChannelTimes::catch_up(flit, fastest)});
  }
  return links;
}

} // namespace

bool has_equal_channels(const NetworkParameters& network)
{
  return std::ranges::all_of(network.link_per_byte, [&](ByteTime time) { return time == network.per_byte; }) &&
         std::ranges::all_of(network.link_per_hop, [&](Time time) { return time == network.per_hop; }) &&
         port_byte_time(network) == network.per_byte;
}

ByteTime port_byte_time(const NetworkParameters& network)
{
  return network.port_per_byte.value_or(network.per_byte);
}

// A list can be too short as long as check_link_classes() has not been called.
ByteTime link_byte_time(const NetworkParameters& network, std::uint32_t link_class)
{
  return link_class < network.link_per_byte.size() ? network.link_per_byte[link_class] : network.per_byte;
}

Time link_hop_time(const NetworkParameters& network, std::uint32_t link_class)
{
  return link_class < network.link_per_hop.size() ? network.link_per_hop[link_class] : network.per_hop;
}

Time slowest_flit_time(const NetworkParameters& network)
{
  Time slowest = network.flit_time(port_byte_time(network));
  if (network.link_per_byte.empty()) {
    slowest = std::max(slowest, network.flit_time());
  }
  for (const ByteTime of_class : network.link_per_byte) {
    slowest = std::max(slowest, network.flit_time(of_class));
  }
  return slowest;
}

NetworkParameters with_fastest_channels(const NetworkParameters& network)
{
  NetworkParameters fastest = network;
  fastest.per_byte = port_byte_time(network);
  for (std::uint32_t of_class = 0; of_class < classes_of_lists(network); ++of_class) {
    if (is_shorter(link_byte_time(network, of_class), fastest.per_byte)) {
      fastest.per_byte = link_byte_time(network, of_class);
    }
  }
  if (!network.link_per_hop.empty()) {
    fastest.per_hop = std::ranges::min(network.link_per_hop);
  }
  fastest.link_per_byte.clear();
  fastest.link_per_hop.clear();
  fastest.port_per_byte.reset();
  return fastest;
}

std::uint64_t flits_to_cover_hops(const NetworkParameters& network)
{
  std::int64_t most = 1;
  for (const auto& [flit, way] : links_by_class(network)) {
    most = std::max(most, way / flit + (way % flit != 0 ? 1 : 0));
  }
  return static_cast<std::uint64_t>(most);
}

double least_covered_percent(const NetworkParameters& network)
{
  double least = 100;
  for (const auto& [flit, way] : links_by_class(network)) {
    if (way > 0) {
      const double covered = static_cast<double>(network.buffer_flits) * static_cast<double>(flit);
      least = std::min(least, 100 * covered / static_cast<double>(way));
    }
  }
  return least;
}

void check_channel_times(const NetworkParameters& network)
{
  if (network.last_flit == LastFlit::exact && !has_equal_channels(network)) {
    throw InputError(fmt::format("last_flit: found \"{}\", but {}; expected \"{}\"",
                                 last_flit_names.text(LastFlit::exact), unequal_channels,
                                 last_flit_names.text(LastFlit::padded)));
  }
}

void check_link_classes(const NetworkParameters& network, const Topology& topology)
{
  if (network.link_per_byte.empty() && network.link_per_hop.empty()) {
    return;
  }
  const std::vector<std::string> classes = topology.link_classes();
  const auto check = [&](std::string_view key, std::size_t found) {
    if (found != 0 && found != classes.size()) {
      throw InputError(fmt::format("{}: found {} time{}, expected {}, one for each class of links of the {}: {}", key,
                                   found, found == 1 ? "" : "s", classes.size(), topology.title(),
                                   fmt::join(classes, ", ")));
    }
  };
  check("link_per_hop", network.link_per_hop.size());
  check("link_per_byte", network.link_per_byte.size());
}

static_assert(longest_link_time == largest_delay);

void take_described_links(NetworkParameters& network, const Topology& topology)
{
  const std::span<const DescribedLink> links = described_links(topology);
  if (links.empty()) {
    return;
  }
  if (!network.router->has_channel_times) {
    throw InputError(fmt::format("router: found \"{}\", which has one rate for all channels, but the file of the {} "
                                 "gives its links times of their own; expected another router, or no such times",
                                 network.router->name, topology.title()));
  }
  if (network.link_per_byte.empty() &&
      std::ranges::any_of(links, [](const auto& link) { return link.per_byte.has_value(); })) {
    for (const DescribedLink& link : links) {
      network.link_per_byte.push_back(link.per_byte.value_or(network.per_byte));
    }
  }
  if (network.link_per_hop.empty() &&
      std::ranges::any_of(links, [](const auto& link) { return link.per_hop.has_value(); })) {
    for (const DescribedLink& link : links) {
      network.link_per_hop.push_back(link.per_hop.value_or(network.per_hop));
    }
  }
  check_flit_time(network);
  check_channel_times(network);
  if (network.automatic_buffers) {
    network.buffer_flits = automatic_buffer_flits(network);
  }
}

ChannelTimes::ChannelTimes(const NetworkParameters& network, const Topology& topology)
    : equal_(has_equal_channels(network)), port_flit_(network.flit_time(port_byte_time(network)).picoseconds)
{
  const std::uint32_t classes = classes_of_lists(network);
  for (std::uint32_t of_class = 0; of_class < classes; ++of_class) {
    flits_.push_back(network.flit_time(link_byte_time(network, of_class)).picoseconds);
    hops_.push_back(link_hop_time(network, of_class).picoseconds);
  }
  if (!equal_ && classes > 1) {
    classes_.resize(topology.channel_count());
    for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
      classes_[channel] = topology.link_class(ChannelId{channel});
    }
  }
}

double empty_route_picoseconds(const NetworkParameters& network, const ChannelTimes& times,
                               std::span<const ChannelId> route, double flits)
{
  const bool stores = network.switching == Switching::store_and_forward;
  std::int64_t header = network.startup.picoseconds; // until the first flit starts on the channel that was looked at
  double tails = 0; // by how much later the first flit starts, as all others were waited for
  std::int64_t flit = times.port_flit();
  std::int64_t slowest = flit; // since the message was stored whole
  for (std::size_t i = 0; i <= route.size(); ++i) {
    const std::int64_t next = i < route.size() ? times.flit(route[i]) : times.port_flit();
    const std::int64_t hop = i == 0 ? 0 : times.hop(route[i - 1]);
    if (stores && i > 0 && i < route.size()) { // by a router between the two ends
      tails += (flits - 1) * static_cast<double>(slowest);
      header += flit + hop;
      slowest = next;
    } else {
      header += hop + ChannelTimes::catch_up(flit, next);
      slowest = std::max(slowest, next);
    }
    flit = next;
  }
  return static_cast<double>(header) + tails + (flits - 1) * static_cast<double>(slowest) + static_cast<double>(flit);
}

} // namespace wormcast
