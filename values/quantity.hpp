#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace wormcast {

/// A point in simulated time or a duration: a whole number of picoseconds. Made from a text with a unit
/// (parse_time) or from named constants, never from a bare number of unknown unit.
struct Time {
  std::int64_t picoseconds = 0;

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time a, Time b) { return {a.picoseconds + b.picoseconds}; }
  friend constexpr Time operator-(Time a, Time b) { return {a.picoseconds - b.picoseconds}; }
  friend constexpr Time operator*(std::int64_t n, Time t) { return {n * t.picoseconds}; }
  constexpr Time& operator+=(Time other)
  {
    picoseconds += other.picoseconds;
    return *this;
  }
};

/// A sum of durations, none of them negative, that cannot overflow: 2^64 times the longest Time fit.
struct TotalTime {
  __extension__ typedef unsigned __int128 Picoseconds;
  Picoseconds picoseconds = 0;

  TotalTime() = default;
  constexpr explicit TotalTime(Time time) : picoseconds(static_cast<std::uint64_t>(time.picoseconds)) {}
  constexpr TotalTime& operator+=(Time time) { return *this += TotalTime(time); }
  constexpr TotalTime& operator+=(TotalTime other)
  {
    picoseconds += other.picoseconds;
    return *this;
  }
  friend constexpr bool operator==(TotalTime, TotalTime) = default;
  friend constexpr bool operator<(TotalTime a, TotalTime b) { return a.picoseconds < b.picoseconds; }
  friend constexpr bool operator>(TotalTime a, TotalTime b) { return b < a; }
};

/// Reads "150us", "0.5us", "2ns", "1e3ps", "0s" ...; units s, ms, us (or µs), ns, ps. The value must be a whole number
/// of picoseconds that fits 64 bits, and not negative. Throws InputError (with the expected form) otherwise.
Time parse_time(std::string_view text);

/// The shortest text that parse_time reads back to the same time, in the largest unit that needs no fraction ("150us").
std::string format_time(Time time);

/// Returns a text for titles: format_time, or microseconds with a fraction if that is not longer ("0.5us", "1ns").
std::string short_time(Time time);

/// Returns microseconds as an exact decimal without trailing zeros: 3721500000 ps -> "3721.5". Also for negative times.
std::string format_microseconds(Time time);
std::string format_microseconds(TotalTime time);

/// Reads "64", "4KiB", "1MiB", "2GiB", "64B", "10kB", "1MB", "1GB", "1TiB" as a whole number of bytes. KiB = 1024
/// bytes, kB = 1000 bytes. Throws InputError on anything else, on fractions of a byte and on values above 2^62.
std::uint64_t parse_bytes(std::string_view text);

/// Returns "64 B", "4 KiB", "1.5 MiB", exact: a unit is used only if at most three decimals express the value exactly.
std::string format_bytes(std::uint64_t bytes);

} // namespace wormcast
