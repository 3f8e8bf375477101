#include "wormcast/algorithms/petersen/broadcast.hpp"

#include <array>

namespace wormcast {

namespace {

constexpr std::string_view petersen_broadcast_name = "petersen_broadcast";

ModuleSteps one_port_steps(int p)
{
  static const ModuleSteps from_8 = module_steps("8>7 | 8>1 | 8>9 7>4 1>0 | 7>6 4>3 1>2 0>5");
  static const std::array<ModuleSteps, 10> steps = {
      module_steps("0>1 | 0>4 | 0>5 1>2 4>3 | 1>8 4>7 2>6 3>9"),
      module_steps("1>0 | 1>2 | 1>8 0>4 2>3 | 0>5 2>6 4>7 3>9"),
      image(from_8, petersen_tau),
      image(from_8, petersen_sigma),
      module_steps("4>0 | 4>3 | 4>7 0>1 3>2 | 0>5 3>9 1>8 2>6"),
      module_steps("5>0 | 5>6 | 5>9 0>1 6>2 | 0>4 6>7 1>8 2>3"),
      module_steps("6>2 | 6>5 | 6>7 2>1 5>0 | 2>3 5>9 1>8 0>4"),
      image(image(from_8, petersen_tau), petersen_sigma),
      from_8,
      module_steps("9>3 | 9>5 | 9>8 3>2 5>6 | 3>4 5>0 2>1 6>7"),
  };
  return steps.at(static_cast<std::size_t>(p));
}

// To the neighbours, and from each of them to its other two.
ModuleSteps all_port_steps(int p)
{
  ModuleSteps steps(2);
  for (const int neighbour : petersen_neighbours(p)) {
    steps[0].push_back({p, neighbour});
    for (const int other : petersen_neighbours(neighbour)) {
      if (other != p) {
        steps[1].push_back({neighbour, other});
      }
    }
  }
  return steps;
}

Schedule petersen_broadcast(const Topology& topology, const ScheduleRequest& request)
{
  require_petersen(topology, petersen_broadcast_name);
  const bool all_ports = all_links_at_once(request.ports, 3);
  return whole_message_broadcast(
      sends_of_all_modules({}, petersen_broadcast_steps(static_cast<int>(index(request.source)), all_ports)));
}

} // namespace

ModuleSteps petersen_broadcast_steps(int p, bool all_ports)
{
  return all_ports ? all_port_steps(p) : one_port_steps(p);
}

Algorithm petersen_broadcast_algorithm()
{
  Algorithm algorithm;
  algorithm.name = petersen_broadcast_name;
  algorithm.summary = "one-to-all in the Petersen graph";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "petersen";
  algorithm.costs = "one-port: alpha = beta = 4; all-port: alpha = beta = 2 (both optimal)";
  algorithm.source = "Kim, Lee, Kim & Kim, J. Appl. Math. 2014, 935737, lemma 3";
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = petersen_broadcast;
  return algorithm;
}

} // namespace wormcast
