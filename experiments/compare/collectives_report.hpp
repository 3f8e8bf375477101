#pragma once

#include "wormcast/experiments/compare/collectives.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <cstddef>
#include <string>

namespace wormcast {

/// Where a table of collectives was measured.
struct CollectivePlace {
  std::size_t ranks = 0;
  std::string map; ///< as given
};

/// For people: a line for each algorithm with its times by length, the fastest ones, and what gave no time and why.
std::string collectives_text(const ProgramMachine& machine, const CollectivePlace& place, const CollectiveTable& table);

/// One line for each algorithm and length.
std::string collectives_csv(const CollectiveTable& table);

/// Text of the object of `collectives --json`, format wormcast-collectives/1 (docs/formats.md), indented.
std::string collectives_json_text(const ProgramMachine& machine, const CollectivePlace& place,
                                  const CollectiveTable& table);

/// Time over length, both logarithmic, of those that are the fastest of SMPI's or of wormcast's at one of the lengths.
/// Throws InputError where none has a time.
Figure collectives_figure(const ProgramMachine& machine, const CollectivePlace& place, const CollectiveTable& table);

} // namespace wormcast
