#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace wormcast {

/// The cause, in messages, of what a network whose channels are not all alike cannot have: "links or ports have rates
/// or latencies of their own".
inline constexpr std::string_view unequal_channels = "links or ports have rates or latencies of their own";

/// Returns whether all channels have the rate of per_byte, and all links the hop time of per_hop.
bool has_equal_channels(const NetworkParameters& network);

/// Returns T_c of the channels between nodes and routers.
ByteTime port_byte_time(const NetworkParameters& network);
/// Returns T_c of the links of a class.
ByteTime link_byte_time(const NetworkParameters& network, std::uint32_t link_class);
/// Returns T_f of the links of a class.
Time link_hop_time(const NetworkParameters& network, std::uint32_t link_class);

/// Returns the time of a flit on the slowest channel, ports included.
Time slowest_flit_time(const NetworkParameters& network);

/// Returns a network whose channels are all alike: each has the rate of the fastest channel of `network`, ports
/// included, and the shortest hop time of its links. Nothing takes longer on it, so that lower bounds for it hold for
/// `network`.
NetworkParameters with_fastest_channels(const NetworkParameters& network);

/// Returns the buffer flits with which each channel reaches its full rate: those that it sends until the first of them
/// can leave the buffer, as the next channel may be faster. At least 1.
std::uint64_t flits_to_cover_hops(const NetworkParameters& network);

/// Returns the percentage of its rate that one message reaches on the link whose latency buffers cover least.
double least_covered_percent(const NetworkParameters& network);

/// Throws InputError unless the network's keys fit to unequal channels: last flits must be padded.
void check_channel_times(const NetworkParameters& network);

/// Throws InputError, with the names of the classes, if a list by class of links has another length than
/// Topology::link_classes().
void check_link_classes(const NetworkParameters& network, const Topology& topology);

/// Takes the times that the topology's own file gives its links (described_links), unless the network has lists of its
/// own: a class without one has per_byte or per_hop. Throws InputError if the router cannot have them, or if they do
/// not fit to the other keys.
void take_described_links(NetworkParameters& network, const Topology& topology);

/// The times of the channels of a network on a topology, in picoseconds. Memory: 4 bytes a channel where channels are
/// not all alike.
class ChannelTimes {
public:
  /// Needs check_link_classes().
  ChannelTimes(const NetworkParameters& network, const Topology& topology);

  /// Returns whether all channels are alike: has_equal_channels().
  bool equal() const { return equal_; }

  /// Returns tau of a port.
  std::int64_t port_flit() const { return port_flit_; }
  /// Returns tau of an external channel.
  std::int64_t flit(ChannelId channel) const { return flits_[class_of(channel)]; }
  /// Returns T_f of an external channel.
  std::int64_t hop(ChannelId channel) const { return hops_[class_of(channel)]; }

  /// Returns by how much longer than T_f a flit is on its way from the start of a channel to the start of the next one:
  /// a faster channel starts so much later that the flit never runs dry on it. 0 unless `flit` is above `next_flit`.
  static std::int64_t catch_up(std::int64_t flit, std::int64_t next_flit)
  {
    return flit > next_flit ? flit - next_flit : 0;
  }

private:
  std::uint32_t class_of(ChannelId channel) const { return classes_.empty() ? 0 : classes_[index(channel)]; }

  bool equal_;
  std::int64_t port_flit_;
  std::vector<std::int64_t> flits_;    ///< by class
  std::vector<std::int64_t> hops_;     ///< by class
  std::vector<std::uint32_t> classes_; ///< by channel; empty: all links are of one class
};

/// Returns the time on an empty network from a message's request for its port to its delivery over the external
/// channels of `route`, in picoseconds, where buffers cover the hops (docs/network-model.md, "Rates and latencies of
/// links"): empty_network_picoseconds() of channels that are not all alike. `flits` may be a mean.
double empty_route_picoseconds(const NetworkParameters& network, const ChannelTimes& times,
                               std::span<const ChannelId> route, double flits);

} // namespace wormcast
