#pragma once

#include "wormcast/algorithms/schedule/neighbour_sends.hpp"
#include "wormcast/experiments/reproduction/frame/claim.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/topologies/petersen_torus.hpp"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::kim {

/// What the claims of Kim et al. are about: cases on the Petersen graph and on 3PT(l, m, n), the smallest first.

/// The paper's models: single link available, multiple links available.
inline constexpr PortModel sla{1};
inline constexpr PortModel mla{PortModel::all};

/// "3PT(2, 3, 4)".
std::string text(const PetersenTorusSize& size);

/// "SLA" or "MLA".
std::string model_name(PortModel ports);

/// Everything with l, m, n in 2 .. `most` and at most `modules` modules, by number of modules, then l, m, n.
std::vector<PetersenTorusSize> all_sizes(std::int64_t most, std::int64_t modules = 1 << 20);

/// Those of `sizes` with m >= n, the case that the paper works out.
std::vector<PetersenTorusSize> with_m_not_below_n(std::vector<PetersenTorusSize> sizes);

/// 3PT of this size with its default routing.
std::unique_ptr<PetersenTorus> make_torus(const PetersenTorusSize& size);

/// Most steps of a shortest path from node p of any module.
std::uint32_t eccentricity(const PetersenTorus& torus, int p);
/// The largest of these.
std::uint32_t diameter(const PetersenTorus& torus);

/// Algorithm 1 from node p of module (0, 0, 0).
BroadcastCase algorithm_1(const PetersenTorusSize& size, int p, PortModel ports);
/// Algorithm 4 (SLA) or 5 (MLA) in the given variant.
BroadcastCase all_to_all(const PetersenTorusSize& size, PortModel ports, const std::string& variant);
/// Flooding with messages that combine.
BroadcastCase flooding(const PetersenTorusSize& size);

/// The Petersen graph, and a schedule on it; an empty variant leaves the algorithm's parameters alone.
std::shared_ptr<const Topology> petersen_graph();
Schedule petersen_schedule(const Topology& petersen, const std::string& algorithm, PortModel ports,
                           const std::string& variant = "", int source = 0);
/// A configuration of it.
std::string petersen_config(const std::string& algorithm, PortModel ports, const std::string& more);

/// An undirected edge, the smaller id first.
using Edge = std::pair<std::uint32_t, std::uint32_t>;
Edge edge(NodeId a, NodeId b);
std::set<Edge> edges_of(const Topology& topology);

/// The sends on their way to a check, of as many nodes.
using wormcast::as_made;
SendSteps as_made(const SendSteps& steps, std::int64_t node_count);

/// `schedule` is valid and takes `steps` steps. Only a failure on up to 100 nodes keeps its schedule.
Observation takes_steps(const std::string& what, const Topology& topology, const Schedule& schedule,
                        std::int64_t steps);

/// The configuration of a case with the command that checks it.
Demonstration checked(const BroadcastCase& broadcast);

} // namespace wormcast::kim
