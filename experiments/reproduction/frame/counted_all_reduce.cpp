#include "wormcast/experiments/reproduction/frame/counted_all_reduce.hpp"

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <numeric>

namespace wormcast {

namespace {

Experiment experiment_of(const CountedAllReduce& counted)
{
  return make_experiment(read_config({.file = "claim.toml", .text = configuration_text(counted)}));
}

} // namespace

std::string configuration_text(const CountedAllReduce& counted)
{
  const std::vector<std::int64_t>& dims = counted.box.empty() ? counted.shape : counted.box;
  std::string text = fmt::format("[topology]\nkind = \"torus\"\ndims = [{}]\n", fmt::join(dims, ", "));
  if (!counted.box.empty()) {
    text += fmt::format("wrap = [false, false, false, false, true, false]\n\n[ranks]\nkind = \"torus\"\ndims = [{}]\n"
                        "map = \"folded\"\n",
                        fmt::join(counted.shape, ", "));
  }
  return text + fmt::format("\n[network]\nstartup = \"2us\"\nper_hop = \"100ns\"\nper_byte = \"158ps\"\nbuffer_flits = "
                            "\"auto\"\nvirtual_channels = 4\n\n[algorithm]\nname = \"{}\"\nvariant = \"latency\"\n\n"
                            "[message]\nbytes = 4096\n",
                            counted.algorithm);
}

Schedule schedule_of(const CountedAllReduce& counted)
{
  const Experiment experiment = experiment_of(counted);
  return as_made(*simulated_schedule(experiment), experiment.topology->node_count());
}

ScheduleCosts costs_of(const CountedAllReduce& counted)
{
  const Experiment experiment = experiment_of(counted);
  return schedule_costs(*experiment.topology,
                        as_made(*simulated_schedule(experiment), experiment.topology->node_count()));
}

Fraction hops_of_a_node(const CountedAllReduce& counted)
{
  const std::int64_t nodes =
      std::accumulate(counted.shape.begin(), counted.shape.end(), std::int64_t{1}, std::multiplies<>());
  return {static_cast<std::int64_t>(costs_of(counted).tcd), nodes};
}

std::string name_of(const CountedAllReduce& counted)
{
  return fmt::format("{} on {}{}", counted.algorithm, fmt::join(counted.shape, " x "),
                     counted.box.empty() ? "" : ", folded");
}

} // namespace wormcast
