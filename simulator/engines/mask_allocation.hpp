#pragma once

#include "wormcast/simulator/engines/cycle_routers.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace wormcast {

/// Allocation by bit masks, where 64 bits hold the virtual channels of a router and both allocators are islip without
/// priorities or speculation, and headers have no choice between output ports. The cost of a router's cycle does not
/// depend on how many heads wait in vain: as every head asks at one output port, each port is matched on its own, and a
/// round-robin choice is a count of trailing zeros.
class MaskAllocation {
public:
  MaskAllocation(const CycleLayout& layout, const PipelineParameters& pipeline)
      : layout_(layout), iterations_(pipeline.islip_iterations), ports_(layout.port_count), stride_(3 * ports_ + 2),
        words_(std::size_t{layout.routers} * stride_), channel_of_outputs_(layout.places()),
        channel_of_inputs_(layout.places()), turns_(std::size_t{layout.routers} * ports_), grants_(ports_)
  {}

  static bool suits(const CycleLayout& layout, const PipelineParameters& pipeline)
  {
    return !is_adaptive(pipeline.routing) && layout.width <= 64 && !pipeline.speculative &&
           pipeline.priority == FlitPriority::none && pipeline.virtual_channel_allocator == AllocatorKind::islip &&
           pipeline.switch_allocator == AllocatorKind::islip;
  }

  void want(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    wanting(router, input) |= bit(local);
    word(router, asked_ports()) |= bit(input.port);
  }
  void want_no_more(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    wanting(router, input) &= ~bit(local);
    if ((word(router, 2 * input.port) | word(router, 2 * input.port + 1)) == 0) {
      word(router, asked_ports()) &= ~bit(input.port);
    }
  }
  void bid(std::uint32_t router, std::uint32_t local, std::uint32_t port)
  {
    word(router, 2 * ports_ + port) |= bit(local);
    word(router, asked_ports()) |= bit(32 + port);
  }
  void bid_no_more(std::uint32_t router, std::uint32_t local, std::uint32_t port)
  {
    std::uint64_t& bids = word(router, 2 * ports_ + port);
    bids &= ~bit(local);
    if (bids == 0) {
      word(router, asked_ports()) &= ~bit(32 + port);
    }
  }
  void settle(std::uint32_t router, std::uint32_t local) { word(router, settled()) |= bit(local); }
  void unsettle(std::uint32_t router, std::uint32_t local) { word(router, settled()) &= ~bit(local); }

  template <typename Routers> bool step(std::uint32_t router, Routers& routers)
  {
    const std::uint64_t asked = word(router, asked_ports());
    const auto bidding_ports = static_cast<std::uint32_t>(asked >> 32);
    const auto wanted_ports = static_cast<std::uint32_t>(asked);
    matched_ = 0;
    const std::uint64_t bids = bidding_ports != 0 ? match_crossbar(router, bidding_ports) : 0;
    bool any = bids != 0;
    for (std::uint32_t ports = wanted_ports; ports != 0; ports &= ports - 1) {
      any |= give_channels(router, static_cast<std::uint32_t>(std::countr_zero(ports)), routers);
    }
    if (!any) {
      return false;
    }
    carry_out_matches(router, bids, routers);
    return word(router, asked_ports()) != 0;
  }

private:
  static constexpr std::uint32_t most_ports = 64;

  // An input port's match, and its virtual channel.
  struct Match {
    std::uint16_t local = 0;
    std::uint16_t input_port = 0;
    std::uint16_t output_port = 0;
  };
  // Round-robin pointers of the ports.
  struct Turn {
    std::uint16_t of_output = 0; // the first virtual channel of the input port whose turn it is
    std::uint16_t of_input = 0;  // the output port
    std::uint16_t offset = 0;    // the virtual channel of the input port
  };

  static std::uint64_t bit(std::uint32_t place) { return std::uint64_t{1} << place; }
  // The first bit from `pointer` on, in cyclic order; bits != 0. Without a branch, which nobody could predict.
  static std::uint32_t first_bit(std::uint64_t bits, std::uint32_t pointer)
  {
    return (static_cast<std::uint32_t>(std::countr_zero(std::rotr(bits, static_cast<int>(pointer)))) + pointer) & 63U;
  }

  // Of a router: by output port the inputs that want a virtual channel of all or the lower half, and of the upper one;
  // by output port the inputs that bid for it; those whose waits are settled; and bits of the ports that may have any.
  std::uint64_t& word(std::uint32_t router, std::uint32_t place)
  {
    return words_[std::size_t{router} * stride_ + place];
  }
  std::uint32_t settled() const { return 3 * ports_; }
  std::uint32_t asked_ports() const { return 3 * ports_ + 1; }
  std::uint64_t& wanting(std::uint32_t router, const RouterInput& input)
  {
    return word(router, 2 * input.port + (input.first == 0 ? 0 : 1));
  }

  // Fills matches_, and returns all inputs that bid. An output offers itself to the input port of the bid that is the
  // first from its pointer on; which of that port's virtual channels goes is its own round robin.
  std::uint64_t match_crossbar(std::uint32_t router, std::uint32_t open)
  {
    const std::uint64_t* bids = &word(router, 2 * ports_);
    Turn* turns = &turns_[std::size_t{router} * ports_];
    const std::uint8_t* port_of = layout_.port_of.data();
    const std::uint32_t vcs = layout_.vcs;
    const std::uint64_t all_vcs = layout_.all_vcs;
    const std::uint32_t last_port = ports_ - 1;
    std::uint64_t all = 0;
    std::uint64_t unmatched = ~std::uint64_t{0};
    for (std::uint32_t iteration = 0; iteration < iterations_; ++iteration) {
      std::uint32_t offered = 0;
      for (std::uint32_t ports = open; ports != 0; ports &= ports - 1) {
        const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
        all |= bids[port];
        const std::uint64_t asking = bids[port] & unmatched;
        if (asking != 0) {
          const std::uint32_t input_port = port_of[first_bit(asking, turns[port].of_output)];
          offers_[input_port] |= bit(port);
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
        const std::uint32_t vc = first_bit(bids[port] >> first & all_vcs, turn.offset);
        matches_[matched_++] = {static_cast<std::uint16_t>(first + vc), static_cast<std::uint16_t>(input_port),
                                static_cast<std::uint16_t>(port)};
        turn.offset = static_cast<std::uint16_t>(vc + 1 == vcs ? 0 : vc + 1);
        if (iteration == 0) {
          turns[port].of_output = static_cast<std::uint16_t>(input_port == last_port ? 0 : first + vcs);
          turn.of_input = static_cast<std::uint16_t>(port == last_port ? 0 : port + 1);
        }
        unmatched &= ~(all_vcs << first);
        open &= ~(1U << port);
      }
    }
    return all;
  }

  // False if no head could ask for anything at this port.
  template <typename Routers> bool give_channels(std::uint32_t router, std::uint32_t port, Routers& routers)
  {
    const std::uint64_t lower = word(router, 2 * port);
    const std::uint64_t upper = word(router, 2 * port + 1);
    std::uint32_t free = routers.buffers().free_vcs[layout_.port_place(router, port)];
    if (free == 0) {
      return false;
    }
    const std::uint32_t vcs = layout_.vcs;
    const std::uint32_t half = vcs / 2;
    const std::uint32_t end_of_lower = layout_.halves && port != layout_.node_port ? vcs - half : vcs;
    const std::uint32_t last = layout_.width - 1;
    const std::uint32_t first = port * vcs;
    std::uint16_t* of_outputs = &channel_of_outputs_[layout_.place(router, first)];
    std::uint16_t* of_inputs = &channel_of_inputs_[layout_.place(router, 0)];
    const std::uint64_t heads = lower | upper;
    if ((heads & (heads - 1)) == 0) { // one head alone takes the first of its range from its pointer on
      const std::uint32_t range =
          (lower != 0 ? (1U << end_of_lower) - 1 : 0) | (upper != 0 ? layout_.all_vcs >> half << half : 0);
      free &= range;
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
        const std::uint64_t asking = (vc < end_of_lower ? lower : 0) | (vc >= half ? upper : 0);
        asking_any |= asking;
        if ((asking & ~winners) != 0) {
          const std::uint32_t input = first_bit(asking & ~winners, of_outputs[vc]);
          offers_[input] |= bit(vc);
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
        const std::uint32_t vc = first_bit(offers_[input], pointer < vcs ? pointer : 0);
        offers_[input] = 0;
        if (iteration == 0) {
          of_outputs[vc] = static_cast<std::uint16_t>(input == last ? 0 : input + 1);
          of_inputs[input] = static_cast<std::uint16_t>(first + vc == last ? 0 : first + vc + 1);
        }
        free &= ~(1U << vc);
        last_winner = input;
        routers.own(router, input, first + vc);
      }
    }
    for (std::uint64_t bits = asking_any & ~winners & ~word(router, settled()); bits != 0; bits &= bits - 1) {
      const std::uint32_t place = layout_.place(router, static_cast<std::uint32_t>(std::countr_zero(bits)));
      std::vector<RouterInput>& inputs = routers.buffers().inputs;
      routers.blame(place, inputs[place], WaitCause::virtual_channel, routers.now(),
                    inputs[layout_.place(router, last_winner)].claim);
    }
    return asking_any != 0;
  }

  template <typename Routers> void carry_out_matches(std::uint32_t router, std::uint64_t bids, Routers& routers)
  {
    std::vector<RouterInput>& inputs = routers.buffers().inputs;
    for (std::uint32_t i = 0; i < matched_; ++i) {
      bids &= ~bit(matches_[i].local);
    }
    bids &= ~word(router, settled());
    if (bids == 0) {
      for (std::uint32_t i = 0; i < matched_; ++i) {
        routers.cross(router, matches_[i].local);
      }
      return;
    }
    grants_.clear();
    for (std::uint32_t i = 0; i < matched_; ++i) {
      const Match& match = matches_[i];
      grants_.add(match.input_port, match.output_port, inputs[layout_.place(router, match.local)].claim);
      routers.cross(router, match.local);
    }
    for (; bids != 0; bids &= bids - 1) {
      const auto local = static_cast<std::uint32_t>(std::countr_zero(bids));
      const std::uint32_t place = layout_.place(router, local);
      RouterInput& input = inputs[place];
      routers.lose(place, input, grants_.winner(layout_.port_of[local], input.port, input.claim));
    }
  }

  const CycleLayout& layout_;
  std::uint32_t iterations_;
  std::uint32_t ports_;
  std::uint32_t stride_;
  std::vector<std::uint64_t> words_;               // by router
  std::vector<std::uint16_t> channel_of_outputs_;  // by output: pointer over inputs
  std::vector<std::uint16_t> channel_of_inputs_;   // by input: pointer over outputs
  std::vector<Turn> turns_;                        // by port
  std::array<std::uint64_t, most_ports> offers_{}; // to an input: bits of outputs; empty between two uses
  std::array<Match, most_ports> matches_{};        // of the crossbar
  std::uint32_t matched_ = 0;
  CrossbarGrants grants_;
};

} // namespace wormcast
