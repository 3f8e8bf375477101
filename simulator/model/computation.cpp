#include "wormcast/simulator/model/computation.hpp"

#include "wormcast/simulator/random/powers_of_two.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace wormcast {

namespace {

__extension__ using ByteProduct = unsigned __int128;

constexpr std::uint64_t longest_computation = std::uint64_t{1} << 61; // picoseconds

using Entry = TimeTable::Entry;

std::uint64_t picoseconds_of(const Entry& entry)
{
  return static_cast<std::uint64_t>(entry.time.picoseconds);
}

// factor * numerator / denominator, to the nearest.
ByteProduct scaled(std::uint64_t factor, std::uint64_t numerator, std::uint64_t denominator)
{
  return (ByteProduct{factor} * numerator + denominator / 2) / denominator;
}

// Between two entries; `bytes` is between theirs.
ByteProduct interpolated(const Entry& low, const Entry& high, std::uint64_t bytes)
{
  const std::uint64_t at = fine_binary_logarithm(bytes);
  const std::uint64_t from = fine_binary_logarithm(low.bytes);
  const std::uint64_t to = fine_binary_logarithm(high.bytes);
  if (from == to) {
    return picoseconds_of(low);
  }
  const bool rises = low.time <= high.time;
  const std::uint64_t least = picoseconds_of(rises ? low : high);
  const std::uint64_t most = picoseconds_of(rises ? high : low);
  const std::uint64_t way = rises ? at - from : to - at; // from the entry with the smaller time
  if (least == 0) {
    return scaled(most, way, to - from);
  }
  // With as many binary digits behind the point as fit.
  const auto digits = static_cast<unsigned>(std::countl_zero(most)) - 2;
  const ByteProduct doublings = scaled(fine_binary_logarithm(most) - fine_binary_logarithm(least), way, to - from);
  const ByteProduct fine_time = times_power_of_two(least << digits, doublings);
  return (fine_time + (std::uint64_t{1} << digits) / 2) >> digits;
}

std::string_view without_blanks(std::string_view text)
{
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

Entry read_entry(std::string_view text)
{
  const std::size_t blank = text.find_last_of(" \t\n"); // "4 KiB 4.5us" has two
  if (blank == std::string_view::npos) {
    throw InputError(
        fmt::format("found the entry \"{}\", expected bytes and their time, such as \"4KiB 4.5us\"", text));
  }
  try {
    return {parse_bytes(without_blanks(text.substr(0, blank))), parse_time(text.substr(blank + 1))};
  } catch (const InputError& error) {
    throw InputError(fmt::format("in the entry \"{}\": {}", text, error.what()));
  }
}

} // namespace

TimeTable::TimeTable(std::vector<Entry> entries) : entries_(std::move(entries))
{
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const std::uint64_t before = i == 0 ? 0 : entries_[i - 1].bytes;
    if (entry.bytes <= before) {
      throw InputError(i == 0 ? std::string("found an entry of 0 bytes, expected at least 1")
                              : fmt::format("found an entry of {} after one of {}, expected more bytes",
                                            format_bytes(entry.bytes), format_bytes(before)));
    }
    if (entry.time < Time{} || picoseconds_of(entry) > longest_computation) {
      throw InputError(fmt::format("found the time {} for {}, expected one from 0 to {}", format_time(entry.time),
                                   format_bytes(entry.bytes),
                                   format_time(Time{static_cast<std::int64_t>(longest_computation)})));
    }
  }
}

Time TimeTable::at(std::uint64_t bytes) const
{
  if (entries_.empty() || bytes == 0) {
    return {};
  }
  const auto next = std::ranges::lower_bound(entries_, bytes, {}, &Entry::bytes);
  ByteProduct time = 0;
  if (next != entries_.end() && (next->bytes == bytes || next == entries_.begin())) {
    time = scaled(picoseconds_of(*next), bytes, next->bytes);
  } else if (next == entries_.end()) {
    time = scaled(picoseconds_of(entries_.back()), bytes, entries_.back().bytes);
  } else {
    time = interpolated(*std::prev(next), *next, bytes);
  }
  if (time > longest_computation) {
    throw InputError(fmt::format("the table's time for {} is more than {}", format_bytes(bytes),
                                 format_time(Time{static_cast<std::int64_t>(longest_computation)})));
  }
  return Time{static_cast<std::int64_t>(time)};
}

TimeTable read_time_table(std::string_view text)
{
  std::vector<Entry> entries;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    entries.push_back(read_entry(without_blanks(rest.substr(0, comma))));
    if (comma == std::string_view::npos) {
      return TimeTable(std::move(entries));
    }
    rest.remove_prefix(comma + 1);
  }
}

std::string time_table_text(const TimeTable& table)
{
  std::string text;
  for (const Entry& entry : table.entries()) {
    std::string bytes = format_bytes(entry.bytes);
    std::erase(bytes, ' ');
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", bytes, format_time(entry.time));
  }
  return text;
}

} // namespace wormcast
