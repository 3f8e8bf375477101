#include "wormcast/values/parameter.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// Edits that make `b` of `a`: a character put in, left out or replaced, or two neighbours that change places (optimal
/// string alignment distance). Cost O(|a| |b|).
std::size_t edit_distance(std::string_view a, std::string_view b)
{
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row.back();
}

} // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known)
{
  std::string nearest;
  std::size_t smallest = name.size() / 3 + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  constexpr std::size_t shortest_beginning = 3;
  for (const std::string& candidate : known) {
    if (nearest.empty() && name.size() >= shortest_beginning && candidate.starts_with(name)) {
      nearest = candidate;
    }
  }
  return nearest;
}

} // namespace wormcast
