#include "wormcast/algorithms/petersen/all_to_all.hpp"

#include "wormcast/algorithms/verifier/combining.hpp"
#include "wormcast/values/names.hpp"

#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view petersen_all_to_all_name = "petersen_all_to_all";

constexpr std::string_view cycles = "0>1 1>2 2>3 3>4 4>0 5>6 6>7 7>8 8>9 9>5";
constexpr std::string_view matching = "0>5 1>8 2>6 3>9 4>7";

ModuleStep step(std::string_view text)
{
  return module_steps(text).front();
}

ModuleStep reversed(ModuleStep sends)
{
  for (ModuleSend& send : sends) {
    std::swap(send.from, send.to);
  }
  return sends;
}

ModuleStep both_ways(std::string_view text)
{
  ModuleStep sends = step(text);
  const ModuleStep back = reversed(sends);
  sends.insert(sends.end(), back.begin(), back.end());
  return sends;
}

enum class ModuleVariant { paper, merged, optimal, flooding };

constexpr auto module_variant_names = names<ModuleVariant>({{ModuleVariant::paper, "paper"},
                                                            {ModuleVariant::merged, "merged"},
                                                            {ModuleVariant::optimal, "optimal"},
                                                            {ModuleVariant::flooding, "flooding"}});

ModuleSteps steps_of(ModuleVariant variant, PortModel ports)
{
  switch (variant) {
  case ModuleVariant::paper:
    return all_links_at_once(ports, 3) ? petersen_algorithm_3() : petersen_algorithm_2();
  case ModuleVariant::merged:
    return petersen_algorithm_2_merged();
  case ModuleVariant::optimal:
    return petersen_optimal_one_port();
  case ModuleVariant::flooding:
    return petersen_flooding();
  }
  throw std::logic_error("a variant that does not exist");
}

Schedule petersen_all_to_all(const Topology& topology, const ScheduleRequest& request)
{
  require_petersen(topology, petersen_all_to_all_name);
  const ModuleVariant variant = module_variant_names.read(request.parameters.text("variant"));
  return combining_multinode_broadcast(10, sends_of_all_modules({}, steps_of(variant, request.ports)));
}

} // namespace

ModuleSteps petersen_algorithm_2()
{
  return {step(cycles), step(cycles), step(cycles), step(cycles), step(matching), reversed(step(matching))};
}

ModuleSteps petersen_algorithm_2_merged()
{
  return {step(cycles), step(cycles), step(cycles), step(cycles), both_ways(matching)};
}

ModuleSteps petersen_algorithm_3()
{
  return {both_ways(cycles), both_ways(cycles), both_ways(matching)};
}

ModuleSteps petersen_flooding()
{
  ModuleStep all = both_ways(cycles);
  const ModuleStep rest = both_ways(matching);
  all.insert(all.end(), rest.begin(), rest.end());
  return {all, all};
}

ModuleSteps petersen_optimal_one_port()
{
  const ModuleStep exchange = both_ways("0>1 2>3 4>7 5>6 8>9");
  const ModuleStep round = step("0>4 4>3 3>9 9>5 5>0 1>2 2>6 6>7 7>8 8>1");
  return {exchange, round, reversed(round), exchange};
}

Algorithm petersen_all_to_all_algorithm()
{
  Algorithm algorithm;
  algorithm.name = petersen_all_to_all_name;
  algorithm.summary = "all-to-all in the Petersen graph, with messages that combine";
  algorithm.operation = Operation::multinode_broadcast;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "petersen";
  algorithm.costs = "alpha: paper 6 (one-port) or 3 (all-port), merged 5, optimal 4 (one-port), flooding 2 (all-port)";
  algorithm.source =
      "Kim, Lee, Kim & Kim, J. Appl. Math. 2014, 935737, algorithms 2 and 3, lemma 6; merged, optimal and "
      "flooding are not in the paper";
  algorithm.parameters.push_back(
      {.name = "variant",
       .type = ParameterType::choice,
       .text = "the paper's algorithm 2 or 3 by the number of ports; algorithm 2 with its last two steps merged; an "
               "optimal one-port schedule; flooding for all ports",
       .fallback = std::string(module_variant_names.text(ModuleVariant::paper)),
       .choices = module_variant_names.texts()});
  algorithm.make = petersen_all_to_all;
  algorithm.family = every_choice(algorithm.parameters.front());
  return algorithm;
}

} // namespace wormcast
