#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_routers.hpp"
#include "wormcast/simulator/engines/input_queued/mask_bits.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace wormcast {

/// Allocation by bit masks. It needs at most 64 virtual channels in a router, islip allocators without priorities,
/// speculation only by piggyback, one crossbar input for an input port, and headers that choose neither among output
/// ports nor among less than half of the virtual channels. The cost of a router's cycle does not depend on the number
/// of waiting heads: as each head requests one output port, each port is matched on its own, and a round-robin choice
/// is a count of trailing zeros.
class MaskAllocation {
public:
  static constexpr bool general = false;
  static constexpr bool several_steps = false;

  /// For `routers` of them, which are numbered from 0.
  MaskAllocation(const CycleLayout& layout, std::uint32_t routers, const PipelineParameters& pipeline)
      : layout_(layout), port_of_(layout.port_of.data()), vcs_(layout.vcs), speculative_(pipeline.speculative),
        iterations_(pipeline.islip_iterations), router_requests_(routers),
        port_requests_(layout.port_index(routers, 0), {.speculative = static_cast<std::uint16_t>(layout.vcs - 1)}),
        channel_of_outputs_(speculative_ ? 0 : layout.vc_index(routers, 0)),
        channel_of_inputs_(channel_of_outputs_.size())
  {}

  static bool suits(const CycleLayout& layout, const PipelineParameters& pipeline)
  {
    return !is_adaptive(pipeline.routing) && !layout.quarters && layout.width <= 64 &&
           pipeline.speculative == pipeline.piggyback && pipeline.priority == FlitPriority::none &&
           (pipeline.speculative || pipeline.virtual_channel_allocator == AllocatorKind::islip) &&
           pipeline.switch_allocator == AllocatorKind::islip && pipeline.input_speedup == 1;
  }

private:
  static constexpr std::uint32_t most_ports = 32;

  struct RouterRequests {
    std::uint64_t ports = 0;   // bits of the output ports at which inputs request a virtual channel and, from bit 32
                               // on, of those for which they request the crossbar
    std::uint64_t latched = 0; // the inputs with a latched cause of their wait
  };

  // The requests at an output port, and the round-robin pointers of the port. A pointer that is one behind the last
  // place means the first.
  struct alignas(32) PortRequests {
    std::array<std::uint64_t, 2> channel{}; // inputs that request a virtual channel of all or the lower half, and those
                                            // that request one of the upper half
    std::uint64_t crossbar = 0;             // inputs that request the crossbar
    std::uint16_t of_output = 0;            // as output: the first virtual channel of the input port that is next
    std::uint16_t of_input = 0;             // as input: the output port that is next
    std::uint16_t offset = 0;               // as input: its virtual channel that is next
    std::uint16_t speculative = 0;          // as output: its virtual channel that the next speculative head tries first

    std::uint64_t& channel_of(const RouterInput& input) { return channel[~input.range & 1U]; }
    std::uint64_t heads() const { return channel[0] | channel[1]; }
  };

public:
  /// The requests of one router.
  struct Requests {
    RouterRequests* router = nullptr;
    PortRequests* ports = nullptr;

    void request_channel(std::uint32_t local, const RouterInput& input) const
    {
      ports[input.port].channel_of(input) |= bit(local);
      router->ports |= bit(input.port);
    }
    void withdraw_channel_request(std::uint32_t local, const RouterInput& input) const
    {
      PortRequests& port = ports[input.port];
      port.channel_of(input) &= ~bit(local);
      router->ports &= ~(std::uint64_t{port.heads() == 0} << input.port);
    }
    // These have no branches, which would be unpredictable.
    void request_crossbar(std::uint32_t local, std::uint32_t port, bool condition = true) const
    {
      ports[port].crossbar |= std::uint64_t{condition} << local;
      router->ports |= std::uint64_t{condition} << (32 + port);
    }
    void withdraw_crossbar_request(std::uint32_t local, std::uint32_t port, bool condition) const
    {
      const std::uint64_t rest = ports[port].crossbar &= ~(std::uint64_t{condition} << local);
      router->ports &= ~(std::uint64_t{rest == 0} << (32 + port));
    }
    void latch_cause(std::uint32_t local) const { router->latched |= bit(local); }
    void unlatch_cause(std::uint32_t local) const { router->latched &= ~bit(local); }
  };

  [[gnu::always_inline]] Requests requests_of(std::uint32_t router)
  {
    return {.router = router_requests_.data() + router, .ports = port_requests_.data() + layout_.port_index(router, 0)};
  }

  template <typename Routers> bool step(std::uint32_t number, Routers& routers)
  {
    return speculative_ ? step_as<true>(number, routers) : step_as<false>(number, routers);
  }

private:
  // Requests for the crossbar of a router in one cycle.
  struct CrossbarRequests {
    std::uint32_t open = 0;        // bits of the requested output ports
    std::uint64_t speculative = 0; // inputs that request the crossbar before they have a virtual channel
    std::uint64_t all = 0;         // inputs
  };

  static std::uint64_t bit(std::uint32_t vc_index) { return std::uint64_t{1} << vc_index; }
  // Longer bodies have loops of their own: compilers do not inline such closures.
  template <typename Visit> [[gnu::always_inline]] static void for_each_bit(std::uint64_t bits, Visit&& visit)
  {
    for (; bits != 0; bits &= bits - 1) {
      visit(lowest_bit(bits));
    }
  }

  static bool is_single_bit(std::uint64_t bits) { return bits != 0 && (bits & (bits - 1)) == 0; }

  template <bool speculative, typename Routers> [[gnu::noinline]] bool step_as(std::uint32_t number, Routers& routers)
  {
    const auto router = routers.router(number);
    const std::uint64_t requested = router.requests.router->ports;
    const auto requested_ports = static_cast<std::uint32_t>(requested);
    if (is_single_bit(requested) && requested_ports == 0) {
      const std::uint32_t port = lowest_bit(requested) - 32;
      const std::uint64_t inputs = router.requests.ports[port].crossbar;
      if (is_single_bit(inputs)) {
        grant_only_request(router, port, lowest_bit(inputs), routers);
        return router.requests.router->ports != 0;
      }
    }
    // The decisions of this cycle are based on the current requests.
    CrossbarRequests requests{.open = static_cast<std::uint32_t>(requested >> 32)};
    if (speculative) {
      for_each_bit(requested_ports, [&](std::uint32_t port) { speculate(router, port, requests, routers); });
    }
    const std::uint32_t offered = offer_crossbar<speculative>(router, requests);
    bool any = offered != 0;
    if (!speculative) {
      for (std::uint32_t ports = requested_ports; ports != 0; ports &= ports - 1) {
        any |= allocate_channels(router, lowest_bit(ports), routers);
      }
    }
    if (!any) {
      return false;
    }
    if (offered != 0) {
      match_crossbar<speculative>(router, requests, offered, routers);
    }
    return router.requests.router->ports != 0;
  }

  // Bits of the virtual channels of a port that the inputs of PortRequests::channel request.
  struct Ranges {
    std::uint32_t lower = 0;
    std::uint32_t upper = 0;
  };
  Ranges ranges(std::uint32_t port) const
  {
    const std::uint32_t all = layout_.all_vcs;
    const std::uint32_t half = vcs_ / 2;
    return {.lower = layout_.halves && port != layout_.node_port ? all >> half : all, .upper = all >> half << half};
  }

  // What match_crossbar() does where one input requests one output.
  template <typename Parts, typename Routers>
  [[gnu::always_inline]] void grant_only_request(const Parts& router, std::uint32_t port, std::uint32_t local,
                                                 Routers& routers)
  {
    const std::uint32_t input_port = port_of_[local];
    router.requests.ports[input_port].offset = static_cast<std::uint16_t>(local - input_port * vcs_ + 1);
    move_pointers(router.requests.ports, input_port, port);
    routers.traverse(router, local);
  }

  // An offer of output `port` has been accepted in the first iteration.
  [[gnu::always_inline]] void move_pointers(PortRequests* ports, std::uint32_t input_port, std::uint32_t port) const
  {
    ports[port].of_output = static_cast<std::uint16_t>((input_port + 1) * vcs_);
    ports[input_port].of_input = static_cast<std::uint16_t>(port + 1);
  }

  // An output is offered to the input port of the first request from its pointer on. Returns bits of the input ports
  // that have offers, in offers_.
  template <bool speculative, typename Parts>
  [[gnu::always_inline]] std::uint32_t offer_crossbar(const Parts& router, CrossbarRequests& requests)
  {
    std::uint32_t offered = 0;
    for (std::uint32_t ports = requests.open; ports != 0; ports &= ports - 1) {
      const std::uint32_t port = lowest_bit(ports);
      const PortRequests& made = router.requests.ports[port];
      const std::uint64_t inputs = speculative ? made.crossbar | (made.heads() & requests.speculative) : made.crossbar;
      crossbar_requests_[port] = inputs;
      requests.all |= inputs;
      offered |= offer(port, inputs, made.of_output);
    }
    return offered;
  }
  std::uint32_t offer(std::uint32_t port, std::uint64_t inputs, std::uint32_t pointer)
  {
    const std::uint32_t input_port = port_of_[first_bit(inputs, pointer)];
    offers_[input_port] |= 1U << port;
    return 1U << input_port;
  }

  // An input port accepts the first offer from its pointer on. The virtual channel that is sent is chosen by a round
  // robin of its own, speculative ones after all others.
  template <bool speculative, typename Parts, typename Routers>
  [[gnu::always_inline]] void match_crossbar(const Parts& router, const CrossbarRequests& requests,
                                             std::uint32_t offered, Routers& routers)
  {
    PortRequests* const ports = router.requests.ports;
    const std::uint32_t vcs = vcs_;
    const std::uint64_t all_vcs = layout_.all_vcs;
    std::uint64_t granted = 0; // inputs
    for (std::uint32_t iteration = 1;; ++iteration) {
      std::uint64_t late = 0; // heads that have a virtual channel traverse before those that are granted it here
      for (; offered != 0; offered &= offered - 1) {
        const std::uint32_t input_port = lowest_bit(offered);
        PortRequests& accepting = ports[input_port];
        const std::uint32_t port = first_bit(offers_[input_port], accepting.of_input);
        offers_[input_port] = 0;
        const std::uint32_t first = input_port * vcs;
        const std::uint64_t all = crossbar_requests_[port] >> first & all_vcs;
        const std::uint64_t firm = speculative ? all & ~(requests.speculative >> first) : all;
        const std::uint32_t vc = first_bit(speculative && firm == 0 ? all : firm, accepting.offset);
        accepting.offset = static_cast<std::uint16_t>(vc + 1);
        if (iteration == 1) {
          move_pointers(ports, input_port, port);
        }
        const std::uint32_t local = first + vc;
        granted |= bit(local);
        if (speculative && firm == 0) {
          late |= bit(local);
        } else {
          routers.traverse(router, local);
        }
      }
      if (speculative) {
        for_each_bit(late, [&](std::uint32_t local) {
          const RouterInput& input = router.inputs[local];
          routers.allocate_channel(router, local, input.port * vcs + speculative_channel(router, input));
          routers.traverse(router, local);
        });
      }
      if (iteration == iterations_) {
        break;
      }
      std::uint64_t matched = 0; // inputs of the granted input ports
      for_each_bit(granted, [&](std::uint32_t local) { matched |= all_vcs << port_of_[local] * vcs; });
      for_each_bit(requests.open, [&](std::uint32_t port) {
        const std::uint64_t inputs = crossbar_requests_[port];
        if ((inputs & granted) == 0 && (inputs & ~matched) != 0) {
          offered |= offer(port, inputs & ~matched, ports[port].of_output);
        }
      });
      if (offered == 0) {
        break;
      }
    }
    for (std::uint64_t losers = requests.all & ~granted & ~router.requests.router->latched; losers != 0;
         losers &= losers - 1) {
      const std::uint32_t local = lowest_bit(losers);
      const RouterInput& input = router.inputs[local];
      // The loss is attributed to the message that traversed to the same output port, otherwise from the same input
      // port.
      routers.lose_arbitration(router.first + local, input, [&] {
        const std::uint64_t to_port = crossbar_requests_[input.port] & granted;
        const std::uint64_t from_port = granted & all_vcs << port_of_[local] * vcs;
        return to_port != 0     ? traversed(router, lowest_bit(to_port))
               : from_port != 0 ? traversed(router, lowest_bit(from_port))
                                : input.message_step;
      });
    }
  }

  // Returns the message of a flit that traversed in this cycle, at whose input another one may be by now.
  template <typename Parts> static MessageStep traversed(const Parts& router, std::uint32_t local)
  {
    return router.outputs[router.inputs[local].output].last_owner;
  }

  // The heads at a port request the crossbar before they have a virtual channel, if there is a free one with a slot. If
  // only a slot is missing, they wait for the slot.
  template <typename Parts, typename Routers>
  void speculate(const Parts& router, std::uint32_t port, CrossbarRequests& requests, Routers& routers)
  {
    const PortRequests& made = router.requests.ports[port];
    const Ranges of = ranges(port);
    const RouterPort& vcs = router.ports[port];
    const auto request_or_wait = [&](std::uint64_t heads, std::uint32_t range) {
      const std::uint32_t free = vcs.free & range;
      if ((free & vcs.with_slot) != 0) {
        requests.speculative |= heads;
        requests.open |= std::uint32_t{heads != 0} << port;
      } else if (free != 0) {
        const std::uint32_t full = port * vcs_ + lowest_bit(free);
        for_each_bit(heads & ~router.requests.router->latched, [&](std::uint32_t local) {
          routers.attribute_wait(router.first + local, WaitCause::slot, routers.current_step(),
                                 router.outputs[full].last_owner);
        });
      }
    };
    request_or_wait(made.channel[0], of.lower);
    request_or_wait(made.channel[1], of.upper);
  }

  // Returns the virtual channel of a speculative head: the first from the output port's offset on.
  template <typename Parts> std::uint32_t speculative_channel(const Parts& router, const RouterInput& input) const
  {
    const RouterPort& vcs = router.ports[input.port];
    std::uint16_t& offset = router.requests.ports[input.port].speculative;
    const std::uint32_t vc = first_bit(vcs.free & vcs.with_slot & input.range, offset);
    offset = static_cast<std::uint16_t>(vc + 1);
    return vc;
  }

  // Returns false if no head could make a request at this port.
  template <typename Parts, typename Routers>
  [[gnu::always_inline]] bool allocate_channels(const Parts& router, std::uint32_t port, Routers& routers)
  {
    const std::uint64_t heads = router.requests.ports[port].heads();
    const std::uint32_t free = router.ports[port].free;
    if (free == 0) {
      return false;
    }
    if (!is_single_bit(heads)) {
      return allocate_to_several(router.number, port, routers);
    }
    // A single head is allocated the first channel of its range from its pointer on.
    const std::uint32_t input = lowest_bit(heads);
    const std::uint32_t permitted = free & router.inputs[input].range;
    if (permitted == 0) {
      return false;
    }
    const std::uint32_t first = port * vcs_;
    const std::uint32_t first_pointer = layout_.vc_index(router.in_band, 0);
    const std::uint32_t output =
        first_bit(std::uint64_t{permitted} << first, channel_of_inputs_[first_pointer + input]);
    channel_of_outputs_[first_pointer + output] = static_cast<std::uint16_t>(input + 1);
    channel_of_inputs_[first_pointer + input] = static_cast<std::uint16_t>(output + 1);
    routers.allocate_channel(router, input, output);
    return true;
  }

  template <typename Routers>
  [[gnu::noinline]] bool allocate_to_several(std::uint32_t number, std::uint32_t port, Routers& routers)
  {
    const auto router = routers.router(number);
    const std::array<std::uint64_t, 2> heads = router.requests.ports[port].channel;
    std::uint32_t free = router.ports[port].free;
    const Ranges of = ranges(port);
    const std::uint32_t first = port * vcs_;
    const std::uint32_t first_pointer = layout_.vc_index(router.in_band, 0);
    std::uint16_t* of_outputs = &channel_of_outputs_[first_pointer + first];
    std::uint16_t* of_inputs = &channel_of_inputs_[first_pointer];
    std::uint64_t requesting_any = 0;
    std::uint64_t winners = 0;
    std::uint32_t last_winner = 0;
    for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
      std::uint64_t offered = 0;
      for (std::uint32_t bits = free; bits != 0; bits &= bits - 1) {
        const std::uint32_t vc = lowest_bit(bits);
        const std::uint64_t requesting =
            ((of.lower >> vc & 1U) != 0 ? heads[0] : 0) | ((of.upper >> vc & 1U) != 0 ? heads[1] : 0);
        requesting_any |= requesting;
        if ((requesting & ~winners) != 0) {
          const std::uint32_t input = first_bit(requesting & ~winners, of_outputs[vc]);
          channel_offers_[input] |= 1U << vc;
          offered |= bit(input);
        }
      }
      if (offered == 0) {
        break;
      }
      winners |= offered;
      for (; offered != 0; offered &= offered - 1) {
        const std::uint32_t input = lowest_bit(offered);
        const std::uint32_t vc =
            first_bit(std::uint64_t{channel_offers_[input]} << first, of_inputs[input]) - first; // over all outputs
        channel_offers_[input] = 0;
        if (iteration == 0) {
          of_outputs[vc] = static_cast<std::uint16_t>(input + 1);
          of_inputs[input] = static_cast<std::uint16_t>(first + vc + 1);
        }
        free &= ~(1U << vc);
        last_winner = input;
        routers.allocate_channel(router, input, first + vc);
      }
    }
    for_each_bit(requesting_any & ~winners & ~router.requests.router->latched, [&](std::uint32_t input) {
      routers.attribute_wait(router.first + input, WaitCause::virtual_channel, routers.current_step(),
                             router.inputs[last_winner].message_step);
    });
    return requesting_any != 0;
  }

  const CycleLayout& layout_;
  const std::uint8_t* port_of_; // of layout_
  std::uint32_t vcs_;
  bool speculative_;
  std::uint32_t iterations_;
  std::vector<RouterRequests> router_requests_;   // by router
  std::vector<PortRequests> port_requests_;       // by port_index
  std::vector<std::uint16_t> channel_of_outputs_; // by output: pointer over inputs
  std::vector<std::uint16_t> channel_of_inputs_;  // by input: pointer over outputs

  // Of one router in one cycle:
  std::array<std::uint64_t, most_ports> crossbar_requests_{}; // by requested output port
  std::array<std::uint32_t, most_ports> offers_{}; // to an input port: bits of outputs; empty between two uses
  std::array<std::uint32_t, 64> channel_offers_{}; // to an input: bits of virtual channels; the same
};

/// The same where a cycle has several steps.
class SteppedMaskAllocation : public MaskAllocation {
public:
  using MaskAllocation::MaskAllocation;
  static constexpr bool several_steps = true;
};

} // namespace wormcast
