#pragma once

#include "wormcast/simulator/engines/cycle_routers.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// Allocation by bit masks, where 64 bits hold the virtual channels of a router, the allocators are islip without
/// priorities, speculation, if any, is by piggyback, and headers choose neither between output ports nor among less
/// than a half of the virtual channels. The cost of a router's cycle does not depend on how many heads wait in vain: as
/// every head asks at one output port, each port is matched on its own, and a round-robin choice is a count of trailing
/// zeros.
class MaskAllocation {
public:
  MaskAllocation(const CycleLayout& layout, const PipelineParameters& pipeline)
      : layout_(layout), speculative_(pipeline.speculative), iterations_(pipeline.islip_iterations),
        ports_(layout.port_count), stride_(first_of_port + words_of_port * ports_),
        words_(std::size_t{layout.routers} * stride_), channel_of_outputs_(speculative_ ? 0 : layout.places()),
        channel_of_inputs_(channel_of_outputs_.size()),
        turns_(std::size_t{layout.routers} * ports_, {.speculative = static_cast<std::uint16_t>(layout.vcs - 1)})
  {}

  static bool suits(const CycleLayout& layout, const PipelineParameters& pipeline)
  {
    return !is_adaptive(pipeline.routing) && !layout.quarters && layout.width <= 64 &&
           pipeline.speculative == pipeline.piggyback && pipeline.priority == FlitPriority::none &&
           (pipeline.speculative || pipeline.virtual_channel_allocator == AllocatorKind::islip) &&
           pipeline.switch_allocator == AllocatorKind::islip;
  }

  void want(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    std::uint64_t* words = words_of(router);
    words[wanting(input)] |= bit(local);
    words[asked] |= bit(input.port);
  }
  void want_no_more(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    std::uint64_t* words = words_of(router);
    words[wanting(input)] &= ~bit(local);
    if ((words[lower(input.port)] | words[upper(input.port)]) == 0) {
      words[asked] &= ~bit(input.port);
    }
  }
  void bid(std::uint32_t router, std::uint32_t local, std::uint32_t port)
  {
    std::uint64_t* words = words_of(router);
    words[bids(port)] |= bit(local);
    words[asked] |= bit(32 + port);
  }
  void bid_no_more(std::uint32_t router, std::uint32_t local, std::uint32_t port)
  {
    std::uint64_t* words = words_of(router);
    const std::uint64_t rest = words[bids(port)] &= ~bit(local);
    words[asked] &= ~(std::uint64_t{rest == 0} << (32 + port));
  }
  void settle(std::uint32_t router, std::uint32_t local) { words_of(router)[settled] |= bit(local); }
  void unsettle(std::uint32_t router, std::uint32_t local) { words_of(router)[settled] &= ~bit(local); }

  template <typename Routers> bool step(std::uint32_t number, Routers& routers)
  {
    const std::uint64_t* words = words_of(number);
    const auto wanted_ports = static_cast<std::uint32_t>(words[asked]);
    auto open = static_cast<std::uint32_t>(words[asked] >> 32);
    const RouterParts router = routers.router(number);
    // What is decided in this cycle is decided on the bids as they are now.
    std::uint64_t bidding = 0;
    for (std::uint32_t ports = open; ports != 0; ports &= ports - 1) {
      const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
      bids_[port] = words[bids(port)];
      bidding |= bids_[port];
    }
    bool any = bidding != 0;
    std::uint64_t speculating = 0;
    for (std::uint32_t ports = wanted_ports; ports != 0; ports &= ports - 1) {
      const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
      if (speculative_) {
        const std::uint64_t heads = speculate(router, port, routers);
        if (heads != 0) {
          speculating |= heads;
          bids_[port] = (open >> port & 1U) != 0 ? bids_[port] | heads : heads;
          open |= 1U << port;
        }
      } else {
        any |= give_channels(router, port, routers);
      }
    }
    bidding |= speculating;
    if (!any && bidding == 0) {
      return false;
    }
    if (bidding != 0) {
      match_crossbar(router, open, bidding, speculating, routers);
    }
    return words[asked] != 0;
  }

private:
  static constexpr std::uint32_t most_ports = 32;

  // Round-robin pointers of the ports.
  struct Turn {
    std::uint16_t of_output = 0;   // the first virtual channel of the input port whose turn it is
    std::uint16_t of_input = 0;    // the output port
    std::uint16_t offset = 0;      // the virtual channel of the input port
    std::uint16_t speculative = 0; // that of the output port which the next speculative head tries first
  };

  static std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
  // The first bit from `pointer` on, in cyclic order; bits != 0. Without a branch, which nobody could predict.
  static std::uint32_t first_bit(std::uint64_t bits, std::uint32_t pointer)
  {
    return (static_cast<std::uint32_t>(std::countr_zero(std::rotr(bits, static_cast<int>(pointer)))) + pointer) & 63U;
  }

  // Words of a router: bits of the output ports at which inputs want a virtual channel and, from bit 32 on, for which
  // they bid; the inputs whose waits are settled; and for each output port the inputs that want a virtual channel of
  // all or the lower half, those that want one of the upper half, and those that bid for it.
  static constexpr std::uint32_t asked = 0;
  static constexpr std::uint32_t settled = 1;
  static constexpr std::uint32_t first_of_port = 2;
  static constexpr std::uint32_t words_of_port = 3;
  static std::uint32_t lower(std::uint32_t port) { return first_of_port + words_of_port * port; }
  static std::uint32_t upper(std::uint32_t port) { return lower(port) + 1; }
  static std::uint32_t bids(std::uint32_t port) { return lower(port) + 2; }
  static std::uint32_t wanting(const RouterInput& input) { return lower(input.port) + (~input.range & 1U); }
  std::uint64_t* words_of(std::uint32_t router) { return words_.data() + std::size_t{router} * stride_; }

  // Bits of the virtual channels of a port that the inputs of lower() and upper() want.
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

  // An output offers itself to the input port of the bid that is the first from its pointer on; which of that port's
  // virtual channels goes is its own round robin, speculative ones behind all others.
  template <typename Routers>
  void match_crossbar(const RouterParts& router, std::uint32_t open, std::uint64_t bidding, std::uint64_t speculating,
                      Routers& routers)
  {
    Turn* turns = &turns_[std::size_t{router.number} * ports_];
    const std::uint32_t vcs = layout_.vcs;
    const std::uint64_t all_vcs = layout_.all_vcs;
    const std::uint32_t last_port = ports_ - 1;
    std::uint64_t unmatched = ~std::uint64_t{0};
    std::uint32_t input_ports = 0; // that have been granted
    std::uint32_t output_ports = 0;
    for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
      std::uint32_t offered = 0;
      for (std::uint32_t ports = open; ports != 0; ports &= ports - 1) {
        const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
        const std::uint64_t asking = bids_[port] & unmatched;
        if (asking != 0) {
          const std::uint32_t input_port = layout_.port_of[first_bit(asking, turns[port].of_output)];
          offers_[input_port] |= 1U << port;
          offered |= 1U << input_port;
        }
      }
      if (offered == 0) {
        break;
      }
      for (; offered != 0; offered &= offered - 1) {
        const auto input_port = static_cast<std::uint32_t>(std::countr_zero(offered));
        Turn& turn = turns[input_port];
        const std::uint32_t port = first_bit(offers_[input_port], turn.of_input);
        offers_[input_port] = 0;
        const std::uint32_t first = input_port * vcs;
        const std::uint64_t firm = (bids_[port] & ~speculating) >> first & all_vcs;
        const std::uint32_t vc = first_bit(firm != 0 ? firm : bids_[port] >> first & all_vcs, turn.offset);
        turn.offset = next_vc(vc);
        if (iteration == 0) {
          turns[port].of_output = static_cast<std::uint16_t>(input_port == last_port ? 0 : first + vcs);
          turn.of_input = static_cast<std::uint16_t>(port == last_port ? 0 : port + 1);
        }
        unmatched &= ~(all_vcs << first);
        open &= ~(1U << port);
        input_ports |= 1U << input_port;
        output_ports |= 1U << port;
        const std::uint32_t local = first + vc;
        bidding &= ~bit(local);
        if (firm == 0) {
          routers.own(router, local, port * vcs + speculative_channel(router, router.inputs[local], turns[port]));
        }
        const std::uint32_t output = port * vcs + router.inputs[local].vc;
        granted_to_[port] = output;
        granted_from_[input_port] = output;
        routers.cross(router, local);
      }
    }
    for (std::uint64_t lost = bidding & ~words_of(router.number)[settled]; lost != 0; lost &= lost - 1) {
      const auto local = static_cast<std::uint32_t>(std::countr_zero(lost));
      const std::uint32_t input_port = layout_.port_of[local];
      RouterInput& input = router.inputs[local];
      // To who crossed to the same output port, else from the same input port.
      const MessageClaim winner = (output_ports >> input.port & 1U) != 0 ? router.outputs[granted_to_[input.port]].claim
                                  : (input_ports >> input_port & 1U) != 0
                                      ? router.outputs[granted_from_[input_port]].claim
                                      : input.claim;
      routers.lose(router, local, winner);
    }
  }

  // The heads at a port that bid for the crossbar before they have a virtual channel: there is one without owner and
  // with a slot. Where there is only a slot missing, that is what they wait for.
  template <typename Routers> std::uint64_t speculate(const RouterParts& router, std::uint32_t port, Routers& routers)
  {
    const std::uint64_t* words = words_of(router.number);
    const Ranges of = ranges(port);
    const RouterPort& vcs = router.ports[port];
    std::uint64_t heads = 0;
    for (const auto& [wanting, range] :
         {std::pair(words[lower(port)], of.lower), std::pair(words[upper(port)], of.upper)}) {
      const std::uint32_t free = vcs.free & range;
      if ((free & vcs.with_slot) != 0) {
        heads |= wanting;
      } else if (free != 0) {
        const std::uint32_t full = port * layout_.vcs + static_cast<std::uint32_t>(std::countr_zero(free));
        for (std::uint64_t bits = wanting & ~words[settled]; bits != 0; bits &= bits - 1) {
          routers.blame(router, static_cast<std::uint32_t>(std::countr_zero(bits)), WaitCause::slot, routers.now(),
                        router.outputs[full].claim);
        }
      }
    }
    return heads;
  }

  std::uint16_t next_vc(std::uint32_t vc) const
  {
    return static_cast<std::uint16_t>(vc + 1 == layout_.vcs ? 0 : vc + 1);
  }

  // The virtual channel that a speculative head is given: the first from the output port's offset on.
  std::uint32_t speculative_channel(const RouterParts& router, const RouterInput& input, Turn& turn) const
  {
    const RouterPort& vcs = router.ports[input.port];
    const std::uint32_t vc = first_bit(vcs.free & vcs.with_slot & input.range, turn.speculative);
    turn.speculative = next_vc(vc);
    return vc;
  }

  // False if no head could ask for anything at this port.
  template <typename Routers> bool give_channels(const RouterParts& router, std::uint32_t port, Routers& routers)
  {
    std::uint32_t free = router.ports[port].free;
    if (free == 0) {
      return false;
    }
    const std::uint64_t* words = words_of(router.number);
    const std::uint64_t low = words[lower(port)];
    const std::uint64_t high = words[upper(port)];
    const Ranges of = ranges(port);
    const std::uint32_t vcs = layout_.vcs;
    const std::uint32_t last = layout_.width - 1;
    const std::uint32_t first = port * vcs;
    std::uint16_t* of_outputs = &channel_of_outputs_[router.first + first];
    std::uint16_t* of_inputs = &channel_of_inputs_[router.first];
    const std::uint64_t heads = low | high;
    if ((heads & (heads - 1)) == 0) { // one head alone takes the first of its range from its pointer on
      free &= low != 0 ? of.lower : of.upper;
      if (free == 0) {
        return false;
      }
      const auto input = static_cast<std::uint32_t>(std::countr_zero(heads));
      const std::uint32_t pointer = of_inputs[input] - first;
      const std::uint32_t vc = first_bit(free, pointer < vcs ? pointer : 0);
      of_outputs[vc] = static_cast<std::uint16_t>(input == last ? 0 : input + 1);
      of_inputs[input] = static_cast<std::uint16_t>(first + vc == last ? 0 : first + vc + 1);
      routers.own(router, input, first + vc);
      return true;
    }
    std::uint64_t asking_any = 0;
    std::uint64_t winners = 0;
    std::uint32_t last_winner = 0;
    for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
      std::uint64_t offered = 0;
      for (std::uint32_t bits = free; bits != 0; bits &= bits - 1) {
        const auto vc = static_cast<std::uint32_t>(std::countr_zero(bits));
        const std::uint64_t asking = ((of.lower >> vc & 1U) != 0 ? low : 0) | ((of.upper >> vc & 1U) != 0 ? high : 0);
        asking_any |= asking;
        if ((asking & ~winners) != 0) {
          const std::uint32_t input = first_bit(asking & ~winners, of_outputs[vc]);
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
        // The pointer is over all outputs of the router, the offers are of this port.
        const std::uint32_t pointer = of_inputs[input] - first;
        const std::uint32_t vc = first_bit(channel_offers_[input], pointer < vcs ? pointer : 0);
        channel_offers_[input] = 0;
        if (iteration == 0) {
          of_outputs[vc] = static_cast<std::uint16_t>(input == last ? 0 : input + 1);
          of_inputs[input] = static_cast<std::uint16_t>(first + vc == last ? 0 : first + vc + 1);
        }
        free &= ~(1U << vc);
        last_winner = input;
        routers.own(router, input, first + vc);
      }
    }
    for (std::uint64_t bits = asking_any & ~winners & ~words[settled]; bits != 0; bits &= bits - 1) {
      routers.blame(router, static_cast<std::uint32_t>(std::countr_zero(bits)), WaitCause::virtual_channel,
                    routers.now(), router.inputs[last_winner].claim);
    }
    return asking_any != 0;
  }

  const CycleLayout& layout_;
  bool speculative_;
  std::uint32_t iterations_;
  std::uint32_t ports_;
  std::uint32_t stride_;
  std::vector<std::uint64_t> words_;              // by router
  std::vector<std::uint16_t> channel_of_outputs_; // by output: pointer over inputs
  std::vector<std::uint16_t> channel_of_inputs_;  // by input: pointer over outputs
  std::vector<Turn> turns_;                       // by port

  // Of one router in one cycle:
  std::array<std::uint64_t, most_ports> bids_{};         // by output port, where there are any
  std::array<std::uint32_t, most_ports> offers_{};       // to an input port: bits of outputs; empty between two uses
  std::array<std::uint32_t, 64> channel_offers_{};       // to an input: bits of virtual channels; the same
  std::array<std::uint32_t, most_ports> granted_to_{};   // by output port: the output that was crossed to
  std::array<std::uint32_t, most_ports> granted_from_{}; // the same, by input port
};

} // namespace wormcast
