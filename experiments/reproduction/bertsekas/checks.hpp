#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

namespace wormcast {

/// D. P. Bertsekas, C. Ozveren, G. D. Stamoulis, P. Tseng, J. N. Tsitsiklis, "Optimal Communication Algorithms for
/// Hypercubes", Journal of Parallel and Distributed Computing 11, 1991.
Paper bertsekas_1991_paper();

/// The checks of all claims, one file for each subject.
std::vector<Check> bertsekas_1991_checks();

namespace bertsekas {

std::vector<Check> network_checks();        ///< section 1: the hypercube, one-port algorithms, pipelining, links in use
std::vector<Check> table_1_checks();        ///< table 1: times, transmissions, lower bounds
std::vector<Check> link_type_checks();      ///< section 2: sets of links and their translates, fig. 2
std::vector<Check> numbering_checks();      ///< section 2: n(t), m(t), the sets E_i and A_i, fig. 3
std::vector<Check> numbering_rule_checks(); ///< section 2: what the rules of the numbering are for
std::vector<Check> scatter_rule_checks();   ///< section 3: sending down a spanning tree, other ways to scatter
std::vector<Check> earlier_algorithm_checks(); ///< section 1: algorithms of the references
std::vector<Check> balanced_tree_checks();     ///< section 3: compatible classes, the tree T, fig. 4
std::vector<Check> exchange_checks();          ///< section 4: the recursive construction, N_d(i, n)
std::vector<Check> exchange_rule_checks();     ///< section 4, implementation: tables, fig. 6, forwarding
Check indivisibility_check();                  ///< the appendix

} // namespace bertsekas

} // namespace wormcast
