#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"
#include "wormcast/simulator/engines/time_step.hpp"

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
  MessageStep message_step;
  std::uint32_t flits = 0;
  std::uint32_t behind = 0;    ///< the worm behind it in the buffer, if it is behind another itself
  RouterHops run;              ///< what it does in the router to which it comes or has come, and how many times more
  std::uint32_t run_index = 0; ///< of its way: vc_index among all
  MessageStep front;           ///< while behind others: the worm in front when it came,
  std::int64_t since = 0;      ///< and when that was
  std::uint32_t passed = 0;    ///< of an adaptive routing: vc_index of the hops that it has taken
  std::uint32_t hops = 0;      ///< the same: how many there are
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
  MessageStep message_step(std::uint32_t worm) const { return heads_[worm].message_step; }

  /// The head leaves a router through a port; its node is not behind that.
  void leave(std::uint32_t worm, std::uint32_t port)
  {
    HeadOfWorm& head = heads_[worm];
    if (adaptive_) {
      passed_ports_[head.passed + head.hops++] = static_cast<std::uint8_t>(port);
    }
    if (--head.run.hops == 0) {
      head.run = runs_[++head.run_index];
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
      std::for_each_n(passed_ports_.data() + head.passed, head.hops, append);
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
    new_runs_.clear();
    ports_.append_runs(message.source, message.destination, message.message, new_runs_);
    const std::size_t first = std::size_t{number} * most_runs_;
    std::ranges::copy(new_runs_, runs_.data() + first);
    HeadOfWorm& head = heads_[number];
    head = HeadOfWorm();
    head.message_step = {message.message, message.step};
    head.flits = static_cast<std::uint32_t>(message.flits);
    head.run = new_runs_.front();
    head.run_index = static_cast<std::uint32_t>(first);
    if (adaptive_) {
      head.passed = pieces_.allocate(links());
      passed_ports_.grow(pieces_.capacity());
    }
    return number;
  }

  void remove(std::uint32_t worm)
  {
    if (adaptive_) {
      pieces_.release(heads_[worm].passed, heads_[worm].hops);
    }
    worms_.remove(worm);
  }

private:
  // Those of the way that has just been made; the routings that are adaptive take no longer ones.
  std::uint32_t links() const
  {
    std::uint32_t links = 0;
    for (const RouterHops& run : new_runs_) {
      links += run.hops;
    }
    return links - 1;
  }

  GridPorts& ports_;
  std::uint32_t most_runs_;
  bool adaptive_;
  WormTable<PipelineWorm> worms_;
  GrowingArray<HeadOfWorm> heads_;          // by worm
  GrowingArray<RouterHops> runs_;           // most_runs_ for each worm
  PieceAllocator pieces_;                   // of passed_ports_
  GrowingArray<std::uint8_t> passed_ports_; // ports
  std::vector<RouterHops> new_runs_;
};

} // namespace wormcast
