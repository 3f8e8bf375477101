#pragma once

#include "wormcast/algorithms/schedule/neighbour_sends.hpp"
#include "wormcast/topologies/petersen_torus.hpp"

#include <string_view>
#include <vector>

namespace wormcast {

/// A send of node `from` of any module, to node `to` of the same module or over its external edge.
struct ModuleSend {
  static constexpr int external = -1;
  int from = 0;
  int to = external;

  friend bool operator==(const ModuleSend&, const ModuleSend&) = default;
};
/// Sends of one step, which all modules make; a list of steps.
using ModuleStep = std::vector<ModuleSend>;
using ModuleSteps = std::vector<ModuleStep>;

/// Steps as in "8>7 | 7>X 8>1": sends separated by spaces, steps by bars, X is the other end of the external edge. Two
/// nodes that are no neighbours are a broken invariant, like any other text.
ModuleSteps module_steps(std::string_view text);

/// The same sends with all numbers mapped.
ModuleSteps image(const ModuleSteps& steps, const PetersenPermutation& permutation);

/// The steps of `added` after those of `steps`.
void append_steps(ModuleSteps& steps, const ModuleSteps& added);

/// The sends of one module, as node ids.
NodeSend send_of_module(const PetersenTorusSize& size, const PetersenTorusNode& module, ModuleSend send);

/// All modules of the torus make the same sends.
SendSteps sends_of_all_modules(const PetersenTorusSize& size, const ModuleSteps& steps);

/// The sizes of a petersen_torus. Throws InputError that names the algorithm for any other topology.
PetersenTorusSize require_petersen_torus(const Topology& topology, std::string_view algorithm);

/// Throws InputError that names the algorithm if the topology is not the Petersen graph.
void require_petersen(const Topology& topology, std::string_view algorithm);

} // namespace wormcast
