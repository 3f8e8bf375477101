#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct TopologyKind;

/// The most links that may lie side by side.
inline constexpr std::int64_t most_parallel_links = 64;

/// A network whose links are there several times, as many as its class of links has. Nodes, names and routes are those
/// of the network with single links; of k links side by side a message takes that with the number s mod k, s the sum of
/// the destination's coordinates: destinations on one line of a mesh take turns. As in SimGrid's fat trees and
/// dragonflies it does not matter which of them are free. Virtual channels have the classes of the single link.
class ParallelLinks final : public Topology {
public:
  /// `single` is the network that `description` has without "parallel_links". Throws InputError "parallel_links: ..."
  /// where they are neither one number nor one for each class of links, and for too many channels.
  ParallelLinks(const TopologyDescription& description, std::unique_ptr<const Topology> single);

  const Topology& single() const { return *single_; }
  /// Returns the number of links side by side, by class of links.
  std::span<const std::uint32_t> copies() const { return copies_; }
  /// Returns the channel of single() of which this is a copy, and which of its copies, from 0.
  ChannelId single_channel(ChannelId channel) const { return singles_[index(channel)]; }
  std::uint32_t copy_number(ChannelId channel) const
  {
    return index(channel) - first_copies_[index(single_channel(channel))];
  }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t drawn_bits() const override { return single_->drawn_bits(); }
  bool draws_route(NodeId from, NodeId to) const override { return single_->draws_route(from, to); }
  void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override { return single_->distance(from, to); }
  std::uint32_t longest_route() const override { return single_->longest_route(); }
  std::vector<std::int64_t> coordinates(NodeId node) const override { return single_->coordinates(node); }
  NodeId node_at(std::span<const std::int64_t> coordinates) const override { return single_->node_at(coordinates); }
  std::string node_name(NodeId node) const override { return single_->node_name(node); }
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override
  {
    return single_->virtual_channel_classes(virtual_channels);
  }
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;
  std::vector<std::string> link_classes() const override { return single_->link_classes(); }
  std::uint32_t link_class(ChannelId channel) const override { return single_->link_class(single_channel(channel)); }
  /// "torus 8 x 8 with 2, 1 parallel links", by class.
  std::string title() const override;

private:
  void take_copies(NodeId to, std::span<ChannelId> route) const;

  std::unique_ptr<const Topology> single_;
  std::vector<std::uint32_t> copies_;
  std::vector<std::uint32_t> first_copies_; ///< by channel of single()
  std::vector<ChannelId> singles_;          ///< by channel
  std::vector<std::uint32_t> sums_;         ///< of coordinates, by host
};

/// The network with single links of a ParallelLinks, any other topology itself: for what asks about nodes alone.
const Topology& single_links(const Topology& topology);

/// The same as one of a class, such as Grid; null: it is none.
template <typename Kind> const Kind* as_kind(const Topology& topology)
{
  return dynamic_cast<const Kind*>(&single_links(topology));
}

/// Adds the key "parallel_links" to a kind, whose `make` then makes a ParallelLinks where a description has it.
void add_parallel_links(TopologyKind& kind);

} // namespace wormcast
