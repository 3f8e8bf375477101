#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// All papers, in the order in which they are listed, and what is the program's own.
std::span<const Paper> papers();

/// The paper of a claim, by the part of its name before the dot.
const Paper& paper_of(const Claim& claim);

/// The claims of all papers.
std::vector<Claim> all_claims();

/// Those of `claims` that `names` ask for: names of claims and of papers; all where there are no names. In the order of
/// `claims`, each once. Throws InputError on an unknown name, with the nearest known one.
std::vector<Claim> select_claims(std::vector<Claim> claims, std::span<const std::string> names);

} // namespace wormcast
