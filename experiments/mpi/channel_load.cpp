#include "wormcast/experiments/mpi/channel_load.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint32_t unoccupied = std::numeric_limits<std::uint32_t>::max();

/// What a placement is judged by: less is better.
struct Load {
  std::uint64_t most_bytes = 0; ///< of a channel
  std::uint64_t channels = 0;   ///< with that many
  std::uint64_t byte_hops = 0;

  friend auto operator<=>(const Load&, const Load&) = default;
};

/// Ranks on nodes, and the bytes that cross each channel.
class LoadedPlacement {
public:
  LoadedPlacement(const Topology& topology, const Communication& communication, std::vector<NodeId> nodes)
      : topology_(topology), communication_(communication), nodes_(std::move(nodes)),
        rank_on_(topology.host_count(), unoccupied), bytes_(topology.channel_count()),
        changes_(topology.channel_count())
  {
    for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) {
      rank_on_[index(nodes_[rank])] = rank;
    }
    for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) {
      for (const Communication::Partner& partner : communication_.partners(rank)) {
        for (const ChannelId channel : route(nodes_[rank], nodes_[partner.rank])) {
          bytes_[index(channel)] += partner.sent;
        }
      }
    }
    weigh();
  }

  const std::vector<NodeId>& nodes() const { return nodes_; }
  const Load& load() const { return load_; }
  std::uint64_t crossings() const { return crossings_; }
  std::uint32_t rank_on(NodeId node) const { return rank_on_[index(node)]; }

  /// Whether a rank sends or receives across a busiest channel.
  std::vector<bool> are_across_busiest()
  {
    std::vector<bool> are_across(nodes_.size());
    for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) {
      for (const Communication::Partner& partner : communication_.partners(rank)) {
        const auto is_busiest = [&](ChannelId channel) { return bytes_[index(channel)] == load_.most_bytes; };
        if (partner.sent > 0 && std::ranges::any_of(route(nodes_[rank], nodes_[partner.rank]), is_busiest)) {
          are_across[rank] = true;
          are_across[partner.rank] = true;
        }
      }
    }
    return are_across;
  }

  /// Moves `rank` to `node`, and the rank there, if there is one, to its node, if that lowers the load.
  bool exchange_if_better(std::uint32_t rank, NodeId node)
  {
    const NodeId from = nodes_[rank];
    const std::uint32_t other = rank_on(node);
    change_routes(rank, other, -1);
    put(rank, node, other, from);
    change_routes(rank, other, 1);
    const Load after = load_after();
    const bool better = after < load_;
    for (const ChannelId channel : changed_) {
      std::int64_t& change = changes_[index(channel)];
      if (better) {
        bytes_[index(channel)] += static_cast<std::uint64_t>(change);
      }
      change = 0;
    }
    changed_.clear();
    if (!better) {
      put(rank, from, other, node);
    } else if (after.channels == 0) {
      weigh(); // how many there are with fewer bytes is not known without all
    } else {
      load_ = after;
    }
    return better;
  }

private:
  const std::vector<ChannelId>& route(NodeId from, NodeId to)
  {
    route_.clear();
    topology_.append_route(from, to, route_);
    crossings_ += route_.size();
    return route_;
  }

  void put(std::uint32_t rank, NodeId node, std::uint32_t other, NodeId from)
  {
    nodes_[rank] = node;
    rank_on_[index(from)] = other;
    rank_on_[index(node)] = rank;
    if (other != unoccupied) {
      nodes_[other] = from;
    }
  }

  void weigh()
  {
    load_ = {.most_bytes = bytes_.empty() ? 0 : std::ranges::max(bytes_)};
    for (const std::uint64_t bytes : bytes_) {
      load_.channels += bytes == load_.most_bytes ? 1U : 0U;
      load_.byte_hops += bytes;
    }
  }

  void add(NodeId from, NodeId to, std::uint64_t bytes, int sign)
  {
    if (bytes > 0) {
      for (const ChannelId channel : route(from, to)) {
        std::int64_t& change = changes_[index(channel)];
        if (change == 0) {
          changed_.push_back(channel); // a second time where it comes back to 0 between: looked at once, see load_after
        }
        change += sign * static_cast<std::int64_t>(bytes);
      }
    }
  }

  /// Adds the messages of both ranks to the changes, or takes them away.
  void change_routes(std::uint32_t rank, std::uint32_t other, int sign)
  {
    for (const std::uint32_t moved : {rank, other}) {
      if (moved == unoccupied) {
        continue;
      }
      for (const Communication::Partner& partner : communication_.partners(moved)) {
        if (moved == other && partner.rank == rank) {
          continue; // among those of `rank`
        }
        add(nodes_[moved], nodes_[partner.rank], partner.sent, sign);
        add(nodes_[partner.rank], nodes_[moved], partner.bytes - partner.sent, sign);
      }
    }
  }

  /// The load with the changes: `channels` 0 where it falls below the present most_bytes, which then stands for it.
  Load load_after()
  {
    std::ranges::sort(changed_);
    changed_.erase(std::ranges::unique(changed_).begin(), changed_.end());
    Load after = load_;
    for (const ChannelId channel : changed_) {
      const std::int64_t change = changes_[index(channel)];
      const std::uint64_t before = bytes_[index(channel)];
      const std::uint64_t now = before + static_cast<std::uint64_t>(change);
      after.byte_hops += static_cast<std::uint64_t>(change);
      if (now > after.most_bytes) {
        after.most_bytes = now;
        after.channels = 1;
        return after; // worse, whatever the others are
      }
      after.channels += (now == load_.most_bytes ? 1U : 0U);
      after.channels -= (before == load_.most_bytes ? 1U : 0U);
    }
    return after;
  }

  const Topology& topology_;
  const Communication& communication_;
  std::vector<NodeId> nodes_;
  std::vector<std::uint32_t> rank_on_; ///< by node
  std::vector<std::uint64_t> bytes_;   ///< by channel
  Load load_;
  std::vector<std::int64_t> changes_; ///< by channel, 0 between two trials
  std::vector<ChannelId> changed_;
  std::vector<ChannelId> route_;
  std::uint64_t crossings_ = 0;
};

} // namespace

std::uint64_t busiest_channel_bytes(const Topology& topology, const Communication& communication,
                                    std::span<const NodeId> nodes)
{
  return LoadedPlacement(topology, communication, {nodes.begin(), nodes.end()}).load().most_bytes;
}

std::vector<NodeId> least_loaded_placement(const Topology& topology, const Communication& communication,
                                           std::vector<NodeId> nodes, std::uint64_t most_crossings)
{
  LoadedPlacement placement(topology, communication, std::move(nodes));
  // No exchange takes bytes off a busiest channel but of a rank that is across one.
  std::vector<bool> are_across = placement.are_across_busiest();
  bool gained = true;
  while (gained) {
    gained = false;
    for (std::uint32_t rank = 0; rank < communication.rank_count(); ++rank) {
      for (std::uint32_t node = 0; node < topology.host_count() && are_across[rank]; ++node) {
        if (placement.crossings() >= most_crossings) {
          return placement.nodes();
        }
        if (placement.rank_on(NodeId{node}) != rank && placement.exchange_if_better(rank, NodeId{node})) {
          gained = true;
          are_across = placement.are_across_busiest();
        }
      }
    }
  }
  return placement.nodes();
}

} // namespace wormcast
