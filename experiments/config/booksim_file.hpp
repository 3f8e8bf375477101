#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A configuration of BookSim2 as one of this program.
struct ImportedConfig {
  std::string toml; ///< [topology] and [network]; [traffic], [load] and [run] where the traffic is covered
  std::vector<std::string> left_out;          ///< options that are there but not taken over, with the reasons
  std::vector<std::string> notes;             ///< what is the same in the mean alone, not cycle by cycle
  std::vector<std::string> differences;       ///< what is not even the same in the mean
  std::vector<std::string> uncovered_traffic; ///< options that no [traffic] can express; empty: it is covered
};

/// Reads a BookSim2 configuration (BookSimOptions). Throws InputError with all errors: with file and line for text that
/// is no such configuration and for unknown options, by name for options of the network and its routers that router
/// "input_queued" does not cover.
ImportedConfig import_booksim(std::string_view text, const std::string& file);

} // namespace wormcast
