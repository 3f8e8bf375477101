#pragma once

#include "wormcast/experiments/reproduction/claim.hpp"

namespace wormcast {

/// D. P. Bertsekas, C. Ozveren, G. D. Stamoulis, P. Tseng, J. N. Tsitsiklis, "Optimal Communication Algorithms for
/// Hypercubes", Journal of Parallel and Distributed Computing 11, 1991.
Paper bertsekas_1991_paper();

/// All claims, in the paper's order. They are in files of their own by what they are about.
std::vector<Claim> bertsekas_1991_claims();

namespace bertsekas {

std::vector<Claim> network_claims();        ///< section 1: the hypercube, one-port algorithms, pipelining, links in use
std::vector<Claim> table_1_claims();        ///< table 1: times, transmissions, lower bounds
std::vector<Claim> link_type_claims();      ///< section 2: sets of links and their translates, fig. 2
std::vector<Claim> numbering_claims();      ///< section 2: n(t), m(t), the sets E_i and A_i, fig. 3
std::vector<Claim> numbering_rule_claims(); ///< section 2: what the rules of the numbering are for
std::vector<Claim> scatter_rule_claims();   ///< section 3: sending down a spanning tree, other ways to scatter
std::vector<Claim> earlier_algorithm_claims(); ///< section 1: algorithms of the references
std::vector<Claim> balanced_tree_claims();     ///< section 3: compatible classes, the tree T, fig. 4
std::vector<Claim> exchange_claims();          ///< section 4: the recursive construction, N_d(i, n)
std::vector<Claim> exchange_rule_claims();     ///< section 4, implementation: tables, fig. 6, forwarding
Claim indivisibility_claim();                  ///< the appendix

} // namespace bertsekas

} // namespace wormcast
