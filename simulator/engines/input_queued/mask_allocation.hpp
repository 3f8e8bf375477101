#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_routers.hpp"

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
  /// For `routers` of them, which are numbered from 0.
  MaskAllocation(const CycleLayout& layout, std::uint32_t routers, const PipelineParameters& pipeline)
      : layout_(layout), speculative_(pipeline.speculative), iterations_(pipeline.islip_iterations),
        ports_(layout.port_count), stride_(first_of_port + words_of_port * ports_),
        words_(std::size_t{routers} * stride_), channel_of_outputs_(speculative_ ? 0 : layout.vc_index(routers, 0)),
        channel_of_inputs_(channel_of_outputs_.size()),
        round_robins_(std::size_t{routers} * ports_, {.speculative = static_cast<std::uint16_t>(layout.vcs - 1)})
  {}

  static bool suits(const CycleLayout& layout, const PipelineParameters& pipeline)
  {
    return !is_adaptive(pipeline.routing) && !layout.quarters && layout.width <= 64 &&
           pipeline.speculative == pipeline.piggyback && pipeline.priority == FlitPriority::none &&
           (pipeline.speculative || pipeline.virtual_channel_allocator == AllocatorKind::islip) &&
           pipeline.switch_allocator == AllocatorKind::islip && pipeline.input_speedup == 1;
  }

  void request_channel(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    std::uint64_t* words = words_of(router);
    words[channel_word(input)] |= bit(local);
    words[requested] |= bit(input.port);
  }
  void withdraw_channel_request(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    std::uint64_t* words = words_of(router);
    words[channel_word(input)] &= ~bit(local);
    words[requested] &= ~(std::uint64_t{(words[lower(input.port)] | words[upper(input.port)]) == 0} << input.port);
  }
  void request_crossbar(std::uint32_t router, std::uint32_t local, std::uint32_t port)
  {
    std::uint64_t* words = words_of(router);
    words[crossbar_word(port)] |= bit(local);
    words[requested] |= bit(32 + port);
  }
  void withdraw_crossbar_request(std::uint32_t router, std::uint32_t local, std::uint32_t port)
  {
    std::uint64_t* words = words_of(router);
    const std::uint64_t rest = words[crossbar_word(port)] &= ~bit(local);
    words[requested] &= ~(std::uint64_t{rest == 0} << (32 + port));
  }
  void latch_cause(std::uint32_t router, std::uint32_t local) { words_of(router)[latched] |= bit(local); }
  void unlatch_cause(std::uint32_t router, std::uint32_t local) { words_of(router)[latched] &= ~bit(local); }

  template <typename Routers> bool step(const RouterParts& router, Routers& routers)
  {
    const std::uint64_t* words = words_of(router.in_band);
    const auto requested_ports = static_cast<std::uint32_t>(words[requested]);
    // The decisions of this cycle are based on the current requests.
    CrossbarRequests requests{.open = static_cast<std::uint32_t>(words[requested] >> 32)};
    if (speculative_) {
      for_each_bit(requested_ports, [&](std::uint32_t port) { speculate(router, port, requests, routers); });
    }
    const std::uint32_t offered = offer_crossbar(router, requests);
    bool any = offered != 0;
    if (!speculative_) {
      for_each_bit(requested_ports, [&](std::uint32_t port) { any |= allocate_channels(router, port, routers); });
    }
    if (!any) {
      return false;
    }
    if (offered != 0) {
      match_crossbar(router, requests, offered, routers);
    }
    return words[requested] != 0;
  }

private:
  static constexpr std::uint32_t most_ports = 32;

  // Round-robin pointers of the ports.
  struct RoundRobin {
    std::uint16_t of_output = 0;   // as output: the first virtual channel of the input port that is next
    std::uint16_t of_input = 0;    // as input: the output port that is next
    std::uint16_t offset = 0;      // as input: its virtual channel that is next
    std::uint16_t speculative = 0; // as output: its virtual channel that the next speculative head tries first
  };

  // Requests for the crossbar of a router in one cycle.
  struct CrossbarRequests {
    std::uint32_t open = 0;        // bits of the requested output ports
    std::uint64_t speculative = 0; // inputs that request the crossbar before they have a virtual channel
    std::uint64_t all = 0;         // inputs
  };

  static std::uint64_t bit(std::uint32_t vc_index) { return std::uint64_t{1} << vc_index; }
  template <typename Visit> static void for_each_bit(std::uint64_t bits, Visit&& visit)
  {
    for (; bits != 0; bits &= bits - 1) {
      visit(static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
  }
  // Returns the first bit from `pointer` on, in cyclic order; bits != 0. It has no branch, which would be
  // unpredictable.
  static std::uint32_t first_bit(std::uint64_t bits, std::uint32_t pointer)
  {
    return (static_cast<std::uint32_t>(std::countr_zero(std::rotr(bits, static_cast<int>(pointer)))) + pointer) & 63U;
  }

  // Words of a router: bits of the output ports at which inputs request a virtual channel and, from bit 32 on, of those
  // for which they request the crossbar; the inputs with a latched cause of their wait; and for each output port the
  // inputs that request a virtual channel of all or the lower half, those that request one of the upper half, and those
  // that request the crossbar.
  static constexpr std::uint32_t requested = 0;
  static constexpr std::uint32_t latched = 1;
  static constexpr std::uint32_t first_of_port = 2;
  static constexpr std::uint32_t words_of_port = 3;
  static std::uint32_t lower(std::uint32_t port) { return first_of_port + words_of_port * port; }
  static std::uint32_t upper(std::uint32_t port) { return lower(port) + 1; }
  static std::uint32_t crossbar_word(std::uint32_t port) { return lower(port) + 2; }
  static std::uint32_t channel_word(const RouterInput& input) { return lower(input.port) + (~input.range & 1U); }
  std::uint64_t* words_of(std::uint32_t router) { return words_.data() + std::size_t{router} * stride_; }

  // Bits of the virtual channels of a port that the inputs of lower() and upper() request.
  struct Ranges {
    std::uint32_t lower = 0;
    std::uint32_t upper = 0;
  };
  Ranges ranges(std::uint32_t port) const
  {
    const std::uint32_t all = layout_.all_vcs;
    const std::uint32_t half = layout_.vcs / 2;
    return {.lower = layout_.halves && port != layout_.node_port ? all >> half : all, .upper = all >> half << half};
  }

  // An output is offered to the input port of the first request from its pointer on. Returns bits of the input ports
  // that have offers, in offers_.
  std::uint32_t offer_crossbar(const RouterParts& router, CrossbarRequests& requests)
  {
    const std::uint64_t* words = words_of(router.in_band);
    const RoundRobin* round_robins = &round_robins_[std::size_t{router.in_band} * ports_];
    std::uint32_t offered = 0;
    for_each_bit(requests.open, [&](std::uint32_t port) {
      crossbar_requests_[port] =
          words[crossbar_word(port)] | ((words[lower(port)] | words[upper(port)]) & requests.speculative);
      requests.all |= crossbar_requests_[port];
      offered |= offer(port, crossbar_requests_[port], round_robins[port]);
    });
    return offered;
  }
  std::uint32_t offer(std::uint32_t port, std::uint64_t requests, const RoundRobin& round_robin)
  {
    const std::uint32_t input_port = layout_.port_of[first_bit(requests, round_robin.of_output)];
    offers_[input_port] |= 1U << port;
    return 1U << input_port;
  }

  // An input port accepts the first offer from its pointer on. The virtual channel that is sent is chosen by a round
  // robin of its own, speculative ones after all others.
  template <typename Routers>
  void match_crossbar(const RouterParts& router, const CrossbarRequests& requests, std::uint32_t offered,
                      Routers& routers)
  {
    RoundRobin* round_robins = &round_robins_[std::size_t{router.in_band} * ports_];
    const std::uint32_t vcs = layout_.vcs;
    const std::uint64_t all_vcs = layout_.all_vcs;
    const std::uint32_t last_port = ports_ - 1;
    std::uint64_t lost = requests.all;
    std::uint32_t input_ports = 0; // granted input ports
    std::uint32_t output_ports = 0;
    const auto grant = [&](std::uint32_t local, std::uint32_t port) {
      const std::uint32_t output = port * vcs + router.inputs[local].vc;
      granted_to_[port] = output;
      granted_from_[layout_.port_of[local]] = output;
      routers.traverse(router, local);
    };
    for (std::uint32_t iteration = 1;; ++iteration) {
      std::uint32_t speculative = 0; // heads that have a virtual channel traverse before those that are granted it here
      for_each_bit(offered, [&](std::uint32_t input_port) {
        RoundRobin& round_robin = round_robins[input_port];
        const std::uint32_t port = first_bit(offers_[input_port], round_robin.of_input);
        offers_[input_port] = 0;
        const std::uint32_t first = input_port * vcs;
        const std::uint64_t firm = (crossbar_requests_[port] & ~requests.speculative) >> first & all_vcs;
        const std::uint32_t vc =
            first_bit(firm != 0 ? firm : crossbar_requests_[port] >> first & all_vcs, round_robin.offset);
        round_robin.offset = next_vc(vc);
        if (iteration == 1) {
          round_robins[port].of_output = static_cast<std::uint16_t>(input_port == last_port ? 0 : first + vcs);
          round_robin.of_input = static_cast<std::uint16_t>(port == last_port ? 0 : port + 1);
        }
        input_ports |= 1U << input_port;
        output_ports |= 1U << port;
        const std::uint32_t local = first + vc;
        lost &= ~bit(local);
        if (firm == 0) {
          speculative |= 1U << input_port;
          granted_from_[input_port] = local;
        } else {
          grant(local, port);
        }
      });
      for_each_bit(speculative, [&](std::uint32_t input_port) {
        const std::uint32_t local = granted_from_[input_port];
        const std::uint32_t port = router.inputs[local].port;
        routers.allocate_channel(router, local,
                                 port * vcs + speculative_channel(router, router.inputs[local], round_robins[port]));
        grant(local, port);
      });
      if (iteration == iterations_) {
        break;
      }
      offered = 0;
      for_each_bit(requests.open & ~output_ports, [&](std::uint32_t port) {
        std::uint64_t unmatched = 0;
        for_each_bit(~input_ports & ((1U << ports_) - 1U),
                     [&](std::uint32_t input_port) { unmatched |= all_vcs << input_port * vcs; });
        if ((crossbar_requests_[port] & unmatched) != 0) {
          offered |= offer(port, crossbar_requests_[port] & unmatched, round_robins[port]);
        }
      });
      if (offered == 0) {
        break;
      }
    }
    for_each_bit(lost & ~words_of(router.in_band)[latched], [&](std::uint32_t local) {
      const std::uint32_t input_port = layout_.port_of[local];
      const RouterInput& input = router.inputs[local];
      // The loss is attributed to the message that traversed to the same output port, otherwise from the same input
      // port.
      const MessageStep winner =
          (output_ports >> input.port & 1U) != 0  ? router.outputs[granted_to_[input.port]].last_owner
          : (input_ports >> input_port & 1U) != 0 ? router.outputs[granted_from_[input_port]].last_owner
                                                  : input.message_step;
      routers.lose_arbitration(router, local, winner);
    });
  }

  // The heads at a port request the crossbar before they have a virtual channel, if there is a free one with a slot. If
  // only a slot is missing, they wait for the slot.
  template <typename Routers>
  void speculate(const RouterParts& router, std::uint32_t port, CrossbarRequests& requests, Routers& routers)
  {
    const std::uint64_t* words = words_of(router.in_band);
    const Ranges of = ranges(port);
    const RouterPort& vcs = router.ports[port];
    const auto request_or_wait = [&](std::uint64_t heads, std::uint32_t range) {
      const std::uint32_t free = vcs.free & range;
      if ((free & vcs.with_slot) != 0) {
        requests.speculative |= heads;
        requests.open |= std::uint32_t{heads != 0} << port;
      } else if (free != 0) {
        const std::uint32_t full = port * layout_.vcs + static_cast<std::uint32_t>(std::countr_zero(free));
        for_each_bit(heads & ~words[latched], [&](std::uint32_t local) {
          routers.attribute_wait(router, local, WaitCause::slot, routers.now(), router.outputs[full].last_owner);
        });
      }
    };
    request_or_wait(words[lower(port)], of.lower);
    request_or_wait(words[upper(port)], of.upper);
  }

  std::uint16_t next_vc(std::uint32_t vc) const
  {
    return static_cast<std::uint16_t>(vc + 1 == layout_.vcs ? 0 : vc + 1);
  }

  // Returns the virtual channel of a speculative head: the first from the output port's offset on.
  std::uint32_t speculative_channel(const RouterParts& router, const RouterInput& input, RoundRobin& round_robin) const
  {
    const RouterPort& vcs = router.ports[input.port];
    const std::uint32_t vc = first_bit(vcs.free & vcs.with_slot & input.range, round_robin.speculative);
    round_robin.speculative = next_vc(vc);
    return vc;
  }

  // Returns the next virtual channel of a port with first output `first`; the pointer is over all outputs of the
  // router.
  static std::uint32_t first_vc(std::uint32_t vcs, std::uint32_t first, std::uint32_t pointer)
  {
    return first_bit(std::uint64_t{vcs} << first, pointer) - first;
  }

  // Returns false if no head could make a request at this port.
  template <typename Routers> bool allocate_channels(const RouterParts& router, std::uint32_t port, Routers& routers)
  {
    const std::uint64_t* words = words_of(router.in_band);
    const std::uint64_t low = words[lower(port)];
    const std::uint64_t high = words[upper(port)];
    std::uint32_t free = router.ports[port].free;
    if (free == 0) {
      return false;
    }
    const Ranges of = ranges(port);
    const std::uint32_t vcs = layout_.vcs;
    const std::uint32_t last = layout_.width - 1;
    const std::uint32_t first = port * vcs;
    const std::uint32_t first_pointer = layout_.vc_index(router.in_band, 0);
    std::uint16_t* of_outputs = &channel_of_outputs_[first_pointer + first];
    std::uint16_t* of_inputs = &channel_of_inputs_[first_pointer];
    const std::uint64_t heads = low | high;
    if ((heads & (heads - 1)) == 0) { // a single head is allocated the first channel of its range from its pointer on
      free &= low != 0 ? of.lower : of.upper;
      if (free == 0) {
        return false;
      }
      const auto input = static_cast<std::uint32_t>(std::countr_zero(heads));
      const std::uint32_t vc = first_vc(free, first, of_inputs[input]);
      of_outputs[vc] = static_cast<std::uint16_t>(input == last ? 0 : input + 1);
      of_inputs[input] = static_cast<std::uint16_t>(first + vc == last ? 0 : first + vc + 1);
      routers.allocate_channel(router, input, first + vc);
      return true;
    }
    std::uint64_t requesting_any = 0;
    std::uint64_t winners = 0;
    std::uint32_t last_winner = 0;
    for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
      std::uint64_t offered = 0;
      for (std::uint32_t bits = free; bits != 0; bits &= bits - 1) {
        const auto vc = static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint64_t requesting =
            ((of.lower >> vc & 1U) != 0 ? low : 0) | ((of.upper >> vc & 1U) != 0 ? high : 0);
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
        const auto input = static_cast<std::uint32_t>(std::countr_zero(offered));
        const std::uint32_t vc = first_vc(channel_offers_[input], first, of_inputs[input]);
        channel_offers_[input] = 0;
        if (iteration == 0) {
          of_outputs[vc] = static_cast<std::uint16_t>(input == last ? 0 : input + 1);
          of_inputs[input] = static_cast<std::uint16_t>(first + vc == last ? 0 : first + vc + 1);
        }
        free &= ~(1U << vc);
        last_winner = input;
        routers.allocate_channel(router, input, first + vc);
      }
    }
    for_each_bit(requesting_any & ~winners & ~words[latched], [&](std::uint32_t input) {
      routers.attribute_wait(router, input, WaitCause::virtual_channel, routers.now(),
                             router.inputs[last_winner].message_step);
    });
    return requesting_any != 0;
  }

  const CycleLayout& layout_;
  bool speculative_;
  std::uint32_t iterations_;
  std::uint32_t ports_;
  std::uint32_t stride_;
  std::vector<std::uint64_t> words_;              // by router
  std::vector<std::uint16_t> channel_of_outputs_; // by output: pointer over inputs
  std::vector<std::uint16_t> channel_of_inputs_;  // by input: pointer over outputs
  std::vector<RoundRobin> round_robins_;          // by port

  // Of one router in one cycle:
  std::array<std::uint64_t, most_ports> crossbar_requests_{}; // by requested output port
  std::array<std::uint32_t, most_ports> offers_{};       // to an input port: bits of outputs; empty between two uses
  std::array<std::uint32_t, 64> channel_offers_{};       // to an input: bits of virtual channels; the same
  std::array<std::uint32_t, most_ports> granted_to_{};   // by output port: the output of the traversal
  std::array<std::uint32_t, most_ports> granted_from_{}; // the same, by input port
};

} // namespace wormcast
