#include "wormcast/experiments/reproduction/bertsekas/orders.hpp"

#include "wormcast/algorithms/hypercube/rotation_classes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace wormcast::bertsekas {

namespace {

/// Numbers class after class, taking all choices or one at random.
class Numbering {
public:
  Numbering(std::uint32_t dimension, const OrderRules& rules)
      : dimension_(dimension), rules_(rules), classes_(rotation_classes(dimension)), taken_(classes_.size(), false),
        number_(1U << dimension, 0)
  {}

  void visit_all(const std::function<void(const Order&)>& visit)
  {
    const std::vector<std::size_t> next = next_classes();
    if (next.empty()) {
      visit(order_);
      return;
    }
    for (const std::size_t position : next) {
      for (const std::uint32_t first : first_ids(classes_[position])) {
        const std::uint32_t broken_before = order_.broken_at;
        add(position, first);
        visit_all(visit);
        remove(position, broken_before);
      }
    }
  }

  Order random(std::mt19937_64& random)
  {
    for (std::vector<std::size_t> next = next_classes(); !next.empty(); next = next_classes()) {
      const std::size_t position = next[random() % next.size()];
      const std::vector<std::uint32_t> firsts = first_ids(classes_[position]);
      add(position, firsts[random() % firsts.size()]);
    }
    return order_;
  }

private:
  bool is_lowest(const RotationClass& one) const { return (one.smallest & (one.smallest + 1)) == 0; }
  std::uint32_t next_link() const
  {
    return link_of_number(static_cast<std::uint32_t>(order_.ids.size()) + 1, dimension_);
  }

  // i - 1 of E_i = {t | (i-1)d + 1 <= n(t) <= id}
  std::uint32_t set_of_number(std::uint32_t number) const { return (as_claimed(number) - 1) / dimension_; }

  // Those that may come next: of the fewest ones that are left.
  std::vector<std::size_t> next_classes() const
  {
    std::vector<std::size_t> next;
    for (std::size_t position = 0; position < classes_.size(); ++position) {
      if (taken_[position]) {
        continue;
      }
      if (!next.empty() && classes_[position].ones() > classes_[next.front()].ones()) {
        break;
      }
      if (rules_.lowest_is_first && is_lowest(classes_[position])) {
        return {position};
      }
      next.push_back(position);
    }
    return next;
  }

  std::vector<std::uint32_t> first_ids(const RotationClass& one) const
  {
    const std::uint32_t link = next_link();
    const std::uint32_t below = link == 1 ? dimension_ : link - 1;
    const bool zero_below = rules_.zero_below && is_lowest(one) && one.size > 1;
    std::vector<std::uint32_t> ids;
    std::uint32_t id = one.smallest;
    for (std::uint32_t turn = 0; turn < one.size; ++turn) {
      if ((id & link_bit(link)) != 0 && (!zero_below || (id & link_bit(below)) == 0)) {
        ids.push_back(id);
      }
      id = rotate_left(id, dimension_);
    }
    return ids;
  }

  void add(std::size_t position, std::uint32_t id)
  {
    taken_[position] = true;
    for (std::uint32_t turn = 0; turn < classes_[position].size; ++turn) {
      const std::uint32_t parent = id ^ link_bit(next_link());
      order_.ids.push_back(id);
      number_[id] = static_cast<std::uint32_t>(order_.ids.size());
      // The zero id has number 0, which is in E_0; ids that have no number yet come later.
      const bool earlier =
          parent == 0 || (number_[parent] != 0 && set_of_number(number_[parent]) < set_of_number(number_[id]));
      if (!earlier && order_.broken_at == 0) {
        order_.broken_at = id;
      }
      id = rotate_left(id, dimension_);
    }
  }

  void remove(std::size_t position, std::uint32_t broken_before)
  {
    taken_[position] = false;
    for (std::uint32_t turn = 0; turn < classes_[position].size; ++turn) {
      number_[order_.ids.back()] = 0;
      order_.ids.pop_back();
    }
    order_.broken_at = broken_before;
  }

  std::uint32_t dimension_;
  OrderRules rules_;
  std::vector<RotationClass> classes_; // by number of ones
  std::vector<bool> taken_;
  std::vector<std::uint32_t> number_; // by id
  Order order_;
};

} // namespace

void for_each_order(std::uint32_t dimension, const OrderRules& rules, const std::function<void(const Order&)>& visit)
{
  Numbering(dimension, rules).visit_all(visit);
}

Order random_order(std::uint32_t dimension, const OrderRules& rules, std::mt19937_64& random)
{
  return Numbering(dimension, rules).random(random);
}

std::vector<Hop> multinode_hops(std::span<const std::uint32_t> ids, std::uint32_t dimension)
{
  std::vector<Hop> hops;
  for (std::uint32_t number = 1; number <= ids.size(); ++number) {
    const std::uint32_t id = ids[number - 1];
    const std::uint32_t parent = id ^ link_bit(link_of_number(number, dimension));
    for (std::uint32_t origin = 0; origin < 1U << dimension; ++origin) {
      hops.push_back({1 + (number - 1) / dimension, origin ^ parent, origin ^ id, origin});
    }
  }
  return hops;
}

std::string id_words(std::span<const std::uint32_t> ids, std::uint32_t d)
{
  std::vector<std::string> texts;
  for (const std::uint32_t id : ids) {
    texts.push_back(bits(id, d));
  }
  return fmt::format("{}", fmt::join(texts, " "));
}

} // namespace wormcast::bertsekas
