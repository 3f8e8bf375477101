#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// One of several processes that share the work of a command, each by itself.
struct Shard {
  std::size_t index = 0; ///< from 0
  std::size_t count = 1; ///< 1: all the work

  /// Whether it does the unit of work with this number, from 0. Neighbouring units go to different shards, with two
  /// shards in pairs at most, and units that are as far apart as there are shards do, too: an axis of a sweep with as
  /// many values does not put the same value into one shard again and again.
  bool owns(std::size_t unit) const { return (unit + unit / count) % count == index; }

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// "3/64", counted from 1.
std::string shard_text(const Shard& shard);

/// Reads "3/64". Throws InputError unless it is I/N with 1 <= I <= N <= 100,000.
Shard parse_shard(const std::string& text);

/// Which units a shard does: those that cost most are dealt first, so that all shards get as much; of equal ones the
/// first. Costs may have any unit.
std::vector<bool> owned_units(const Shard& shard, std::span<const double> costs);

} // namespace wormcast
