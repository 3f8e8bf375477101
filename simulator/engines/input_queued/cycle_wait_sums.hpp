#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_buffers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"
#include "wormcast/simulator/engines/input_queued/router_bands.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// The sums of the waits of which CycleWaits makes records, in a band of routers, without the messages for which others
/// wait: for messages of one step, whose waits are of one kind wherever they wait for an external channel, in routers
/// with one step in each cycle. A head waits from the cycle in which it requests something until it is granted it, so
/// that nothing need be done in the cycles between.
class CycleWaitSums {
public:
  CycleWaitSums(const CycleLayout& layout, const RouterBand& band, const PipelineLog& log)
      : cycle_(log.time_of(1)), node_port_(layout.node_port), inputs_(layout.vc_index(band.count, 0)),
        at_ports_(layout.port_count)
  {}

  /// A head waited for so many cycles, 0 or more, for an output port.
  void add(std::uint32_t port, std::int64_t cycles) { at_ports_[port].add(static_cast<std::uint64_t>(cycles)); }
  /// The same behind another worm in the buffer of an input port.
  void add_queued(bool from_node, std::int64_t cycles)
  {
    queued_[from_node ? 1 : 0].add(static_cast<std::uint64_t>(cycles));
  }

  /// Counts the loss of the crossbar in a cycle by a flit behind the head. Inputs have indices from 0 in the band.
  void count_loss(std::uint32_t input)
  {
    lost_.resize(inputs_); // at the first loss
    ++lost_[input];
  }
  /// The tail has left.
  void end_sharing(std::uint32_t input)
  {
    if (!lost_.empty()) {
      sharing_.add(std::exchange(lost_[input], 0));
    }
  }

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
  std::uint32_t inputs_;            // of the band
  std::vector<Sum> at_ports_;       // by output port
  std::array<Sum, 2> queued_;       // behind worms from a channel, and from the node
  Sum sharing_;                     // of worms
  std::vector<std::uint32_t> lost_; // by input: cycles lost by its front worm; empty: no flit has lost
};

} // namespace wormcast
