#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"
#include "wormcast/experiments/reproduction/bertsekas/orders.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

namespace wormcast::bertsekas {

namespace {

/// How many numberings there are, and how many break the broadcast.
struct Trial {
  std::uint64_t orders = 0;
  std::uint64_t broken = 0;
  std::optional<Order> example = {};

  void add(const Order& order)
  {
    ++orders;
    if (order.broken_at != 0) {
      ++broken;
      example = example ? example : std::optional(order);
    }
  }
};

// All numberings up to d = 6, random ones above.
Trial try_orders(std::uint32_t d, const OrderRules& rules)
{
  Trial trial;
  if (d <= 6) {
    for_each_order(d, rules, [&](const Order& order) { trial.add(order); });
    return trial;
  }
  std::mt19937_64 random(d);
  for (int i = 0; i < (d <= 8 ? 300 : 100); ++i) {
    trial.add(random_order(d, rules, random));
  }
  return trial;
}

Evidence legal_numberings()
{
  std::vector<Observation> observations;
  for (std::uint32_t d = 2; d <= 10; ++d) {
    const Trial trial = try_orders(d, {});
    observations.push_back(
        none(fmt::format("{} {} legal numberings, broken, d = {}", d <= 6 ? "all" : "random", trial.orders, d),
             trial.broken));
  }
  return all_hold("all legal numberings for d = 2..6, random ones for d = 7..10", observations);
}

// Every E_i of a prime d is one class, so that nothing can go wrong; of other d some numberings break.
Evidence rules_for_lowest_classes()
{
  std::vector<Observation> observations;
  ExhibitTable table{.title = "numberings that put a node and its parent into one E_i",
                     .header = {"d", "without the rule for bit m - 1", "with R_k1 not first", "first id in the way"},
                     .rows = {}};
  for (std::uint32_t d = 2; d <= 9; ++d) {
    const Trial without_bit = try_orders(d, {.zero_below = false});
    const Trial not_first = try_orders(d, {.lowest_is_first = false});
    const auto text = [d](const Trial& trial) {
      return fmt::format("{} of {}{}", trial.broken, trial.orders, d <= 6 ? "" : " random ones");
    };
    const auto observe = [&](const std::string& what, const Trial& trial) {
      observations.push_back({.what = fmt::format("{}, d = {}", what, d),
                              .expected = is_prime(d) ? "none broken" : "some broken",
                              .found = text(trial) + " broken",
                              .holds = is_prime(d) == (trial.broken == 0)});
    };
    observe("without the rule for bit m - 1", without_bit);
    observe("with R_k1 not always first", not_first);
    table.rows.push_back({fmt::to_string(d), text(without_bit), text(not_first),
                          without_bit.example ? bits(without_bit.example->broken_at, d) : ""});
  }
  Evidence evidence = all_hold("all numberings for d = 2..6, random ones for d = 7..9", observations);
  const Trial first = try_orders(4, {.zero_below = false});
  const auto cube = make_cube(4);
  const std::vector<Hop> hops = multinode_hops(first.example->ids, 4);
  const CheckReport report = check_schedule(*cube, schedule_of_hops(hops, Operation::multinode_broadcast, *cube));
  if (report.possession) {
    throw std::logic_error("a broken numbering whose broadcast is valid");
  }
  evidence.correction =
      fmt::format("both rules are needed for composite d, neither for prime d; a broken numbering for "
                  "d = 4, the smallest of them: {}, in which {} hangs below a node of its own E_i",
                  id_words(first.example->ids, 4), bits(first.example->broken_at, 4));
  evidence.tables.push_back(std::move(table));
  return evidence;
}

} // namespace

std::vector<Check> numbering_rule_checks()
{
  const Demonstration shown = checked({.dimension = 4, .algorithm = "multinode_broadcast"});
  return {check_of("any_legal_numbering", shown, legal_numberings),
          check_of("rules_for_r_k1", shown, rules_for_lowest_classes)};
}

} // namespace wormcast::bertsekas
