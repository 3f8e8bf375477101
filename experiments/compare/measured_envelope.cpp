#include "wormcast/experiments/compare/measured_envelope.hpp"

#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace wormcast {

std::optional<SearchRange> parse_search_range(const std::string& text)
{
  if (text == "none") {
    return std::nullopt;
  }
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    throw InputError(fmt::format("found \"{}\", expected two lengths, such as 64..1MiB, or none", text));
  }
  const SearchRange range{.first = parse_bytes(text.substr(0, dots)), .last = parse_bytes(text.substr(dots + 2))};
  if (range.first < 1 || range.last < range.first) {
    throw InputError(
        fmt::format("found \"{}\", expected a length of at least 1 byte, and one that is not smaller", text));
  }
  return range;
}

std::vector<std::uint64_t> lengths_of(const SearchRange& range, std::uint64_t also)
{
  std::vector<std::uint64_t> lengths;
  for (std::uint64_t length = range.first; length < range.last; length *= 2) {
    lengths.push_back(length);
    if (length > range.last / 2) {
      break;
    }
  }
  lengths.push_back(range.last);
  if (range.first <= also && also <= range.last && std::ranges::find(lengths, also) == lengths.end()) {
    lengths.insert(std::ranges::upper_bound(lengths, also), also);
  }
  return lengths;
}

EnvelopeSearch::EnvelopeSearch(std::size_t lines, std::span<const std::uint64_t> lengths) : lines_(lines)
{
  for (const std::uint64_t length : lengths) {
    known_.try_emplace(length);
  }
}

std::optional<std::size_t> EnvelopeSearch::winner(const Latencies& latencies)
{
  std::optional<std::size_t> winner;
  std::int64_t least = 0;
  for (const auto& [line, latency] : latencies) {
    if (latency && (!winner || *latency < least)) {
      winner = line;
      least = *latency;
    }
  }
  return winner;
}

std::vector<EnvelopeSearch::Question> EnvelopeSearch::questions() const
{
  std::map<std::size_t, std::vector<std::uint64_t>> wanted;
  for (auto left = known_.begin(); left != known_.end(); ++left) {
    const auto& [low, at_low] = *left;
    if (at_low.empty()) {
      for (std::size_t line = 0; line < lines_; ++line) {
        wanted[line].push_back(low);
      }
      continue;
    }
    const auto right = std::next(left);
    if (right == known_.end() || right->second.empty()) {
      continue;
    }
    const auto& [high, at_high] = *right;
    const auto before = winner(at_low);
    const auto behind = winner(at_high);
    if (!before || !behind || before == behind || high - low < 2) {
      continue;
    }
    const std::int64_t bound = *at_high.at(*behind);
    for (const auto& [line, latency] : at_low) {
      const auto found = at_high.find(line);
      const bool begins = !latency && found != at_high.end() && found->second;
      if (begins || (latency && (*latency <= bound || line == *behind))) {
        wanted[line].push_back(low + (high - low) / 2);
      }
    }
  }
  std::vector<Question> questions;
  for (auto& [line, lengths] : wanted) {
    questions.push_back({line, std::move(lengths)});
  }
  return questions;
}

void EnvelopeSearch::answer(std::size_t line, std::uint64_t length, std::optional<std::int64_t> latency)
{
  known_[length][line] = latency;
}

std::vector<MeasuredPiece> EnvelopeSearch::pieces() const
{
  std::vector<MeasuredPiece> pieces;
  for (const auto& [length, latencies] : known_) {
    const auto line = winner(latencies);
    if (!line) {
      continue;
    }
    if (pieces.empty() || pieces.back().line != *line) {
      pieces.push_back({.from = length, .to = length, .line = *line});
    }
    pieces.back().to = length;
  }
  return pieces;
}

} // namespace wormcast
