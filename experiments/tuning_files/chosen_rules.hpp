#pragma once

#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/choose.hpp"
#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

namespace wormcast {

/// The rules of a choice.
struct ChosenRules {
  TuningRules rules;
  int interrupted_by = 0; ///< a signal, or 0; then there are no rules
  bool has_gaps = false;  ///< simulations were left out (Workers::left_out); then there are no rules
};

/// Throws InputError where the library's rules do not know the operation, or the library has none of wormcast's
/// algorithms for it.
void require_in_library(TunedLibrary library, Operation operation);

/// From which length on the library is to use which of its algorithms, of those that send what one of wormcast's sends:
/// the boundaries are searched for as choose_algorithms() searches. What the choice has instead is lost; how much
/// slower the library's is, is simulated at the lengths of the search and at all boundaries. Rank r is on node r.
/// Throws InputError where none of the library's runs on the topology, and as choose_algorithms.
ChosenRules rules_of_choice(TunedLibrary library, const Experiment& experiment, const Choice& choice,
                            const ChooseOptions& options);

/// The candidate of a piece that is decided.
Candidate candidate_of(const Experiment& experiment, const Choice& choice, const ChosenAlgorithm& piece);

/// The first whole length of a piece.
std::uint64_t first_length(const ChosenAlgorithm& piece);

/// The piece to which a length belongs, or of one that is not decided the least mean.
const ChosenAlgorithm& piece_at(const Choice& choice, std::uint64_t bytes);

} // namespace wormcast
