#pragma once

#include "wormcast/values/names.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Measured times by numbers of bytes, and the times between and beyond them: at an entry its time; between two entries
/// the power of bytes through both, which is a line where bytes and times are logarithmic (between entries of which one
/// has no time, a line over the logarithm of bytes); below the first and above the last entry proportional to bytes.
/// Times are rounded to picoseconds and are the same on every platform.
class TimeTable {
public:
  struct Entry {
    std::uint64_t bytes = 0;
    Time time;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// A table without entries: all times are 0.
  TimeTable() = default;

  /// Throws InputError unless the bytes of the entries are positive and ascend, and no time is negative.
  explicit TimeTable(std::vector<Entry> entries);

  /// Returns the time for `bytes`; 0 for no bytes. Throws InputError if it exceeds 2^61 ps. Cost O(log entries).
  Time at(std::uint64_t bytes) const;

  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }

  friend bool operator==(const TimeTable&, const TimeTable&) = default;

private:
  std::vector<Entry> entries_;
};

/// Reads "2KiB 0us, 4KiB 4.5us, 64KiB 12us". Throws InputError with the entry that is wrong.
TimeTable read_time_table(std::string_view text);

/// Returns the text that read_time_table() reads back to the same table.
std::string time_table_text(const TimeTable& table);

/// How a node adds several partial results that it has received.
enum class Additions : std::uint8_t {
  serial,  ///< one after the other, in the order of their arrivals
  parallel ///< each at its arrival
};

/// Values of run.reduce_by.
inline constexpr auto additions_names =
    names<Additions>({{Additions::serial, "serial"}, {Additions::parallel, "parallel"}});

/// When every node copies its buffer.
enum class CopyTime : std::uint8_t {
  start, ///< before it sends
  end    ///< after it has received and added everything
};

/// Values of run.copy_at.
inline constexpr auto copy_time_names = names<CopyTime>({{CopyTime::start, "start"}, {CopyTime::end, "end"}});

/// What the nodes of a run computed, without calls and copies.
struct ComputedTotals {
  std::uint64_t count = 0; ///< additions, computations with messages of a plain list, or calculations of a program
  TotalTime time;          ///< of all of them, over all nodes
};

/// What nodes compute in an operation (docs/network-model.md, "Computation at the nodes").
struct Computation {
  TimeTable reduce; ///< the time to add a received partial result to the node's own, by its bytes
  Additions additions = Additions::serial;
  TimeTable copy; ///< the time to copy the node's buffer, by its bytes
  CopyTime copy_time = CopyTime::end;
  Time call; ///< spent by every node before all else

  /// Returns whether anything takes time.
  bool any() const { return !reduce.empty() || !copy.empty() || call != Time{}; }
};

} // namespace wormcast
