#pragma once

#include "wormcast/experiments/compare/collectives.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace wormcast {

/// Where a table of collectives was measured.
struct CollectivePlace {
  std::size_t ranks = 0;
  std::string map; ///< as given
};

/// A table in parts, so that each algorithm's lines can be written when it is timed.
class CollectiveLines {
public:
  virtual ~CollectiveLines() = default;

  /// What is above the lines of the first algorithm.
  virtual std::string begin(const CollectiveTable& table) const = 0;
  /// The lines of one algorithm; of people's table none where it has no time.
  virtual std::string row(const CollectiveTable& table, std::size_t row) const = 0;
  /// What is below the lines of the last algorithm.
  virtual std::string end(const CollectiveTable& table) const = 0;
};

/// For people: a line for each algorithm with its times by length, the fastest ones, and what gave no time and why.
/// `machine` must outlive it.
std::unique_ptr<CollectiveLines> collectives_table(const ProgramMachine& machine, const CollectivePlace& place);

/// One line for each algorithm and length.
std::unique_ptr<CollectiveLines> collectives_csv();

/// The whole table.
std::string collectives_text(const CollectiveLines& lines, const CollectiveTable& table);

/// Text of the object of `collectives --json`, format wormcast-collectives/1 (docs/formats.md), indented. Rows that are
/// not timed are left out.
std::string collectives_json_text(const ProgramMachine& machine, const CollectivePlace& place,
                                  const CollectiveTable& table);

/// Time over length, both logarithmic, of those that are the fastest of SMPI's or of wormcast's at one of the lengths.
/// Throws InputError where none has a time.
Figure collectives_figure(const ProgramMachine& machine, const CollectivePlace& place, const CollectiveTable& table);

} // namespace wormcast
