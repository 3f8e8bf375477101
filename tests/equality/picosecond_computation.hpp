#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

namespace wormcast::testing {

/// "Computation at the nodes" and the latency of a start-up, of docs/network-model.md, taken literally: asked at every
/// picosecond, each node looks at what it has received. Of the simulator it uses the table of times.
class PicosecondComputation {
public:
  PicosecondComputation(const Schedule& schedule, const NetworkParameters& network, const RunParameters& run,
                        std::size_t nodes);

  /// In the order of ids.
  void deliver(std::size_t message, std::int64_t now);

  /// Returns the messages that are complete now, each once, in the order of their ids.
  std::vector<std::size_t> complete(std::int64_t now);

  /// No message is complete later than this after its delivery.
  std::int64_t longest() const { return longest_; }

private:
  struct Received {
    std::size_t message = 0;
    std::int64_t known_from = 0; ///< its delivery, and the latency of its start-up
  };
  struct NodeState {
    std::deque<Received> received;
    std::optional<Received> adds; ///< serial
    std::int64_t ends = 0;
  };

  void find_additions(std::size_t nodes, const TimeTable& table);
  std::uint64_t added_with(const std::vector<std::uint64_t>& added, std::size_t id) const;
  void complete_at(NodeState& node, std::int64_t now, std::set<std::size_t>& complete);

  const Schedule& schedule_;
  bool serial_;
  std::int64_t latency_;
  std::int64_t longest_;
  std::vector<std::int64_t> work_; ///< by message
  std::vector<NodeState> nodes_;
};

} // namespace wormcast::testing
