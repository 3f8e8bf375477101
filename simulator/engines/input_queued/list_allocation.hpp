#pragma once

#include "wormcast/simulator/engines/input_queued/allocator.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_routers.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace wormcast {

/// The messages granted the crossbar in one cycle, to attribute the losses of all others.
class CrossbarGrants {
public:
  CrossbarGrants(std::uint32_t inputs, std::uint32_t outputs)
      : inputs_((inputs + 63) / 64), of_input_(inputs), of_output_(outputs)
  {}

  void clear()
  {
    std::ranges::fill(inputs_, 0);
    outputs_ = 0;
  }
  void add(std::uint32_t input, std::uint32_t output, MessageStep message_step)
  {
    inputs_[input / 64] |= std::uint64_t{1} << input % 64;
    outputs_ |= std::uint64_t{1} << output;
    of_input_[input] = message_step;
    of_output_[output] = message_step;
  }
  /// Returns the message that traversed to the same output port, otherwise from the same crossbar input, otherwise
  /// `self`.
  MessageStep winner(std::uint32_t input, std::uint32_t output, MessageStep self) const
  {
    return (outputs_ >> output & 1U) != 0                  ? of_output_[output]
           : (inputs_[input / 64] >> input % 64 & 1U) != 0 ? of_input_[input]
                                                           : self;
  }

private:
  std::vector<std::uint64_t> inputs_; // bits
  std::uint64_t outputs_ = 0;
  std::vector<MessageStep> of_input_;
  std::vector<MessageStep> of_output_;
};

/// Allocation by lists of requests: any allocators, priorities, speculation, input speed-up, and any number of virtual
/// channels.
class ListAllocation {
public:
  static constexpr bool general = true;
  static constexpr bool several_steps = true;

  /// For `routers` of them, which are numbered from 0.
  ListAllocation(const CycleLayout& layout, std::uint32_t routers, const PipelineParameters& pipeline)
      : layout_(layout), pipeline_(pipeline), speedup_(pipeline.input_speedup),
        crossbar_inputs_(layout.port_count * speedup_), words_((layout.width + 63) / 64),
        requesting_channel_(std::size_t{routers} * words_), requesting_crossbar_(requesting_channel_.size()),
        channel_of_outputs_(layout.vc_index(routers, 0)), channel_of_inputs_(channel_of_outputs_.size()),
        switch_of_outputs_(std::size_t{routers} * layout.port_count),
        switch_of_inputs_(std::size_t{routers} * crossbar_inputs_),
        input_offsets_(first_offsets(switch_of_inputs_.size(), speedup_)),
        output_offsets_(pipeline.piggyback ? layout.port_index(routers, 0) : 0,
                        static_cast<std::uint8_t>(layout.vcs - 1)),
        channel_allocator_(pipeline.virtual_channel_allocator, pipeline.islip_iterations, layout.width, layout.width),
        switch_allocator_(pipeline.switch_allocator, pipeline.islip_iterations, crossbar_inputs_, layout.port_count),
        cells_(std::size_t{crossbar_inputs_} * layout.port_count, nothing),
        channel_winners_(layout.port_count, nothing), grants_(crossbar_inputs_, layout.port_count)
  {}

  /// The requests of one router.
  struct Requests {
    ListAllocation* allocation = nullptr;
    std::uint32_t router = 0;

    void request_channel(std::uint32_t local, const RouterInput&) const
    {
      allocation->add(allocation->requesting_channel_, router, local);
    }
    void withdraw_channel_request(std::uint32_t local, const RouterInput&) const
    {
      allocation->remove(allocation->requesting_channel_, router, local);
    }
    void request_crossbar(std::uint32_t local, std::uint32_t, bool condition = true) const
    {
      if (condition) {
        allocation->add(allocation->requesting_crossbar_, router, local);
      }
    }
    void withdraw_crossbar_request(std::uint32_t local, std::uint32_t, bool condition) const
    {
      if (condition) {
        allocation->remove(allocation->requesting_crossbar_, router, local);
      }
    }
    static void latch_cause(std::uint32_t) {}
    static void unlatch_cause(std::uint32_t) {}
  };
  Requests requests_of(std::uint32_t router) { return {.allocation = this, .router = router}; }

  template <typename Routers> bool step(std::uint32_t number, Routers& routers)
  {
    const auto parts = routers.router(number);
    const std::uint32_t router = parts.in_band;
    crossbar_requests_.clear();
    for_each_bit(requesting_crossbar_, router,
                 [&](std::uint32_t local) { add_crossbar_request(parts, local, false, routers); });
    channel_requests_.clear();
    for_each_bit(requesting_channel_, router, [&](std::uint32_t local) { request_channels(parts, local, routers); });
    if (crossbar_requests_.empty() && channel_requests_.empty()) {
      return false;
    }
    std::span<const std::uint32_t> crossbar;
    if (!crossbar_requests_.empty()) {
      const std::span<std::uint16_t> of_outputs(switch_of_outputs_);
      const std::span<std::uint16_t> of_inputs(switch_of_inputs_);
      crossbar = switch_allocator_.match(
          switch_requests_,
          {.of_outputs = of_outputs.subspan(std::size_t{router} * layout_.port_count, layout_.port_count),
           .of_inputs = of_inputs.subspan(std::size_t{router} * crossbar_inputs_, crossbar_inputs_)});
    }
    if (!channel_requests_.empty()) {
      allocate_channels(parts, routers);
    }
    grants_.clear();
    for (const std::uint32_t vc_index : crossbar) {
      const AllocatorRequest& request = switch_requests_[vc_index];
      grant_crossbar(parts, crossbar_requests_[cells_[request.input * layout_.port_count + request.output]], routers);
    }
    if (crossbar_requests_.size() > crossbar.size()) {
      for (const CrossbarRequest& made : crossbar_requests_) {
        attribute_loss(parts, made, routers);
      }
    }
    for (const AllocatorRequest& request : switch_requests_) {
      cells_[request.input * layout_.port_count + request.output] = nothing;
    }
    switch_requests_.clear();
    for (std::uint32_t word = 0; word < words_; ++word) {
      if ((requesting_crossbar_[router * words_ + word] | requesting_channel_[router * words_ + word]) != 0) {
        return true;
      }
    }
    return false;
  }

private:
  static constexpr std::uint32_t nothing = CycleLayout::nothing;

  struct CrossbarRequest {
    std::uint32_t local = 0;
    std::uint32_t vc = 0;
    std::uint32_t crossbar_input = 0;
    std::uint32_t output_port = 0;
    std::int64_t priority = 0;
    bool speculative = false;
    bool granted = false;
  };

  using Bits = std::vector<std::uint64_t>; // by router and word

  void add(Bits& bits, std::uint32_t router, std::uint32_t local) const
  {
    bits[router * words_ + local / 64] |= std::uint64_t{1} << local % 64;
  }
  void remove(Bits& bits, std::uint32_t router, std::uint32_t local) const
  {
    bits[router * words_ + local / 64] &= ~(std::uint64_t{1} << local % 64);
  }
  template <typename Visit> void for_each_bit(const Bits& masks, std::uint32_t router, Visit visit) const
  {
    for (std::uint32_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = masks[router * words_ + word]; bits != 0; bits &= bits - 1) {
        visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
  }

  template <typename Parts, typename Routers>
  void request_channels(const Parts& router, std::uint32_t local, Routers& routers)
  {
    const std::uint32_t vc_index = router.first + local;
    RouterInput& input = router.inputs[local];
    if (is_adaptive(pipeline_.routing)) {
      routers.choose_output(vc_index, input);
    }
    const RouterPort& vcs = router.ports[input.port];
    const std::uint32_t free = vcs.free & input.range;
    if (free == 0) {
      if (is_adaptive(pipeline_.routing)) { // a channel that was free when the head arrived can have been allocated
        routers.attribute_wait(router.first + local, WaitCause::virtual_channel, routers.current_step(),
                               routers.waits().first_owner(vc_index, input));
      }
      return;
    }
    if (!pipeline_.piggyback) {
      const std::int64_t priority = routers.priority(vc_index, input);
      for (std::uint32_t bits = free; bits != 0; bits &= bits - 1) {
        channel_requests_.push_back(
            {.input = local,
             .output = input.port * layout_.vcs + static_cast<std::uint32_t>(std::countr_zero(bits)),
             .input_priority = 0,
             .output_priority = priority});
      }
    }
    if (!pipeline_.speculative) {
      return;
    }
    if ((free & vcs.with_slot) != 0) {
      add_crossbar_request(router, local, true, routers);
    } else if (pipeline_.piggyback) {
      const std::uint32_t full = input.port * layout_.vcs + static_cast<std::uint32_t>(std::countr_zero(free));
      routers.attribute_wait(router.first + local, WaitCause::slot, routers.current_step(),
                             router.outputs[full].last_owner);
    }
  }

  // The distance behind the offset: the lowest rank wins.
  std::uint32_t rank(std::uint32_t vc, std::uint32_t offset) const
  {
    return vc >= offset ? vc - offset : vc + layout_.vcs - offset;
  }

  static std::vector<std::uint8_t> first_offsets(std::size_t crossbar_inputs, std::uint32_t speedup)
  {
    std::vector<std::uint8_t> offsets(crossbar_inputs);
    for (std::size_t i = 0; i < crossbar_inputs; ++i) {
      offsets[i] = static_cast<std::uint8_t>(i % speedup);
    }
    return offsets;
  }

  // One request is made for all virtual channels of a crossbar input that request the same output port.
  template <typename Routers>
  void add_crossbar_request(const RouterParts& router, std::uint32_t local, bool speculative, Routers& routers)
  {
    constexpr std::int64_t lower = std::int64_t{1} << 62;
    const RouterInput& input = router.inputs[local];
    const std::uint32_t crossbar_input = layout_.port_of[local] * speedup_ + layout_.vc_of[local] % speedup_;
    const CrossbarRequest made{.local = local,
                               .vc = layout_.vc_of[local],
                               .crossbar_input = crossbar_input,
                               .output_port = input.port,
                               .priority = routers.priority(router.first + local, input) - (speculative ? lower : 0),
                               .speculative = speculative};
    const auto number = static_cast<std::uint32_t>(crossbar_requests_.size());
    crossbar_requests_.push_back(made);
    std::uint32_t& cell = cells_[crossbar_input * layout_.port_count + input.port];
    if (cell == nothing) {
      cell = number;
      switch_requests_.push_back({.input = crossbar_input,
                                  .output = input.port,
                                  .input_priority = made.priority,
                                  .output_priority = made.priority});
      return;
    }
    const CrossbarRequest& other = crossbar_requests_[cell];
    const std::uint32_t offset = input_offsets_[router.in_band * crossbar_inputs_ + crossbar_input];
    if (made.priority > other.priority ||
        (made.priority == other.priority && rank(made.vc, offset) < rank(other.vc, offset))) {
      cell = number;
      for (AllocatorRequest& request : switch_requests_) {
        if (request.input == crossbar_input && request.output == input.port) {
          request.input_priority = made.priority;
          request.output_priority = made.priority;
        }
      }
    }
  }

  template <typename Parts, typename Routers> void allocate_channels(const Parts& router, Routers& routers)
  {
    const std::uint32_t base = layout_.vc_index(router.in_band, 0);
    const std::span<const std::uint32_t> granted = channel_allocator_.match(
        channel_requests_, {.of_outputs = std::span(channel_of_outputs_).subspan(base, layout_.width),
                            .of_inputs = std::span(channel_of_inputs_).subspan(base, layout_.width)});
    for (const std::uint32_t vc_index : granted) {
      const AllocatorRequest& request = channel_requests_[vc_index];
      routers.allocate_channel(router, request.input, request.output);
      channel_winners_[layout_.port_of[request.output]] = request.input;
    }
    for (const AllocatorRequest& request : channel_requests_) {
      const RouterInput& input = router.inputs[request.input];
      if (input.state == HeadState::vc_allocation) {
        routers.attribute_wait(router.first + request.input, WaitCause::virtual_channel, routers.current_step(),
                               router.inputs[channel_winners_[input.port]].message_step);
      }
    }
  }

  template <typename Parts, typename Routers>
  void grant_crossbar(const Parts& router, CrossbarRequest& granted, Routers& routers)
  {
    input_offsets_[router.in_band * crossbar_inputs_ + granted.crossbar_input] =
        static_cast<std::uint8_t>((granted.vc + speedup_) % layout_.vcs);
    const RouterInput& input = router.inputs[granted.local];
    if (granted.speculative) {
      if (pipeline_.piggyback) {
        routers.allocate_channel(router, granted.local, first_free_output(router, input));
      } else if (input.state != HeadState::active || router.outputs[input.output].free_slots == 0) {
        return; // lost
      }
    }
    granted.granted = true;
    grants_.add(granted.crossbar_input, granted.output_port, input.message_step);
    routers.traverse(router, granted.local);
  }

  // Speculation with piggyback: from the output port's offset on.
  std::uint32_t first_free_output(const RouterParts& router, const RouterInput& input)
  {
    const std::uint32_t out_port = layout_.port_index(router.in_band, input.port);
    const RouterPort& vcs = router.ports[input.port];
    const std::uint32_t free = vcs.free & vcs.with_slot & input.range;
    const std::uint32_t first = input.port * layout_.vcs;
    const std::uint32_t offset = output_offsets_[out_port];
    for (std::uint32_t k = 0; k < layout_.vcs; ++k) {
      const std::uint32_t vc = offset + k < layout_.vcs ? offset + k : offset + k - layout_.vcs;
      if ((free >> vc & 1U) != 0) {
        output_offsets_[out_port] = static_cast<std::uint8_t>(vc + 1 == layout_.vcs ? 0 : vc + 1);
        return first + vc;
      }
    }
    throw std::logic_error("a speculative head was granted the crossbar without a virtual channel");
  }

  template <typename Parts, typename Routers>
  void attribute_loss(const Parts& router, const CrossbarRequest& made, Routers& routers)
  {
    if (made.granted) {
      return;
    }
    const RouterInput& input = router.inputs[made.local];
    // A speculative request without a virtual channel waits for that channel.
    if (input.state == HeadState::passed || !made.speculative || pipeline_.piggyback ||
        input.state == HeadState::active) {
      routers.lose_arbitration(router.first + made.local, input, [&] {
        return grants_.winner(made.crossbar_input, made.output_port, input.message_step);
      });
    }
  }

  const CycleLayout& layout_;
  const PipelineParameters& pipeline_;
  std::uint32_t speedup_;                         // crossbar inputs of a port
  std::uint32_t crossbar_inputs_;                 // of a router
  std::uint32_t words_;                           // of 64 bits for the virtual channels of a router
  Bits requesting_channel_;                       // inputs that request a virtual channel
  Bits requesting_crossbar_;                      // inputs with a virtual channel, a flit and a slot for it
  std::vector<std::uint16_t> channel_of_outputs_; // the allocators' pointers
  std::vector<std::uint16_t> channel_of_inputs_;
  std::vector<std::uint16_t> switch_of_outputs_;
  std::vector<std::uint16_t> switch_of_inputs_;
  std::vector<std::uint8_t> input_offsets_;  // by crossbar input
  std::vector<std::uint8_t> output_offsets_; // by output port, with piggyback
  Allocator channel_allocator_;
  Allocator switch_allocator_;

  // Of one router in one cycle:
  std::vector<CrossbarRequest> crossbar_requests_;
  std::vector<std::uint32_t> cells_; // by crossbar input and output port: the request that is made
  std::vector<AllocatorRequest> switch_requests_;
  std::vector<AllocatorRequest> channel_requests_;
  std::vector<std::uint32_t> channel_winners_; // by output port: an input that was granted one of its virtual channels
  CrossbarGrants grants_;
};

} // namespace wormcast
