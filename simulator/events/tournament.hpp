#pragma once

#include "wormcast/simulator/model/message_source.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The next of a fixed number of players, each with one time: a tournament tree (Knuth, The Art of Computer Programming
/// 3, 5.4.1). Of players with equal times the one of lowest number is first.
///
/// | operation         | cost                                    |
/// |-------------------|-----------------------------------------|
/// | next_time, winner | O(1)                                    |
/// | set               | O(log players), the same for every time |
/// | memory            | 32 bytes a player, at most doubled      |
class Tournament {
public:
  /// The times of all players are `never`.
  explicit Tournament(std::uint32_t players)
      : leaves_(std::bit_ceil(players)), matches_(2 * std::size_t{leaves_}, Player{never, 0})
  {
    for (std::uint32_t player = 0; player < leaves_; ++player) {
      matches_[leaves_ + player].number = player;
    }
    for (std::size_t match = leaves_ - std::size_t{1}; match > 0; --match) {
      matches_[match].number = matches_[2 * match].number;
    }
  }

  std::int64_t next_time() const { return matches_[1].time; }
  /// Returns the player with time next_time().
  std::uint32_t winner() const { return matches_[1].number; }

  /// Sets the time of `player`; `never`: it is never next.
  void set(std::uint32_t player, std::int64_t time)
  {
    Player best{time, player};
    std::size_t node = std::size_t{leaves_} + player;
    matches_[node] = best;
    while (node > 1) {
      // Players of lower numbers are on the left, at even nodes, and win where times are equal. No branches: they would
      // be unpredictable.
      const Player& other = matches_[node ^ 1];
      const bool loses = (other.time < best.time) | ((other.time == best.time) & ((node & 1) != 0));
      const std::uint64_t mask = 0 - std::uint64_t{loses};
      best.time ^= (best.time ^ other.time) & static_cast<std::int64_t>(mask);
      best.number ^= (best.number ^ other.number) & static_cast<std::uint32_t>(mask);
      node /= 2;
      matches_[node] = best;
    }
  }

private:
  struct Player {
    std::int64_t time = never;
    std::uint32_t number = 0;
  };

  std::uint32_t leaves_;
  std::vector<Player> matches_; // winners: 1 is the last match, 2i and 2i + 1 are the matches before i
};

} // namespace wormcast
