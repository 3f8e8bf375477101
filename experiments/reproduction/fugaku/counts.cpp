#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/fugaku/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace wormcast::fugaku {

namespace {

/// An all_reduce of whole vectors on the torus of a shape, or in the folded box of the shape.
struct CountedCase {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> box; ///< x y z a b c; empty: the torus of the shape
  std::string algorithm;
};

std::string text_of(const CountedCase& one)
{
  const std::vector<std::int64_t>& dims = one.box.empty() ? one.shape : one.box;
  std::string text = fmt::format("[topology]\nkind = \"torus\"\ndims = [{}]\n", fmt::join(dims, ", "));
  if (!one.box.empty()) {
    text += fmt::format("wrap = [false, false, false, false, true, false]\n\n[ranks]\nkind = \"torus\"\ndims = [{}]\n"
                        "map = \"folded\"\n",
                        fmt::join(one.shape, ", "));
  }
  return text + fmt::format("\n[network]\nstartup = \"2us\"\nper_hop = \"100ns\"\nper_byte = \"158ps\"\nbuffer_flits = "
                            "\"auto\"\nvirtual_channels = 4\n\n[algorithm]\nname = \"{}\"\nvariant = \"latency\"\n\n"
                            "[message]\nbytes = 4096\n",
                            one.algorithm);
}

ScheduleCosts costs_of(const CountedCase& one)
{
  const Experiment experiment = make_experiment(read_config({.file = "claim.toml", .text = text_of(one)}));
  return schedule_costs(*experiment.topology, *simulated_schedule(experiment));
}

std::string name_of(const CountedCase& one)
{
  return fmt::format("{} on {}{}", one.algorithm, fmt::join(one.shape, " x "), one.box.empty() ? "" : ", folded");
}

Evidence loads()
{
  struct Row {
    CountedCase counted;
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
    CountedCase counted;
    std::int64_t hops = 0;
  };
  const std::vector<std::int64_t> box_8 = {4, 3, 4, 2, 3, 2};
  const std::vector<std::int64_t> box_4 = {2, 2, 2, 2, 3, 2};
  std::vector<Observation> observations;
  for (const Row& row : {Row{{{64, 64}, {}, "swing"}, 84}, Row{{{64, 64}, {}, "torus_doubling"}, 126},
                         Row{{{8, 8, 8}, {}, "swing"}, 15}, Row{{{8, 8, 8}, {}, "torus_doubling"}, 21},
                         Row{{{8, 8, 8}, box_8, "swing"}, 12}, Row{{{8, 8, 8}, box_8, "torus_doubling"}, 17},
                         Row{{{4, 4, 4}, box_4, "swing"}, 6}, Row{{{4, 4, 4}, box_4, "torus_doubling"}, 9}}) {
    std::int64_t nodes = 1;
    for (const std::int64_t size : row.counted.shape) {
      nodes *= size;
    }
    const Fraction found(static_cast<std::int64_t>(costs_of(row.counted).tcd), nodes);
    observations.push_back(
        same_texts(name_of(row.counted), fmt::to_string(as_claimed(row.hops)), format_fraction(found)));
  }
  return all_hold("hops of the messages of a node, each of the whole vector", observations);
}

} // namespace

std::vector<Check> count_checks()
{
  const CountedCase folded{{8, 8, 8}, {4, 3, 4, 2, 3, 2}, "swing"};
  return {check_of("bine_loads_8x8x8", {text_of(folded), "wormcast run CONFIG"}, loads),
          check_of("bine_hops", {text_of(folded), "wormcast run CONFIG"}, hops)};
}

} // namespace wormcast::fugaku
