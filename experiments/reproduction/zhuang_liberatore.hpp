#pragma once

#include "experiments/reproduction/claim.hpp"

namespace wormcast {

/// X. Zhuang, V. Liberatore, "A Recursion-based Broadcast Paradigm in Wormhole Routed Mesh/Torus Networks".
Paper zhuang_liberatore_paper();

/// All claims, in the paper's order. They are in files of their own by what they are about.
std::vector<Claim> zhuang_liberatore_claims();

namespace zhuang_liberatore {

std::vector<Claim> cost_claims();  ///< tables and closed forms of alpha and beta, one-port
std::vector<Claim> lemma_claims(); ///< sections 3.1 and 5: ownership, mappings, lemmas, theorems 1 and 2

} // namespace zhuang_liberatore

} // namespace wormcast
