#pragma once

#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/experiments/reproduction/frame/claim.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/holdings.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast::zhuang_liberatore {

/// Section 8: the broadcasts with all ports, and what is published of them. Their schedules were in figures and in
/// other papers, which are not at hand; those of this program are reconstructions within the published frame.

/// `algorithm` with all ports on a mesh or torus of side 2^n.
BroadcastCase all_port(const std::string& kind, int n, const std::string& algorithm);

/// NP-D with 2^d pieces; `split` is a variant that is not in the paper.
BroadcastCase all_port_partitioning(const std::string& kind, int n, int d, bool split);

/// The n of a side of 2^n.
int exponent(const BroadcastCase& broadcast);

/// Section 8.2: steps and bytes of stage 1, and of the whole broadcast.
Fraction published_scatter_alpha(int n);
Fraction published_scatter_beta(int n);
Fraction published_alpha(int n);
Fraction published_beta(int n);

/// Section 8.3: D-node (alpha and beta), NP-D.
Fraction published_dominating_nodes(int n);
Fraction published_partitioning_alpha(int n, int d);
Fraction published_partitioning_beta(int n, int d);

/// RB with all ports from every source up to n = 4 and from some above, on a mesh with those whose costs are known to
/// stand out. all_port_sources_text says so in words.
std::vector<BroadcastCase> all_port_sources(const std::string& kind, int n);
std::string all_port_sources_text();

/// Steps, and the sum of their largest messages over the message's length.
struct AllPortCosts {
  Fraction alpha;
  Fraction beta;
};
AllPortCosts all_port_costs(const BroadcastCase& broadcast);

/// The places of the reconstruction's diagonals: a mesh's own, on a torus moved so that the source is in the middle.
NodeOfPlace places_of_all_port(const BroadcastCase& broadcast, const Topology& topology);

/// A published number of a broadcast beside the one that its reconstruction has.
struct PublishedAndFound {
  BroadcastCase broadcast;
  Fraction published;
  Fraction found;
};

/// "a corner", "a border", "inside" on a mesh, "anywhere" on a torus.
std::string place_of_source(const BroadcastCase& broadcast);

/// How many sources have which value, by kind, size and place of the source.
ExhibitTable table_by_place(const std::string& title, std::span<const PublishedAndFound> values);

/// Runs stage 1: until every node of the two diagonals can keep a flint of its own. The number of its steps; none if
/// that never happens.
std::optional<std::uint32_t> run_all_port_scatter(Holdings& holdings, const BroadcastCase& broadcast,
                                                  const NodeOfPlace& node_of);

/// A claim of section 8.
Check all_port_check(const std::string& name, const BroadcastCase& shown, std::function<Evidence()> measure);

std::vector<Check> all_port_round_checks(); ///< section 8.1
std::vector<Check> all_port_cost_checks();  ///< section 8.2
std::vector<Check> all_port_rival_checks(); ///< section 8.3

} // namespace wormcast::zhuang_liberatore
