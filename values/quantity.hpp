#pragma once

#include <compare>
#include <cstdint>
#include <numeric>
#include <optional>
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

/// The time of a byte on a channel: a rational number of picoseconds, not negative, as `picoseconds` for `bytes` bytes
/// in lowest terms. 157.5 ps are 315 ps for 2 bytes.
class ByteTime {
public:
  constexpr ByteTime() = default;
  /// A whole number of picoseconds for a byte.
  constexpr ByteTime(Time whole) : picoseconds_(whole.picoseconds) {}
  /// So many picoseconds for so many bytes; `bytes` is greater than 0.
  constexpr ByteTime(std::int64_t picoseconds, std::int64_t bytes = 1)
      : picoseconds_(picoseconds / std::gcd(picoseconds, bytes)), bytes_(bytes / std::gcd(picoseconds, bytes))
  {}

  /// Returns the numerator: the picoseconds of bytes() bytes.
  constexpr std::int64_t picoseconds() const { return picoseconds_; }
  /// Returns the denominator, 1 where a byte takes a whole number of picoseconds.
  constexpr std::int64_t bytes() const { return bytes_; }
  /// Returns the nearest double of the picoseconds of one byte.
  constexpr double nearest() const { return static_cast<double>(picoseconds_) / static_cast<double>(bytes_); }

  friend constexpr bool operator==(ByteTime, ByteTime) = default;

private:
  std::int64_t picoseconds_ = 0;
  std::int64_t bytes_ = 1;
};

/// Returns the time of so many bytes, rounded up to a picosecond; nothing where it does not fit 64 bits.
std::optional<Time> time_of_bytes(ByteTime per_byte, std::uint64_t bytes);

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

/// Reads a time as parse_time does, with up to six decimals of a picosecond: "500ns", "157.5ps", "0.1575ns". Throws
/// InputError otherwise.
ByteTime parse_byte_time(std::string_view text);

/// The shortest text that parse_byte_time reads back to the same time: as format_time, or "157.5ps". A time without
/// such a text is written as a fraction ("1/3ps").
std::string format_byte_time(ByteTime time);

/// The shortest text that parse_time reads back to the same time, in the largest unit that needs no fraction ("150us").
std::string format_time(Time time);

/// Returns a text for titles: format_time, or microseconds with a fraction if that is not longer ("0.5us", "1ns").
std::string short_time(Time time);

/// The same as short_time for the time of a byte; a fraction of a picosecond is written as by format_byte_time.
std::string short_byte_time(ByteTime time);

/// Returns microseconds as an exact decimal without trailing zeros: 3721500000 ps -> "3721.5". Also for negative times.
std::string format_microseconds(Time time);
std::string format_microseconds(TotalTime time);

/// Reads "64", "4KiB", "1MiB", "2GiB", "64B", "10kB", "1MB", "1GB", "1TiB" as a whole number of bytes. KiB = 1024
/// bytes, kB = 1000 bytes. Throws InputError on anything else, on fractions of a byte and on values above 2^62.
std::uint64_t parse_bytes(std::string_view text);

/// Returns "64 B", "4 KiB", "1.5 MiB", exact: a unit is used only if at most three decimals express the value exactly.
std::string format_bytes(std::uint64_t bytes);

} // namespace wormcast
