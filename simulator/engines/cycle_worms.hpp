#pragma once

#include "wormcast/simulator/engines/grid_ports.hpp"
#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/instant.hpp"
#include "wormcast/simulator/engines/instant_engine.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A message between the sending of its head and its delivery.
struct PipelineWorm : MessageUnderWay {
  using MessageUnderWay::MessageUnderWay;

  FlitTimes times;
  std::uint32_t path = 0; ///< offset of its hops
  std::uint32_t hops = 0; ///< routers on its way
};

/// What routers ask of a worm whose head comes to them.
struct HeadOfWorm {
  MessageClaim claim;
  std::uint32_t flits = 0;
};

/// The worms in the network of the engine `cycle`, with their ways.
class CycleWorms {
public:
  explicit CycleWorms(GridPorts& ports) : ports_(ports) {}

  std::uint64_t size() const { return worms_.size(); }
  PipelineWorm& operator[](std::uint32_t worm) { return worms_[worm]; }
  const PipelineWorm& operator[](std::uint32_t worm) const { return worms_[worm]; }
  const HeadOfWorm& head(std::uint32_t worm) const { return heads_[worm]; }
  const RouterHop& hop(std::uint32_t place) const { return hops_[place]; }
  void set_hop(std::uint32_t place, RouterHop hop) { hops_[place] = hop; }
  /// The external channels of its way; of an adaptive routing those that it has taken.
  void append_path(std::uint32_t worm, std::vector<ChannelId>& path) const
  {
    const PipelineWorm& taken = worms_[worm];
    std::uint32_t node = index(taken.source);
    for (std::uint32_t hop = 0; hop + 1 < taken.hops; ++hop) {
      path.push_back(ChannelId{ports_.channel(node, hops_[taken.path + hop].port)});
      node = index(ports_.channel_target(path.back()));
    }
  }
  MessageClaim claim(std::uint32_t worm) const { return heads_[worm].claim; }

  std::uint32_t add(const NewMessage& message)
  {
    const std::uint32_t number = worms_.add(PipelineWorm(message));
    heads_.grow(number + 1);
    heads_[number] = {.claim = {message.message, message.step}, .flits = static_cast<std::uint32_t>(message.flits)};
    PipelineWorm& worm = worms_[number];
    route_.clear();
    ports_.append_hops(worm.source, worm.destination, worm.message, route_);
    worm.hops = static_cast<std::uint32_t>(route_.size());
    worm.path = pieces_.take(worm.hops);
    hops_.grow(pieces_.capacity());
    std::ranges::copy(route_, hops_.data() + worm.path);
    return number;
  }

  void remove(std::uint32_t worm)
  {
    pieces_.give_back(worms_[worm].path, worms_[worm].hops);
    worms_.remove(worm);
  }

  /// A head will soon come to a router: what it will ask for there.
  void expect(std::uint32_t worm, std::uint32_t hop) const
  {
    __builtin_prefetch(&hops_[hop]);
    __builtin_prefetch(&heads_[worm]);
  }

private:
  GridPorts& ports_;
  WormTable<PipelineWorm> worms_;
  PieceAllocator pieces_;
  GrowingArray<RouterHop> hops_;
  GrowingArray<HeadOfWorm> heads_; // by worm
  std::vector<RouterHop> route_;
};

} // namespace wormcast
