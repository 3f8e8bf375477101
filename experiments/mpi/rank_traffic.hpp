#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/experiments/output/matrix_figure.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// The ranks as rows of a picture or table. Messages are known by their nodes: where ranks share a node, its ranks are
/// one row.
struct RankRows {
  bool by_node = false;                ///< a row is a node with several ranks
  std::uint32_t count = 0;             ///< of the rows
  std::vector<std::uint32_t> row = {}; ///< by node: its rank, or its number
  std::string name() const { return by_node ? "node" : "rank"; }
};

/// `nodes` are those of the ranks.
RankRows rank_rows(const Topology& topology, const std::vector<NodeId>& nodes);

/// Throws InputError where there are more than 256 rows, which a picture cannot show. `option` begins the message.
void check_drawable(const RankRows& rows, std::string_view option);

/// The messages and bytes from each row to each other one. Messages within a node are none of the network.
struct RankTraffic {
  struct Cell {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
  };
  RankRows rows;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cell> cells; ///< by (from, to); only those with messages
};

/// Adds up a plain message list; bytes include the envelopes of MPI messages.
RankTraffic rank_traffic(const Schedule& messages, const RankRows& rows);

/// Lines "from,to,messages,bytes" for the pairs that have messages, ascending, below a heading.
std::string traffic_csv(const RankTraffic& traffic);

/// Heat maps of bytes and of messages, senders upwards, receivers to the right. Throws as check_drawable().
MatrixFigure traffic_figure(const RankTraffic& traffic, const std::string& title);

} // namespace wormcast
