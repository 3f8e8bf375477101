#pragma once

#include "wormcast/simulator/contention.hpp"
#include "wormcast/simulator/engines/cycle_layout.hpp"
#include "wormcast/simulator/engines/instant.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// What the head in front of an input buffer is about. After `routing` and `wants` its worm is active: it owns an
/// output.
enum class HeadState : std::uint8_t { idle, routing, wants, active };

/// A virtual channel of an input port, with its buffer. No member has the type of bytes: a write to one could change
/// anything, and the compiler would read everything again.
struct RouterInput {
  std::uint32_t present = 0;                   ///< flits in the buffer
  std::uint32_t left = 0;                      ///< flits of the worm in front that have not left it
  std::uint32_t worm = CycleLayout::nothing;   ///< the one in front
  std::uint32_t behind = CycleLayout::nothing; ///< the last of those behind it, which leads to the first
  std::uint32_t hop = 0;                       ///< what the worm in front does here, in CycleWorms
  MessageClaim claim;                          ///< of the worm in front
  HeadState state = HeadState::idle;
  std::uint16_t port = 0;  ///< of the output
  std::uint16_t first = 0; ///< virtual channels that it may take there
  std::uint16_t count = 0;
  std::uint16_t vc = 0; ///< that it owns there
  bool head_gone = false;
  WaitCause cause = WaitCause::channel; ///< of the head in front; channel: it does not wait
};

/// A virtual channel of an output port.
struct RouterOutput {
  static constexpr std::uint32_t draining = CycleLayout::nothing - 1;

  std::uint32_t free_slots = 0;
  std::uint32_t owner = CycleLayout::nothing; ///< input; draining: given back when all slots are free
  MessageClaim claim;                         ///< the last owner's message
  std::int64_t granted = 0;                   ///< since when
};

/// A worm behind the one in front of an input's buffer.
struct WormBehind {
  std::uint32_t worm = CycleLayout::nothing;
  std::uint32_t next = CycleLayout::nothing; ///< of the last: the first
  std::uint32_t hop = 0;                     ///< in CycleWorms
  MessageClaim claim;
  MessageClaim front; ///< the worm in front when it came
  std::int64_t since = 0;
};

/// The buffers of all routers, and who owns what.
struct RouterBuffers {
  explicit RouterBuffers(const CycleLayout& layout)
      : inputs(layout.places()), outputs(layout.places()),
        free_vcs(std::size_t{layout.routers} * layout.port_count, static_cast<std::uint16_t>(layout.all_vcs))
  {
    for (RouterOutput& output : outputs) {
      output.free_slots = layout.slots;
    }
  }

  std::vector<RouterInput> inputs;     ///< by place
  std::vector<RouterOutput> outputs;   ///< by place
  std::vector<std::uint16_t> free_vcs; ///< by output port: bits of the outputs without owner
  WormTable<WormBehind> behind;

  /// The worm goes behind those that are in the buffer.
  void queue(RouterInput& input, WormBehind worm)
  {
    worm.front = input.claim;
    const std::uint32_t place = behind.add(worm);
    behind[place].next = input.behind == CycleLayout::nothing ? place : std::exchange(behind[input.behind].next, place);
    input.behind = place;
  }

  /// Takes out the first of those behind the one in front; there is one.
  WormBehind take_next(RouterInput& input)
  {
    const std::uint32_t next = behind[input.behind].next;
    const WormBehind worm = behind[next];
    if (next == input.behind) {
      input.behind = CycleLayout::nothing;
    } else {
      behind[input.behind].next = worm.next;
    }
    behind.remove(next);
    return worm;
  }

  /// Calls visit(worm behind) for each worm behind the one in front.
  template <typename Visit> void for_each_behind(const RouterInput& input, Visit&& visit) const
  {
    std::uint32_t place = input.behind;
    while (place != CycleLayout::nothing) {
      place = behind[place].next;
      visit(behind[place]);
      if (place == input.behind) {
        return;
      }
    }
  }
};

/// Bits of the virtual channels that the head in front may take.
inline std::uint32_t range_of(const RouterInput& input)
{
  return ((1U << input.count) - 1U) << input.first;
}

} // namespace wormcast
