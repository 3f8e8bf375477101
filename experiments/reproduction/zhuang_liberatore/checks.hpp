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

/// The largest n of the meshes 2^n x 2^n whose schedules are replayed from every source.
inline constexpr int most_replayed_level = 4;

/// A check of section 5, with what all demonstrations of that section run.
Check section_5_check(const std::string& name, std::function<Evidence()> measure);

std::vector<Check> cost_checks();            ///< tables and closed forms of alpha and beta, one-port
std::vector<Check> corner_checks();          ///< sections 4.1 and 5: what is said of sources in a corner
std::vector<Check> lemma_checks();           ///< section 5: mappings, lemmas 1 to 5
std::vector<Check> theorem_checks();         ///< sections 3.1 and 5: ownership, lemma 6, theorems 1 and 2
std::vector<Check> recursion_checks();       ///< sections 3.2, 3.3, 7.1: the general form, its rounds in 3-D
std::vector<Check> non_square_checks();      ///< section 6
std::vector<Check> bound_checks();           ///< section 9: propositions, theorem 3
std::vector<Check> figure_checks();          ///< figs. 4 and 8
std::vector<Check> figure_reading_checks();  ///< what the text reads in figs. 4 and 8
std::vector<Check> synchronisation_checks(); ///< sections 2.2, 2.3, 10: what the cost model leaves out
std::vector<Check> unsynchronised_checks();  ///< section 10: the same without synchronised steps
Check self_timed_check();                    ///< one of the latter
std::vector<Check> all_port_checks();        ///< section 8

} // namespace zhuang_liberatore

} // namespace wormcast
