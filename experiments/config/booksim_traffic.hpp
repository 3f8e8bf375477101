#pragma once

#include "wormcast/experiments/config/booksim_options.hpp"

#include <string>
#include <vector>

namespace wormcast {

/// The traffic of a BookSim2 configuration.
struct ImportedTraffic {
  std::string toml;                          ///< [traffic], [load] and [run]; empty where `uncovered` is not
  std::vector<std::string> notes = {};       ///< what is the same in the mean alone
  std::vector<std::string> differences = {}; ///< what is not even the same in the mean
  std::vector<std::string> uncovered = {};   ///< options whose traffic no [traffic] can be: "traffic = hotspot(...)"
};

/// Translates the traffic for "wormcast load", with a cycle of 1 ns and flits of one byte. Values that are no numbers
/// become errors of `options`.
ImportedTraffic import_booksim_traffic(BookSimOptions& options);

} // namespace wormcast
