#pragma once

#include "wormcast/topologies/faults.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

/// Two nodes, the first of which does not reach the second.
using CutPair = std::pair<NodeId, NodeId>;

/// A network of which nodes and links are removed.
class DamagedNetwork {
public:
  explicit DamagedNetwork(const Topology& whole);

  const std::vector<std::vector<ChannelId>>& links() const { return links_; }
  bool is_dead(NodeId node) const { return faults_.lost_nodes[index(node)]; }
  bool is_dead_link(std::size_t link) const { return dead_links_[link]; }
  bool works(ChannelId channel) const
  {
    return !dead_links_[link_of_[index(channel)]] && !is_dead(whole_.channel_source(channel)) &&
           !is_dead(whole_.channel_target(channel));
  }
  void set_dead(NodeId node, bool dead) { faults_.lost_nodes[index(node)] = dead; }
  void set_dead_link(std::size_t link, bool dead) { dead_links_[link] = dead; }

  /// Returns two nodes without a path, and nothing if there are none. Switches that lead to no host are no matter; they
  /// are added to `useless`.
  std::optional<CutPair> cut_pair(std::vector<NodeId>& useless) const;

  /// The faults; `useless` nodes are lost, too.
  Faults faults(const std::vector<NodeId>& useless) &&;

private:
  std::vector<bool> reached_from(NodeId root, bool backwards) const;
  std::optional<CutPair> cut_pair_of_switches(std::vector<NodeId>& useless) const;

  const Topology& whole_;
  std::vector<std::vector<ChannelId>> links_;
  std::vector<std::uint32_t> link_of_; ///< by channel
  std::vector<std::vector<ChannelId>> incoming_;
  std::vector<bool> dead_links_;
  Faults faults_;
};

} // namespace wormcast
