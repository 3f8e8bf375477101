#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

namespace wormcast {

/// J.-S. Kim, H.-O. Lee, M. Kim, S. W. Kim, "Broadcasting Algorithms of Three-Dimensional Petersen-Torus Network",
/// 2014.
Paper kim_2014_paper();

/// The checks of all claims, in files of their own by what they are about.
std::vector<Check> kim_2014_checks();

namespace kim {

std::vector<Check> network_checks();            ///< sections 1 and 2: nodes, edges, sizes, diameter
std::vector<Check> printed_edge_checks();       ///< what is printed as an edge or a chain of edges, and is none
std::vector<Check> petersen_checks();           ///< lemmas 3 and 6, algorithms 2 and 3
std::vector<Check> algorithm_1_checks();        ///< one-to-all: who is reached from where, figure 2
std::vector<Check> proof_case_checks();         ///< the cases of the proofs of theorems 4 and 5
std::vector<Check> erratum_checks();            ///< slips of the text besides printed edges
std::vector<Check> one_to_all_theorem_checks(); ///< theorems 4 and 5, and the optimum
std::vector<Check> one_to_all_reading_checks(); ///< what algorithm 1 leaves open: waiting, omitted sends, ties
std::vector<Check> all_to_all_checks();         ///< algorithms 4 and 5, theorems 7 and 8
std::vector<Check> step_model_checks();         ///< what a count of steps hides: volume, time on a real network

} // namespace kim

} // namespace wormcast
