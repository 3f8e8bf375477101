#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"

#include <array>
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
      : cycle_(log.time_of(1)), node_port_(layout.node_port), at_ports_(layout.port_count)
  {}

  /// A head waited for so many cycles, 0 or more, for an output port.
  void add(std::uint32_t port, std::int64_t cycles) { at_ports_[port].add(static_cast<std::uint64_t>(cycles)); }
  /// The same behind another worm in the buffer of an input port.
  void add_queued(bool from_node, std::int64_t cycles)
  {
    queued_[from_node ? 1 : 0].add(static_cast<std::uint64_t>(cycles));
  }

  /// Flits behind a head that has passed lost so many cycles, 0 or more, to others at the crossbar.
  void add_lost(std::int64_t cycles) { sharing_.add(static_cast<std::uint64_t>(cycles)); }

  void add_to(ContentionTotals& totals) const
  {
    const auto add = [&](ContentionKind kind, const Sum& sum) { totals.add(kind, sum.count, cycle_, sum.cycles); };
    for (std::uint32_t port = 0; port < at_ports_.size(); ++port) {
      add(port == node_port_ ? ContentionKind::port : ContentionKind::step, at_ports_[port]);
    }
    add(ContentionKind::step, queued_[0]);
    add(ContentionKind::port, queued_[1]);
    add(ContentionKind::sharing, sharing_);
  }

private:
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t cycles = 0;

    void add(std::uint64_t wait)
    {
      count += wait != 0 ? 1 : 0;
      cycles += wait;
    }
  };

  Time cycle_;
  std::uint32_t node_port_;
  std::vector<Sum> at_ports_; // by output port
  std::array<Sum, 2> queued_; // behind worms from a channel, and from the node
  Sum sharing_;               // of worms
};

} // namespace wormcast
