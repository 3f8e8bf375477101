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

/// A message between the injection of its head and its delivery.
struct PipelineWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  FlitTimes times;
};

/// The data of a worm that routers need when its head arrives, in one cache line. As the head is in one buffer at a
/// time, its position there is stored here, too.
struct alignas(16) HeadOfWorm {
  MessageStep message_step;
  std::uint32_t flits = 0;
  std::uint32_t behind = 0;    ///< the next worm in the buffer, if this one is behind another
  RouterHops run;              ///< the hops that it makes next, of which the first leaves its current router
  std::uint32_t run_index = 0; ///< index of `run` in the list of all runs
  MessageStep front;           ///< while it is behind others: the front worm at its arrival
  std::int64_t since = 0;      ///< the cycle of its arrival
  std::uint32_t passed = 0;    ///< adaptive routing: index of its first port in the list of ports passed
  std::uint32_t hops = 0;      ///< adaptive routing: the number of ports passed
};
static_assert(sizeof(HeadOfWorm) == 64);

/// The worms in the network of engine `cycle`, with their paths.
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

  /// The head leaves a router through an external port.
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

  /// Appends the external channels of the worm's path; with adaptive routing those that it has passed.
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
  // The links of the new path. Adaptive routings are minimal, so that no path is longer.
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
  GrowingArray<RouterHops> runs_;           // most_runs_ entries for each worm
  PieceAllocator pieces_;                   // of passed_ports_
  GrowingArray<std::uint8_t> passed_ports_; // ports
  std::vector<RouterHops> new_runs_;
};

} // namespace wormcast
