#pragma once

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <concepts>
#include <cstdint>

namespace wormcast {

/// X. Zhuang, V. Liberatore, "A Recursion-based Broadcast Paradigm in Wormhole Routed Mesh/Torus Networks".
Paper zhuang_liberatore_paper();

/// The checks of all claims, in files of their own by what they are about.
std::vector<Check> zhuang_liberatore_checks();

namespace zhuang_liberatore {

/// As the paper's forms need it between fractions.
template <std::signed_integral Number> Fraction whole(Number number)
{
  return Fraction(std::int64_t{number});
}

std::vector<Check> cost_checks();            ///< tables and closed forms of alpha and beta, one-port
std::vector<Check> corner_checks();          ///< sections 4.1 and 5: what is said of sources in a corner
std::vector<Check> lemma_checks();           ///< sections 3.1 and 5: ownership, mappings, lemmas, theorems 1 and 2
std::vector<Check> recursion_checks();       ///< sections 3.2, 3.3, 7.1: the general form, its rounds in 3-D
std::vector<Check> non_square_checks();      ///< section 6
std::vector<Check> bound_checks();           ///< section 9: propositions, theorem 3
std::vector<Check> figure_checks();          ///< figs. 4 and 8, and what the text reads in them
std::vector<Check> synchronisation_checks(); ///< sections 2.2, 2.3, 10: what the cost model leaves out
std::vector<Check> unsynchronised_checks();  ///< section 10: the same without synchronised steps
Check self_timed_check();                    ///< one of the latter
std::vector<Check> all_port_checks();        ///< section 8

} // namespace zhuang_liberatore

} // namespace wormcast
