#include "wormcast/experiments/reproduction/frame/counted_all_reduce.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/fugaku/checks.hpp"

#include <fmt/format.h>

namespace wormcast::fugaku {

namespace {

Evidence loads()
{
  struct Row {
    CountedAllReduce counted;
    std::int64_t load = 0;
  };
  std::vector<Observation> observations;
  for (const Row& row : {Row{{{8, 8, 8}, {4, 3, 4, 2, 3, 2}, "swing"}, 10}, Row{{{8, 8, 8}, {}, "swing"}, 12}}) {
    observations.push_back(same_texts(name_of(row.counted), fmt::to_string(as_claimed(row.load)),
                                      format_fraction(costs_of(row.counted).fair_beta)));
  }
  return all_hold("sum over the steps of the load of the busiest channel, in vectors; 9 without contention",
                  observations);
}

Evidence hops()
{
  struct Row {
    CountedAllReduce counted;
    std::int64_t hops = 0;
  };
  const std::vector<std::int64_t> box_8 = {4, 3, 4, 2, 3, 2};
  const std::vector<std::int64_t> box_4 = {2, 2, 2, 2, 3, 2};
  std::vector<Observation> observations;
  for (const Row& row : {Row{{{64, 64}, {}, "swing"}, 84}, Row{{{64, 64}, {}, "torus_doubling"}, 126},
                         Row{{{8, 8, 8}, {}, "swing"}, 15}, Row{{{8, 8, 8}, {}, "torus_doubling"}, 21},
                         Row{{{8, 8, 8}, box_8, "swing"}, 12}, Row{{{8, 8, 8}, box_8, "torus_doubling"}, 17},
                         Row{{{4, 4, 4}, box_4, "swing"}, 6}, Row{{{4, 4, 4}, box_4, "torus_doubling"}, 9}}) {
    observations.push_back(same_texts(name_of(row.counted), fmt::to_string(as_claimed(row.hops)),
                                      format_fraction(hops_of_a_node(row.counted))));
  }
  return all_hold("hops of the messages of a node, each of the whole vector", observations);
}

} // namespace

std::vector<Check> count_checks()
{
  const CountedAllReduce folded{{8, 8, 8}, {4, 3, 4, 2, 3, 2}, "swing"};
  return {check_of("bine_loads_8x8x8", {configuration_text(folded), "wormcast run CONFIG"}, loads),
          check_of("bine_hops", {configuration_text(folded), "wormcast run CONFIG"}, hops)};
}

} // namespace wormcast::fugaku
