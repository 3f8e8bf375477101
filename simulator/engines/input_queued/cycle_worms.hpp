#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A message between the injection of its head and its delivery.
struct PipelineWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  FlitTimes times;
};

/// The data of a worm that routers need when its head arrives, in half a cache line.
struct alignas(32) HeadOfWorm {
  MessageStep message_step;
  std::uint32_t flits = 0;
  std::uint32_t behind = 0;    ///< the next worm in the buffer, if this one is behind another
  RouterHops run;              ///< the hops that it makes next, of which the first leaves its current router
  std::uint32_t run_index = 0; ///< index of `run` in the list of all runs
  std::uint32_t hops = 0;      ///< adaptive routing: the number of ports passed
};
static_assert(sizeof(HeadOfWorm) == 32);

/// One hop of a head, and the flits of its worm.
struct PlainHop {
  std::uint16_t port = 0;
  std::uint16_t range = 0; ///< bits of the virtual channels
  std::uint32_t flits = 0;
};

/// A worm behind others in a buffer. As the head is in one buffer at a time, there is one for each worm.
struct QueuedWorm {
  MessageStep front;      ///< the message of the front worm at its arrival
  std::int64_t since = 0; ///< the cycle of its arrival
};

/// The worms behind the front worm of an input buffer, first come first served.
struct WormQueue {
  static constexpr std::uint32_t nothing = 0xffffffff;

  std::uint32_t first = nothing;
  std::uint32_t last = 0; ///< if there is a first
};

/// The numbers of worms that one band of routers gives next.
struct WormNumbers {
  std::vector<std::uint32_t> free;
};

/// The worms in the network of engine `cycle`, with their paths. Several threads may use them at the same time, each
/// those whose heads or tails it moves.
class CycleWorms {
public:
  CycleWorms(const GridPorts& ports, bool adaptive)
      : ports_(ports), most_runs_(ports.most_runs() + 1), most_links_(ports.most_links()), adaptive_(adaptive)
  {}

  /// Returns the number of worms, in the network and free.
  std::uint64_t count() const { return count_; }
  PipelineWorm& operator[](std::uint32_t worm) { return worms_[worm]; }
  const PipelineWorm& operator[](std::uint32_t worm) const { return worms_[worm]; }
  HeadOfWorm& head(std::uint32_t worm) { return heads_[worm]; }
  const HeadOfWorm& head(std::uint32_t worm) const { return heads_[worm]; }
  QueuedWorm& queued(std::uint32_t worm) { return queued_[worm]; }
  const QueuedWorm& queued(std::uint32_t worm) const { return queued_[worm]; }
  MessageStep message_step(std::uint32_t worm) const { return heads_[worm].message_step; }

  /// Adds the worm at the end of a queue.
  void push(WormQueue& queue, std::uint32_t worm)
  {
    heads_[worm].behind = WormQueue::nothing;
    (queue.first == WormQueue::nothing ? queue.first : heads_[queue.last].behind) = worm;
    queue.last = worm;
  }

  /// Removes and returns the first worm of a queue; there must be one.
  std::uint32_t pop(WormQueue& queue) const
  {
    const std::uint32_t first = queue.first;
    queue.first = heads_[first].behind;
    return first;
  }

  /// The head leaves a router through an external port.
  [[gnu::always_inline]] void leave(std::uint32_t worm, std::uint32_t port)
  {
    HeadOfWorm& head = heads_[worm];
    if (adaptive_) {
      passed_ports_[std::size_t{worm} * most_links_ + head.hops++] = static_cast<std::uint8_t>(port);
    }
    if (--head.run.hops == 0) {
      head.run = runs_[++head.run_index];
    }
  }

  /// The same when the head enters a router, without adaptive routing: returns the hop that it makes next. It has no
  /// branches, which would be unpredictable.
  [[gnu::always_inline]] PlainHop take_hop(std::uint32_t worm)
  {
    HeadOfWorm& head = heads_[worm];
    const PlainHop hop{.port = head.run.port, .range = head.run.range, .flits = head.flits};
    RouterHops rest = head.run;
    --rest.hops;
    const bool ends = rest.hops == 0;
    head.run_index += ends ? 1 : 0;
    const auto next = std::bit_cast<std::uint64_t>(runs_[head.run_index]);
    const std::uint64_t mask = std::uint64_t{0} - std::uint64_t{ends};
    head.run = std::bit_cast<RouterHops>((next & mask) | (std::bit_cast<std::uint64_t>(rest) & ~mask));
    return hop;
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
      std::for_each_n(passed_ports_.data() + std::size_t{worm} * most_links_, head.hops, append);
      return;
    }
    for (const RouterHops* run = runs_.data() + std::size_t{worm} * most_runs_; run->port != ports_.node_port();
         ++run) {
      for (std::uint32_t hop = 0; hop < run->hops; ++hop) {
        append(run->port);
      }
    }
  }

  /// Makes at least `adds` numbers free: so many calls of add() use no memory that other threads use.
  void provide(WormNumbers& numbers, std::size_t adds)
  {
    if (numbers.free.size() < adds) {
      provide_more(numbers, adds);
    }
  }

  /// Adds a worm under a number that is free.
  std::uint32_t add(const NewMessage& message, WormNumbers& numbers)
  {
    const std::uint32_t number = numbers.free.back();
    numbers.free.pop_back();
    worms_[number] = PipelineWorm(message);
    const std::size_t first = std::size_t{number} * most_runs_;
    *ports_.write_runs(message.source, message.destination, message.message, runs_.data() + first) = RouterHops();
    HeadOfWorm& head = heads_[number];
    head = HeadOfWorm();
    head.message_step = {message.message, message.step};
    head.flits = static_cast<std::uint32_t>(message.flits);
    head.run = runs_[first];
    head.run_index = static_cast<std::uint32_t>(first);
    return number;
  }

private:
  void provide_more(WormNumbers& numbers, std::size_t adds)
  {
    const std::uint32_t end = count_ + static_cast<std::uint32_t>(adds - numbers.free.size());
    worms_.grow(end);
    heads_.grow(end);
    queued_.grow(end);
    runs_.grow(std::size_t{end} * most_runs_);
    passed_ports_.grow(adaptive_ ? std::size_t{end} * most_links_ : 0);
    while (count_ < end) {
      numbers.free.push_back(count_++);
    }
  }

  const GridPorts& ports_;
  std::uint32_t most_runs_;
  std::uint32_t most_links_;
  bool adaptive_;
  std::uint32_t count_ = 0;
  GrowingArray<PipelineWorm> worms_;        // the first count_ of it
  GrowingArray<HeadOfWorm> heads_;          // by worm
  GrowingArray<QueuedWorm> queued_;         // the same
  GrowingArray<RouterHops> runs_;           // most_runs_ entries for each worm, one of them behind its last
  GrowingArray<std::uint8_t> passed_ports_; // with adaptive routing most_links_ entries for each worm
};

} // namespace wormcast
