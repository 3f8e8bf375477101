#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/engines/instant.hpp"
#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A message between the sending of its head and its delivery.
struct PipelineWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  FlitTimes times;
};

/// What routers ask of a worm whose head comes to them, in one cache line. The head is in one buffer at a time: all
/// that says where it stands there is here, too.
struct alignas(16) HeadOfWorm {
  MessageClaim claim;
  std::uint32_t flits = 0;
  std::uint32_t behind = 0; ///< the worm behind it in the buffer, if it is behind another itself
  RouterHops way;           ///< what it does in the router to which it comes or has come, and how many times more
  std::uint32_t run = 0;    ///< of its way: place among all
  MessageClaim front;       ///< while behind others: the worm in front when it came,
  std::int64_t since = 0;   ///< and when that was
  std::uint32_t taken = 0;  ///< of an adaptive routing: place of the hops that it has taken
  std::uint32_t hops = 0;   ///< the same: how many there are
};
static_assert(sizeof(HeadOfWorm) == 64);

/// The worms in the network of the engine `cycle`, with their ways.
class CycleWorms {
public:
  explicit CycleWorms(GridPorts& ports, bool adaptive)
      : ports_(ports), most_runs_(ports.most_runs()), adaptive_(adaptive)
  {}

  std::uint64_t size() const { return worms_.size(); }
  PipelineWorm& operator[](std::uint32_t worm) { return worms_[worm]; }
  const PipelineWorm& operator[](std::uint32_t worm) const { return worms_[worm]; }
  HeadOfWorm& head(std::uint32_t worm) { return heads_[worm]; }
  const HeadOfWorm& head(std::uint32_t worm) const { return heads_[worm]; }
  MessageClaim claim(std::uint32_t worm) const { return heads_[worm].claim; }

  /// The head leaves a router through a port; its node is not behind that.
  void leave(std::uint32_t worm, std::uint32_t port)
  {
    HeadOfWorm& head = heads_[worm];
    if (adaptive_) {
      taken_[head.taken + head.hops++] = static_cast<std::uint8_t>(port);
    }
    if (--head.way.hops == 0) {
      head.way = runs_[++head.run];
    }
  }

  /// The external channels of its way; of an adaptive routing those that it has taken.
  void append_path(std::uint32_t worm, std::vector<ChannelId>& path) const
  {
    std::uint32_t node = index(worms_[worm].source);
    const auto append = [&](std::uint32_t port) {
      path.push_back(ChannelId{ports_.channel(node, port)});
      node = index(ports_.channel_target(path.back()));
    };
    if (adaptive_) {
      const HeadOfWorm& head = heads_[worm];
      std::for_each_n(taken_.data() + head.taken, head.hops, append);
      return;
    }
    for (const RouterHops* run = runs_.data() + std::size_t{worm} * most_runs_; run->port != ports_.node_port();
         ++run) {
      for (std::uint32_t hop = 0; hop < run->hops; ++hop) {
        append(run->port);
      }
    }
  }

  std::uint32_t add(const NewMessage& message)
  {
    const std::uint32_t number = worms_.add(PipelineWorm(message));
    heads_.grow(number + 1);
    runs_.grow((number + std::size_t{1}) * most_runs_);
    made_.clear();
    ports_.append_runs(message.source, message.destination, message.message, made_);
    const std::size_t first = std::size_t{number} * most_runs_;
    std::ranges::copy(made_, runs_.data() + first);
    HeadOfWorm& head = heads_[number];
    head = HeadOfWorm();
    head.claim = {message.message, message.step};
    head.flits = static_cast<std::uint32_t>(message.flits);
    head.way = made_.front();
    head.run = static_cast<std::uint32_t>(first);
    if (adaptive_) {
      head.taken = pieces_.take(links());
      taken_.grow(pieces_.capacity());
    }
    return number;
  }

  void remove(std::uint32_t worm)
  {
    if (adaptive_) {
      pieces_.give_back(heads_[worm].taken, heads_[worm].hops);
    }
    worms_.remove(worm);
  }

private:
  // Those of the way that has just been made; the routings that are adaptive take no longer ones.
  std::uint32_t links() const
  {
    std::uint32_t links = 0;
    for (const RouterHops& run : made_) {
      links += run.hops;
    }
    return links - 1;
  }

  GridPorts& ports_;
  std::uint32_t most_runs_;
  bool adaptive_;
  WormTable<PipelineWorm> worms_;
  GrowingArray<HeadOfWorm> heads_;   // by worm
  GrowingArray<RouterHops> runs_;    // most_runs_ for each worm
  PieceAllocator pieces_;            // of taken_
  GrowingArray<std::uint8_t> taken_; // ports
  std::vector<RouterHops> made_;
};

} // namespace wormcast
