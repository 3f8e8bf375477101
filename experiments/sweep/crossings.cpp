#include "wormcast/experiments/sweep/crossings.hpp"

#include <algorithm>

namespace wormcast {

using boost::multiprecision::cpp_int;

std::string format_exact(const ExactNumber& number)
{
  return number.str();
}

std::string format_rounded(const ExactNumber& number, unsigned digits)
{
  const cpp_int scale = boost::multiprecision::pow(cpp_int(10), digits);
  const cpp_int numerator = boost::multiprecision::abs(boost::multiprecision::numerator(number));
  const cpp_int denominator = boost::multiprecision::denominator(number);
  const cpp_int scaled = (2 * numerator * scale + denominator) / (2 * denominator);
  std::string decimals = cpp_int(scaled % scale).str();
  decimals.insert(0, digits - std::min<std::size_t>(digits, decimals.size()), '0');
  while (!decimals.empty() && decimals.back() == '0') {
    decimals.pop_back();
  }
  std::string text = cpp_int(scaled / scale).str();
  if (!decimals.empty()) {
    text += "." + decimals;
  }
  return number < 0 && scaled != 0 ? "-" + text : text;
}

std::string format_microseconds(const ExactNumber& picoseconds)
{
  return format_rounded(picoseconds / 1'000'000, 6);
}

std::optional<ExactNumber> crossing_length(const CostLine& a, const CostLine& b)
{
  if (a.per_byte == b.per_byte) {
    return std::nullopt;
  }
  ExactNumber length = (b.fixed - a.fixed) / (a.per_byte - b.per_byte);
  if (length <= 0) {
    return std::nullopt;
  }
  return length;
}

std::vector<EnvelopePiece> lower_envelope(std::span<const CostLine> lines)
{
  std::vector<EnvelopePiece> pieces;
  if (lines.empty()) {
    return pieces;
  }
  std::size_t lowest = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].fixed < lines[lowest].fixed ||
        (lines[i].fixed == lines[lowest].fixed && lines[i].per_byte < lines[lowest].per_byte)) {
      lowest = i;
    }
  }
  pieces.push_back({0, lowest});
  while (true) {
    std::optional<EnvelopePiece> next;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].per_byte >= lines[lowest].per_byte) {
        continue; // never falls below the lowest one again
      }
      const std::optional<ExactNumber> length = crossing_length(lines[lowest], lines[i]);
      if (!next || *length < next->from || (*length == next->from && lines[i].per_byte < lines[next->line].per_byte)) {
        next = {*length, i};
      }
    }
    if (!next) {
      return pieces;
    }
    lowest = next->line;
    pieces.push_back(*next);
  }
}

namespace {

/// The first length beyond `length`, or there, at which `line` counts and falls below `lowest`, which is no higher at
/// `length`.
std::optional<ExactNumber> falls_below(const LineFrom& line, const CostLine& lowest, const ExactNumber& length)
{
  ExactNumber start = std::max(length, ExactNumber(line.from));
  if (line.line.at(start) < lowest.at(start)) {
    return start;
  }
  if (line.line.per_byte >= lowest.per_byte) {
    return std::nullopt;
  }
  return std::max(start, ExactNumber((line.line.fixed - lowest.fixed) / (lowest.per_byte - line.line.per_byte)));
}

} // namespace

std::vector<EnvelopePiece> lower_envelope(std::span<const LineFrom> lines, std::uint64_t first, std::uint64_t last)
{
  std::vector<EnvelopePiece> pieces;
  const auto lower = [&](std::size_t a, std::size_t b, const ExactNumber& at) {
    const ExactNumber time_a = lines[a].line.at(at);
    const ExactNumber time_b = lines[b].line.at(at);
    return time_a < time_b || (time_a == time_b && lines[a].line.per_byte < lines[b].line.per_byte);
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].from <= first && (pieces.empty() || lower(i, pieces.front().line, first))) {
      pieces = {{first, i}};
    }
  }
  while (!pieces.empty()) {
    const EnvelopePiece lowest = pieces.back();
    std::optional<EnvelopePiece> next;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto length = falls_below(lines[i], lines[lowest.line].line, lowest.from);
      if (length && *length <= last &&
          (!next || *length < next->from || (*length == next->from && lower(i, next->line, *length)))) {
        next = {*length, i};
      }
    }
    if (!next) {
      return pieces;
    }
    pieces.push_back(*next);
  }
  return pieces;
}

std::vector<MeasuredCrossing> measured_crossings(std::span<const MeasuredLatency> first,
                                                 std::span<const MeasuredLatency> second)
{
  std::vector<MeasuredCrossing> crossings;
  bool has_before = false;
  MeasuredLatency before; ///< last length at which the curves differ, with the difference first - second
  bool met = false;       ///< since then
  std::uint64_t meeting = 0;
  auto other = second.begin();
  for (const MeasuredLatency& point : first) {
    while (other != second.end() && other->bytes < point.bytes) {
      ++other;
    }
    if (other == second.end() || other->bytes != point.bytes) {
      continue;
    }
    const std::int64_t difference = point.picoseconds - other->picoseconds;
    if (difference == 0) {
      meeting = met ? meeting : point.bytes;
      met = true;
      continue;
    }
    if (has_before && (before.picoseconds < 0) != (difference < 0)) {
      const bool first_leads = before.picoseconds < 0;
      if (met) {
        crossings.push_back({meeting, meeting, meeting, first_leads});
      } else {
        crossings.push_back({before.bytes, point.bytes,
                             before.bytes + ExactNumber(point.bytes - before.bytes) * before.picoseconds /
                                                (ExactNumber(before.picoseconds) - difference),
                             first_leads});
      }
    }
    has_before = true;
    before = {point.bytes, difference};
    met = false;
  }
  return crossings;
}

} // namespace wormcast
