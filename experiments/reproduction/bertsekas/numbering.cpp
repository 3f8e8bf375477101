#include "wormcast/algorithms/hypercube/rotation_classes.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace wormcast::bertsekas {

namespace {

constexpr std::uint32_t most_dimensions = 12;

/// The program's numbering: number n(t) by id, with 0 for the zero id.
struct Numbers {
  explicit Numbers(std::uint32_t d) : dimension(d), ids(multinode_broadcast_order(d)), number(1U << d, 0)
  {
    for (std::uint32_t n = 1; n <= ids.size(); ++n) {
      number[ids[n - 1]] = n;
    }
  }
  std::uint32_t link(std::uint32_t id) const { return link_of_number(as_claimed(number[id]), dimension); }
  std::uint32_t parent(std::uint32_t id) const { return id ^ link_bit(link(id)); }
  /// i of E_i
  std::uint32_t set(std::uint32_t id) const { return id == 0 ? 0 : 1 + (number[id] - 1) / dimension; }

  std::uint32_t dimension;
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> number;
};

bool in_lowest_class(std::uint32_t id, std::uint32_t d)
{
  const std::uint32_t smallest = smallest_rotation(id, d);
  return (smallest & (smallest + 1)) == 0;
}

Evidence bit_m_is_one()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= most_dimensions; ++d) {
    const Numbers numbers(d);
    std::uint64_t zeros = 0;
    for (const std::uint32_t id : numbers.ids) {
      zeros += (id & link_bit(numbers.link(id))) == 0;
    }
    observations.push_back(none(fmt::format("ids t whose bit m(t) is 0, d = {}", d), zeros));
    std::vector<std::uint32_t> sorted = numbers.ids;
    std::ranges::sort(sorted);
    const bool each_once = sorted.size() + 1 == std::size_t{1} << d && sorted.front() == 1 &&
                           std::ranges::adjacent_find(sorted) == sorted.end();
    observations.push_back({.what = fmt::format("numbers n(t), d = {}", d),
                            .expected = fmt::format("1 to {}, each once", (1U << d) - 1),
                            .found = fmt::format("{} numbers", sorted.size()),
                            .holds = each_once});
  }
  return all_hold("d = 1..12, every id", observations);
}

// The links that the program sends packet 0 over in each step.
Evidence full_sets()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= most_dimensions; ++d) {
    const BroadcastTree tree = multinode_broadcast_tree(d);
    std::vector<std::set<std::uint32_t>> types(packets_per_link(d));
    std::uint64_t repeated = 0;
    for (std::uint32_t id = 1; id < tree.parent.size(); ++id) {
      repeated += !types.at(tree.step[id]).insert(id ^ tree.parent[id]).second;
    }
    observations.push_back(none(fmt::format("links of a type that A_i has already, d = {}", d), repeated));
    const auto full = std::ranges::count_if(types, [d](const auto& of_step) { return of_step.size() == d; });
    observations.push_back(
        equal(fmt::format("sets A_i of d links, d = {}", d), ((1U << d) - 1) / d, static_cast<std::uint64_t>(full)));
  }
  return all_hold("d = 1..12", observations);
}

Evidence parents_are_earlier()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 1; d <= most_dimensions; ++d) {
    const Numbers numbers(d);
    std::uint64_t late = 0;
    std::uint64_t elsewhere = 0;
    for (const std::uint32_t id : numbers.ids) {
      const std::uint32_t parent = numbers.parent(id);
      late += numbers.set(parent) >= numbers.set(id);
      elsewhere += in_lowest_class(id, d) && id + 1 != 1U << d && !in_lowest_class(parent, d);
    }
    observations.push_back(none(fmt::format("parents not in an earlier E_k, d = {}", d), late));
    observations.push_back(none(fmt::format("parents of R_k1 not in R_(k-1)1, d = {}", d), elsewhere));
  }
  return all_hold("d = 1..12, every id", observations);
}

// Smallest n(t) - n(t') by number of ones, for R_k1 and for the other classes.
Evidence distance_to_parent()
{
  std::vector<Observation> observations;
  ExhibitTable table{.title = "smallest n(t) - n(t') where the paper argues otherwise",
                     .header = {"d", "k", "smallest", "below d"},
                     .rows = {}};
  for (std::uint32_t d = 2; d <= most_dimensions; ++d) {
    const Numbers numbers(d);
    std::map<std::pair<std::uint32_t, bool>, std::int64_t> smallest;
    for (const std::uint32_t id : numbers.ids) {
      const auto ones = static_cast<std::uint32_t>(std::popcount(id));
      if (ones < d) {
        const std::int64_t gap = std::int64_t{numbers.number[id]} - numbers.number[numbers.parent(id)];
        const auto [found, added] = smallest.try_emplace({ones, in_lowest_class(id, d)}, gap);
        found->second = std::min(found->second, gap);
      }
    }
    for (const auto& [key, gap] : smallest) {
      const auto& [ones, lowest] = key;
      if (!lowest || (ones > 2 && d >= 5)) {
        observations.push_back({.what = fmt::format("d = {}, k = {}, {}", d, ones, lowest ? "R_k1" : "R_kn, n > 1"),
                                .expected = fmt::format("at least {}", d),
                                .found = fmt::to_string(gap),
                                .holds = gap >= d});
      } else {
        table.rows.push_back({fmt::to_string(d), fmt::to_string(ones), fmt::to_string(gap), gap < d ? "yes" : "no"});
      }
    }
  }
  Evidence evidence = all_hold("d = 2..12: classes R_kn with n > 1, and R_k1 with k > 2 and d >= 5", observations);
  evidence.correction = "below d for R_11, R_21 and for R_31 of d = 4, as the paper excepts them; the rules need no "
                        "special case for them";
  evidence.tables.push_back(std::move(table));
  return evidence;
}

Evidence all_ones_hang_below_second()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= most_dimensions; ++d) {
    const Numbers numbers(d);
    const std::uint32_t ones = (1U << d) - 1;
    const std::uint32_t second = numbers.ids[ones - 1 - d + 1];
    observations.push_back({.what = fmt::format("t' of 1..1, d = {}", d),
                            .expected = bits(second, d) + ", in an earlier set, and m(1..1) is not d",
                            .found = bits(numbers.parent(ones), d),
                            .holds = numbers.parent(ones) == second && numbers.set(second) < numbers.set(ones) &&
                                     numbers.link(ones) != d});
  }
  return all_hold("d = 2..12", observations);
}

Evidence sizes_of_classes()
{
  std::vector<Observation> observations;
  std::vector<std::uint64_t> binomials = {1};
  for (std::uint32_t d = 1; d <= 60; ++d) {
    binomials.push_back(0);
    for (std::size_t k = d; k > 0; --k) {
      binomials[k] += binomials[k - 1];
    }
    std::uint64_t small = 0;
    for (std::uint32_t k = 2; d >= 5 && k + 2 <= d; ++k) {
      // With k + 1 for k this is C(d, k-1) - d >= d, 2 < k < d.
      small += static_cast<std::int64_t>(binomials[k]) < as_lower_bound(std::int64_t{2} * d);
    }
    observations.push_back(none(fmt::format("k in 2..{} with fewer than 2d ids, d = {}", d < 2 ? 0 : d - 2, d), small));
  }
  std::map<std::uint32_t, std::uint32_t> in_4_cube;
  for (const std::uint32_t id : multinode_broadcast_order(4)) {
    ++in_4_cube[static_cast<std::uint32_t>(std::popcount(id))];
  }
  observations.push_back(equal("ids of N_2, d = 4", 6, in_4_cube[2]));
  return all_hold("d = 5..60 for C(d, k) >= 2d, which is also C(d, k-1) - d >= d for 2 < k < d; N_2 of the 4-cube",
                  observations, 12);
}

// Rows E_1, E_2, ..., columns m(t).
ExhibitMatrix sets_of_links(std::uint32_t d)
{
  const Numbers numbers(d);
  ExhibitMatrix matrix{.title = fmt::format("E_i of the {}-cube: number of ones, and the link parent > node", d),
                       .x_label = "link type m(t) - 1",
                       .y_label = "step i - 1",
                       .values = {},
                       .labels = {},
                       .marked = {}};
  for (const std::uint32_t id : numbers.ids) {
    if (numbers.link(id) == 1) {
      matrix.values.emplace_back(d);
      matrix.labels.emplace_back(d);
    }
    matrix.values.back()[numbers.link(id) - 1] = fmt::to_string(std::popcount(id));
    matrix.labels.back()[numbers.link(id) - 1] = fmt::format("{} > {}", bits(numbers.parent(id), d), bits(id, d));
  }
  return matrix;
}

Evidence figure_3()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 5; ++d) {
    const auto cube = make_cube(d);
    for_each_order(d, {}, [&](const Order& order) {
      const std::vector<Hop> hops = multinode_hops(order.ids, d);
      const std::string what = fmt::format("d = {}, {}", d, id_words(order.ids, d));
      observations.push_back(costs(what, *cube, schedule_of_hops(hops, Operation::multinode_broadcast, *cube),
                                   packets_per_link(d), (std::uint64_t{1} << d) * ((1U << d) - 1)));
    });
  }
  Evidence evidence = not_testable(
      lost_drawing,
      all_hold("the multinode broadcasts of all legal numberings for d = 2..5: one each up to d = 4, six for d = 5",
               observations));
  evidence.matrices = {sets_of_links(3), sets_of_links(4), sets_of_links(6)};
  return evidence;
}

} // namespace

std::vector<Check> numbering_checks()
{
  const Demonstration shown = checked({.dimension = 4, .algorithm = "multinode_broadcast"});
  return {check_of("property_1", shown, bit_m_is_one),
          check_of("full_sets", shown, full_sets),
          check_of("parent_in_earlier_set", shown, parents_are_earlier),
          check_of("distance_to_parent", shown, distance_to_parent),
          check_of("parent_of_all_ones", shown, all_ones_hang_below_second),
          check_of("class_sizes", {"", ""}, sizes_of_classes),
          check_of("figure_3", shown, figure_3)};
}

} // namespace wormcast::bertsekas
