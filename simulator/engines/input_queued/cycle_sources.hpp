#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_buffers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_calendar.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_worms.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"
#include "wormcast/simulator/engines/input_queued/router_bands.hpp"
#include "wormcast/simulator/engines/input_queued/source_queue.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// Flit hops, including those over injection channels.
struct HopCounts {
  std::uint64_t headers = 0;
  std::uint64_t flits = 0;
};

/// What the parts of engine `cycle` that move the flits of one band of routers use.
struct CycleParts {
  // The same for all bands.
  const CycleLayout& layout;
  const PipelineParameters& pipeline;
  const RouterBands& bands;
  CycleWorms& worms;
  BandCalendars& calendars;
  bool wants_deliveries; ///< with the times of their flits
  // Its own.
  RouterBand band;
  WormNumbers& numbers;
  PipelineLog& log;
  HopCounts& hops;

  /// Returns the calendar of the events that this band makes for itself.
  CycleCalendar& calendar() const { return calendars.between(band.number, band.number); }
};

/// The source queues and injection channels of a band's nodes (docs/routers.md, "Order inside a cycle", 3): one message
/// at a time, at most one flit in a cycle. Only nodes that can send are stepped.
class CycleSources {
public:
  using Cycle = std::int64_t;

  CycleSources(const CycleParts& parts, bool wants_port_releases);

  bool any_awake() const { return !awake_.empty(); }
  /// Returns a number of messages of which no more can leave their queues in one cycle, if `more` come.
  std::size_t most_heads(std::size_t more) const
  {
    return std::min<std::size_t>(sources_.size(), waiting_.size() + more);
  }
  /// Returns the number of messages in the queues.
  std::uint64_t waiting() const { return waiting_.size(); }

  void enqueue(const NewMessage& message);
  /// A slot of virtual channel `vc_index` % V of the band's node `vc_index` / V becomes free.
  void receive_credit(std::uint32_t vc_index, Cycle now);
  /// Each node sends at most one flit; call it at most once in a cycle per node.
  void send(Cycle now);

  /// Calls visit(waiting, its first cycle, the message ahead of it, node) for each message in a queue; `in_router`
  /// returns the worm at the front of the node's input in its router, or nothing.
  template <typename InRouter, typename Visit> void for_each_waiting(InRouter&& in_router, Visit&& visit) const
  {
    for (std::uint32_t place = 0; place < sources_.size(); ++place) {
      const std::uint32_t node = parts_.band.first + place;
      const Source& source = sources_[place];
      if (source.queue.empty()) {
        continue;
      }
      const std::uint32_t behind = source.worm != nothing ? source.worm : in_router(node);
      MessageStep front = behind != nothing ? parts_.worms.message_step(behind) : source.last;
      waiting_.for_each(source.queue, [&](const NewMessage& message) {
        const MessageStep waiting{message.message, message.step};
        visit(waiting, message.time, front, node);
        front = waiting;
      });
    }
  }
  /// After a run that stopped: releases the injection channels in cycle `end`.
  void release_all(Cycle end);

private:
  static constexpr std::uint32_t nothing = CycleLayout::nothing;

  struct Source {
    SourceQueue queue;
    std::uint32_t worm = nothing; // the worm that it sends
    std::uint32_t left = 0;       // flits that it has not sent
    std::uint16_t free_vcs = 0;
    std::uint16_t draining_vcs = 0;
    std::uint8_t vc = 0;      // virtual channel of the worm
    std::uint8_t next_vc = 0; // the virtual channel that the next head tries first
    bool awake = false;
    WaitCause cause = WaitCause::channel; // why the first message of the queue waits
    MessageStep holder;
    MessageStep last;      // the last message that it sent completely
    Cycle last_cycle = -1; // the last cycle in which it sent a flit
  };
  struct Granted {
    Cycle since = 0;
    MessageStep owner;
  };

  // Nodes by their places in the band.
  bool step(std::uint32_t node, Cycle now);
  std::uint32_t free_vc(std::uint32_t node, Source& source) const;
  void enter(std::uint32_t node, Source& source, std::uint32_t vc, Cycle now);
  void finish(std::uint32_t node, Source& source, Cycle now);
  void release(std::uint32_t node, std::uint32_t vc, Cycle cycle);
  void wake(std::uint32_t node);
  Resource injection(std::uint32_t node) const { return CycleLayout::injection(parts_.band.first + node); }

  CycleParts parts_;
  CycleCalendar& calendar_;
  bool wants_port_releases_;
  std::vector<Source> sources_;      // by node
  std::vector<std::uint32_t> slots_; // by node and virtual channel: free slots
  std::vector<Granted> granted_;     // the same, where occupancy is recorded
  std::vector<std::uint32_t> awake_; // nodes that may send
  WaitingMessages waiting_;          // in the queues
};

} // namespace wormcast
