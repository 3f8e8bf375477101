#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A fraction of any size, always exact.
using ExactNumber = boost::multiprecision::cpp_rational;

/// "24000/121", "38912".
std::string format_exact(const ExactNumber& number);

/// Rounded to `digits` decimals, halves away from zero, without trailing zeros: "198.347".
std::string format_rounded(const ExactNumber& number, unsigned digits);

/// Picoseconds in microseconds, rounded to six decimals.
std::string format_microseconds(const ExactNumber& picoseconds);

/// The predicted latency of an algorithm as a function of the message length L: alpha*T_s + L*beta*T_c
/// (Zhuang & Liberatore, section 2.1), in picoseconds.
struct CostLine {
  ExactNumber fixed;    ///< alpha*T_s
  ExactNumber per_byte; ///< beta*T_c

  ExactNumber at(const ExactNumber& length) const { return fixed + length * per_byte; }
};

/// The length L > 0 at which both lines give the same latency; none where there is no such length, or where they are
/// the same line.
std::optional<ExactNumber> crossing_length(const CostLine& a, const CostLine& b);

/// From this length on (to the next one's), this line is the lowest.
struct EnvelopePiece {
  ExactNumber from;
  std::size_t line = 0; ///< of equal lines the first

  friend bool operator==(const EnvelopePiece&, const EnvelopePiece&) = default;
};

/// Which line is the lowest at which length, from length 0 on. Cost O(lines^2).
std::vector<EnvelopePiece> lower_envelope(std::span<const CostLine> lines);

/// A line that counts from a length on.
struct LineFrom {
  CostLine line;
  std::uint64_t from = 0; ///< bytes
};

/// Which line is the lowest at which length from `first` to `last`, of those that count there; the first piece is at
/// `first`. Some line counts from `first` on, or there is none. Cost O(lines * pieces).
std::vector<EnvelopePiece> lower_envelope(std::span<const LineFrom> lines, std::uint64_t first, std::uint64_t last);

/// One measured point of a latency curve.
struct MeasuredLatency {
  std::uint64_t bytes = 0;
  std::int64_t picoseconds = 0;
};

/// Between these two measured lengths one curve passes the other.
struct MeasuredCrossing {
  std::uint64_t from = 0;   ///< last length before
  std::uint64_t to = 0;     ///< first length behind; the same as `from` where they meet in a measured point
  ExactNumber at;           ///< by linear interpolation
  bool first_leads = false; ///< the first curve is the lower one at the shorter lengths

  friend bool operator==(const MeasuredCrossing&, const MeasuredCrossing&) = default;
};

/// Where two measured curves, both in ascending order of lengths, cross; lengths measured for only one are left out.
std::vector<MeasuredCrossing> measured_crossings(std::span<const MeasuredLatency> first,
                                                 std::span<const MeasuredLatency> second);

} // namespace wormcast
