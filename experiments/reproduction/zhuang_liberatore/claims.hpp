#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/reproduction/claim.hpp"

#include <concepts>
#include <cstdint>

namespace wormcast {

/// X. Zhuang, V. Liberatore, "A Recursion-based Broadcast Paradigm in Wormhole Routed Mesh/Torus Networks".
Paper zhuang_liberatore_paper();

/// All claims, in the paper's order. They are in files of their own by what they are about.
std::vector<Claim> zhuang_liberatore_claims();

namespace zhuang_liberatore {

/// As the paper's forms need it between fractions.
template <std::signed_integral Number> Fraction whole(Number number)
{
  return Fraction(std::int64_t{number});
}

std::vector<Claim> cost_claims();            ///< tables and closed forms of alpha and beta, one-port
std::vector<Claim> corner_claims();          ///< sections 4.1 and 5: what is said of sources in a corner
std::vector<Claim> lemma_claims();           ///< sections 3.1 and 5: ownership, mappings, lemmas, theorems 1 and 2
std::vector<Claim> recursion_claims();       ///< sections 3.2, 3.3, 7.1: the general form, its rounds in 3-D
std::vector<Claim> non_square_claims();      ///< section 6
std::vector<Claim> bound_claims();           ///< section 9: propositions, theorem 3
std::vector<Claim> figure_claims();          ///< figs. 4 and 8, and what the text reads in them
std::vector<Claim> synchronisation_claims(); ///< sections 2.2, 2.3, 10: what the cost model leaves out
std::vector<Claim> unsynchronised_claims();  ///< section 10: the same without synchronised steps
Claim self_timed_claim();                    ///< one of the latter
std::vector<Claim> all_port_claims();        ///< section 8

} // namespace zhuang_liberatore

} // namespace wormcast
