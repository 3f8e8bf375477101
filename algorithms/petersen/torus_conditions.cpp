#include "wormcast/algorithms/petersen/torus_conditions.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// The neighbour of p0 in the cycle 0-4 (1 or 4) or in the cycle 5-9 (6 or 9), from which it is one more send to 0 or 5.
int neighbour_among(int p0, int first, int second)
{
  const std::array<int, 3>& neighbours = petersen_neighbours(p0);
  return *std::ranges::find_if(neighbours, [=](int p) { return p == first || p == second; });
}

} // namespace

ModuleSteps source_module_steps(int p0, bool all_ports)
{
  if (p0 == 0 || p0 == 5) {
    return {{{p0, 5 - p0}}};
  }
  const auto hub = [](int p) { return p == 1 || p == 4 ? 0 : 5; };
  if (p0 == 1 || p0 == 4 || p0 == 6 || p0 == 9) {
    return {{{p0, hub(p0)}}, {{hub(p0), 5 - hub(p0)}}};
  }
  const int p1 = neighbour_among(p0, 1, 4);
  const int p2 = neighbour_among(p0, 6, 9);
  if (all_ports) {
    return {{{p0, p1}, {p0, p2}}, {{p1, 0}, {p2, 5}}};
  }
  const int first = std::min(p1, p2);
  return {{{p0, first}}, {{first, hub(first)}}, {{hub(first), 5 - hub(first)}}};
}

std::vector<std::vector<PlaneSend>> plane_chain_steps(std::int64_t l)
{
  constexpr ModuleSend up{0, ModuleSend::external};
  constexpr ModuleSend down{5, ModuleSend::external};
  std::vector<std::vector<PlaneSend>> steps;
  for (std::int64_t s = 1; s < l; ++s) {
    const std::int64_t k = s / 2; // planes +k and -k were reached last
    if (s % 2 == 1) {
      steps.push_back({{k, up}, {-k, down}});
    } else {
      steps.push_back({{k, {5, 0}}, {-k, {0, 5}}});
    }
  }
  return steps;
}

ModuleSteps module_fill_steps(bool all_ports)
{
  return all_ports ? module_steps("0>4 0>1 5>9 5>6 | 4>3 4>7 1>2 1>8")
                   : module_steps("0>4 5>9 | 0>1 4>3 5>6 9>8 | 6>7 3>2");
}

ModuleSteps diagonal_module_steps(int entry, bool all_ports)
{
  ModuleSteps from_8 = all_ports ? module_steps("8>7 8>1 8>9 | 7>X 7>4 7>6 1>0 1>2 9>3 9>5 | 4>X 6>X 3>X 2>X")
                                 : module_steps("8>7 | 7>X 8>1 | 8>9 7>4 1>0 | 7>6 4>3 1>2 0>5 | 4>X 6>X 3>X 2>X");
  switch (entry) {
  case 8:
    return from_8;
  case 3:
    return image(from_8, petersen_sigma);
  case 2:
    return image(from_8, petersen_tau);
  case 7:
    return image(image(from_8, petersen_tau), petersen_sigma);
  default:
    throw std::logic_error("only nodes 2, 3, 7 and 8 are entered over a diagonal edge");
  }
}

} // namespace wormcast
