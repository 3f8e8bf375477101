#pragma once

#include "wormcast/experiments/compare/collectives.hpp"
#include "wormcast/experiments/tuning_files/tuning_rules.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wormcast {

/// Rules whose boundaries were searched for.
struct ExactRules {
  TuningRules rules;
  int interrupted_by = 0; ///< a signal, or 0; then there are no rules
  bool has_gaps = false;  ///< algorithms were left out (Workers::left_out); then there are no rules
};

/// Times these algorithms, named as CollectiveOptions::algorithms, at these lengths.
using TimeCollectives = std::function<CollectiveTable(const std::vector<std::string>& algorithms,
                                                      const std::vector<std::uint64_t>& lengths)>;

/// The rules of a table as rules_of_collectives() makes them, with boundaries to the byte: between two lengths with
/// different winners the library's algorithms are timed in the middle, until two lengths are neighbours. What is lost
/// is timed at the lengths of the table and at the boundaries. A winner whose lengths all lie between two of the
/// table's with the same winner is not found.
ExactRules exact_rules(TunedLibrary library, CollectiveTable table, std::uint64_t ranks, bool ranks_are_nodes,
                       const TimeCollectives& time);

} // namespace wormcast
