#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A message between the injection of its head and its delivery.
struct PipelineWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  FlitTimes times;
};

/// The data of a worm that routers need when its head arrives, in a cache line.
struct alignas(64) HeadOfWorm {
  static constexpr std::size_t most_runs = 5;

  MessageStep message_step;
  std::uint32_t flits = 0;
  std::uint32_t behind = 0; ///< the next worm in the buffer, if this one is behind another
  std::uint32_t passed = 0; ///< the number of runs that it has made; adaptive routing: of ports passed
  std::uint32_t left = 0;   ///< hops of the next run that it has not made; the first leaves its current router
  std::array<RouterHops, most_runs> runs; ///< its path and an empty run, unless these are more
};
static_assert(sizeof(HeadOfWorm) == 64);

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
      : ports_(ports), most_runs_(ports.most_runs() + 1), most_links_(ports.most_links()), adaptive_(adaptive),
        runs_are_near_(most_runs_ <= HeadOfWorm::most_runs)
  {}

  /// Returns the number of worms, in the network and free.
  std::uint64_t count() const { return count_; }
  PipelineWorm& operator[](std::uint32_t worm) { return worms_[worm]; }
  const PipelineWorm& operator[](std::uint32_t worm) const { return worms_[worm]; }
  HeadOfWorm& head(std::uint32_t worm) { return heads_[worm]; }
  const HeadOfWorm& head(std::uint32_t worm) const { return heads_[worm]; }
  /// Fetches what head() and take_hop() use; nothing for the number of no worm.
  void prefetch_head(std::uint32_t worm) const { __builtin_prefetch(&heads_[worm < count_ ? worm : 0], 1); }
  QueuedWorm& queued(std::uint32_t worm) { return queued_[worm]; }
  const QueuedWorm& queued(std::uint32_t worm) const { return queued_[worm]; }
  MessageStep message_step(std::uint32_t worm) const { return heads_[worm].message_step; }

  /// Returns the worm's delivery.
  Delivery delivery(std::uint32_t worm) const
  {
    return worms_[worm].delivery(worms_[worm].times.head_injected.picoseconds);
  }

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

  /// Returns the hop that the head makes next, without adaptive routing.
  [[gnu::always_inline]] PlainHop hop(std::uint32_t worm) const
  {
    const HeadOfWorm& head = heads_[worm];
    const RouterHops& run = runs_of(worm)[head.passed];
    return {.port = run.port, .range = run.range, .flits = head.flits};
  }

  /// The head leaves a router through an external port.
  [[gnu::always_inline]] void leave(std::uint32_t worm, std::uint32_t port)
  {
    if (adaptive_) {
      passed_ports_[std::size_t{worm} * most_links_ + heads_[worm].passed++] = static_cast<std::uint8_t>(port);
    } else {
      make_hop(worm);
    }
  }

  /// The same when the head enters a router, without adaptive routing: returns the hop that it makes next.
  [[gnu::always_inline]] PlainHop take_hop(std::uint32_t worm)
  {
    const PlainHop next = hop(worm);
    make_hop(worm);
    return next;
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
      std::for_each_n(passed_ports_.data() + std::size_t{worm} * most_links_, head.passed, append);
      return;
    }
    for (const RouterHops* run = runs_of(worm); run->port != ports_.node_port(); ++run) {
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
    HeadOfWorm& head = heads_[number];
    head.message_step = {message.message, message.step};
    head.flits = static_cast<std::uint32_t>(message.flits);
    head.passed = 0;
    if (!adaptive_) {
      RouterHops* const runs = runs_of(number);
      *ports_.write_runs(message.source, message.destination, message.message, runs) = RouterHops();
      head.left = runs->hops;
    }
    return number;
  }

private:
  // Whether its runs are near is known for all worms, and so the branch is predictable.
  RouterHops* runs_of(std::uint32_t worm)
  {
    return runs_are_near_ ? heads_[worm].runs.data() : runs_.data() + std::size_t{worm} * most_runs_;
  }
  const RouterHops* runs_of(std::uint32_t worm) const
  {
    return runs_are_near_ ? heads_[worm].runs.data() : runs_.data() + std::size_t{worm} * most_runs_;
  }

  // It has no branch that depends on the path, which would be unpredictable.
  [[gnu::always_inline]] void make_hop(std::uint32_t worm)
  {
    HeadOfWorm& head = heads_[worm];
    const std::uint32_t left = head.left - 1;
    const std::uint32_t ends = left == 0 ? 1 : 0;
    const std::uint32_t passed = head.passed + ends;
    head.left = left | (runs_of(worm)[passed].hops & -ends);
    head.passed = passed;
  }

  void provide_more(WormNumbers& numbers, std::size_t adds)
  {
    const std::uint32_t end = count_ + static_cast<std::uint32_t>(adds - numbers.free.size());
    worms_.grow(end);
    heads_.grow(end);
    queued_.grow(end);
    runs_.grow(adaptive_ || runs_are_near_ ? 0 : std::size_t{end} * most_runs_);
    passed_ports_.grow(adaptive_ ? std::size_t{end} * most_links_ : 0);
    while (count_ < end) {
      numbers.free.push_back(count_++);
    }
  }

  const GridPorts& ports_;
  std::uint32_t most_runs_;
  std::uint32_t most_links_;
  bool adaptive_;
  bool runs_are_near_; // in HeadOfWorm
  std::uint32_t count_ = 0;
  GrowingArray<PipelineWorm> worms_;        // the first count_ of it
  GrowingArray<HeadOfWorm> heads_;          // by worm
  GrowingArray<QueuedWorm> queued_;         // the same
  GrowingArray<RouterHops> runs_;           // where they are not near, most_runs_ entries for each worm
  GrowingArray<std::uint8_t> passed_ports_; // with adaptive routing most_links_ entries for each worm
};

} // namespace wormcast
