#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The sums of the waits of which CycleWaits makes records, in a band of routers, without the messages for which others
/// wait: for messages of one step, whose waits are of one kind wherever they wait for an external channel, in routers
/// with one step in each cycle. A head waits from the cycle in which it requests something until it is granted it, so
/// that nothing need be done in the cycles between.
class CycleWaitSums {
public:
  CycleWaitSums(const CycleLayout& layout, const PipelineLog& log)
      : cycle_(log.time_of(1)), node_port_(layout.node_port), waits_(layout.port_count + more_places),
        cycles_(waits_.size())
  {}

  /// A head waited for so many cycles, 0 or more, for an output port.
  void add(std::uint32_t port, std::int64_t cycles) { add_at(port, cycles); }
  /// The same behind another worm in the buffer of an input port.
  void add_queued(bool from_node, std::int64_t cycles) { add_at(from_node ? from_node_ : from_channel_, cycles); }
  /// Flits behind a head that has passed lost so many cycles, 0 or more, to others at the crossbar.
  void add_lost(std::int64_t cycles) { add_at(lost_, cycles); }

  void add_to(ContentionTotals& totals) const
  {
    const auto add = [&](ContentionKind kind, std::size_t place) {
      totals.add(kind, waits_[place], cycle_, cycles_[place]);
    };
    for (std::uint32_t port = 0; port < from_channel_; ++port) {
      add(port == node_port_ ? ContentionKind::port : ContentionKind::step, port);
    }
    add(ContentionKind::step, from_channel_);
    add(ContentionKind::port, from_node_);
    add(ContentionKind::sharing, lost_);
  }

private:
  static constexpr std::size_t more_places = 3;

  void add_at(std::size_t place, std::int64_t cycles)
  {
    waits_[place] += cycles != 0 ? 1 : 0;
    cycles_[place] += static_cast<std::uint64_t>(cycles);
  }

  Time cycle_;
  std::uint32_t node_port_;
  // By what is waited for: an output port, or one of three places behind them.
  std::vector<std::uint64_t> waits_;
  std::vector<std::uint64_t> cycles_; // not beside their number: a compiler would add both at once, which takes longer
  std::size_t from_channel_ = waits_.size() - more_places; // the front of a buffer
  std::size_t from_node_ = from_channel_ + 1;
  std::size_t lost_ = from_node_ + 1;
};

} // namespace wormcast
