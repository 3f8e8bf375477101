#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_engine.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A message between the injection of its head and its delivery. Channel i of its path: 0 the injection channel, 1 .. H
/// the external ones, H + 1 the ejection channel.
struct PipelinedHeader : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  FlitTimes times;
  std::int64_t flits = 0;
  std::int64_t requested = 0; ///< the cycle in which it requested channel `position`
  std::uint32_t position = 0; ///< the channel that it requests next
  std::uint32_t last = 0;     ///< H + 1
  std::uint32_t path = 0;     ///< offset of its channels in the paths
  std::uint32_t window = 0;   ///< K: flit F-1 on channel i can be held up by the head on i .. i+K
  std::uint32_t next = 0;     ///< the next worm that waits for the same channel
  std::uint32_t router = 0;   ///< the router of the head
  std::uint8_t in_port = 0;   ///< the port through which the head entered it
};

/// The paths of messages that advance by one event per header hop, and the cycles in which their last flits follow:
///     g_i(f) = max over j >= i with B*(j-i) <= f of  h_j + (credits' delays of channels i .. j-1) + f - B*(j-i),
/// where h_j is the cycle in which the head was granted channel j, B the flits of a buffer and K = floor((F-1)/B).
class PipelinedPaths {
public:
  using Cycle = std::int64_t;

  /// A channel of a path.
  struct Stage {
    Cycle granted = 0;         ///< h_i
    std::uint32_t channel = 0; ///< router * ports + port; for the injection channel the node
  };

  /// `grid` and `ports` must outlive this.
  PipelinedPaths(const Grid& grid, GridPorts& ports, const NetworkParameters& network)
      : grid_(grid), ports_(ports), pipeline_(network.pipeline),
        buffer_(static_cast<std::int64_t>(std::min<std::uint64_t>(network.buffer_flits, std::uint64_t{1} << 40)))
  {}

  /// Takes the channels of its path from its source to its destination, and K.
  void lay_out(PipelinedHeader& worm)
  {
    route_.clear();
    ports_.append_hops(worm.source, worm.destination, worm.message, route_);
    worm.last = static_cast<std::uint32_t>(route_.size());
    worm.window = static_cast<std::uint32_t>(std::min<std::int64_t>((worm.flits - 1) / buffer_, worm.last));
    worm.path = pieces_.allocate(worm.last + 1);
    stages_.grow(pieces_.capacity());
    std::uint32_t router = index(worm.source);
    for (std::uint32_t i = 0; i < worm.last; ++i) {
      stages_[worm.path + i + 1].channel = router * ports_.count() + route_[i].port;
      if (i + 1 < worm.last) {
        router = index(grid_.channel_target(ChannelId{ports_.channel(router, route_[i].port)}));
      }
    }
  }

  void release(const PipelinedHeader& worm) { pieces_.release(worm.path, worm.last + 1); }

  Stage& stage(const PipelinedHeader& worm, std::uint32_t i) { return stages_[worm.path + i]; }
  const Stage& stage(const PipelinedHeader& worm, std::uint32_t i) const { return stages_[worm.path + i]; }

  /// Returns the cycles from one buffer to the next.
  Cycle crossing() const { return Cycle{pipeline_.switch_delay} + 1 + pipeline_.link_delay; }
  /// Returns the cycles from a grant of channel i to the release of the slot upstream.
  Cycle credit(std::uint32_t i) const { return i == 0 ? 2 : Cycle{1} + pipeline_.link_delay + pipeline_.credit_delay; }

  /// Returns g_i(F - 1); the head has crossed all channels on which it depends.
  Cycle tail_granted(const PipelinedHeader& worm, std::uint32_t i) const
  {
    const Stage* stages = stages_.data() + worm.path;
    Cycle latest = stages[i].granted + worm.flits - 1;
    Cycle ahead = worm.flits - 1;
    for (std::uint32_t j = i + 1; j <= worm.last && j - i <= worm.window; ++j) {
      ahead += credit(j - 1) - buffer_;
      latest = std::max(latest, stages[j].granted + ahead);
    }
    return latest;
  }

private:
  const Grid& grid_;
  GridPorts& ports_;
  PipelineParameters pipeline_;
  std::int64_t buffer_;
  PieceAllocator pieces_;
  GrowingArray<Stage> stages_;
  std::vector<RouterHop> route_;
};

} // namespace wormcast
