#pragma once

#include "wormcast/experiments/reproduction/claim.hpp"

namespace wormcast {

/// J.-S. Kim, H.-O. Lee, M. Kim, S. W. Kim, "Broadcasting Algorithms of Three-Dimensional Petersen-Torus Network",
/// 2014.
Paper kim_2014_paper();

/// All claims, in the paper's order. They are in files of their own by what they are about.
std::vector<Claim> kim_2014_claims();

namespace kim {

std::vector<Claim> network_claims();            ///< sections 1 and 2: nodes, edges, sizes, diameter
std::vector<Claim> printed_edge_claims();       ///< what is printed as an edge or a chain of edges, and is none
std::vector<Claim> petersen_claims();           ///< lemmas 3 and 6, algorithms 2 and 3
std::vector<Claim> algorithm_1_claims();        ///< one-to-all: who is reached from where, figure 2
std::vector<Claim> proof_case_claims();         ///< the cases of the proofs of theorems 4 and 5
std::vector<Claim> erratum_claims();            ///< slips of the text besides printed edges
std::vector<Claim> one_to_all_theorem_claims(); ///< theorems 4 and 5, and the optimum
std::vector<Claim> one_to_all_reading_claims(); ///< what algorithm 1 leaves open: waiting, omitted sends, ties
std::vector<Claim> all_to_all_claims();         ///< algorithms 4 and 5, theorems 7 and 8
std::vector<Claim> step_model_claims();         ///< what a count of steps hides: volume, time on a real network

} // namespace kim

} // namespace wormcast
