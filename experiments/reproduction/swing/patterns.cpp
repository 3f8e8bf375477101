#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/swing/cases.hpp"
#include "wormcast/experiments/reproduction/swing/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

namespace wormcast::swing {

namespace {

constexpr std::int64_t largest_ring = 256;

std::uint32_t steps_of(std::int64_t size)
{
  return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(size - 1)));
}

/// In how many ways of ascending steps below `steps` each node of a ring is reached from `from`.
std::vector<std::int64_t> ways(std::int64_t from, std::uint32_t steps, std::int64_t size)
{
  std::vector<std::int64_t> count(static_cast<std::size_t>(size), 0);
  count[static_cast<std::size_t>(from)] = 1;
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::vector<std::int64_t> before = count;
    for (std::int64_t node = 0; node < size; ++node) {
      count[static_cast<std::size_t>(peer(node, step, size))] += before[static_cast<std::size_t>(node)];
    }
  }
  return count;
}

std::vector<std::int64_t> all_even_sizes()
{
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 6; size <= largest_ring; size += 2) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(size))) {
      sizes.push_back(size);
    }
  }
  return sizes;
}

Evidence short_distances()
{
  std::vector<Observation> observations;
  for (std::uint32_t step = 0; step <= 60; ++step) {
    const std::int64_t power = std::int64_t{1} << step;
    const std::int64_t formula = as_claimed((2 * power + (step % 2 == 0 ? 1 : -1)) / 3);
    observations.push_back({.what = fmt::format("step {}", step),
                            .expected = fmt::format("{}, at most 2^{}", formula, step),
                            .found = fmt::format("{}", distance(step)),
                            .holds = distance(step) == formula && formula <= power && (step < 1 || formula < power)});
  }
  return all_hold("steps 0 to 60; strictly less from step 1 on", observations, 12);
}

Evidence one_way()
{
  std::vector<Observation> observations;
  for (std::int64_t size = 2; size <= 1024; size *= 2) {
    for (const std::int64_t from : {0, 1}) {
      const auto [least, most] = std::ranges::minmax(ways(from, steps_of(size), size));
      bool pairs = true;
      for (std::uint32_t step = 0; step < steps_of(size); ++step) {
        pairs = pairs && peer(peer(from, step, size), step, size) == from;
      }
      const std::int64_t claimed = as_claimed(std::int64_t{1});
      observations.push_back({.what = fmt::format("ring of {} from node {}", size, from),
                              .expected = fmt::format("{} to each node", claimed),
                              .found = fmt::format("{} to {}", least, most),
                              .holds = pairs && least == claimed && most == claimed});
    }
  }
  return all_hold("ways of ascending steps on rings of 2 to 1024 nodes, from an even and an odd node", observations,
                  12);
}

Evidence two_ways()
{
  std::vector<Observation> observations;
  const std::int64_t bound = as_upper_bound(std::int64_t{2});
  for (const std::int64_t size : all_even_sizes()) {
    const std::vector<std::int64_t> before = ways(0, steps_of(size) - 1, size);
    const std::vector<std::int64_t> all = ways(0, steps_of(size), size);
    const auto [least, most] = std::ranges::minmax(all);
    bool one_ends_last = true;
    for (std::size_t node = 0; node < all.size(); ++node) {
      one_ends_last = one_ends_last && (all[node] < 2 || before[node] == 1);
    }
    observations.push_back({.what = fmt::format("ring of {}", size),
                            .expected = fmt::format("at most {}, one of them by the last step", bound),
                            .found = fmt::format("{} to {}", least, most),
                            .holds = least >= 1 && most <= bound && one_ends_last});
  }
  return all_hold("all even sizes up to 256 that are no powers of two", observations, 12);
}

/// Which of several ways a block takes.
enum class Choice { ends_last, leaves_last };

/// The steps of the way from node 0 to `owner` as bits, among all ways of ascending steps.
std::uint32_t way(std::int64_t from, std::int64_t owner, std::int64_t size, Choice choice)
{
  const std::uint32_t steps = steps_of(size);
  std::uint32_t best = 0;
  for (std::uint32_t set = 1; set < (1U << steps); ++set) {
    std::int64_t at = from;
    for (std::uint32_t step = 0; step < steps; ++step) {
      at = (set >> step & 1U) != 0 ? peer(at, step, size) : at;
    }
    const auto leaves = [](std::uint32_t one) { return std::countr_zero(one); };
    if (at == owner && (best == 0 || (choice == Choice::ends_last ? std::bit_width(set) > std::bit_width(best)
                                                                  : leaves(set) > leaves(best)))) {
      best = set;
    }
  }
  return best;
}

/// What is lost on a ring: a block that comes to a node which has sent its own part of it before. Nothing: all right.
std::optional<std::string> loss(std::int64_t size, Choice choice)
{
  std::vector<std::vector<int>> leaves(2, std::vector<int>(static_cast<std::size_t>(size), 0));
  for (const std::int64_t from : {0, 1}) {
    for (std::int64_t owner = 0; owner < size; ++owner) {
      if (owner != from) {
        leaves[static_cast<std::size_t>(from)][static_cast<std::size_t>(owner)] =
            std::countr_zero(way(from, owner, size, choice));
      }
    }
  }
  // Every node has the pattern of node 0 or of node 1, moved along the ring.
  for (const std::int64_t from : {0, 1}) {
    for (std::int64_t owner = 0; owner < size; ++owner) {
      const int step = leaves[static_cast<std::size_t>(from)][static_cast<std::size_t>(owner)];
      const std::int64_t to = peer(from, static_cast<std::uint32_t>(step), size);
      if (owner == from || to == owner) {
        continue;
      }
      const std::int64_t moved = (owner - (to - to % 2) + size) % size;
      const int next = leaves[static_cast<std::size_t>(to % 2)][static_cast<std::size_t>(moved)];
      if (next <= step) {
        return fmt::format("node {} sends block {} in step {} to node {}, which sends its own part in step {}", from,
                           owner, step, to, next);
      }
    }
  }
  return {};
}

Evidence sizes_that_lose(Choice choice)
{
  std::int64_t lose = 0;
  std::string first;
  const std::vector<std::int64_t> sizes = all_even_sizes();
  for (const std::int64_t size : sizes) {
    if (const std::optional<std::string> lost = loss(size, choice)) {
      first = lose == 0 ? fmt::format("; the first: p = {}: {}", size, *lost) : first;
      ++lose;
    }
  }
  const std::int64_t claimed = as_claimed(std::int64_t{0});
  return all_hold(fmt::format("{} of the {} even sizes up to {} that are no powers of two lose contributions{}", lose,
                              sizes.size(), largest_ring, first),
                  {{.what = "even rings",
                    .expected = fmt::format("{} sizes lose contributions", claimed),
                    .found = fmt::format("{} of {}{}", lose, sizes.size(), first),
                    .holds = lose == claimed}});
}

Evidence only_in_the_last_step()
{
  return by_reading({{"the way that ends in the last step", sizes_that_lose(Choice::ends_last)},
                     {"the way that leaves its sender last", sizes_that_lose(Choice::leaves_last)}});
}

Evidence whole_vectors()
{
  std::vector<Observation> observations;
  for (const std::int64_t size : {6, 10, 12}) {
    // A contribution reaches a node in as many ways of ascending steps as there are from its own.
    const std::int64_t most = std::ranges::max(ways(0, steps_of(size), size));
    const std::int64_t claimed = as_stated(std::int64_t{1}, most);
    observations.push_back({.what = fmt::format("ring of {}", size),
                            .expected = fmt::format("a contribution is counted at most {} times", claimed),
                            .found = fmt::format("{} contributions reach a node of {}, one of them {} times",
                                                 std::int64_t{1} << steps_of(size), size, most),
                            .holds = most == claimed});
  }
  return all_hold("whole partial results exchanged by the pattern of Swing", observations);
}

} // namespace

std::vector<Check> pattern_checks()
{
  return {shown_check("short_distances", on_torus({16}, "swing"), short_distances),
          shown_check("one_way_to_each_node", on_torus({16}, "swing"), one_way),
          shown_check("at_most_two_ways", on_torus({18}, "swing"), two_ways),
          shown_check("only_in_the_last_step", on_torus({18}, "swing"), only_in_the_last_step),
          shown_check("even_sizes_latency", on_torus({6}, "swing"), whole_vectors)};
}

} // namespace wormcast::swing
