#include "wormcast/algorithms/petersen/torus_all_to_all.hpp"

#include "wormcast/algorithms/petersen/all_to_all.hpp"
#include "wormcast/algorithms/verifier/combining.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::string_view petersen_torus_all_to_all_name = "petersen_torus_all_to_all";

// Algorithm 5, Step 4 (Condition 3, over the dimensional edges), literal.
ModuleSteps planes_literal(std::int64_t half)
{
  ModuleSteps steps;
  for (std::int64_t h = 1; h <= half; ++h) {
    append_steps(steps, module_steps("0>X 5>X"));
    if (h < half) {
      append_steps(steps, module_steps("5>0 0>5"));
    }
  }
  return steps;
}

// The same, fixed: node 0 has to learn its plane from node 5 before it sends it on, so the way up (0>X) runs a step
// behind the way down (5>X); with an even l the plane opposite is reached by the way down alone.
ModuleSteps planes_fixed(std::int64_t l)
{
  const std::int64_t down = l / 2;
  const std::int64_t up = l % 2 == 1 ? down : down - 1;
  ModuleSteps steps;
  for (std::int64_t s = 1; s <= std::max(2 * down - 1, 2 * up); ++s) {
    const std::int64_t h = (s + 1) / 2;
    ModuleStep& sends = steps.emplace_back();
    if (s % 2 == 1) {
      sends.push_back({5, ModuleSend::external});
      if (h <= up) {
        sends.push_back({5, 0});
      }
    } else {
      if (h < down) {
        sends.push_back({0, 5});
      }
      if (h <= up) {
        sends.push_back({0, ModuleSend::external});
      }
    }
  }
  return steps;
}

Schedule petersen_torus_all_to_all(const Topology& topology, const ScheduleRequest& request)
{
  const PetersenTorusSize size = require_petersen_torus(topology, petersen_torus_all_to_all_name);
  const AllToAllVariant variant = all_to_all_variant_names.read(request.parameters.text("variant"));
  const bool all_ports = all_links_at_once(request.ports, 4);
  if (variant == AllToAllVariant::fixed2 && !all_ports) {
    throw InputError(fmt::format("{} has variant \"fixed2\" for all ports (or at least 4) only; ports is {}",
                                 petersen_torus_all_to_all_name, request.ports.count));
  }
  return combining_multinode_broadcast(
      topology.node_count(), sends_of_all_modules(size, all_ports ? petersen_torus_algorithm_5(size, variant)
                                                                  : petersen_torus_algorithm_4(size, variant)));
}

} // namespace

ModuleSteps petersen_torus_algorithm_4(const PetersenTorusSize& size, AllToAllVariant variant)
{
  const bool fixed = variant != AllToAllVariant::literal;
  ModuleSteps steps = petersen_algorithm_2(); // Step 1
  // Step 2: along x. At the end the row is to go to node 6, which sends it on along y.
  for (std::int64_t h = 1; h < size.m; ++h) {
    append_steps(steps, module_steps(h < size.m - 1 ? "1>X | 4>0 | 0>1"
                                     : fixed        ? "1>X | 4>7 | 7>6 4>0"
                                                    : "1>X | 4>7 | 7>6"));
  }
  // Step 3: along y. Arriving messages are for node 5, which sends them on along z.
  for (std::int64_t h = 1; h < size.n; ++h) {
    append_steps(steps, module_steps(h == 1 && fixed ? "6>X 0>5 | 9>5" : "6>X | 9>5"));
    if (h < size.n - 1) {
      append_steps(steps, module_steps("5>6"));
    }
  }
  // Step 4: along z.
  for (std::int64_t h = 1; h < size.l; ++h) {
    append_steps(steps, module_steps(h < size.l - 1 ? "5>X | 0>5" : "5>X"));
  }
  append_steps(steps, petersen_algorithm_2()); // Step 5
  return steps;
}

ModuleSteps petersen_torus_algorithm_5(const PetersenTorusSize& size, AllToAllVariant variant)
{
  const bool fixed = variant != AllToAllVariant::literal;
  ModuleSteps steps = petersen_algorithm_3(); // Step 1
  // Step 2, Condition 1: in both directions along x. At the end both halves of the row must go to nodes 6 and 9.
  for (std::int64_t h = 1; h < size.m / 2; ++h) {
    append_steps(steps, module_steps("1>X 4>X | 4>0 1>0 | 0>1 0>4"));
  }
  append_steps(steps, module_steps(fixed ? "1>X 4>X | 4>7 4>3 4>0 1>8 1>2 1>0 | 7>6 3>9 8>9 2>6 0>5"
                                         : "1>X 4>X | 4>7 1>8 | 7>6 8>9"));
  // Step 3, Condition 2: in both directions along y. Arriving messages are for node 5.
  for (std::int64_t h = 1; h <= size.n / 2; ++h) {
    append_steps(steps, module_steps(h < size.n / 2 ? "6>X 9>X | 9>5 6>5 | 5>6 5>9" : "6>X 9>X | 9>5 6>5"));
  }
  // Step 4, Condition 3: in both directions along z.
  append_steps(steps, fixed ? planes_fixed(size.l) : planes_literal(size.l / 2));
  // Step 5
  append_steps(steps, variant == AllToAllVariant::fixed2 ? petersen_flooding() : petersen_algorithm_3());
  return steps;
}

Algorithm petersen_torus_all_to_all_algorithm()
{
  Algorithm algorithm;
  algorithm.name = petersen_torus_all_to_all_name;
  algorithm.summary = "all-to-all in the 3-D Petersen-torus, with messages that combine: modules, x, y, z, modules";
  algorithm.operation = Operation::multinode_broadcast;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "petersen_torus of any sizes";
  algorithm.costs =
      "alpha: one-port 3m + 3n + 2l + 2; all-port 3 floor(m/2) + 3 floor(n/2) + 2 floor(l/2) + 4, and for "
      "fixed one more if l is odd; fixed2 one less than fixed";
  algorithm.source =
      "Kim, Lee, Kim & Kim, J. Appl. Math. 2014, 935737, algorithms 4 and 5, theorems 7 and 8; fixed and "
      "fixed2 are not in the paper";
  algorithm.parameters.push_back(
      {.name = "variant",
       .type = ParameterType::choice,
       .text =
           "the paper's text, which leaves messages out; with the sends that it lacks; the same with a shorter last "
           "step, for all ports",
       .fallback = std::string(all_to_all_variant_names.text(AllToAllVariant::fixed)),
       .choices = all_to_all_variant_names.texts()});
  algorithm.make = petersen_torus_all_to_all;
  algorithm.family = every_choice(algorithm.parameters.front());
  return algorithm;
}

} // namespace wormcast
