#include "wormcast/experiments/process/shard.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace wormcast {

namespace {

constexpr std::size_t most_shards = 100'000;

/// Returns 0 for a text that is not a whole number.
std::size_t shard_number(std::string_view text)
{
  return number_of_text<std::size_t>(text).value_or(0);
}

} // namespace

std::string shard_text(const Shard& shard)
{
  return fmt::format("{}/{}", shard.index + 1, shard.count);
}

Shard parse_shard(const std::string& text)
{
  const std::size_t slash = text.find('/');
  const std::size_t index = shard_number(std::string_view(text).substr(0, slash));
  const std::size_t count = slash == std::string::npos ? 0 : shard_number(std::string_view(text).substr(slash + 1));
  if (index < 1 || index > count || count > most_shards) {
    throw InputError(fmt::format("--shard: found \"{}\", expected I/N with 1 <= I <= N <= {}, such as 3/64 for the "
                                 "third of 64 shards",
                                 text, most_shards));
  }
  return {.index = index - 1, .count = count};
}

std::vector<bool> owned_units(const Shard& shard, std::span<const double> costs)
{
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t unit) { return costs[unit]; });
  std::vector<bool> owned(costs.size());
  for (std::size_t position = 0; position < order.size(); ++position) {
    owned[order[position]] = shard.owns(position);
  }
  return owned;
}

} // namespace wormcast
